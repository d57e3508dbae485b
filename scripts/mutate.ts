import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Changes one rule of "Which export is live" at a time, in a copy of the sources, and runs the
 * tests of `publish/state` on it. Each change must be found: `npm run mutate`, or `npm run mutate
 * -- WORD` for those whose name contains the word.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STATE = 'src/publish/state';
const PROTOCOL = `${STATE}/protocol`;
/** The quick ones first. */
const TESTS = [['table', 'claims.unit', 'history'], ['interleavings']];

interface Mutation {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const MUTATIONS: readonly Mutation[] = [
  {
    name: 'an older announced job is adopted',
    file: `${PROTOCOL}/situation.ts`,
    from: '|| !isNewer(order, job, jobOrder, jobId)) return keepingJob;',
    to: ') return keepingJob;',
  },
  {
    name: 'a stop leaves its section open',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'const after = yield* this.#endUnchanged(own, situation);',
    to: 'const after = reading;',
  },
  {
    name: 'no look at higher claims',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'if (higher.length > 0) {',
    to: 'if (higher.length > 99) {',
  },
  {
    name: 'a state that was put back is not noticed',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'numberOf(reading.found) < this.#highest',
    to: 'numberOf(reading.found) < 0',
  },
  {
    name: 'claims of the same run pass',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'if (this.#init.ownTokens.has(claim.token)) return true;',
    to: 'if (claim.run === this.#init.announcement.run) return true;',
  },
  {
    name: '45 s become 15',
    file: `${PROTOCOL}/limits.ts`,
    from: 'CLAIM_OVER_MS = 45_000',
    to: 'CLAIM_OVER_MS = 15_000',
  },
  {
    name: '20 s become 40',
    file: `${PROTOCOL}/limits.ts`,
    from: 'FRESH_MS = 20_000',
    to: 'FRESH_MS = 40_000',
  },
  {
    name: 'the order of the first destination is kept',
    file: `${PROTOCOL}/place.ts`,
    from: 'const order = start.orderAbove(base);',
    to: 'const order = (base.order ?? 0) + 1;',
  },
  {
    name: 'destinations are entered in the order of the input',
    file: `${PROTOCOL}/all.ts`,
    from: 'kept.sort((a, b) => (a.name < b.name ? -1 : 1))',
    to: 'kept',
  },
  {
    name: 'of two equal orders, the later one wins',
    file: `${PROTOCOL}/situation.ts`,
    from: 'return order === otherOrder ? job > otherJob : order > otherOrder;',
    to: 'return order > otherOrder;',
  },
  {
    name: 'only the monotonic clock counts',
    file: `${PROTOCOL}/steps.ts`,
    from: 'return ms + Math.max(monotonicMs, wallMs, 0);',
    to: 'return ms + monotonicMs;',
  },
  {
    name: 'a link that may arrive leaves the expiry known',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'expiresAt: mayBeReplaced ? undefined : record.expiresAt,',
    to: 'expiresAt: record.expiresAt,',
  },
  {
    name: 'an announcement explains a link of any date',
    file: `${PROTOCOL}/situation.ts`,
    from: 'return sinceMs >= 0 && sinceMs <=',
    to: 'return sinceMs >= Number.NEGATIVE_INFINITY || sinceMs <=',
  },
  {
    name: 'the announcements of runs that ended are forgotten',
    file: `${PROTOCOL}/situation.ts`,
    from: 'const unanswered = [...former, ...kept];',
    to: 'const unanswered = [...former];',
  },
  {
    name: 'nothing is too old to be written over',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'return nowMs - reading.sentMs > FRESH_MS || nowMs - sentMs > FRESH_MS;',
    to: 'return nowMs - reading.sentMs < 0 && sentMs < 0;',
  },
  {
    name: 'a claim that exists is taken for its own',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'const isOwn = holder?.token === this.#init.token;',
    to: 'const isOwn = holder !== undefined;',
  },
  {
    name: 'the state is not written with the number of the claim',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'number: own.number,\n        writer',
    to: 'number: own.number - 1,\n        writer',
  },
  {
    name: 'a write with versions whose reply was lost is taken for done',
    file: `${PROTOCOL}/unclaimed.ts`,
    from: 'return isOwn ? now : undefined;',
    to: 'return isOwn ? now : seen;',
  },
  {
    name: 'a refresh may replace a newer export',
    file: `${PROTOCOL}/situation.ts`,
    from: "isNewer(jobOrder, jobId, order, job) ? 'older' : undefined;",
    to: "isNewer(jobOrder, jobId, order, job) && kind !== 'refresh' ? 'older' : undefined;",
  },
  {
    name: 'a claim has the age of an earlier one of its run',
    file: `${STATE}/requests.ts`,
    from: 'token === UNSIGNED.token ? token : `${number} ${token}`',
    to: 'token',
  },
  {
    name: 'a claim is kept when the run is cancelled',
    file: `${PROTOCOL}/claimed.ts`,
    from: 'if (isCancelled && this.#unused !== undefined)',
    to: 'if (isCancelled && this.#unused === -1)',
  },
  {
    name: 'what does not show yet is not waited for',
    file: `${PROTOCOL}/limits.ts`,
    from: 'MAX_PAUSES = 3',
    to: 'MAX_PAUSES = 0',
  },
  {
    name: 'a rollback goes to the same content',
    file: `${STATE}/history.ts`,
    from: 'hasSameContent(one, live) !== true',
    to: 'one !== undefined',
  },
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

/** A test that fails; undefined: the change is not found. */
function finderIn(folder: string): string | undefined {
  for (const names of TESTS) {
    const [found] = failuresOf(folder, names);
    if (found !== undefined) return found;
  }
  return undefined;
}

function failuresOf(folder: string, names: readonly string[]): readonly string[] {
  const tests = names.map((name) => `test/publish/state/${name}`);
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
  const broken = finderIn(folder);
  if (broken !== undefined) throw new Error(`Without any change, this test fails: ${broken}`);
  for (const { name, file, from, to } of MUTATIONS.filter((one) => one.name.includes(wanted))) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    if (text.split(from).length !== 2)
      throw new Error(`${name}: ${file} does not contain its text once.`);
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
    const finder = finderIn(folder);
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
