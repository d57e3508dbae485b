import { createServer, request as sendRequest } from 'node:http';
import { expect, test } from 'vitest';
import { ADVICE, appSteps } from '../../../src/stores/github/target.ts';
import { failure } from '../../support/failure.ts';
import { listen, stopServer } from '../../support/listening.ts';
import { SECRET_TOKEN, type TestTarget } from '../../support/make-inputs.ts';
import { link, openDelivery, TARGETS } from '../../support/world/delivery.ts';
import { ALL_RIGHTS, NAME, STATE } from '../../support/world/names.ts';
import { startWorld, type World } from '../../support/world.ts';

const SCOPES = ['repository', 'environment', 'organization'] as const;
const STATUSES = [
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [422, 'config'],
] as const;
const TABLE = SCOPES.flatMap((scope) =>
  STATUSES.map(([status, code]) => ({ scope, status, code })),
);
const body = { message: 'no' };

const PERMISSIONS = {
  repository: { secrets: 'Secrets: Read and write', variables: 'Variables: Read and write' },
  environment: {
    secrets: 'Environments: Read and write',
    variables: 'Environments: Read and write',
  },
  organization: {
    secrets: 'organization permission "Secrets',
    variables: 'organization permission "Variables',
  },
} as const;

function openFor(world: World, target: TestTarget) {
  return openDelivery(world, { secret: { target } });
}

interface Told {
  readonly error: unknown;
  readonly scope: (typeof SCOPES)[number];
  readonly kind: 'secrets' | 'variables';
  readonly code: string;
  readonly status: number;
}

function expectAdvice({ error, scope, kind, code, status }: Told): void {
  expect(error).toMatchObject({ code, httpStatus: status });
  const { how, yaml } = appSteps(ADVICE[scope]) ?? {};
  // What a token does not cover is answered with 404.
  const covered = '    owner: acme\n    repositories: docs\n    permission-';
  const isCovered = status === 404 && scope !== 'organization';
  const steps = { how, yaml: isCovered ? yaml?.replace('    permission-', covered) : yaml };
  expect(error).toMatchObject({
    hint: { text: expect.stringContaining(PERMISSIONS[scope][kind]), steps },
  });
}

test.each(TABLE)(
  'The error for a $scope public key that answers $status is $code with YAML',
  async (row) => {
    await using world = await startWorld();
    world.github.inject({ match: { path: 'public-key' }, status: row.status, body });
    const error = await failure(openFor(world, TARGETS[row.scope]));
    expectAdvice({ ...row, error, kind: 'secrets' });
    expect(world.writes()).toEqual([]);
  },
);

test.each(TABLE)(
  'The error for a $scope secret whose write answers $status is $code with YAML',
  async (row) => {
    await using world = await startWorld();
    const delivery = await openFor(world, TARGETS[row.scope]);
    world.github.inject({ match: { method: 'PUT', times: 2 }, status: row.status, body });
    const error = await failure(delivery.deliver({ jobId: 'job-1', link: link(world, 24) }));
    expectAdvice({ ...row, error, kind: 'secrets' });
    expect(world.github.secret(TARGETS[row.scope], NAME)).toBeUndefined();
  },
);

test.each(TABLE.filter(({ status }) => status !== 403))(
  'A state of scope $scope whose write answers $status is reported as $code before anything is started',
  async (row) => {
    await using world = await startWorld();
    const delivery = await openFor(world, TARGETS[row.scope]);
    for (const method of ['PATCH', 'POST'])
      world.github.inject({ match: { method }, status: row.status, body });
    expectAdvice({ ...row, error: await failure(delivery.start('job-1')), kind: 'variables' });
  },
);

test.each(SCOPES)(
  'A %s state that may not be written is a warning with the permission',
  async (scope) => {
    await using world = await startWorld();
    const delivery = await openFor(world, TARGETS[scope]);
    world.github.inject({
      match: { method: 'POST', path: '/variables' },
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    });
    await delivery.start('job-1');
    expect(world.log.text('warning')).toContain(PERMISSIONS[scope].variables);
    expect(await delivery.deliver({ jobId: 'job-1', link: link(world, 24) })).toMatchObject({
      stateWritten: false,
    });
  },
);

interface PrefixedServer extends AsyncDisposable {
  readonly url: string;
  /** Addresses as received, with their prefix. */
  readonly asked: readonly string[];
}

/** A server that has its API below `/api/v3` and nothing else anywhere. */
async function startEnterpriseServer(upstream: string): Promise<PrefixedServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const target = new URL(request.url ?? '/', upstream);
    const onward = sendRequest(
      target,
      { method: request.method, headers: request.headers },
      (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
        reply.pipe(response);
      },
    );
    request.pipe(onward);
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    asked,
    [Symbol.asyncDispose]: () => stopServer(server),
  };
}

test.each(SCOPES)(
  'A GitHub Enterprise Server gets every %s request below its prefix',
  async (scope) => {
    await using world = await startWorld();
    await using server = await startEnterpriseServer(world.github.url);
    const target: TestTarget =
      scope === 'organization'
        ? { ...TARGETS.organization, visibility: 'selected', repositories: ['site'] }
        : TARGETS[scope];
    const delivery = await openDelivery(world, {
      secret: { target },
      run: { apiUrl: `${server.url}/api/v3` },
    });
    await delivery.start('job-1');
    await delivery.deliver({ jobId: 'job-1', link: link(world, 24) });
    await delivery.deliver({ jobId: 'job-2', link: link(world, 48, 'b') });
    expect(world.github.secret(target, NAME)?.value).toContain('https://bundles.example.com/b');
    expect(server.asked.length).toBeGreaterThan(8);
    expect(server.asked.filter((url) => !url.startsWith('/api/v3/'))).toEqual([]);
    expect(world.github.requests).toHaveLength(server.asked.length);
  },
);

test.each(['prod/eu west', 'a%2Fb', 'ümläut', 'x?y#z', '..a'])(
  'The environment %j is reached by its name',
  async (environment) => {
    await using world = await startWorld();
    world.github.addRepository({ fullName: 'acme/docs', environments: [environment] });
    const target = { scope: 'environment', repository: 'acme/docs', environment } as const;
    await (await openFor(world, target)).deliver({
      jobId: 'job-1',
      link: link(world, 24),
    });
    expect(world.github.secret(target, NAME)?.value).toContain('https://bundles.example.com/');
    expect(world.github.variable(target, STATE)).toBeDefined();
  },
);

test.each(['.', '..'])(
  'The environment %j, which would lead elsewhere, is a wrong input without a request',
  async (environment) => {
    await using world = await startWorld();
    const target = { scope: 'environment', repository: 'acme/docs', environment } as const;
    expect(await failure(openFor(world, target))).toMatchObject({
      code: 'config',
    });
    expect(world.github.requests).toHaveLength(0);
  },
);

type Organization = Partial<Extract<TestTarget, { scope: 'organization' }>>;

async function deliverTo(world: World, change: Organization) {
  const target = { ...TARGETS.organization, ...change };
  await (await openFor(world, target)).deliver({
    jobId: 'job-1',
    link: link(world, 24),
  });
  return {
    secret: world.github.secret(target, NAME),
    variable: world.github.variable(target, STATE),
  };
}

function setSelected(world: World, selectedRepositoryIds: number[]): void {
  const secret = {
    name: NAME,
    value: 'old',
    visibility: 'selected',
    selectedRepositoryIds,
  } as const;
  world.github.setSecret(TARGETS.organization, secret);
}

test.each([
  ['all', []],
  ['private', []],
  ['selected', [11, 12]],
] as const)(
  'An organization secret that is visible to %s stays so, and the variable next to it too',
  async (visibility, ids) => {
    await using world = await startWorld();
    const existing = { name: NAME, value: 'old', visibility, selectedRepositoryIds: [...ids] };
    world.github.setSecret(TARGETS.organization, existing);
    const { secret, variable } = await deliverTo(world, { visibility: undefined });
    const kept = { visibility, selectedRepositoryIds: ids };
    expect(secret).toMatchObject(kept);
    expect(variable).toMatchObject(kept);
    expect(secret?.value).toContain('https://bundles.example.com/');
  },
);

test('More selected repositories than fit on one page are all kept', async () => {
  await using world = await startWorld();
  const ids = Array.from({ length: 230 }, (_, index) => 1000 + index);
  for (const id of ids) world.github.addRepository({ fullName: `acme/r${id}`, id });
  setSelected(world, ids);
  const { secret, variable } = await deliverTo(world, { visibility: undefined });
  expect(secret?.selectedRepositoryIds).toEqual(ids);
  expect(variable?.selectedRepositoryIds).toEqual(ids);
});

test('Repositories are accepted by full name, by name and by id, and duplicates count once', async () => {
  await using world = await startWorld();
  const repositories = ['acme/site', '11', 'site', 'docs'];
  const { secret, variable } = await deliverTo(world, { visibility: 'selected', repositories });
  expect(secret).toMatchObject({ visibility: 'selected', selectedRepositoryIds: [12, 11] });
  expect(variable).toMatchObject({ visibility: 'selected', selectedRepositoryIds: [12, 11] });
});

test('A secret for selected repositories becomes visible to all if the input says so', async () => {
  await using world = await startWorld();
  setSelected(world, [11]);
  const { secret } = await deliverTo(world, { visibility: 'all' });
  expect(secret).toMatchObject({ visibility: 'all', selectedRepositoryIds: [] });
});

const INCOMPLETE: readonly (readonly [string, Organization, object])[] = [
  [
    'is new and has no visibility',
    { visibility: undefined },
    { code: 'config', message: expect.stringContaining('needs ?visibility=') },
  ],
  [
    'is new, selected, and has no repositories',
    { visibility: 'selected' },
    { code: 'config', message: expect.stringContaining('needs &repositories=') },
  ],
  [
    'lists a repository that the token cannot see',
    { visibility: 'selected', repositories: ['site', 'nowhere'] },
    { code: 'not-found', message: expect.stringContaining('names acme/nowhere') },
  ],
];

test.each(INCOMPLETE)(
  'An organization secret that %s is reported before anything is written',
  async (_what, change, told) => {
    await using world = await startWorld();
    const target = { ...TARGETS.organization, ...change };
    expect(await failure(openFor(world, target))).toMatchObject(told);
    expect(world.writes()).toEqual([]);
  },
);

test('A token without the permission to read the list of repositories is shown the missing permission', async () => {
  await using world = await startWorld();
  setSelected(world, [11]);
  world.github.inject({ match: { path: '/repositories' }, status: 403, body });
  const error = await failure(openFor(world, { ...TARGETS.organization, visibility: undefined }));
  expectAdvice({ error, scope: 'organization', kind: 'secrets', code: 'forbidden', status: 403 });
});

test("The repository's permission does not open an environment", async () => {
  await using world = await startWorld();
  const { environments: _, ...rest } = ALL_RIGHTS;
  world.github.setToken(SECRET_TOKEN, { permissions: rest });
  const error = await failure(openFor(world, TARGETS.environment));
  expectAdvice({ error, scope: 'environment', kind: 'secrets', code: 'forbidden', status: 403 });
});
