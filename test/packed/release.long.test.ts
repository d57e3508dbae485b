import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commit, copyTracked, git } from '../../scripts/examples/workspace.ts';
import { ownPackage } from '../../src/ground/release.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
// On a loaded machine the compiler and the bundler take a minute.
const BUILD_MS = 300_000;
const { version } = ownPackage().release;

let root = '';
let clone = '';
let made = '';
let head = '';

function release(...args: readonly string[]) {
  return spawnSync('npm', ['run', '--silent', 'release', '--', ...args], {
    cwd: clone,
    encoding: 'utf8',
  });
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'docs-courier-release-'));
  clone = join(root, 'clone');
  made = join(clone, 'release', version);
  mkdirSync(clone);
  git(clone, 'init', '--quiet', '--initial-branch=main');
  copyTracked(clone);
  execFileSync('cp', ['-a', join(CHECKOUT, 'node_modules'), clone]);
  commit(clone);
  head = git(clone, 'rev-parse', 'HEAD').trim();
  const { status, stderr } = release(version);
  expect(status, stderr).toBe(0);
}, BUILD_MS);

afterAll(() => rmSync(root, { recursive: true, force: true }));

test('A release has the action, the command line, notes with a date, the list of packages, and sums that are right', () => {
  expect(readdirSync(made).sort()).toEqual([
    'SHA256SUMS',
    `docs-courier-${version}.tgz`,
    `docs-courier-action-${version}.tar.gz`,
    'release-notes.md',
    'sbom.spdx.json',
  ]);
  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: made });
  const notes = readFileSync(join(made, 'release-notes.md'), 'utf8');
  expect(notes).toMatch(new RegExp(`^## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d\\n\\n[^\\n]`));
  const { packages } = JSON.parse(readFileSync(join(made, 'sbom.spdx.json'), 'utf8'));
  expect(packages).toContainEqual(expect.objectContaining({ name: 'htmlparser2' }));
  expect(git(clone, 'status', '--porcelain')).toBe('');
});

test('From the release alone, the action of its archive starts and names version and commit', () => {
  const folder = join(root, 'copy');
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', join(made, `docs-courier-action-${version}.tar.gz`), '-C', folder]);
  expect(readdirSync(folder).sort()).toEqual([
    'LICENSE',
    'README.md',
    'action.yml',
    'dist',
    'emulator',
    'gitea',
  ]);
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(readme.split('\n').length).toBeLessThanOrEqual(41);
  expect(readme).toContain(`Commit: ${head}`);
  // Without inputs it fails, and explains what is missing.
  const env = { PATH: process.env.PATH, GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/docs' };
  const started = spawnSync(process.execPath, [join(folder, 'dist/index.js')], {
    env: { ...env, INPUT_MODE: 'export', RUNNER_TEMP: root, GITHUB_WORKSPACE: root },
    encoding: 'utf8',
  });
  expect(started.stdout).toContain(`Docs Courier ${version} (commit ${head})`);
  expect(started.stdout).toMatch(/::error title=Docs Courier%3A config::/);
});

test('From the release alone, npx runs the command line, which names version and commit and explains', () => {
  // Not below the clone: npx reads a relative path from the nearest folder with a package.json.
  const folder = join(root, 'laptop');
  mkdirSync(folder);
  cpSync(join(made, `docs-courier-${version}.tgz`), join(folder, `docs-courier-${version}.tgz`));
  const npx = (...args: readonly string[]) =>
    execFileSync('npx', ['--yes', `./docs-courier-${version}.tgz`, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, npm_config_offline: 'true', npm_config_cache: join(root, 'cache') },
    });
  expect(npx('--version')).toBe(`${version} (commit ${head})\n`);
  expect(npx('explain', 'config')).toContain('config');
});

test.each([
  ['v1.0', '"v1.0" is not a version. Run, for example: npm run release -- 1.0.0'],
  ['', '"" is not a version. Run, for example: npm run release -- 1.0.0'],
  ['99.0.0', 'npm version --no-git-tag-version 99.0.0'],
])('A release of "%s" is refused with what to run', (given, message) => {
  const { status, stderr } = release(given);
  expect(status).toBe(1);
  expect(stderr).toContain(message);
});

test('A release of a checkout with changes is refused', () => {
  execFileSync('sh', ['-c', 'echo >> README.md'], { cwd: clone });
  const { status, stderr } = release(version);
  expect(status).toBe(1);
  expect(stderr).toContain('Commit them first');
  expect(existsSync(made)).toBe(true);
});

test('With the published action in one constant, README and examples use it by commit and version', () => {
  const published = `docs-courier/docs-courier@${head} # v${version}`;
  const constants = join(clone, 'src/ground/published.ts');
  const text = readFileSync(constants, 'utf8');
  writeFileSync(constants, text.replace("action: ''", `action: '${published}'`));
  execFileSync(process.execPath, ['scripts/docs.ts'], { cwd: clone, stdio: 'pipe' });
  execFileSync(process.execPath, ['scripts/docs.ts', '--check'], { cwd: clone, stdio: 'pipe' });
  const examples = readdirSync(join(clone, 'examples')).filter((name) => name.endsWith('.yml'));
  for (const name of ['README.md', ...examples.map((example) => `examples/${example}`)])
    expect(readFileSync(join(clone, name), 'utf8'), name).not.toMatch(
      /uses: \.\/\.github\/actions/,
    );
  expect(readFileSync(join(clone, 'README.md'), 'utf8')).toContain(`- uses: ${published}\n`);
  const page = readFileSync(join(clone, 'examples/pages.yml'), 'utf8');
  expect(page).toContain(`uses: ${published}\n`);
});
