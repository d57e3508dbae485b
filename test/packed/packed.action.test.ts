import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { packedBytes, unpackArchive } from '../support/packed.ts';
import { runJob, runStep, type StepOptions } from '../support/runner.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
/** Every job that uses the action downloads this. */
const MOST_BYTES = 950_000;
// In the emulator's code only.
const EMULATOR_TEXT = 'Documentation platform emulator:';

/** Files of dist that were loaded by a process that wrote its coverage into `folder`. */
function loadedFrom(folder: string): string[] {
  const urls = readdirSync(folder).flatMap((name) =>
    [
      ...readFileSync(join(folder, name), 'utf8').matchAll(/"url":"(file:[^"?]+\/dist\/[^"?]+)/g),
    ].map(([, url]) => url),
  );
  return [...new Set(urls.map((url) => fileURLToPath(url ?? '')))];
}

test('Both actions run from the archive that a runner downloads, and the action loads no emulator code', async () => {
  using packed = unpackArchive();
  const own = (
    name: string,
    main: string,
    options: Omit<StepOptions, 'actionFile' | 'main'>,
  ): StepOptions => ({
    ...options,
    actionFile: join(packed.folder, name),
    main: join(packed.folder, main),
  });
  const workspace = await mkdtemp(join(tmpdir(), 'packed-'));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  await cp(join(CHECKOUT, 'docs'), join(workspace, 'docs'), { recursive: true });
  const coverage = (name: string) => ({ NODE_V8_COVERAGE: join(packed.folder, 'coverage', name) });
  let stop: Readonly<Record<string, string>> = {};
  let url = '';
  await using _emulator = {
    [Symbol.asyncDispose]: async () => {
      const env = Object.fromEntries(
        Object.entries(stop).map(([name, value]) => [`STATE_${name}`, value]),
      );
      await runStep(own('emulator/action.yml', 'dist/emulator/stop.js', { inputs: {}, env }));
      // The job's folder and with it the emulator's log are gone by now; the process must end all
      // the same.
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    },
  };
  const { steps, conclusion } = await runJob({
    workspace,
    steps: [
      own('emulator/action.yml', 'dist/emulator/start.js', {
        inputs: { site: 'docs', 'site-id': 'acme', 'export-duration': '1s' },
      }),
      ([platform]) => {
        stop = platform?.state ?? {};
        const { 'base-url': address = '', 'admin-api-key': key = '' } = platform?.outputs ?? {};
        url = address;
        return own('action.yml', 'dist/index.js', {
          inputs: {
            mode: 'export',
            'base-url': url,
            'admin-api-key': key,
            domain: 'acme.example.com',
            'extract-to': 'site',
            verify: 'strict',
          },
          env: coverage('action'),
        });
      },
      ([platform]) => {
        const { 'assistant-api-key': key = '' } = platform?.outputs ?? {};
        return own('action.yml', 'dist/index.js', {
          inputs: {
            mode: 'search',
            'base-url': url,
            'assistant-api-key': key,
            domain: 'acme',
            query: 'resume an export',
            'min-results': '1',
          },
          env: coverage('action'),
        });
      },
    ],
  });
  expect(conclusion, steps.map(({ log }) => log).join('\n')).toBe('success');
  expect(existsSync(join(workspace, 'site/index.html'))).toBe(true);
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: CHECKOUT, encoding: 'utf8' });
  expect(steps[1]?.log).toMatch(
    new RegExp(`^Docs Courier 1\\.0\\.0 \\(commit ${commit.trim()}\\)$`, 'm'),
  );
  const holdsEmulator = (path: string) => readFileSync(path, 'utf8').includes(EMULATOR_TEXT);
  expect(loadedFrom(join(packed.folder, 'coverage/action')).length).toBeGreaterThan(3);
  expect(loadedFrom(join(packed.folder, 'coverage/action')).filter(holdsEmulator)).toEqual([]);
  // These are the chunks that the action must not load.
  const dist = join(packed.folder, 'dist');
  expect(
    readdirSync(dist).filter((name) => name.endsWith('.js') && holdsEmulator(join(dist, name))),
  ).not.toEqual([]);
});

test('The archive contains the action, the emulator and the licences, and no page with links to files that it lacks', () => {
  using packed = unpackArchive();
  expect(readdirSync(packed.folder).sort()).toEqual([
    'LICENSE',
    'action.yml',
    'dist',
    'emulator',
    'gitea',
  ]);
  expect(existsSync(join(packed.folder, 'dist/licenses.txt'))).toBe(true);
});

test('Each part of the bundle is named after its module, so that a reader of a diff sees what has changed', () => {
  const parts = readdirSync(join(CHECKOUT, 'dist')).filter((name) => name.endsWith('.index.js'));
  expect(parts).toContain('publish.publish.index.js');
  expect(parts.filter((name) => /^\d/.test(name))).toEqual([]);
});

test(`The archive is smaller than ${MOST_BYTES} bytes`, () => {
  expect(packedBytes()).toBeLessThan(MOST_BYTES);
});

// Tests have made-up tokens, for which a forge may refuse a push.
test('What is copied has nothing that a scanner of secrets takes for a token', () => {
  using packed = unpackArchive();
  const token =
    /gh[a-z]_[A-Za-z0-9]{36}|github_pat_\w{50}|glpat-[\w-]{20}|AKIA[A-Z2-7]{16}|hvs\.[\w-]{24}|npm_\w{36}|xox[a-z]-\d|eyJ[\w-]{16,}\.eyJ|BEGIN [A-Z ]*PRIVATE KEY/;
  const files = readdirSync(packed.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const found = files.filter((file) => token.test(readFileSync(file, 'utf8')));
  expect(files.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});
