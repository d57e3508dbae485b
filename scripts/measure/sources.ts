import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type Counts, countsOf } from './counts.ts';

const MAX_COMPLEXITY = 15;
const GENERATED = /^(?:values\/catalog|site\/added\/search\/page-script)\.ts$/;

/**
 * The kinds of destination, and what names them, in lower case. Gitea and GitLab are CI systems
 * too, so only their addresses count. The words file, command and GitHub mean something else in
 * most places, so they say nothing.
 */
const KINDS: Readonly<Record<string, RegExp>> = {
  // Neither inflateRawSync nor the folder .aws.
  aws: /(?<![r.])aws/,
  gitea: /gitea(:|address)/,
  gitlab: /gitlab(:|address)/,
  kubernetes: /kubernetes|k8s/,
  registry: /registry/,
  vault: /vault/,
};

const report = z.object({
  diagnostics: z.array(z.object({ location: z.object({ path: z.string() }) })),
});

/**
 * How the sources are written: a line for each figure. `listsNames`: with the names that are
 * defined twice.
 */
export function measureSources(root: string, listsNames: boolean): string[] {
  const counts = countSources(root);
  const all = [...counts.values()];
  const density = densityOf(all);
  const complex = complexFunctions(root);
  const twice = namesDefinedTwice(all);
  return [
    `nested conditional expressions: ${sum(all, 'nestedConditionals')}`,
    `functions above complexity ${MAX_COMPLEXITY}: ${complex.length}${complex.map((path) => `\n  ${path}`).join('')}`,
    `casts: ${sum(all, 'casts')}`,
    `files that name a kind of destination, outside of its folder: ${filesByKind(counts).join(', ')}`,
    `syntax nodes: ${density.nodes}; in a line of code: ${density.nodesPerLine.toFixed(2)}`,
    `conditional expressions: ${density.conditionals}`,
    `destructurings: ${density.destructurings}`,
    `&&, || and ??: ${density.logicals}`,
    `Pick<: ${sum(all, 'picks')}`,
    `names defined twice: ${twice.length}${listsNames ? `: ${twice.join(', ')}` : ''}`,
    `lines of tests: ${linesOfTests(root)}`,
  ];
}

/** What the files of `src` contain that are not generated, by their path below it. */
function countSources(root: string): ReadonlyMap<string, Counts> {
  const files = filesOf(join(root, 'src')).filter((file) => !GENERATED.test(file));
  return new Map(
    files.map((file) => [file, countsOf(readFileSync(join(root, 'src', file), 'utf8'))]),
  );
}

interface Density {
  readonly nodes: number;
  readonly nodesPerLine: number;
  readonly conditionals: number;
  readonly destructurings: number;
  readonly logicals: number;
}

/** How much a line of `src` holds. */
export function measureDensity(root: string): Density {
  return densityOf([...countSources(root).values()]);
}

function densityOf(all: readonly Counts[]): Density {
  const nodes = sum(all, 'nodes');
  return {
    nodes,
    nodesPerLine: nodes / sum(all, 'codeLines'),
    conditionals: sum(all, 'conditionals'),
    destructurings: sum(all, 'destructurings'),
    logicals: sum(all, 'logicals'),
  };
}

type Countable = Exclude<keyof Counts, 'names' | 'words'>;

function sum(all: readonly Counts[], name: Countable): number {
  return all.reduce((total, one) => total + one[name], 0);
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}

/** Asked of Biome without the exceptions of the project's configuration. */
function complexFunctions(root: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'docs-courier-complexity-'));
  try {
    const options = { level: 'warn', options: { maxAllowedComplexity: MAX_COMPLEXITY } };
    const rules = { preset: 'none', complexity: { noExcessiveCognitiveComplexity: options } };
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ root: true, linter: { rules } }));
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
    const args = [
      biome,
      'lint',
      `--config-path=${folder}`,
      '--reporter=json',
      '--max-diagnostics=none',
      'src',
    ];
    const output = execFileSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return report.parse(JSON.parse(output)).diagnostics.map(({ location }) => location.path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function filesByKind(counts: ReadonlyMap<string, Counts>): string[] {
  return Object.entries(KINDS).map(([kind, name]) => {
    const others = [...counts].filter(
      ([file]) => !file.startsWith(`stores/${kind}/`) && !file.startsWith(`${kind}/`),
    );
    const naming = others.filter(([, { words }]) => [...words].some((word) => name.test(word)));
    return `${kind} ${naming.length}`;
  });
}

function namesDefinedTwice(all: readonly Counts[]): string[] {
  const names = Map.groupBy(
    all.flatMap((one) => [...new Set(one.names)]),
    (name) => name,
  );
  return [...names]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${name} ${places.length}`);
}

function linesOfTests(root: string): number {
  const folders = ['test', 'emulator/test'];
  const texts = folders.flatMap((folder) =>
    filesOf(join(root, folder)).map((file) => readFileSync(join(root, folder, file), 'utf8')),
  );
  return texts.reduce((total, text) => total + text.split('\n').length - 1, 0);
}
