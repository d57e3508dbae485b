import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MUTATIONS, type Mutation } from './mutations.ts';

/**
 * Changes one rule of "Which export is live" at a time, in a copy of the sources, and runs the
 * tests of `delivery` on it, or those of the store that it changes. Each change must be found:
 * `npm run mutate`, or `npm run mutate -- WORD` for those whose name contains the word.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The quick ones first. */
const TESTS = [
  ['delivery/table', 'delivery/claims.unit', 'delivery/history'],
  ['delivery/interleavings'],
];

function copyOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docs-courier-mutate-'));
  for (const name of [
    'src',
    'test',
    'emulator',
    'docs',
    'scripts',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
  ])
    cpSync(join(ROOT, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function testsOf({ tests }: Mutation): readonly (readonly string[])[] {
  return tests === undefined ? TESTS : [tests];
}

/** A test that fails; undefined: the change is not found. */
function finderIn(folder: string, tests: readonly (readonly string[])[]): string | undefined {
  for (const names of tests) {
    const [found] = failuresOf(folder, names);
    if (found !== undefined) return found;
  }
  return undefined;
}

function failuresOf(folder: string, names: readonly string[]): readonly string[] {
  const tests = names.map((name) => `test/${name}`);
  const report = join(folder, 'report.json');
  const args = [
    join(folder, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...tests,
    '--bail=1',
    '--maxWorkers=1',
  ];
  spawnSync(process.execPath, [...args, '--reporter=json', `--outputFile=${report}`], {
    cwd: folder,
    stdio: 'ignore',
  });
  const { testResults = [] } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults?: readonly TestFile[];
  };
  return testResults.flatMap(({ message, assertionResults }) => {
    const failed = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => fullName);
    if (failed.length === 0 && message)
      throw new Error(`The sources of ${folder} do not load: ${message}`);
    return failed;
  });
}

interface TestFile {
  readonly message?: string;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

const wanted = process.argv[2] ?? '';
const folder = copyOf();
const survivors: string[] = [];
try {
  const chosen = MUTATIONS.filter((one) => one.name.includes(wanted));
  const broken = finderIn(folder, [...new Set(chosen.flatMap(testsOf))]);
  if (broken !== undefined) throw new Error(`Without any change, this test fails: ${broken}`);
  for (const mutation of chosen) {
    const { name, file, from, to } = mutation;
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    if (text.split(from).length !== 2)
      throw new Error(`${name}: ${file} does not contain its text once.`);
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
    const finder = finderIn(folder, testsOf(mutation));
    if (finder === undefined) survivors.push(name);
    console.log(
      `${finder === undefined ? 'SURVIVES' : 'found   '} ${name}${finder === undefined ? '' : `\n         by: ${finder}`}`,
    );
    writeFileSync(path, text);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  survivors.length === 0 ? 'Every change is found.' : `Not found: ${survivors.join('; ')}`,
);
if (survivors.length > 0) process.exitCode = 1;
