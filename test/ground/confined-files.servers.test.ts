import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { findProgram, readConfinedFile, userFolders } from '../../src/ground/confined-files.ts';
import { NO_SERVERS, startWorld, type World } from '../support/world.ts';

const KIB = 1024;

const read = (path: string, world: World, maxBytes = KIB) =>
  readConfinedFile({
    path,
    input: 'queries-file',
    folders: [{ name: 'workspace', path: world.workspace }],
    maxBytes,
  });

test('A file in the workspace is read, also through a link that stays inside', async () => {
  await using world = await startWorld(NO_SERVERS);
  const file = world.write('docs/q.yml', 'queries: [ü]');
  await symlink(file, join(world.workspace, 'link.yml'));
  expect(await read(file, world)).toBe('queries: [ü]');
  expect(await read(join(world.workspace, 'link.yml'), world)).toBe('queries: [ü]');
});

test('A missing file is not an error', async () => {
  await using world = await startWorld(NO_SERVERS);
  expect(await read(join(world.workspace, 'none.yml'), world)).toBeUndefined();
});

test('A path that is not a small regular text file in the workspace is refused without its content', async () => {
  await using world = await startWorld(NO_SERVERS);
  const outside = join(world.root, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'secret.yml'), 'SECRET');
  await symlink(join(outside, 'secret.yml'), join(world.workspace, 'out.yml'));
  await symlink(outside, join(world.workspace, 'folder-out'));
  await mkdir(join(world.workspace, 'folder'));
  await writeFile(join(world.workspace, 'latin1.yml'), Uint8Array.of(0x53, 0xe9, 0x53));
  await writeFile(join(world.workspace, 'large.yml'), 'S'.repeat(KIB + 1));
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
    const refused = expect(read(join(world.workspace, path), world)).rejects;
    await refused.toMatchObject({ code: 'config', message: expect.stringContaining(problem) });
  }
});

test('Only where a file must be in the workspace, the hint says so', async () => {
  await using world = await startWorld(NO_SERVERS);
  const inWorkspace = 'Give queries-file the path of a regular file inside the workspace.';
  const folder = world.write('docs/q.yml', 'x').replace(/[\\/]q\.yml$/, '');
  await expect(read(folder, world)).rejects.toMatchObject({ hint: inWorkspace });
  const folders = userFolders(folder, { kind: 'local', workspace: world.workspace });
  const anywhere = { path: folder, input: 'queries-file', folders, maxBytes: KIB };
  await expect(readConfinedFile(anywhere)).rejects.toMatchObject({
    hint: 'Give queries-file the path of a regular file.',
  });
});

test('A file of 10 MB is refused by its size, and one of exactly the limit is read', async () => {
  await using world = await startWorld(NO_SERVERS);
  const large = world.write('large.yml', 'a'.repeat(10_000_000));
  const message = expect.stringContaining('larger than 1,024 KiB');
  await expect(read(large, world, KIB * KIB)).rejects.toMatchObject({ code: 'config', message });
  const full = world.write('full.yml', 'a'.repeat(KIB));
  expect(await read(full, world)).toHaveLength(KIB);
});

// A reader that opens a FIFO without care waits forever: the time limit is the test.
test.skipIf(process.platform === 'win32')(
  'A FIFO is refused immediately',
  { timeout: 3000 },
  async () => {
    await using world = await startWorld(NO_SERVERS);
    const fifo = join(world.workspace, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const message = expect.stringContaining('is not a regular file');
    await expect(read(fifo, world)).rejects.toMatchObject({ code: 'config', message });
  },
);

test('A program by a relative path is found only below a folder that the caller names, never in the working folder', async () => {
  const program = process.execPath;
  const place = { PATH: dirname(program), workspace: undefined };
  expect(await findProgram(program, place)).toMatchObject({ program });
  expect(await findProgram(relative(process.cwd(), program), place)).toMatchObject({
    program: undefined,
  });
  const folder = dirname(dirname(program));
  expect(await findProgram(relative(folder, program), { ...place, folder })).toMatchObject({
    program,
  });
});
