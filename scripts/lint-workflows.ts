/**
 * Lints everything that is a workflow or an action for a runner or a reader: .github, examples,
 * both action.yml, and every YAML block in the README and in docs; a part of a workflow is
 * completed first. `npm run lint:workflows`; `bash scripts/tools.sh` installs the linters.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { readPageTexts } from './docs/page-texts.ts';
import { needTool } from './examples/tools.ts';
import { isWorkflow } from './examples/workflow.ts';
import { wholeWorkflow, yamlBlocks } from './lint/blocks.ts';
import { findMiswirings, ownContracts } from './lint/wiring.ts';

const ROOT = resolve(import.meta.dirname, '..');
const ACTIONS = ['action.yml', 'emulator/action.yml'];

function workflowsIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .map((name) => join(folder, name))
    .filter((path) => /\.ya?ml$/.test(path) && isWorkflow(readFileSync(join(ROOT, path), 'utf8')));
}

interface Extracted {
  /** Whole workflows of a page, unchanged. */
  readonly whole: readonly string[];
  /** Parts of workflows, each completed. */
  readonly parts: readonly string[];
  /** Blocks that are our own files, by the name of their schema. */
  readonly files: ReadonlyMap<string, readonly string[]>;
}

const QUERIES = 'queries-file.schema.json';

/**
 * Every YAML block on a page as a file below `into`. A whole workflow has the name of its example:
 * the settings of the linters use names.
 */
function extractBlocks(into: string): Extracted {
  const found = {
    whole: [] as string[],
    parts: [] as string[],
    files: new Map<string, string[]>([[QUERIES, []]]),
  };
  for (const [page, text] of readPageTexts(ROOT)) {
    for (const { name, yaml, example } of yamlBlocks(page, text)) {
      const workflow = wholeWorkflow(yaml);
      const schema = workflow === undefined ? schemaOf(yaml) : undefined;
      // It parses; a real API server tests the rest.
      if (isManifest(yaml) || isChartValues(yaml) || parse(yaml) === null) continue;
      if (workflow === undefined && schema === undefined)
        throw new Error(
          `${name}: not a workflow, a part of one, a manifest, values of a chart, or a file with a schema`,
        );
      const path = join(
        into,
        `${name.replace(/[/:]/g, '_')}${example === undefined ? '' : `-${example}`}`,
        example ?? 'block.yml',
      );
      mkdirSync(dirname(path));
      writeFileSync(path, workflow ?? yaml);
      if (schema !== undefined) found.files.set(schema, [...(found.files.get(schema) ?? []), path]);
      else (workflow === yaml ? found.whole : found.parts).push(path);
    }
  }
  return found;
}

/** The schema in the first line, or that of queries files. */
function schemaOf(yaml: string): string | undefined {
  const named = /^# yaml-language-server: \$schema=\S+\/schemas\/(\S+)$/m.exec(yaml)?.[1];
  return named ?? (/^queries:/m.test(yaml) ? QUERIES : undefined);
}

/** A Kubernetes manifest. */
function isManifest(yaml: string): boolean {
  return /^apiVersion: /m.test(yaml) && /^kind: /m.test(yaml);
}

/**
 * Values of a Helm chart: `test/docs/blocks.unit.test.ts` compares them with those of
 * `examples/chart`.
 */
function isChartValues(yaml: string): boolean {
  return yaml.startsWith('staticExport:');
}

/** Runs one linter and prints a line, below its findings. */
function judge(name: string, args: readonly string[], what = name): boolean {
  const { status, stdout, stderr } = spawnSync(needTool(name), args, {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) console.log(`${stdout}${stderr}`.trim());
  console.log(`${status === 0 ? '✓' : '✗'} ${what}`);
  return status === 0;
}

function nameOf(path: string): string {
  return isAbsolute(path) ? basename(dirname(path)) : path;
}

function judgeWiring(workflows: readonly string[]): boolean {
  const find = ownContracts(ROOT);
  const lines = workflows.flatMap((path) =>
    findMiswirings(readFileSync(resolve(ROOT, path), 'utf8'), find).map(
      (line) => `${nameOf(path)}: ${line}`,
    ),
  );
  for (const line of lines) console.log(line);
  console.log(`${lines.length === 0 ? '✓' : '✗'} inputs and outputs of our own actions`);
  return lines.length === 0;
}

function lint(folder: string): boolean {
  const { whole, parts, files } = extractBlocks(folder);
  const workflows = [...workflowsIn('.github/workflows'), ...workflowsIn('examples'), ...whole];
  console.log(
    `${workflows.length} workflows, ${parts.length} parts of workflows, ${ACTIONS.length} actions`,
  );
  const schema = (name: string) => ['--builtin-schema', `vendor.${name}`];
  const dependabot = '.github/dependabot.yml';
  return [
    // actionlint 1.7.12 does not know `queue`; the schema below does, with its values.
    judge('actionlint', ['-ignore', 'unexpected key "queue"', ...workflows, ...parts]),
    // Offline: the result does not depend on GitHub.
    judge('zizmor', [
      '--offline',
      '--quiet',
      '--config',
      '.github/zizmor.yml',
      ...workflows,
      ...ACTIONS,
      dependabot,
    ]),
    judge(
      'check-jsonschema',
      [...schema('github-workflows'), ...workflows, ...parts],
      'schema of workflows',
    ),
    judge('check-jsonschema', [...schema('github-actions'), ...ACTIONS], 'schema of actions'),
    judge('check-jsonschema', [...schema('dependabot'), dependabot], 'schema of dependabot.yml'),
    ...[...files].map(([name, paths]) => {
      const examples = name === QUERIES ? ['examples/docs-queries.yml'] : [];
      return judge(
        'check-jsonschema',
        ['--schemafile', `schemas/${name}`, ...examples, ...paths],
        `schemas/${name}`,
      );
    }),
    judgeWiring([...workflows, ...parts]),
  ].every((passed) => passed);
}

const folder = mkdtempSync(join(tmpdir(), 'docs-courier-lint-'));
try {
  process.exitCode = lint(folder) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
