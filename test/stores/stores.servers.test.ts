import { execFileSync } from 'node:child_process';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startGitHubEmulator } from '../../emulator/src/github/emulator.ts';
import { createOctokit } from '../../src/github/client.ts';
import { Http } from '../../src/http/http.ts';
import { FileStore } from '../../src/stores/file/store.ts';
import { GitHubStore } from '../../src/stores/github/store.ts';
import { expectError, failure, failureOf } from '../support/failure.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { disturbing } from '../support/fault-front.ts';
import { SECRET_TOKEN } from '../support/make-inputs.ts';
import { openStore } from '../support/open-store.ts';
import { recordingLog } from '../support/recording-log.ts';
import { describeStore, type StorePlace } from '../support/store-scenarios.ts';

const TARGET = { scope: 'repository', repository: 'acme/docs' } as const;
const NAME = 'DOCS_BUNDLE_URL';

async function startGitHub(): Promise<
  StorePlace & { readonly showDateOnce: (updatedAt: string) => void }
> {
  const clock = fakeClock({ now: Math.floor(Date.now() / 1000) * 1000 });
  const github = await startGitHubEmulator({
    tokens: { [SECRET_TOKEN]: { permissions: { secrets: 'write', actions_variables: 'write' } } },
    repositories: [{ fullName: TARGET.repository }],
    clock,
  });
  const { signal } = new AbortController();
  const connect = () =>
    createOctokit({
      token: SECRET_TOKEN,
      apiUrl: github.url,
      signal,
      http: new Http({ clock, log: recordingLog(), random: () => 0, signal }),
    });
  return {
    clock,
    makeStore: () =>
      new GitHubStore({
        address: { scheme: 'github', scope: 'repository', repository: undefined, name: NAME },
        repository: TARGET.repository,
        repositoryId: 11,
        serverUrl: 'https://github.com',
        token: SECRET_TOKEN,
        workflowToken: undefined,
        connect,
        clock,
        signal,
      }),
    readLink: async () => github.secret(TARGET, NAME)?.value,
    readState: async () => github.variable(TARGET, `${NAME}_STATE`)?.value,
    setState: async (value) => github.setVariable(TARGET, { name: `${NAME}_STATE`, value }),
    setLink: async (value) => github.setSecret(TARGET, { name: NAME, value }),
    requests: () =>
      github.requests.map(
        ({ method, path }) => `${method} ${path.replace(/^.*\/actions\//, '').replace(NAME, 'X')}`,
      ),
    parts: {
      open: { later: ['GET secrets/public-key', 'GET secrets/X', 'GET variables/X_STATE'] },
      // A claim, what is there, and the state.
      marks: ['POST variables', 'GET secrets/X', 'GET variables/X_STATE', 'POST variables'],
      deliver: {
        later: [
          'POST variables',
          'GET secrets/X',
          'GET variables/X_STATE',
          'PUT secrets/X',
          'GET secrets/X',
          'GET variables/X_STATE',
          'PATCH variables/X_STATE',
        ],
      },
    },
    loseReply: () => github.inject({ match: { method: 'PUT', times: 5 }, reset: 'after' }),
    disturb: disturbing(github),
    refuse: () => github.inject({ match: { method: 'PUT' }, status: 403, body: { message: 'no' } }),
    showDateOnce: (updatedAt) =>
      github.inject({
        match: { method: 'GET', path: new RegExp(`/secrets/${NAME}$`) },
        status: 200,
        body: { name: NAME, created_at: updatedAt, updated_at: updatedAt },
      }),
    [Symbol.asyncDispose]: () => github.close(),
  };
}

async function startFile(): Promise<
  StorePlace & { readonly folder: string; readonly path: string }
> {
  const folder = await mkdtemp(join(tmpdir(), 'destination-'));
  const path = join(folder, 'link.txt');
  const read = (file: string) => readFile(file, 'utf8').catch(() => undefined);
  return {
    folder,
    path,
    clock: fakeClock({ now: Date.now() }),
    makeStore: () => new FileStore(path),
    readLink: () => read(path),
    readState: () => read(`${path}.state.json`),
    setState: (text) => writeFile(`${path}.state.json`, text),
    setLink: (link) => writeFile(path, link),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

describeStore('an Actions secret', startGitHub);
describeStore('a file', startFile);

test('A date of a secret that is older than the write does not confirm it', async () => {
  await using destination = await startGitHub();
  const store = destination.makeStore();
  await store.write({ link: 'https://bundles.example.com/a' }, await openStore(store));
  destination.clock.advance(3_600_000);
  const seen = await store.read();
  // A replica that has not seen the last write either.
  const replicaMs = (seen.link?.writtenAtMs ?? 0) - 60_000;
  destination.showDateOnce(new Date(replicaMs).toISOString());
  const { link } = await store.write({ link: 'https://bundles.example.com/b' }, seen);
  expect(link?.writtenAtMs).toBeGreaterThan(seen.link?.writtenAtMs ?? 0);
});

test('A file gets its link before its state, which may fail', async () => {
  await using destination = await startFile();
  const store = new FileStore(destination.path);
  await mkdir(`${destination.path}.state.json`);
  const change = { link: 'https://bundles.example.com/a', state: '{}' };
  expect(await failure(store.write(change))).toMatchObject({ code: 'io' });
  expect(await destination.readLink()).toBe(change.link);
});

test('Only the owner can read a file and its state, and no other file remains in the folder', async () => {
  await using destination = await startFile();
  const store = new FileStore(destination.path);
  await openStore(store);
  await store.write({ link: 'https://bundles.example.com/a' });
  await store.write({ state: '{}' });
  await store.write({ link: 'https://bundles.example.com/b' });
  expect((await readdir(destination.folder)).sort()).toEqual(['link.txt', 'link.txt.state.json']);
  for (const path of [destination.path, `${destination.path}.state.json`])
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(destination.path, 'utf8')).toBe('https://bundles.example.com/b');
});

test('Folders of a file that are missing in the workspace are made with the first write', async () => {
  await using destination = await startFile();
  const path = join(destination.folder, 'out/links/link.txt');
  const store = new FileStore(path, destination.folder);
  await openStore(store);
  expect(await readdir(destination.folder)).toEqual([]);
  await store.write({ link: 'https://bundles.example.com/a' });
  expect(await readFile(path, 'utf8')).toBe('https://bundles.example.com/a');
});

test.each([
  ['outside the workspace', async (folder: string) => join(folder, 'missing/link.txt')],
  [
    'behind a link that leads nowhere',
    async (folder: string) => {
      await symlink(join(folder, 'nothing'), join(folder, 'work/out'));
      return join(folder, 'work/out/link.txt');
    },
  ],
  [
    'behind a link that leads out of the workspace',
    async (folder: string) => {
      await symlink(folder, join(folder, 'work/out'));
      return join(folder, 'work/out/sub/link.txt');
    },
  ],
])('A folder of a file that is missing %s is an error, and is not made', async (_, pathIn) => {
  await using destination = await startFile();
  const workspace = join(destination.folder, 'work');
  await mkdir(workspace);
  const path = await pathIn(destination.folder);
  const before = await readdir(destination.folder, { recursive: true });
  await expect(new FileStore(path, workspace).preflight()).rejects.toMatchObject({
    name: 'CourierError',
  });
  expect(await readdir(destination.folder, { recursive: true })).toEqual(before);
});

test('A file is written without what killed runs left next to it, and other files stay', async () => {
  await using destination = await startFile();
  const left = ['.link.txt.0123456789abcdef', '.link.txt.state.json.fedcba9876543210'];
  const others = ['.link.txt.0123456789abcde', '.link.txt.orig', '.other.txt.0123456789abcdef'];
  const long = new Date(Date.now() - 120_000);
  for (const name of [...left, ...others]) {
    await writeFile(join(destination.folder, name), 'https://bundles.example.com/left');
    await utimes(join(destination.folder, name), long, long);
  }
  // A run that is still active has just made it.
  await writeFile(join(destination.folder, '.link.txt.aaaaaaaaaaaaaaaa'), '');
  const store = destination.makeStore();
  const seen = await store.write({ state: '{}' }, await openStore(store));
  await store.write({ link: 'https://bundles.example.com/a' }, seen);
  const kept = [...others, '.link.txt.aaaaaaaaaaaaaaaa', 'link.txt', 'link.txt.state.json'];
  expect((await readdir(destination.folder)).sort()).toEqual(kept.sort());
});

test('A symbolic link, and a missing folder, are refused before anything is written', async () => {
  await using destination = await startFile();
  await symlink('/etc/hosts', destination.path);
  await expect(openStore(destination.makeStore())).rejects.toMatchObject({ code: 'config' });
  await expect(
    openStore(new FileStore(join(destination.folder, 'none', 'link.txt'))),
  ).rejects.toMatchObject({
    code: 'io',
  });
  expect(await readdir(destination.folder)).toEqual(['link.txt']);
});

test('A checkout cannot lead the link out of the workspace, and nothing is written into a .git folder', async () => {
  await using destination = await startFile();
  const [workspace, outside] = [
    join(destination.folder, 'workspace'),
    join(destination.folder, 'outside'),
  ];
  for (const folder of [outside, join(workspace, '.git', 'hooks'), join(workspace, 'real')]) {
    await mkdir(folder, { recursive: true });
  }
  await symlink(outside, join(workspace, 'out'));
  await symlink('real', join(workspace, 'within'));
  const storeAt = (path: string) => new FileStore(join(workspace, path), workspace);
  for (const path of ['out/link.txt', '.git/link.txt', '.git/hooks/post-merge']) {
    await expect(openStore(storeAt(path)), path).rejects.toMatchObject({ code: 'config' });
  }
  await expect(openStore(storeAt('within/link.txt'))).resolves.toMatchObject({ link: undefined });
  // A folder elsewhere is allowed if the workflow specifies its path.
  await expect(
    openStore(new FileStore(join(outside, 'link.txt'), workspace)),
  ).resolves.toMatchObject({
    link: undefined,
  });
});

test('A file that is too large for a link is refused, and stays unchanged', async () => {
  await using destination = await startFile();
  await writeFile(destination.path, 'a'.repeat(70_000));
  expectError(await failureOf(openStore(destination.makeStore())), {
    code: 'config',
    message: '70000 bytes',
  });
  expect(await readFile(destination.path, 'utf8')).toHaveLength(70_000);
});

test('A folder that is missing when the link is written is an error, and the link is in no message', async () => {
  await using destination = await startFile();
  const folder = join(destination.folder, 'deep');
  await mkdir(folder);
  const store = new FileStore(join(folder, 'link.txt'));
  await openStore(store);
  await rm(folder, { recursive: true });
  const error = await failure(store.write({ link: 'https://bundles.example.com/a?sig=canary' }));
  expectError(error, { code: 'io', hint: 'folder exists', mayHaveActed: false });
  expect(String(error)).not.toContain('canary');
});

test('A link in a file that ends with a newline is the same link', async () => {
  await using destination = await startFile();
  const store = destination.makeStore();
  const { link } = await store.write(
    { link: 'https://bundles.example.com/a' },
    await openStore(store),
  );
  await destination.setLink('https://bundles.example.com/a\n');
  expect((await openStore(store)).link?.digest).toBe(link?.digest);
});

test('A claim in a file can be read only by the owner, and nothing else remains in the folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'claims-'));
  const store = new FileStore(join(folder, 'link.txt'));
  expect(await store.claims.create(1, 'a')).toBe(true);
  expect(await store.claims.create(1, 'b')).toBe(false);
  expect(await readdir(folder)).toEqual(['link.txt.state.1.json']);
  expect((await stat(join(folder, 'link.txt.state.1.json'))).mode & 0o777).toBe(0o600);
  await rm(folder, { recursive: true });
});

test('A claim whose folder became a file is an error with a code, as that of a link', async () => {
  const workspace = await mkdtemp(join(tmpdir(), 'claims-'));
  await mkdir(join(workspace, 'out'));
  const store = new FileStore(join(workspace, 'out/link.txt'), workspace);
  await openStore(store);
  await rm(join(workspace, 'out'), { recursive: true });
  await writeFile(join(workspace, 'out'), '');
  const wanted = { name: 'CourierError', code: 'io', mayHaveActed: false };
  expect(await failure(store.claims.create(1, 'a'))).toMatchObject(wanted);
  expect(await failure(store.write({ link: 'https://bundles.example.com/a' }))).toMatchObject(
    wanted,
  );
  await rm(workspace, { recursive: true });
});

test.skipIf(process.platform === 'win32')(
  'A pipe with the name of a claim or of the state of a file holds no run',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docs-courier-pipe-'));
    try {
      const path = join(folder, 'link.txt');
      execFileSync('mkfifo', [`${path}.state.3.json`, `${path}.pipe`]);
      const store = new FileStore(path);
      expect(await store.claims.list(0)).toEqual([3]);
      expect(await store.claims.create(3, 'own')).toBe(false);
      expect(await store.claims.read(3)).toEqual({ text: '' });
      expect(await failure(new FileStore(`${path}.pipe`).read())).toMatchObject({ code: 'config' });
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
