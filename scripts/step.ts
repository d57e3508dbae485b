/**
 * Runs the built action once on this machine as a step of a workflow, with a small model of the runner: every input of
 * action.yml is an option, and so are the repository and the address of GitHub's API. For trials with the keys of an
 * emulator; a command line is not the right place for real keys.
 *
 *     npm run step -- --mode search --base-url http://127.0.0.1:8787 --domain acme --query 'getting started' …
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runStep } from '../test/support/runner.ts';
import { readCatalog } from './catalog.ts';
import { requireBuiltAction } from './demo/world.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** Values from the runner: the address of GitHub's API, such as the emulator's, and the repository of the step. */
const CONTEXT = ['github-api-url', 'repository'] as const;

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

async function main(): Promise<number> {
  requireBuiltAction();
  const { 'github-api-url': apiUrl, repository, ...inputs } = readOptions();
  const result = await runStep({ inputs, apiUrl, repository, workspace: process.cwd() });
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
