import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Host } from '../ci/port.ts';
import { configError, errnoOf } from '../ground/errors.ts';
import { whyNoPath } from '../ground/text/paths.ts';
import {
  INPUT_NAMES,
  type InputSource,
  RESULT_FILES,
  SECRET_INPUTS,
  variableName,
} from '../values/reader.ts';
import { SHORTEST_KEY } from '../values/values.ts';
import type { CommandLine } from './arguments.ts';
import { inputCommands } from './options.ts';

// Credentials that a project usually has as variables of all its jobs.
const CREDENTIAL =
  /^(assistant-api-key|secret-token|kubeconfig|vault-.*|aws-.*|id-token-audience)$/;

// Options of the command line that are also read from variables, as inputs are.
const OPTIONS_WITH_VARIABLE = ['to-command', 'state'];

/**
 * The inputs of a command: from flags, else from variables. An empty text counts as not given.
 * `configFile`: the configuration file if no other is named. Throws `config` if the file of a
 * secret cannot be read.
 */
export function readCommandInputs(
  line: CommandLine,
  host: Pick<Host, 'env' | 'cwd'>,
  configFile = '',
): InputSource {
  // A line without a command is refused before its inputs are read.
  const { command = '' } = line;
  const flags: ReadonlyMap<string, readonly string[]> = line.flags;
  const secrets = new Map<string, string>();
  for (const name of SECRET_INPUTS) {
    const path = flags.get(`${name}-file`)?.[0];
    if (path !== undefined) secrets.set(name, readSecretFile(name, path, host.cwd));
  }
  const fromFlag = (name: string) => {
    // Other flags are for the command alone: `--json`, say, is how it prints its report.
    if (!READ_BY_RUNS.includes(name)) return '';
    // A flag that is repeated is an input with several lines.
    return flags.get(name)?.join('\n') || secrets.get(name) || '';
  };
  const fromVariable = (name: string) => {
    const input = INPUT_NAMES.find((inputName) => inputName === name);
    // github-token is for all commands, as in the action, where each step has the token of its job.
    const isForAll = [...OPTIONS_WITH_VARIABLE, 'github-token'].includes(name);
    const isTaken = isForAll || (input !== undefined && inputCommands(input).includes(command));
    // Jobs of one pipeline share variables: one that is meant for another command is not a mistake.
    if (!isTaken) return '';
    return host.env[variableName(name)] ?? '';
  };
  return {
    value(name) {
      // `status` reads the inputs of a rollback.
      if (name === 'mode') return command === 'status' ? 'rollback' : command;
      const text = fromFlag(name) || fromVariable(name);
      if (name === 'config-file') return text || configFile;
      // The command writes these files below the working folder. The run, which checks that none
      // of them is written twice, would read a relative path as one below its workspace.
      const isResultFile = RESULT_FILES.some((flag) => flag === name) && text !== '';
      return isResultFile ? resolve(host.cwd, text) : text;
    },
    // `readArguments` and `unknownVariables` report them.
    unknownNames: () => [],
    place(name) {
      // A secret in a file.
      const file = flags.get(`${name}-file`)?.[0];
      if (file !== undefined) return { file };
      // Messages name an option as a flag, also if its value is in a variable.
      if (OPTIONS_WITH_VARIABLE.includes(name)) return undefined;
      const isVariable = fromFlag(name) === '' && fromVariable(name) !== '';
      return isVariable ? { variable: variableName(name) } : undefined;
    },
    // A flag was written for this command.
    isAmbient: (name) => CREDENTIAL.test(name) && fromFlag(name) === '',
  };
}

/** What a run may read: inputs, and options that only the command line has. */
const READ_BY_RUNS: readonly string[] = [
  ...INPUT_NAMES,
  ...OPTIONS_WITH_VARIABLE,
  'changed-since',
  'print-link',
  ...RESULT_FILES,
];

/** Secrets with one line: keys and tokens. A kubeconfig and headers may have several lines. */
const ONE_LINE = /(key|token)$/;
const MAX_SECRET_BYTES = 64 * 1024;

/** The secret in the file of a flag. Throws `config`, without the text of the file. */
function readSecretFile(name: string, given: string, cwd: string): string {
  const flag = `--${name}-file`;
  const refusal = (message: string, hint?: string) =>
    configError(`${message} Nothing was sent.`, hint);
  // undefined if the text can be meant as a path.
  const mustBe = whyNoPath(given);
  if (mustBe !== undefined) throw refusal(`${flag} must be ${mustBe}.`);
  const path = resolve(cwd, given);
  let text = '';
  let problem: string | undefined;
  try {
    if (statSync(path).size > MAX_SECRET_BYTES)
      problem = `has more than ${MAX_SECRET_BYTES / 1024} KiB: it contains no secret of this program`;
    else {
      text = readFileSync(path, 'utf8').trim();
      problem = whyNoSecret(name, text);
    }
  } catch (error) {
    problem = whyUnreadable(errnoOf(error));
  }
  if (problem === undefined) return text;
  if (mayBeSecret(given, path)) {
    throw refusal(
      `${flag} names no file. What it names is not shown, since it may be the secret itself.`,
      'Put the secret into a file and give its path; ./ in front of it if it is in the working folder. If it was the secret, replace that: other processes could read it.',
    );
  }
  throw refusal(`${flag}: ${path} ${problem}.`);
}

function whyUnreadable(errno = 'the reason is unknown'): string {
  if (errno === 'EISDIR') return 'is a folder: name the file in it that has the secret';
  if (errno === 'ENOENT') return 'does not exist';
  return `cannot be read (${errno})`;
}

/** Why the text of the file cannot be the secret; undefined: it can. */
function whyNoSecret(name: string, text: string): string | undefined {
  // An empty text would count as not given: the variable, which may have another key, would be
  // used.
  if (text === '') return 'is empty';
  const count = text.split('\n').length;
  if (count === 1 || !ONE_LINE.test(name)) return undefined;
  return `has ${count} lines: leave only the one with the secret itself`;
}

/**
 * True if a flag for the path of a file may have been given the secret itself: nothing is at the
 * path, not even its folder, and the text is as long as a secret.
 */
function mayBeSecret(given: string, path: string): boolean {
  if (existsSync(path) || given.length < SHORTEST_KEY) return false;
  const isNameOnly = dirname(given) === '.';
  // `./NAME` and `.NAME` are written by a person who means a file.
  if (isNameOnly) return !given.startsWith('.');
  return !existsSync(dirname(path));
}
