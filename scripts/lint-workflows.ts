/**
 * Lints everything that a runner or a reader takes for a workflow or an action: .github, examples, both action.yml, and the
 * whole workflows in the README. `npm run lint:workflows`; the judges come from `bash scripts/tools.sh`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { needTool } from './examples/tools.ts';
import { isWorkflow } from './examples/workflow.ts';
import { findMiswirings, ownContracts } from './lint/wiring.ts';

const ROOT = resolve(import.meta.dirname, '..');
const ACTIONS = ['action.yml', 'emulator/action.yml'];

function workflowsIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .map((name) => join(folder, name))
    .filter((path) => /\.ya?ml$/.test(path) && isWorkflow(readFileSync(join(ROOT, path), 'utf8')));
}

/** The README's whole workflows as files, under the name of the example that they show: the settings of the judges go by name. */
function extractReadme(into: string): string[] {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const blocks = text.matchAll(/(?:<!-- generated: example (\S+) -->\n\n)?^```yaml\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, name, yaml = ''], index) => {
    if (!isWorkflow(yaml)) return [];
    const path = join(into, name ?? `block-${index + 1}.yml`);
    writeFileSync(path, yaml);
    return [path];
  });
}

/** Runs one judge and prints a line; its findings stand above it. */
function judge(name: string, args: readonly string[], what = name): boolean {
  const { status, stdout, stderr } = spawnSync(needTool(name), args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) console.log(`${stdout}${stderr}`.trim());
  console.log(`${status === 0 ? '✓' : '✗'} ${what}`);
  return status === 0;
}

function nameOf(path: string): string {
  return isAbsolute(path) ? `README.md (${basename(path)})` : path;
}

function judgeWiring(workflows: readonly string[]): boolean {
  const find = ownContracts(ROOT);
  const lines = workflows.flatMap((path) =>
    findMiswirings(readFileSync(resolve(ROOT, path), 'utf8'), find).map((line) => `${nameOf(path)}: ${line}`),
  );
  for (const line of lines) console.log(line);
  console.log(`${lines.length === 0 ? '✓' : '✗'} inputs and outputs of our own actions`);
  return lines.length === 0;
}

function lint(folder: string): boolean {
  const workflows = [...workflowsIn('.github/workflows'), ...workflowsIn('examples'), ...extractReadme(folder)];
  console.log(`${workflows.length} workflows, ${ACTIONS.length} actions`);
  const schema = (name: string) => ['--builtin-schema', `vendor.${name}`];
  const dependabot = '.github/dependabot.yml';
  return [
    judge('actionlint', workflows),
    // Offline: nothing here depends on what GitHub would answer.
    judge('zizmor', ['--offline', '--quiet', '--config', '.github/zizmor.yml', ...workflows, ...ACTIONS, dependabot]),
    judge('check-jsonschema', [...schema('github-workflows'), ...workflows], 'schema of workflows'),
    judge('check-jsonschema', [...schema('github-actions'), ...ACTIONS], 'schema of actions'),
    judge('check-jsonschema', [...schema('dependabot'), dependabot], 'schema of dependabot.yml'),
    judge(
      'check-jsonschema',
      ['--schemafile', 'schemas/queries-file.schema.json', 'examples/docs-queries.yml'],
      'our schema of queries files',
    ),
    judgeWiring(workflows),
  ].every((passed) => passed);
}

const folder = mkdtempSync(join(tmpdir(), 'docs-courier-lint-'));
try {
  process.exitCode = lint(folder) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
