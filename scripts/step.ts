/**
 * Runs the action once on this machine as a step of a workflow, with a small model of the runner:
 * every input of action.yml is an option, and so are the repository and the address of GitHub's
 * API. For trials with the keys of an emulator; a command line is not the right place for real
 * keys. `npm run step -- --help` lists the options.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runStep, type StepResult } from '../test/support/runner.ts';
import { SECRET_INPUTS, startActionWorld } from '../test/support/world/built-action.ts';
import { readCatalog } from './catalog.ts';
import { requireBuiltAction } from './demo/world.ts';

const ROOT = resolve(import.meta.dirname, '..');

/**
 * Values from the runner: the address of GitHub's API, such as the emulator's, the repository and
 * the commit of the step, and its event as `NAME=FILE` with the payload.
 */
const CONTEXT = ['github-api-url', 'repository', 'commit', 'event'] as const;

const HELP = `The action as one step of a workflow, on this machine. Each input of action.yml is an option.

npm run step -- --mode export                     on emulators, which it starts: exports a site to a secret
npm run step -- --base-url URL --mode search …    on a platform, such as that of npm run emulator

--event NAME=FILE     the event of the run with its payload, such as issue_comment=event.json; default: a push
--commit SHA          the commit of the run, such as that of the documentation
--repository NAME     the repository of the run, OWNER/NAME
--github-api-url URL  GitHub's API, such as that of an emulator
--sources             runs src/entry/action.ts instead of dist: a debugger then stops in the sources`;

interface Options {
  readonly given: Readonly<Record<string, string>>;
  readonly usesSources: boolean;
}

/** undefined: the options are shown, and nothing runs. */
function readOptions(): Options | undefined {
  const { inputs } = readCatalog(join(ROOT, 'action.yml'));
  const names = [...inputs.map(({ name }) => name), ...CONTEXT];
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      sources: { type: 'boolean' as const },
      help: { type: 'boolean' as const, short: 'h' },
    },
  });
  const { sources, help, ...texts } = values;
  if (help === true) return undefined;
  const given = Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  return { given: Object.fromEntries(given), usesSources: sources === true };
}

/** A debugger of this process attaches to the process of the action by this variable. */
function forDebugger(): Record<string, string> {
  const { NODE_OPTIONS } = process.env;
  return NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS };
}

async function runOnEmulators(
  inputs: Readonly<Record<string, string>>,
  main: string | undefined,
): Promise<StepResult> {
  await using world = await startActionWorld();
  const step = world.stepOf({ ...SECRET_INPUTS, ...inputs });
  return await runStep({ ...step, main, env: { ...step.env, ...forDebugger() } });
}

/** Without an event, the step runs on a push. */
function readEvent(given: string | undefined): {
  readonly event?: unknown;
  readonly eventName?: string;
} {
  if (given === undefined) return {};
  const [eventName = '', ...path] = given.split('=');
  if (path.length === 0) throw new Error('--event is NAME=FILE, such as issue_comment=event.json.');
  const event: unknown = JSON.parse(readFileSync(path.join('='), 'utf8'));
  return { eventName, event };
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) {
    console.log(HELP);
    return 0;
  }
  const { given, usesSources } = options;
  if (!usesSources) requireBuiltAction();
  const main = usesSources ? join(ROOT, 'src/entry/action.ts') : undefined;
  const { 'github-api-url': apiUrl, repository, commit, event, ...inputs } = given;
  const result =
    inputs['base-url'] === undefined
      ? await runOnEmulators(inputs, main)
      : await runStep({
          inputs,
          apiUrl,
          repository,
          sha: commit,
          githubToken: inputs['github-token'],
          ...readEvent(event),
          // npm runs scripts in the folder of the package; this is the one that it was called from.
          workspace: process.env['INIT_CWD'] ?? process.cwd(),
          main,
          env: forDebugger(),
        });
  console.log(result.log);
  if (result.summary !== '') console.log(`\n${result.summary}`);
  return result.exitCode ?? 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
