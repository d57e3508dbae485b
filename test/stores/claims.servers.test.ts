import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startGiteaEmulator } from '../../emulator/src/gitea/emulator.ts';
import { startGitHubEmulator } from '../../emulator/src/github/emulator.ts';
import { GitLabEmulator } from '../../emulator/src/gitlab/emulator.ts';
import { createOctokit } from '../../src/github/client.ts';
import { Http } from '../../src/http/http.ts';
import { AwsStore } from '../../src/stores/aws/store.ts';
import { FileStore } from '../../src/stores/file/store.ts';
import { GiteaStore } from '../../src/stores/gitea/store.ts';
import { GitHubStore } from '../../src/stores/github/store.ts';
import { GitLabStore } from '../../src/stores/gitlab/store.ts';
import type { LinkStore } from '../../src/stores/port.ts';
import { failure } from '../support/failure.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { FaultFront, type FrontFault, type FrontRequest } from '../support/fault-front.ts';
import { openStore } from '../support/open-store.ts';
import { recordingLog } from '../support/recording-log.ts';
import { SmallAws } from '../support/small-servers/aws.ts';

const NAME = 'DOCS_BUNDLE_URL';
const TOKEN = 'glpat-0123456789abcdefghij';
const LINK = 'https://bundles.example.com/site.tar.gz?sig=0123456789abcdef';
const STATE = '{"version":2}';
const { signal } = new AbortController();

interface Server extends AsyncDisposable {
  readonly url: string;
}

/** A server of one kind, and a store that writes to an address in front of it. */
interface Kind {
  readonly start: () => Promise<Server>;
  readonly makeStore: (url: string) => LinkStore;
}

function disposable({
  url,
  close,
}: {
  readonly url: string;
  readonly close: () => Promise<void>;
}): Server {
  return { url, [Symbol.asyncDispose]: close };
}

function httpOf(clock = fakeClock({ now: Date.now() })): Http {
  return new Http({ clock, log: recordingLog(), signal, random: () => 0 });
}

const github: Kind = {
  start: async () => {
    const emulator = await startGitHubEmulator({
      tokens: { [TOKEN]: { permissions: { secrets: 'write', actions_variables: 'write' } } },
      repositories: [{ fullName: 'acme/docs' }],
    });
    return disposable({ url: emulator.url, close: () => emulator.close() });
  },
  makeStore: (apiUrl) => {
    const clock = fakeClock({ now: Date.now() });
    return new GitHubStore({
      address: { scheme: 'github', scope: 'repository', repository: undefined, name: NAME },
      repository: 'acme/docs',
      serverUrl: 'https://github.com',
      token: TOKEN,
      workflowToken: undefined,
      connect: () => createOctokit({ token: TOKEN, apiUrl, signal, http: httpOf(clock) }),
      clock,
      signal,
    });
  },
};

const gitlab: Kind = {
  start: async () => {
    const emulator = await GitLabEmulator.start({
      projects: [{ path: 'acme/docs', id: 7 }],
      tokens: { [TOKEN]: { roles: { acme: 'owner' } } },
    });
    return disposable({ url: emulator.url, close: () => emulator.close() });
  },
  makeStore: (url) =>
    new GitLabStore({
      address: {
        scheme: 'gitlab',
        scope: 'project',
        id: 'acme/docs',
        name: NAME,
        environment: undefined,
      },
      url,
      token: TOKEN,
      jobToken: undefined,
      http: httpOf(),
    }),
};

const gitea: Kind = {
  start: async () => {
    const emulator = await startGiteaEmulator({
      tokens: { [TOKEN]: { login: 'ada', scopes: ['write:repository'] } },
      repositories: { 'ada/app': ['ada'] },
    });
    return disposable({ url: emulator.url, close: () => emulator.close() });
  },
  makeStore: (serverUrl) =>
    new GiteaStore({
      address: { scheme: 'gitea', scope: 'repository', repository: 'ada/app', name: NAME },
      serverUrl,
      token: TOKEN,
      jobTokens: [],
      http: httpOf(),
    }),
};

function aws(scheme: 'aws-sm' | 'aws-ssm'): Kind {
  return {
    start: async () => {
      const server = await SmallAws.start();
      await server.api('secretsmanager.CreateSecret', { Name: '/docs/link', SecretString: 'none' });
      await server.api('AmazonSSM.PutParameter', {
        Name: '/docs/link',
        Value: 'none',
        Type: 'SecureString',
      });
      return server;
    },
    makeStore: (url) => {
      const log = recordingLog();
      return new AwsStore({
        address: { scheme, name: '/docs/link' },
        role: undefined,
        idToken: () => Promise.reject(new Error('not asked for')),
        env: {
          AWS_REGION: 'eu-central-1',
          AWS_ENDPOINT_URL: url,
          AWS_ACCESS_KEY_ID: 'a',
          AWS_SECRET_ACCESS_KEY: 'b',
        },
        http: httpOf(),
        clock: fakeClock({ now: Date.now() }),
        log,
      });
    },
  };
}

/** True for what may change something, in any of these servers. */
function isWrite({ method, headers }: FrontRequest): boolean {
  const operation = headers['x-amz-target'];
  if (operation !== undefined) return /\.(Put|Create|Delete)/.test(String(operation));
  return method !== 'GET';
}

type Write = (store: LinkStore) => Promise<unknown>;

/** All that a section writes, over what a run before has left. */
const WRITES: readonly (readonly [what: string, write: Write])[] = [
  ['claim', async (store) => store.claims?.create(2, '{"token":"b"}')],
  ['link', async (store) => store.write({ link: LINK }, await store.read())],
  ['state', async (store) => store.write({ state: STATE }, await store.read())],
];

const FAULTS: readonly (readonly [what: string, fault: FrontFault, error: object])[] = [
  [
    'is answered 503 with Retry-After',
    { kind: 'reply', status: 503, headers: { 'retry-after': '2' } },
    { httpStatus: 503, retryAfterMs: 2000, mayHaveActed: false },
  ],
  [
    'is answered 429 with Retry-After',
    { kind: 'reply', status: 429, headers: { 'retry-after': '2' } },
    { code: 'rate-limited', retryAfterMs: 2000, mayHaveActed: false },
  ],
  ['is answered 500', { kind: 'reply', status: 500 }, { httpStatus: 500, mayHaveActed: true }],
  ['takes effect without a reply', { kind: 'lose' }, { code: 'network', mayHaveActed: true }],
];

describe.each([
  ['GitHub', github],
  ['GitLab', gitlab],
  ['Gitea', gitea],
  ['AWS Secrets Manager', aws('aws-sm')],
  ['AWS Parameter Store', aws('aws-ssm')],
] as const)('what a section writes in %s', (_name, kind) => {
  describe.each(WRITES)('a %s', (what, write) => {
    test.each(FAULTS)(
      `A ${what} that %s is sent once, and the error says what the caller needs`,
      async (_, fault, error) => {
        await using server = await kind.start();
        await using front = await FaultFront.start({ upstream: server.url });
        const store = kind.makeStore(front.url);
        const first = await store.write({ link: `${LINK}0` }, await openStore(store));
        await store.write({ state: '{}' }, first);
        await store.claims?.create(1, '{"token":"a"}');
        front.reset();
        front.inject(isWrite, fault, 5);
        expect(await failure(write(store))).toMatchObject(error);
        expect(front.requests.filter(isWrite)).toHaveLength(1);
      },
    );
  });

  test.each(FAULTS)('The removal of a claim that %s is sent once', async (_, fault) => {
    await using server = await kind.start();
    await using front = await FaultFront.start({ upstream: server.url });
    const store = kind.makeStore(front.url);
    await openStore(store);
    await store.claims?.create(1, '{"token":"a"}');
    front.reset();
    front.inject(isWrite, fault, 5);
    await store.claims?.remove(1).catch(() => undefined);
    // A claim of AWS Secrets Manager is never removed.
    expect(front.requests.filter(isWrite).length).toBeLessThanOrEqual(1);
  });

  test('A claim whose reply was lost exists, and no other run can create it', async () => {
    await using server = await kind.start();
    await using front = await FaultFront.start({ upstream: server.url });
    const [store, other] = [kind.makeStore(front.url), kind.makeStore(server.url)];
    await openStore(store);
    await openStore(other);
    await store.claims?.create(1, '{"token":"a"}');
    front.inject(isWrite, { kind: 'lose' });
    await failure(Promise.resolve(store.claims?.create(2, '{"token":"b"}')));
    expect(await other.claims?.create(2, '{"token":"c"}')).toBe(false);
    expect((await other.claims?.read(2))?.text).toBe('{"token":"b"}');
  });
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
  expect(await failure(store.write({ link: LINK }))).toMatchObject(wanted);
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
