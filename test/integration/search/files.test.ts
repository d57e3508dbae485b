import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfinedFile } from '../../../src/search/files.ts';
import { makeWorkspace, type Workspace } from './harness.ts';

const KIB = 1024;

const read = (path: string, workspace: Workspace, maxBytes = KIB) =>
  readConfinedFile({ path, input: 'queries-file', folders: [{ name: 'workspace', path: workspace.path }], maxBytes });

test('a file in the workspace is read, also through a link that stays inside', async () => {
  await using workspace = await makeWorkspace();
  const file = await workspace.write('docs/q.yml', 'queries: [ü]');
  await symlink(file, join(workspace.path, 'link.yml'));
  expect(await read(file, workspace)).toBe('queries: [ü]');
  expect(await read(join(workspace.path, 'link.yml'), workspace)).toBe('queries: [ü]');
});

test('a file that is not there is no error', async () => {
  await using workspace = await makeWorkspace();
  expect(await read(join(workspace.path, 'none.yml'), workspace)).toBeUndefined();
});

test('what is no regular file inside the workspace, too large or not text is refused without its content', async () => {
  await using workspace = await makeWorkspace();
  const outside = join(workspace.root, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'secret.yml'), 'SECRET');
  await symlink(join(outside, 'secret.yml'), join(workspace.path, 'out.yml'));
  await symlink(outside, join(workspace.path, 'folder-out'));
  await mkdir(join(workspace.path, 'folder'));
  await writeFile(join(workspace.path, 'latin1.yml'), Uint8Array.of(0x53, 0xe9, 0x53));
  await writeFile(join(workspace.path, 'large.yml'), 'S'.repeat(KIB + 1));
  const cases: [path: string, problem: string][] = [
    ['out.yml', 'symbolic link'],
    ['folder-out/secret.yml', 'symbolic link'],
    ['../outside/secret.yml', 'is not in the workspace'],
    ['.', 'is not in the workspace'],
    ['folder', 'is not a regular file'],
    ['latin1.yml', 'is not UTF-8 text'],
    ['large.yml', 'queries-file: large.yml is larger than 1 KiB'],
  ];
  for (const [path, problem] of cases) {
    const refused = expect(read(join(workspace.path, path), workspace)).rejects;
    await refused.toMatchObject({ code: 'config', message: expect.stringContaining(problem) });
  }
});

test('a file of 10 MB is refused by its size, and one of exactly the limit is read', async () => {
  await using workspace = await makeWorkspace();
  const large = await workspace.write('large.yml', 'a'.repeat(10_000_000));
  const message = expect.stringContaining('larger than 1,024 KiB');
  await expect(read(large, workspace, KIB * KIB)).rejects.toMatchObject({ code: 'config', message });
  const full = await workspace.write('full.yml', 'a'.repeat(KIB));
  expect(await read(full, workspace)).toHaveLength(KIB);
});

// A reader that opens a FIFO without care waits for ever: the time limit is the test.
test.skipIf(process.platform === 'win32')('a FIFO is refused at once', { timeout: 3000 }, async () => {
  await using workspace = await makeWorkspace();
  const fifo = join(workspace.path, 'fifo');
  execFileSync('mkfifo', [fifo]);
  const message = expect.stringContaining('is not a regular file');
  await expect(read(fifo, workspace)).rejects.toMatchObject({ code: 'config', message });
});
