import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { writeLayer } from '../../../src/site/image/layer.ts';
import { expectError, failureOf } from '../../support/failure.ts';

const LONG = `${'a-folder-with-a-long-name/'.repeat(6)}page.html`;
const FILES: Readonly<Record<string, string>> = {
  'index.html': 'Hello.',
  'guide/start.html': 'Start.',
  'guide-b.html': 'Between the folder and its files.',
  'images/größe 1.svg': '<svg/>',
  [LONG]: 'Deep.',
  'empty.txt': '',
  'block.bin': 'x'.repeat(512),
  'large.bin': 'y'.repeat(700_000),
};

function makeSite(names: readonly string[] = Object.keys(FILES)) {
  const folder = mkdtempSync(join(tmpdir(), 'layer-'));
  const root = join(folder, 'site');
  for (const name of names) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), FILES[name] ?? '');
  }
  const files = names.map((path) => ({ path, bytes: Buffer.byteLength(FILES[path] ?? '') }));
  const path = join(folder, 'layer.tar.gz');
  const write = (more: Partial<Parameters<typeof writeLayer>[0]> = {}) =>
    writeLayer({
      root,
      files,
      path,
      signal: new AbortController().signal,
      onProgress: () => {},
      ...more,
    });
  return {
    folder,
    root,
    files,
    path,
    write,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

test('The layer unpacks to the files of the site, and its digests and size are those of its bytes', async () => {
  using site = makeSite();
  const layer = await site.write();
  const bytes = readFileSync(site.path);
  const digest = (content: Buffer) =>
    `sha256:${createHash('sha256').update(content).digest('hex')}`;
  expect(layer).toEqual({
    digest: digest(bytes),
    size: bytes.length,
    diffId: digest(gunzipSync(bytes)),
    unpackedBytes: gunzipSync(bytes).length,
  });
  const out = join(site.folder, 'out');
  mkdirSync(out);
  execFileSync('tar', ['-xzf', site.path, '-C', out]);
  for (const [name, content] of Object.entries(FILES))
    expect(readFileSync(join(out, name), 'utf8')).toBe(content);
});

test('The same files give the same tar, whatever their order, times and modes', async () => {
  using one = makeSite();
  using other = makeSite(Object.keys(FILES).reverse());
  for (const name of Object.keys(FILES)) {
    chmodSync(join(other.root, name), 0o600);
    utimesSync(join(other.root, name), new Date(1e12), new Date(1e12));
  }
  const [first, second] = [await one.write(), await other.write()];
  expect(second.diffId).toBe(first.diffId);
  // A change of this number pushes every site again: it belongs into the changelog.
  expect(first.diffId).toBe(
    'sha256:1c554e2855b924660845c20b155136c5e4eea85dc19875b8740b3582da936b7e',
  );
});

test.skipIf(process.platform === 'win32')(
  'A process with another umask, time zone and locale makes the same tar',
  async () => {
    using site = makeSite();
    const { diffId } = await site.write();
    const module = join(import.meta.dirname, '../../../src/site/image/layer.ts');
    const script = `process.umask(0o077);
      const { writeLayer } = await import(process.argv[1]);
      const { root, files, path } = JSON.parse(process.argv[2]);
      const { signal } = new AbortController();
      console.log((await writeLayer({ root, files, path, signal, onProgress: () => {} })).diffId);`;
    const init = JSON.stringify({
      root: site.root,
      files: site.files.toReversed(),
      path: join(site.folder, 'other.gz'),
    });
    const output = execFileSync(
      process.execPath,
      ['--input-type=module', '-e', script, module, init],
      {
        encoding: 'utf8',
        env: {
          PATH: process.env['PATH'],
          TZ: 'Pacific/Auckland',
          LC_ALL: 'tr_TR.UTF-8',
          LANG: 'tr_TR.UTF-8',
        },
      },
    );
    expect(output.trim()).toBe(diffId);
  },
);

test('Every entry of the tar has the same time, the owner 0 and a mode that everyone may read', async () => {
  using site = makeSite();
  await site.write();
  const list = execFileSync('tar', ['-tvzf', site.path, '--numeric-owner'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' },
  });
  const lines = list.trim().split('\n');
  expect(lines.length).toBe(Object.keys(FILES).length + 2 + 6);
  for (const line of lines)
    expect(line).toMatch(/^(-rw-r--r--|drwxr-xr-x) +0\/0 .*1970-01-01 00:00 /);
});

test('A file that is longer or shorter than it was when it was checked fails as integrity', async () => {
  using site = makeSite();
  writeFileSync(join(site.root, 'index.html'), 'Hello, and more.');
  await expect(site.write()).rejects.toMatchObject({ code: 'integrity' });
  rmSync(site.path);
  writeFileSync(join(site.root, 'index.html'), 'Hel');
  await expect(site.write()).rejects.toMatchObject({ code: 'integrity' });
});

test('A file that already exists at the path of the layer is not written through', async () => {
  using site = makeSite();
  writeFileSync(site.path, 'other');
  await expect(site.write()).rejects.toMatchObject({ code: 'io' });
  expect(readFileSync(site.path, 'utf8')).toBe('other');
});

test.each(['.wh.index.html', 'guide/.wh..wh..opq', '.wh.guide/start.html'])(
  'A site with %s is refused, since the name removes a file of an image, and nothing is packed',
  async (name) => {
    using site = makeSite(['index.html', name]);
    expectError(await failureOf(site.write()), { code: 'unsafe-archive', message: name });
    expect(existsSync(site.path)).toBe(false);
  },
);

test('A site with a name that has .wh. in its middle is packed', async () => {
  using site = makeSite(['index.html', 'a.wh.html', '.what/index.html']);
  await expect(site.write()).resolves.toMatchObject({ digest: expect.stringContaining('sha256:') });
});

test('A run that is cancelled while a large file is packed does not read the rest of it', async () => {
  using site = makeSite(['large.bin']);
  const cancel = new AbortController();
  const packed: number[] = [];
  const onProgress = (bytes: number) => {
    packed.push(bytes);
    cancel.abort('SIGTERM');
  };
  await expect(site.write({ signal: cancel.signal, onProgress })).rejects.toMatchObject({
    code: 'cancelled',
  });
  expect(packed).toHaveLength(1);
});

test.runIf(process.platform === 'linux')(
  'If the disk is full, nothing reads the site any more once the error is thrown',
  async () => {
    using site = makeSite(['random.bin']);
    const bytes = 8 * 1024 * 1024;
    writeFileSync(join(site.root, 'random.bin'), randomBytes(bytes));
    const module = join(import.meta.dirname, '../../../src/site/image/layer.ts');
    const script = `const { writeLayer } = await import(process.argv[1]);
      const { signal } = new AbortController();
      let calls = 0;
      const init = { ...JSON.parse(process.argv[2]), signal, onProgress: () => { calls += 1; } };
      const { code } = await writeLayer(init).catch((error) => error);
      const before = calls;
      for (let turns = 0; turns < 100; turns += 1) await new Promise((resolve) => setTimeout(resolve, 1));
      console.log(JSON.stringify({ code, later: calls - before }));`;
    const init = JSON.stringify({
      root: site.root,
      files: [{ path: 'random.bin', bytes }],
      path: site.path,
    });
    // 1 MiB is all that a file may have. The signal would end the process before the error.
    const limited = `trap '' XFSZ; ulimit -f 1024; exec "$@"`;
    const args = [
      '-c',
      limited,
      'bash',
      process.execPath,
      '--input-type=module',
      '-e',
      script,
      module,
      init,
    ];
    const output = execFileSync('bash', args, { encoding: 'utf8', timeout: 20_000 });
    expect(JSON.parse(output)).toEqual({ code: 'io', later: 0 });
  },
);

test('A cancelled run stops packing', async () => {
  using site = makeSite();
  await expect(site.write({ signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'cancelled',
  });
  expect(existsSync(site.path)).toBe(true);
});
