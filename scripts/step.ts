/**
 * Runs the built action once on this machine as a step of a workflow, with a small model of the runner: every input of
 * action.yml is an option, and so are the repository and the address of GitHub's API. For trials with the keys of an
 * emulator; a command line is not the right place for real keys.
 *
 * With `--event issue_comment=FILE` it runs on that event.
 *
 *     npm run step -- --mode search --base-url http://127.0.0.1:8787 --domain acme --query 'getting started' …
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runStep } from '../test/support/runner.ts';
import { readCatalog } from './catalog.ts';
import { requireBuiltAction } from './demo/world.ts';

const ROOT = resolve(import.meta.dirname, '..');

/**
 * Values from the runner: the address of GitHub's API, such as the emulator's, the repository of the step, and its event as
 * `NAME=FILE` with the payload.
 */
const CONTEXT = ['github-api-url', 'repository', 'event'] as const;

function readOptions(): Record<string, string> {
  const { inputs } = readCatalog(join(ROOT, 'action.yml'));
  const names = [...inputs.map(({ name }) => name), ...CONTEXT];
  const { values } = parseArgs({
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  });
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Without an event, the step runs on a push. */
function readEvent(given: string | undefined): { readonly event?: unknown; readonly eventName?: string } {
  if (given === undefined) return {};
  const [eventName = '', ...path] = given.split('=');
  if (path.length === 0) throw new Error('--event is NAME=FILE, such as issue_comment=event.json.');
  const event: unknown = JSON.parse(readFileSync(path.join('='), 'utf8'));
  return { eventName, event };
}

async function main(): Promise<number> {
  requireBuiltAction();
  const { 'github-api-url': apiUrl, repository, event, ...inputs } = readOptions();
  const githubToken = inputs['github-token'];
  const result = await runStep({
    inputs,
    apiUrl,
    repository,
    githubToken,
    ...readEvent(event),
    workspace: process.cwd(),
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
