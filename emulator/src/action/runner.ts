import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/** The runner's side of a step: the workflow's inputs, and the files for results. */
export type RunnerEnv = Readonly<Record<string, string | undefined>>;

/** An input's value, trimmed; empty when it was not given. */
export function readInput(env: RunnerEnv, name: string): string {
  return (env[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`] ?? '').trim();
}

export function needVariable(env: RunnerEnv, name: string): string {
  const value = env[name];
  if (value === undefined || value === '')
    throw new Error(`${name} is not set: run this as a step of a workflow.`);
  return value;
}

/**
 * Adds to one of the runner's files. The random delimiter keeps a value from ending itself and
 * adding another name.
 */
function append(path: string, values: Readonly<Record<string, string>>): void {
  const delimiter = `ghadelimiter_${randomBytes(16).toString('hex')}`;
  const lines = Object.entries(values).map(
    ([name, value]) => `${name}<<${delimiter}\n${value}\n${delimiter}\n`,
  );
  appendFileSync(path, lines.join(''));
}

export function writeOutputs(env: RunnerEnv, values: Readonly<Record<string, string>>): void {
  append(needVariable(env, 'GITHUB_OUTPUT'), values);
}

/** Kept for the post step, which reads each as `STATE_<name>`. */
export function writeState(env: RunnerEnv, values: Readonly<Record<string, string>>): void {
  append(needVariable(env, 'GITHUB_STATE'), values);
}

/** From now on the runner shows `***` instead. */
export function mask(value: string): void {
  console.log(`::add-mask::${value}`);
}

/** Escaped for the message of a workflow command: one line. */
export function failStep(message: string): void {
  const data = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  console.log(`::error::${data}`);
  process.exitCode = 1;
}

/** Text from elsewhere, in a separate group in which the runner ignores workflow commands. */
export function showGroup(title: string, text: string): void {
  const token = randomBytes(16).toString('hex');
  console.log(`::group::${title}`);
  console.log(`::stop-commands::${token}`);
  console.log(text);
  console.log(`::${token}::`);
  console.log('::endgroup::');
}
