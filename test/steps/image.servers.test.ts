import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { fieldOf, parseJson } from '../../src/ground/text/json.ts';
import { Http } from '../../src/http/http.ts';
import { readInputs } from '../../src/inputs/read.ts';
import { findLogin } from '../../src/stores/registry/credentials.ts';
import { RegistryStore } from '../../src/stores/registry/store.ts';
import { expectError, failureOf } from '../support/failure.ts';
import { hintOf } from '../support/make-run.ts';
import { MERGED, PUSH, startMerge, WORKFLOW_TOKEN } from '../support/merge.ts';
import { type RecordingLog, recordingLog } from '../support/recording-log.ts';
import {
  COURIER,
  imageFor,
  imageRun,
  manifestAt,
  REPOSITORY,
  repeatBundle,
  startImageRun,
  startLogin,
  stateAt,
} from '../support/registry-scenarios.ts';
import { SmallRegistry, type SmallRegistryOptions } from '../support/small-servers/registry.ts';
import { TokenServer } from '../support/small-servers/token-server.ts';
import { makeCertificate } from '../support/tls.ts';
import { BUNDLE } from '../support/world/names.ts';

const BASIC_AUTH = Buffer.from(`${COURIER.user}:${COURIER.password}`).toString('base64');

const start = (options: SmallRegistryOptions = {}) => startImageRun(SmallRegistry.start(options));

/** An export, and one with a mistake that replaces it. */
async function exportTwice(run: Awaited<ReturnType<typeof start>>) {
  const first = await run.export('1');
  run.publish('index.md', '# Docs\n\nA mistake.');
  const second = await run.export('2');
  const [, digest = ''] = first.facts.image?.reference.split('@') ?? [];
  return { first, second, digest };
}

function noticesOf({ entries }: RecordingLog): string {
  return entries.flatMap(({ level, message }) => (level === 'notice' ? [message] : [])).join('\n');
}

/** Of the site: the state needs an empty blob before the export. */
function isLayerPut() {
  let seen = 0;
  return (method: string, path: string) => {
    if (isBlobPut(method, path)) seen += 1;
    return isBlobPut(method, path) && seen > 1;
  };
}

/** Replaces the file in which a run finds its logins. */
function configure({ world }: Awaited<ReturnType<typeof start>>, config: unknown): void {
  writeFileSync(join(world.root, 'docker', 'config.json'), JSON.stringify(config));
}

/** A credential helper, as a shell script. */
function addHelper(folder: string, body: string): void {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'docker-credential-test');
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}

/** A registry that refuses what it is asked. */
const DENIED = { kind: 'reply', status: 403, code: 'DENIED' } as const;

const isRead = (method: string) => method === 'GET';
const isOpening = (method: string) => method === 'POST';
const isTagPut = (method: string, path: string) =>
  method === 'PUT' && path.endsWith('/manifests/latest');
const isBlobPut = (method: string, path: string) => method === 'PUT' && path.includes('/blobs/');

describe('an upload', () => {
  for (const [what, options] of [
    ['a path', { location: 'path' }],
    ['an address that has a query already', { location: 'query' }],
    ['no digest in its replies', { hidesDigest: true }],
  ] as const) {
    test(`A registry that answers with ${what} gets the image`, async () => {
      await using run = await start(options);
      const { error } = await run.export('1');
      expect(error).toBeUndefined();
      expect(Object.keys(await run.pull())).toContain('index.html');
    });
  }

  for (const [what, location, named] of [
    ['host', 'elsewhere', 'uploads.example.com'],
    ['of its repositories', 'another repository', 'the repository stranger/site'],
  ] as const) {
    test(`A registry that sends the upload to another ${what} does not get the site`, async () => {
      await using run = await start({ location });
      const { error } = await run.export('1');
      expectError(error, { code: 'protocol', message: named });
      expect(run.registry.requests.some(({ bytes }) => bytes > 0)).toBe(false);
      expect(run.world.platform.exportJobs).toEqual([]);
    });
  }

  test('An upload that is opened without an address is opened once more, and not a third time', async () => {
    await using run = await start();
    run.registry.inject(isOpening, { kind: 'reply', status: 202 });
    expect((await run.export('1')).error).toBeUndefined();
    run.registry.requests.length = 0;
    run.registry.inject(isOpening, { kind: 'reply', status: 202 }, 99);
    const { error } = await run.export('2');
    expectError(error, { code: 'protocol', message: 'did not say where' });
    expect(run.registry.writes()).toEqual(['POST blobs', 'POST blobs']);
  });

  for (const [what, reply, code, hint] of [
    [
      'the code DIGEST_INVALID',
      { status: 400, code: 'DIGEST_INVALID' },
      'integrity',
      'a proxy in front of the registry',
    ],
    [
      'the code BLOB_UPLOAD_INVALID',
      { status: 400, code: 'BLOB_UPLOAD_INVALID' },
      'protocol',
      'what is in front of it',
    ],
    ['413', { status: 413 }, 'forbidden', 'quota'],
    ['507', { status: 507 }, 'forbidden', 'quota'],
  ] as const) {
    test(`A layer that is answered with ${what} each time fails as ${code}, and no input is blamed`, async () => {
      await using run = await start();
      run.registry.inject(isLayerPut(), { kind: 'reply', ...reply }, 99);
      const { error } = await run.export('1');
      expectError(error, { code, message: 'code' in reply ? reply.code : what, hint });
    });
  }

  for (const [what, fault] of [
    ['fails with 500', { kind: 'reply', status: 500 }],
    ['is throttled', { kind: 'reply', status: 429, headers: { 'retry-after': '2' } }],
    ['breaks in the middle', { kind: 'break', bytes: 1000 }],
    ['arrives with other bytes', { kind: 'reply', status: 400, code: 'DIGEST_INVALID' }],
  ] as const) {
    test(`An upload that ${what} is started again, and the image is whole`, async () => {
      await using run = await start();
      run.registry.inject(isBlobPut, fault, 2);
      const { error, log } = await run.export('1');
      expect(error).toBeUndefined();
      expect(log.text()).toContain('The upload is started again.');
      expect(Object.keys(await run.pull())).toContain('index.html');
    });
  }

  test('An upload that never succeeds fails with the job id, and the tag is not there', async () => {
    await using run = await start();
    run.registry.inject(isLayerPut(), { kind: 'reply', status: 500 }, 99);
    const { error, facts } = await run.export('1');
    expect(error).toMatchObject({ code: 'network' });
    expect(facts.jobId).toMatch(/./);
    expect(await manifestAt(run.registry.host, 'latest')).toBeUndefined();
    expect(readdirSync(run.world.runnerTemp).filter((name) => name.includes('image'))).toEqual([]);
  });

  test('A registry that says that it stored other bytes ends the run, and the tag is not there', async () => {
    await using run = await start();
    const isManifest = (method: string, path: string) =>
      method === 'PUT' && path.includes('/manifests/sha256:');
    const headers = { 'docker-content-digest': `sha256:${'0'.repeat(64)}` };
    run.registry.inject(isManifest, { kind: 'reply', status: 201, headers });
    const { error, facts } = await run.export('1');
    expect(error).toMatchObject({ code: 'integrity', mayHaveActed: true });
    expect(facts.jobId).toMatch(/./);
    expect(await manifestAt(run.registry.host, 'latest')).toBeUndefined();
  });

  test('A registry that loses a part before the tag moves fails as not-found, with the next run as the fix', async () => {
    await using run = await start();
    run.registry.inject(isTagPut, { kind: 'reply', status: 400, code: 'MANIFEST_BLOB_UNKNOWN' });
    const { error } = await run.export('1');
    expectError(error, { code: 'not-found', hint: 'Run again' });
    expect((await run.export('2')).error).toBeUndefined();
    expect(Object.keys(await run.pull())).toContain('index.html');
  });

  test('An image that is there already is not called the previous one', async () => {
    await using run = await start();
    const { facts } = await run.export('1');
    const again = await run.export('2', { exportJobId: facts.jobId }, 'workflow_dispatch');
    expect(again.log.text('info')).toContain('The image is live under the');
    expect(again.log.text('info')).not.toContain('The previous image');
    run.publish('index.md', '# Docs\n\nOther words.');
    expect((await run.export('3')).log.text('info')).toContain('The previous image is version');
  });

  test('A layer that the registry has is not sent again', async () => {
    await using run = await start();
    const first = await run.export('1');
    run.registry.remove(REPOSITORY, 'latest');
    run.registry.requests.length = 0;
    const again = await run.export('2', { exportJobId: first.facts.jobId }, 'workflow_dispatch');
    expect(again.error).toBeUndefined();
    expect(run.registry.writes()).not.toContain('PUT blobs');
    expect(await manifestAt(run.registry.host, 'latest')).toBeDefined();
  });
});

describe('before the export', () => {
  const refused = async (
    options: SmallRegistryOptions,
    login?: { readonly user: string; readonly password: string },
  ) => {
    await using run = await start(options);
    const { inputs, options: optionsOf } = imageRun(run.registry.host, run.world, login);
    const { error } = await run.world.export(inputs, optionsOf('1'));
    expect(run.world.platform.exportJobs).toEqual([]);
    return { message: error?.message ?? '', code: error?.code, hint: hintOf(error) };
  };

  test('A missing login, a wrong one, and one that may only read have different messages', async () => {
    await using login = await TokenServer.start({
      courier: { password: COURIER.password, actions: 'pull,push' },
      reader: { password: COURIER.password, actions: 'pull' },
    });
    const none = await refused({ login });
    expect(none).toMatchObject({
      code: 'unauthorized',
      hint: expect.stringContaining('docker login 127.0.0.1'),
    });
    expect(none.message).toContain('asks for a login.');
    expect(none.hint).toMatch(/Without docker, write .*\{"auths":\{"127\.0\.0\.1:\d+":/);
    expect(none.hint).toMatch(/There is no login to 127\.0\.0\.1:\d+ in .*config\.json/);
    const wrong = await refused({ login }, { user: 'courier', password: 'another-password' });
    expect(wrong).toMatchObject({
      code: 'unauthorized',
      hint: expect.stringContaining('config.json are not accepted'),
    });
    const reader = await refused({ login }, { user: 'reader', password: COURIER.password });
    expect(reader).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('may not pull from and push to acme/docs'),
    });
  });

  test.each([
    [
      'that is not installed',
      { credsStore: 'osxkeychain' },
      'docker-credential-osxkeychain (it is not in a folder of',
    ],
    [
      'of this registry alone',
      { credHelpers: { HOST: 'ecr-login' } },
      'docker-credential-ecr-login (it is not',
    ],
    [
      'beside an empty entry',
      { auths: { HOST: {} }, credsStore: 'pass' },
      'docker-credential-pass (it is not',
    ],
  ])('A 403 names a login helper %s', async (_, config, named) => {
    await using run = await start();
    const text = JSON.stringify(config).replaceAll('HOST', run.registry.host);
    configure(run, parseJson(text));
    run.registry.inject(isRead, DENIED, 99);
    const { error } = await run.export('1');
    expectError(error, { code: 'forbidden', hint: named });
  });

  test('A 403 with a login names that login, and no other place', async () => {
    await using run = await start();
    run.registry.inject(isRead, DENIED, 99);
    const { error } = await run.exportWithLogin('1');
    expect(hintOf(error)).toMatch(/^The login in .*config\.json lacks a right on acme\/docs\./);
  });

  test.each([
    ['405 as text', 405, 'Method not allowed', 'text/plain'],
    ['405 as a page', 405, '<!doctype html><title>Not allowed</title>', 'text/html'],
    ['403 as the page of a firewall', 403, '<html><title>Blocked</title></html>', 'text/html'],
    ['405 as a registry does', 405, '{"errors":[{"code":"UNSUPPORTED"}]}', 'application/json'],
  ])(
    'A registry that answers reads, and uploads with %s, is called read-only',
    async (_, status, text, type) => {
      await using run = await start();
      expect((await run.export('1')).error).toBeUndefined();
      run.registry.inject(isOpening, { kind: 'text', status, text, type }, 99);
      const { error } = await run.export('2');
      expect(error).toMatchObject({ code: 'forbidden', httpStatus: status });
      expect(error?.message).not.toContain('is not the API');
      expect(hintOf(error)).toContain('read-only');
    },
  );

  test('A server that answers everything with pages is a wrong address', async () => {
    await using run = await start();
    const page = {
      kind: 'text',
      text: '<!doctype html><title>x</title>',
      type: 'text/html',
    } as const;
    run.registry.inject(isRead, { ...page, status: 404 }, 99);
    run.registry.inject(() => true, { ...page, status: 405 }, 99);
    const { error } = await run.export('1');
    expect(error?.message).toContain('is not the API of the registry');
  });

  test('A repository that does not exist is not-found, and the hint says that it has to be created', async () => {
    expect(await refused({ repositories: [] })).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('has no repository acme/docs'),
      hint: expect.stringContaining('Create the repository first'),
    });
  });

  test('The message for a 403 has the login, or that there is none, and the right', async () => {
    await using run = await start();
    run.registry.inject(isOpening, DENIED, 2);
    const none = await run.export('1');
    const given = await run.exportWithLogin('2');
    const { host } = run.registry;
    expect(none.error?.message).toMatch(
      /There is no login to \S+ in .*config\.json.*, and without one nothing may be pushed to acme\/docs\./,
    );
    const path = join(run.world.root, 'docker', 'config.json');
    expect(given.error?.message).toContain(
      `The login to ${host} (${path}) may not push to acme/docs.`,
    );
    for (const { error } of [none, given]) {
      expectError(error, { code: 'forbidden', hint: 'packages: write' });
    }
    expect(run.world.platform.exportJobs).toEqual([]);
  });

  test('Immutable tags fail with a hint that names both tags, and the next run fails before its export', async () => {
    await using run = await start({ immutableTags: true });
    for (const runId of ['1', '2']) {
      const { error } = await run.export(runId);
      const message = expect.stringContaining('refuses to write the tag latest.state');
      expect(error).toMatchObject({ code: 'forbidden', message });
      expect(hintOf(error)).toContain('exempt latest and latest.state');
    }
    expect(run.world.platform.exportJobs.length).toBe(1);
  });

  test('A dry run lists the push and leaves nothing in the registry', async () => {
    await using run = await start();
    const { facts, error } = await run.export('1', { dryRun: true });
    expect(error).toBeUndefined();
    expect(facts.planned).toContainEqual({
      action: 'push the site as an image, and move the tag',
      target: `tag latest of ${run.registry.host}/${REPOSITORY}`,
    });
    expect(run.registry.writes()).toEqual(['POST blobs']);
    expect(run.registry.requests.at(-1)?.method).toBe('GET');
    expect(run.registry.requests.some(({ method }) => method === 'DELETE')).toBe(true);
  });
});

describe('a public repository', () => {
  test('A repository that anyone can pull from is a notice, and a warning of doctor', async () => {
    await using run = await start();
    const first = await run.export('1');
    expect(noticesOf(first.log)).toContain('Anyone can pull');
    const checked = readInputs(
      {
        value: (name) => VALUES(run.registry.host)[name] ?? '',
        unknownNames: () => [],
        fillsDefaults: true,
      },
      { repository: 'acme/docs', workspace: run.world.workspace },
    );
    if (checked.mode !== 'doctor') throw new Error('not doctor');
    const { facts, log } = await run.world.doctor(
      { ...checked, baseUrl: run.world.platform.url },
      run.options('2'),
    );
    expect(JSON.stringify(facts)).toContain('Anyone can pull');
    expect(log.text().split('no login was found'), 'the registry is checked once').toHaveLength(2);
  });

  const VALUES = (host: string): Record<string, string> => ({
    mode: 'doctor',
    'base-url': 'https://api.docs.example.com',
    'admin-api-key': 'svc_adminKeyForTests0123456789',
    domain: 'acme.example.com',
    image: `${host}/${REPOSITORY}:latest`,
  });

  test('A repository behind a login is not', async () => {
    await using login = await startLogin();
    await using run = await start({ login });
    const { log, error } = await run.exportWithLogin('1');
    expect(error).toBeUndefined();
    expect(noticesOf(log)).not.toContain('Anyone can pull');
  });
});

describe('a run that ends early', () => {
  test('Wherever a run loses the registry, the next run publishes', async () => {
    await using whole = await start();
    expect((await whole.export('1')).error).toBeUndefined();
    const requests = whole.registry.requests.length;
    await using run = await start();
    const { registry, publish } = run;
    for (let lost = 2; lost <= requests; lost += 3) {
      publish('index.md', `# Docs\n\nVersion ${lost}.`);
      let seen = 0;
      const isLost = () => {
        seen += 1;
        return seen >= lost && seen < 1000;
      };
      registry.inject(isLost, { kind: 'break', bytes: 0 }, 500);
      await run.export(`${lost}`);
      seen = 1000;
      const next = await run.export(`${lost}-next`);
      expect(next.error, `after request ${lost}`).toBeUndefined();
      expect((await run.pull())['index.html']).toContain(`Version ${lost}.`);
      expect(fieldOf(await stateAt(registry.host), 'jobId')).toBe(next.facts.jobId);
      expect(next.facts.image?.reference.split('@')[1]).toBe(
        (await manifestAt(registry.host, 'latest'))?.digest,
      );
    }
  }, 120_000);
});

test.each([
  [[], /: nothing, so no search and no stamp, even if it had them/],
  [['stamp'], /as the input add says: stamp\./],
  [['search', 'stamp'], /as the input add says: search and stamp\./],
] as const)(
  'A rollback with add %j says what an image that is created again gets',
  async (add, said) => {
    await using run = await start();
    const first = await run.export('1', { add: ['stamp'] });
    run.publish('index.md', '# Docs\n\nA mistake.');
    await run.export('2', { add: ['stamp'] });
    run.registry.remove(REPOSITORY, first.facts.image?.reference.split('@')[1] ?? '');
    const { error, log } = await run.rollback('3', { add });
    expect(error).toBeUndefined();
    expect(noticesOf(log)).toMatch(said);
  },
);

test('A dry run of a rollback says which export it would restore, also if only the tag of an image moves', async () => {
  await using run = await start();
  const first = await run.export('1');
  run.publish('index.md', '# Docs\n\nA mistake.');
  const second = await run.export('2');
  const { log } = await run.rollback('3', { dryRun: true });
  expect(log.text()).toContain(
    `Rolling back from export job ${second.facts.jobId} to ${first.facts.jobId}`,
  );
});

test('A rollback after the same bad content was exported again goes to the good image, and so does a link beside it', async () => {
  await using run = await start();
  const { world, registry } = run;
  const path = join(world.workspace, 'link.txt');
  const to = {
    ...run.inputs.to,
    addresses: [...run.inputs.to.addresses, { scheme: 'file', path } as const],
  };
  const good = await run.export('1', { to });
  run.publish('index.md', '# Docs\n\nA mistake.');
  for (let index = 2; index < 25; index += 1) {
    expect((await run.export(String(index), { to })).error).toBeUndefined();
  }
  expect(fieldOf(await stateAt(registry.host), 'history')).toHaveLength(2);
  const back = await run.rollback('30', { to });
  expect([back.error, back.facts.jobId]).toEqual([undefined, good.facts.jobId]);
  expect((await run.pull())['index.html']).toContain('Hello.');
  expect(readFileSync(path, 'utf8')).toContain(good.facts.jobId);
});

test.each([2, 3])(
  'After a rollback of an image with %i exports that the registry refused at the tag, a new one restores the same export',
  async (count) => {
    await using run = await start();
    const { world, registry } = run;
    const jobs: (string | undefined)[] = [];
    for (let index = 0; index < count; index += 1) {
      run.publish('index.md', `# Docs\n\nVersion ${index}.`);
      jobs.push((await run.export(`${index}`)).facts.jobId);
    }
    registry.inject(isTagPut, { kind: 'reply', status: 503 }, 9);
    expect((await run.rollback('10')).error).toBeDefined();
    registry.inject(isTagPut, { kind: 'reply', status: 503 }, 0);
    world.clock.advance(600_000);
    const again = await run.rollback('11');
    expect([again.error, again.facts.jobId]).toEqual([undefined, jobs[count - 2]]);
  },
);

test('A rollback says so if every export before has the content of the live one', async () => {
  await using run = await start();
  for (const runId of ['1', '2']) {
    await run.export(runId);
  }
  const { error } = await run.rollback('3');
  expectError(error, { code: 'not-found', message: 'no export before the live one' });
});

test('A rollback to an image that the registry has deleted makes it again of the bundle, with a new digest', async () => {
  await using run = await start();
  const { registry } = run;
  const { first, digest } = await exportTwice(run);
  registry.remove(REPOSITORY, digest);
  const back = await run.rollback('3');
  expect(back.error).toBeUndefined();
  expect(back.facts.jobId).toBe(first.facts.jobId);
  expect(back.facts.image?.reference).not.toBe(first.facts.image?.reference);
  expect((await run.pull())['index.html']).toContain('Hello.');
  expect(fieldOf(await stateAt(registry.host), 'history')).toContainEqual(
    expect.objectContaining({ job: first.facts.jobId, image: back.facts.image?.reference }),
  );
  expect(noticesOf(back.log)).toContain('no longer has');
});

test('A rollback whose image the registry has deleted and whose job the platform has forgotten writes nothing', async () => {
  await using run = await start();
  const { world, registry } = run;
  const { first, second, digest } = await exportTwice(run);
  registry.remove(REPOSITORY, digest);
  const state = await stateAt(registry.host);
  world.platform.inject({
    match: { ...BUNDLE, times: 9 },
    status: 404,
    body: { error: 'unknown job' },
  });
  const { error } = await run.rollback('3');
  const message = expect.stringContaining(
    `The platform no longer knows export job ${first.facts.jobId}.`,
  );
  expect(error).toMatchObject({ code: 'not-found', message });
  const live = await manifestAt(registry.host, 'latest');
  expect(second.facts.image?.reference).toContain(live?.digest);
  expect(await stateAt(registry.host)).toEqual(state);
});

test('A registry that answers with other bytes than those of the digest ends a rollback, and the tag stays', async () => {
  await using run = await start();
  const { registry } = run;
  const { second, digest } = await exportTwice(run);
  registry.store(REPOSITORY, digest, `${(await manifestAt(registry.host, digest))?.text} `);
  const { error } = await run.rollback('3');
  expectError(error, { code: 'integrity', message: digest });
  expect(second.facts.image?.reference).toContain(
    (await manifestAt(registry.host, 'latest'))?.digest,
  );
});

test('If the registry has lost the layer or a configuration of an image, a rollback to it pushes it again', async () => {
  for (const part of ['layer', 'configuration']) {
    await using run = await start();
    const { registry } = run;
    const { first, digest } = await exportTwice(run);
    const { layer, manifest } = await imageFor('arm64', registry.host, digest);
    const lost = part === 'layer' ? layer : fieldOf(manifest?.json, 'config', 'digest');
    registry.removeBlob(REPOSITORY, String(lost));
    const back = await run.rollback('3');
    expect(back.error).toBeUndefined();
    expect(back.facts.jobId).toBe(first.facts.jobId);
    expect((await run.pull())['index.html']).toContain('Hello.');
    expect((await imageFor('arm64', registry.host, 'latest')).config).toMatchObject({
      architecture: 'arm64',
    });
  }
});

test('The tag never moves to an image that cannot be pulled', async () => {
  await using run = await start();
  const { world, registry, inputs } = run;
  const { first, second, digest } = await exportTwice(run);
  registry.removeBlob(REPOSITORY, String((await imageFor('amd64', registry.host, digest)).layer));
  const { signal } = new AbortController();
  const http = new Http({ clock: world.clock, log: recordingLog(), signal });
  const given = { env: {}, workspace: undefined, log: recordingLog() };
  const [address] = inputs.to.addresses;
  if (address === undefined) throw new Error('no address');
  const store = new RegistryStore({ address, http, clock: world.clock, signal, ...given });
  await store.preflight();
  const written = store.write({ link: first.facts.image?.reference }, await store.read());
  expectError(await failureOf(written), { code: 'not-found', message: 'The tag was not moved.' });
  expect(second.facts.image?.reference).toContain(
    (await manifestAt(registry.host, 'latest'))?.digest,
  );
});

test('After a change of the key an image of the same content is pushed again, with a warning, and is not called unchanged', async () => {
  await using run = await start();
  const { world, registry } = run;
  const first = await run.export('1');
  repeatBundle(world, first.facts);
  const state = await manifestAt(registry.host, 'latest.state');
  const signature = String(fieldOf(await stateAt(registry.host), 'signature'));
  const other = signature.replace(/^./, (letter) => (letter === '0' ? '1' : '0'));
  registry.store(REPOSITORY, 'latest.state', (state?.text ?? '').replace(signature, other));
  const second = await run.export('2');
  expect(second.error).toBeUndefined();
  expect(second.facts.image?.unchanged).toBe(false);
  expect(second.log.text('warning')).toContain('its signature is invalid');
});

test('An index whose images a policy has deleted does not count as unchanged, and is not restored by a rollback', async () => {
  await using run = await start();
  const { registry } = run;
  const first = await run.export('1');
  const index = await manifestAt(registry.host, 'latest');
  registry.remove(REPOSITORY, String(fieldOf(index?.json, 'manifests', '1', 'digest')));
  const again = { exportJobId: first.facts.jobId };
  const repaired = await run.export('2', again, 'workflow_dispatch');
  expect(repaired.facts.image?.unchanged).toBe(false);
  expect(noticesOf(repaired.log)).toContain('it is pushed again');
  expect(await run.pull()).toHaveProperty('index.html');
});

test('A tag that someone else moves right after this run is a conflict, and their image stays', async () => {
  await using run = await start();
  const { registry } = run;
  const other = JSON.stringify({ schemaVersion: 2, manifests: [] });
  let isPut = false;
  const comesAfter = (method: string, path: string) => {
    if (!path.endsWith('/manifests/latest')) return false;
    if (method === 'PUT') isPut = true;
    else if (isPut) registry.store(REPOSITORY, 'latest', other);
    return false;
  };
  registry.inject(comesAfter, { kind: 'reply', status: 500 });
  const { error, facts } = await run.export('1');
  expect(isPut).toBe(true);
  expect(error).toMatchObject({ code: 'conflict' });
  expect(facts.jobId).toMatch(/./);
  expect((await manifestAt(registry.host, 'latest'))?.text).toBe(other);
});

test('The annotation revision names the commit that was published for the run, and is missing otherwise', async () => {
  await using registry = await SmallRegistry.start();
  await using world = await startMerge();
  const { inputs, options } = imageRun(registry.host, world);
  const push = { ...PUSH, env: { ...PUSH.env, ...options('1').env } };
  const annotations = async () =>
    fieldOf((await manifestAt(registry.host, 'latest'))?.json, 'annotations');
  expect((await world.export(inputs, push)).error).toBeUndefined();
  expect(await annotations()).not.toHaveProperty(['org.opencontainers.image.revision']);
  world.clock.advance(60_000);
  const content = { publish: true, projectId: 'project-1', token: WORKFLOW_TOKEN } as const;
  expect((await world.export({ ...inputs, content }, push)).error).toBeUndefined();
  expect(await annotations()).toMatchObject({ 'org.opencontainers.image.revision': MERGED });
});

describe('credentials', () => {
  test('A registry that asks for Basic gets the password, and every request has it from then on', async () => {
    await using run = await start();
    const { registry } = run;
    const headers = { 'www-authenticate': 'Basic realm="registry"' };
    registry.inject(() => true, { kind: 'reply', status: 401, headers });
    expect((await run.exportWithLogin('1')).error).toBeUndefined();
    const basic = `Basic ${BASIC_AUTH}`;
    const [first, ...others] = registry.requests.map((request) => request.headers.authorization);
    expect(first).toBeUndefined();
    // The check whether anyone can pull it has no login.
    expect(new Set(others)).toEqual(new Set([basic, undefined]));
    expect(others.filter((one) => one === undefined)).toHaveLength(1);
  });

  for (const challenges of ['two headers', 'one header'] as const) {
    test(`A registry that asks for Basic and Bearer in ${challenges} is given a token, and never the password`, async () => {
      await using login = await startLogin();
      await using run = await start({ login, challenges });
      expect((await run.exportWithLogin('1')).error).toBeUndefined();
      const sent = run.registry.requests.map(({ headers }) => headers.authorization ?? '');
      expect(sent.filter((one) => one.startsWith('Basic'))).toEqual([]);
      expect(sent.filter((one) => one.startsWith('Bearer')).length).toBeGreaterThan(0);
    });
  }

  test('A login that was written by hand without base64 is not called missing', async () => {
    await using login = await startLogin();
    await using run = await start({ login });
    configure(run, { auths: { [run.registry.host]: { auth: 'courier:a-password' } } });
    const { error } = await run.export('1');
    expect(hintOf(error)).toContain('config.json, whose auth is not USER:PASSWORD in base64');
    expect(hintOf(error)).not.toContain('a-password');
  });

  test.each(['300', '60 s', null, 'soon', -1])(
    'A token whose life is said to be %j is used, and asked for again in time',
    async (expiresIn) => {
      await using login = await startLogin();
      login.expiresIn = expiresIn;
      await using run = await start({ login });
      expect((await run.exportWithLogin('1')).error).toBeUndefined();
      expect(login.requests.length).toBeLessThan(run.registry.requests.length);
    },
  );

  test('A registry with TLS on this machine is asked by TLS, and gets nothing in the clear if its certificate is not accepted', async () => {
    const own = await makeCertificate();
    await using run = await start({ tls: own });
    const { error } = await run.export('1');
    expectError(error, { code: 'network', hint: 'NODE_EXTRA_CA_CERTS' });
    expect(run.registry.requests).toEqual([]);
    const before = getCACertificates();
    setDefaultCACertificates([...before, own.cert]);
    try {
      expect((await run.export('2')).error).toBeUndefined();
      expect(run.registry.writes()).toContain('PUT manifests');
    } finally {
      setDefaultCACertificates(before);
    }
  });

  describe('of a helper or a file', () => {
    const address = {
      scheme: 'image',
      registry: 'docker.io',
      repository: 'acme/docs',
      tag: 'latest',
    } as const;
    const authFile = (user: string) =>
      JSON.stringify({
        auths: {
          'docker.io': { auth: Buffer.from(`${user}:${COURIER.password}`).toString('base64') },
        },
      });

    test('The login of podman is found where podman writes it without XDG_RUNTIME_DIR, then in the configuration of the user, and in REGISTRY_AUTH_FILE before all others', async () => {
      await using run = await start();
      const folder = (name: string) => {
        mkdirSync(join(run.world.root, name), { recursive: true });
        return join(run.world.root, name);
      };
      const podmanFolder = folder('podman');
      const named = join(folder('named'), 'login.json');
      writeFileSync(join(podmanFolder, 'auth.json'), authFile('podman'));
      writeFileSync(named, authFile('named'));
      const userWith = async (env: Record<string, string>) =>
        (
          await findLogin({
            address,
            env,
            workspace: undefined,
            log: recordingLog(),
            podmanFolder,
          })
        ).login?.user;
      const docker = { DOCKER_CONFIG: folder('docker') };
      expect(await userWith(docker)).toBe('podman');
      expect(await userWith({ ...docker, XDG_RUNTIME_DIR: folder('empty') })).toBeUndefined();
      for (const name of ['home/.config/containers', 'config/containers'])
        writeFileSync(join(folder(name), 'auth.json'), authFile(name));
      const home = { ...docker, HOME: folder('home'), XDG_RUNTIME_DIR: folder('empty') };
      expect(await userWith(home)).toBe('home/.config/containers');
      const configured = { ...home, XDG_CONFIG_HOME: folder('config') };
      expect(await userWith(configured)).toBe('config/containers');
      expect(await userWith({ ...docker, HOME: folder('home') })).toBe('podman');
      writeFileSync(join(docker.DOCKER_CONFIG, 'config.json'), authFile('docker'));
      expect(await userWith(configured)).toBe('docker');
      expect(await userWith({ ...docker, REGISTRY_AUTH_FILE: named })).toBe('named');
    });

    describe.skipIf(process.platform === 'win32')('in a place that cannot be read', () => {
      // Not even root follows a link to itself.
      const unreadable = (root: string, name: string) => {
        const path = join(root, name);
        symlinkSync(path, path);
        return path;
      };
      const search = (env: Record<string, string>, podmanFolder: string) =>
        findLogin({ address, env, workspace: undefined, log: recordingLog(), podmanFolder });

      test('A usual place that cannot be read counts as missing, and the message says so', async () => {
        await using run = await start();
        const { root } = run.world;
        const [podman, home, xdg] = ['podman', 'home', 'xdg'].map((name) => unreadable(root, name));
        const missing = 'auth.json (it cannot be read)';
        expect(await search({}, podman ?? '')).toEqual({
          login: undefined,
          looked: `${podman}/${missing}`,
        });
        const { looked } = await search({ HOME: home ?? '' }, join(root, 'none'));
        expect(looked).toContain('config.json (it cannot be read)');
        expect(looked).toContain('auth.json (it does not exist)');
        expect((await search({ XDG_RUNTIME_DIR: xdg ?? '' }, '')).looked).toContain(missing);
      });

      test('A usual place that cannot be read does not hide the login in another', async () => {
        await using run = await start();
        const { root } = run.world;
        mkdirSync(join(root, 'containers'));
        writeFileSync(join(root, 'containers', 'auth.json'), authFile('podman'));
        const env = { HOME: unreadable(root, 'home'), XDG_RUNTIME_DIR: root };
        expect((await search(env, '')).login?.user).toBe('podman');
      });

      test.each(['DOCKER_CONFIG', 'REGISTRY_AUTH_FILE'])(
        'A place that %s names must be readable',
        async (name) => {
          await using run = await start();
          const path = unreadable(run.world.root, 'named');
          expectError(await failureOf(search({ [name]: path }, '')), {
            code: 'config',
            message: path,
          });
        },
      );
    });

    const find = async (folder: string, timeLimitMs = 30_000) =>
      findLogin({
        address,
        env: { DOCKER_CONFIG: folder, PATH: [folder, '/usr/bin', '/bin'].join(delimiter) },
        workspace: undefined,
        log: recordingLog(),
        helperTimeLimitMs: timeLimitMs,
      });

    for (const [what, body, limitMs, why] of [
      ['does not end', 'sleep 60', 300, 'it did not end within 0.3s'],
      [
        'prints more than 1 MiB',
        "head -c 3000000 /dev/zero | tr '\\0' x; sleep 60",
        30_000,
        'more than 1 MiB',
      ],
      ['prints no JSON', 'echo credentials not found', 30_000, 'it gave no credentials'],
    ] as const) {
      test.skipIf(process.platform === 'win32')(
        `A helper that ${what} gives no login, and the message says so`,
        async () => {
          await using run = await start();
          const folder = join(run.world.root, 'docker');
          addHelper(folder, body);
          writeFileSync(join(folder, 'config.json'), '{"credsStore":"test"}');
          const { login, looked } = await find(folder, limitMs);
          expect(login).toBeUndefined();
          expect(looked).toContain(
            `docker-credential-test (${why === 'more than 1 MiB' ? `it printed ${why}` : why})`,
          );
        },
      );
    }

    for (const key of ['https://index.docker.io/v1/', 'docker.io', 'registry-1.docker.io/acme']) {
      test(`The login of Docker Hub is found under ${key}`, async () => {
        await using run = await start();
        configure(run, { auths: { [key]: { auth: BASIC_AUTH } } });
        expect((await find(join(run.world.root, 'docker'))).login).toMatchObject(COURIER);
      });
    }
  });

  const giving = (record: string) =>
    `env > ${record}; cat >> ${record}; printf '{"ServerURL":"x","Username":"courier","Secret":"${COURIER.password}"}'`;

  async function startWithHelper() {
    const login = await startLogin();
    const run = await start({ login });
    const exportWith = (path: string, env: Record<string, string> = {}) => {
      const { env: own, ...options } = run.options('1');
      return run.world.export(run.inputs, { ...options, env: { ...own, PATH: path, ...env } });
    };
    return {
      ...run,
      login,
      exportWith,
      async [Symbol.asyncDispose]() {
        await run[Symbol.asyncDispose]();
        await login[Symbol.asyncDispose]();
      },
    };
  }

  const SYSTEM = ['/usr/bin', '/bin'].join(delimiter);

  test.skipIf(process.platform === 'win32')(
    'A credential helper gets the name of the registry, and no input and no key of the step',
    async () => {
      await using run = await startWithHelper();
      configure(run, { credsStore: 'test' });
      const record = join(run.world.root, 'helper.txt');
      const folder = join(run.world.root, 'bin');
      addHelper(folder, giving(record));
      const { error, log } = await run.exportWith([folder, SYSTEM].join(delimiter), {
        'INPUT_ADMIN-API-KEY': run.world.platform.keys.admin,
        DOCS_COURIER_ADMIN_API_KEY: run.world.platform.keys.admin,
      });
      expect(error).toBeUndefined();
      const got = readFileSync(record, 'utf8');
      expect(got).toContain(run.registry.host);
      expect(got).not.toContain(run.world.platform.keys.admin);
      expect(log.text()).toContain('the credentials of docker-credential-test');
      expect(log.text()).not.toContain(COURIER.password);
    },
  );

  test.skipIf(process.platform === 'win32')(
    'A helper in the workspace or in a relative folder is not run',
    async () => {
      await using run = await startWithHelper();
      configure(run, { credHelpers: { [run.registry.host]: 'test' } });
      const record = join(run.world.root, 'helper.txt');
      addHelper(join(run.world.workspace, 'bin'), giving(record));
      const { error } = await run.exportWith(
        [join(run.world.workspace, 'bin'), 'bin', '.', SYSTEM].join(delimiter),
      );
      expectError(error, { code: 'unauthorized', hint: 'not in a folder of PATH' });
      expect(readdirSync(run.world.root)).not.toContain('helper.txt');
    },
  );

  test('A helper whose name is a path is refused before anything is sent', async () => {
    await using run = await startWithHelper();
    configure(run, { credsStore: '../../evil' });
    const { error } = await run.exportWith(SYSTEM);
    expectError(error, { code: 'config', message: 'name is not allowed' });
    expect(run.registry.requests).toEqual([]);
  });

  test('A configuration file in the workspace is refused', async () => {
    await using run = await startWithHelper();
    const folder = join(run.world.workspace, '.docker');
    mkdirSync(folder);
    writeFileSync(join(folder, 'config.json'), '{"auths":{}}');
    const { error } = await run.exportWith(SYSTEM, { DOCKER_CONFIG: folder });
    expectError(error, { code: 'config', message: 'is in the workspace' });
    expect(run.registry.requests).toEqual([]);
  });

  test("The login of podman is found in XDG_RUNTIME_DIR, by the longest key that names the repository's path", async () => {
    await using run = await startWithHelper();
    const folder = join(run.world.root, 'runtime');
    mkdirSync(join(folder, 'containers'), { recursive: true });
    const auth = (text: string) => ({ auth: Buffer.from(text).toString('base64') });
    const auths = {
      [run.registry.host]: auth('courier:wrong-password'),
      [`${run.registry.host}/acme`]: auth(`courier:${COURIER.password}`),
      [`${run.registry.host}/ac`]: auth('courier:other-password'),
    };
    writeFileSync(join(folder, 'containers', 'auth.json'), JSON.stringify({ auths }));
    const { error } = await run.exportWith(SYSTEM, { XDG_RUNTIME_DIR: folder });
    expect(error).toBeUndefined();
  });

  test('An identity token is exchanged by a form, and tokens that expire are asked for again', async () => {
    await using login = await TokenServer.start({
      identity: { password: 'identity-token-0123', actions: 'pull,push' },
    });
    login.lifeS = 1;
    await using run = await start({ login });
    const auths = { [run.registry.host]: { identitytoken: 'identity-token-0123' } };
    configure(run, { auths });
    expect((await run.export('1')).error).toBeUndefined();
    const own = login.requests.filter(({ method }) => method === 'POST');
    expect(own.length).toBeGreaterThan(0);
    expect(new Set(own.map(({ scope }) => scope))).toEqual(
      new Set([`repository:${REPOSITORY}:pull,push`]),
    );
  });

  test('The password goes to the login service and never to the registry, and an http address of another host is refused', async () => {
    await using run = await startWithHelper();
    const host = run.registry.host;
    configure(run, {
      auths: { [host]: { auth: BASIC_AUTH } },
    });
    expect((await run.exportWith(SYSTEM)).error).toBeUndefined();
    for (const { headers } of run.registry.requests)
      expect(headers.authorization ?? '').not.toMatch(/^Basic/);
    const challenge = 'Bearer realm="http://login.example.com/token",service="x"';
    run.registry.inject(
      () => true,
      { kind: 'reply', status: 401, headers: { 'www-authenticate': challenge } },
      99,
    );
    const { error } = await run.exportWith(SYSTEM);
    expectError(error, { code: 'protocol', message: 'No credentials were sent' });
  });
});
