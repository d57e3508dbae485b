import { expect, test } from 'vitest';
import { expectError, failure } from '../support/failure.ts';
import { makeDestination, SECRET_TOKEN } from '../support/make-inputs.ts';
import { link, openDelivery, TARGETS } from '../support/world/delivery.ts';
import { ALL_RIGHTS, NAME } from '../support/world/names.ts';
import { startWorld, type World } from '../support/world.ts';

test("The workflow's own token is refused before any request, with the permission to request", async () => {
  await using world = await startWorld();
  expectError(
    await failure(
      openDelivery(world, { secret: { token: SECRET_TOKEN, workflowToken: SECRET_TOKEN } }),
    ),
    { code: 'forbidden', hint: 'Secrets: Read and write' },
  );
  expect(world.github.requests).toHaveLength(0);
});

test('A missing environment is not-found before anything is written', async () => {
  await using world = await startWorld();
  const target = { scope: 'environment', repository: 'acme/docs', environment: 'prod/us' } as const;
  expect(await failure(openDelivery(world, { secret: { target } }))).toMatchObject({
    code: 'not-found',
    hint: { text: expect.stringContaining('"prod/us"') },
  });
});

test('A key that is changed between reading it and writing is read again, and the secret is sealed again', async () => {
  await using world = await startWorld();
  const delivery = await openDelivery(world);
  // The first PUT is sealed for a key that is gone by the time it arrives.
  world.github.inject({
    match: { method: 'PUT' },
    status: 422,
    body: {
      message: 'Validation Failed',
      errors: [{ resource: 'Secret', field: 'key_id', code: 'invalid' }],
    },
  });
  world.github.rotateKey();
  const made = link(world, 24);
  await delivery.deliver({ jobId: 'job-1', link: made });
  expect(world.secret()).toBe(made.url);
  expect(world.writes().filter((line) => line.startsWith('PUT'))).toHaveLength(2);
});

test.each([
  ['not base64', '***'],
  ['31 bytes', Buffer.alloc(31, 7).toString('base64')],
  ['33 bytes', Buffer.alloc(33, 7).toString('base64')],
  ['zeros', Buffer.alloc(32).toString('base64')],
])('A public key that is %s is a protocol error before anything is started', async (_what, key) => {
  await using world = await startWorld();
  world.github.breakKey(key);
  expect(await failure(openDelivery(world))).toMatchObject({ code: 'protocol' });
  expect(world.writes()).toEqual([]);
});

test.each([422, 403])(
  'The limit of a hundred secrets is reported as forbidden, also for %i',
  async (status) => {
    await using world = await startWorld();
    for (let i = 0; i < 100; i += 1)
      world.github.setSecret(TARGETS.repository, { name: `S_${i}`, value: 'x' });
    const delivery = await openDelivery(world);
    world.github.inject({ match: { method: 'PUT' }, status, body: { message: 'no' } });
    expectError(await failure(delivery.deliver({ jobId: 'job-1', link: link(world, 24) })), {
      code: 'forbidden',
      message: '100 secrets',
    });
  },
);

test.each([422, 403])(
  'The limit of 500 variables is reported as forbidden, also for %i',
  async (status) => {
    await using world = await startWorld();
    for (let i = 0; i < 500; i += 1)
      world.github.setVariable(TARGETS.repository, { name: `V_${i}`, value: 'x' });
    const delivery = await openDelivery(world);
    world.github.inject({
      match: { method: 'POST', path: '/variables' },
      status,
      body: { message: 'no' },
    });
    expectError(await failure(delivery.start('job-1')), {
      code: 'forbidden',
      message: 'already has 500 variables',
      hint: 'Delete a variable',
    });
  },
);

test.each([
  ['answers 502 and did not act', { status: 502 }],
  ['answers 502 and did act', { status: 502, applied: true }],
  ['is cut before it took effect', { reset: 'before' }],
  ['is cut after it took effect', { reset: 'after' }],
] as const)(
  'A write that %s is repeated: the secret, and the state if it is new',
  async (_what, fault) => {
    await using world = await startWorld();
    const delivery = await openDelivery(world);
    world.github.inject({ match: { method: 'PUT' }, ...fault });
    world.github.inject({ match: { method: 'POST', path: '/variables' }, ...fault });
    const made = link(world, 24);
    const facts = await delivery.deliver({ jobId: 'job-1', link: made });
    expect(facts).toMatchObject({ updated: true, stateWritten: true });
    expect(world.secret()).toBe(made.url);
    expect(world.state()).toMatchObject({
      jobId: 'job-1',
      expiresAt: made.expiresAt?.toISOString(),
    });
  },
);

test('A claim that can never be created ends the run after five attempts', async () => {
  await using world = await startWorld();
  const delivery = await openDelivery(world);
  world.github.inject({
    match: { method: 'POST', path: '/variables', times: Infinity },
    status: 502,
  });
  expect(await failure(delivery.start('job-1'))).toMatchObject({
    code: 'network',
    httpStatus: 502,
  });
  // Three in each attempt, between which the store is read.
  expect(world.writes().filter((line) => line.startsWith('POST'))).toHaveLength(15);
});

test('An accepted write that never shows is sent once more, and is an integrity error after twenty seconds', async () => {
  await using world = await startWorld();
  world.github.setSecret(TARGETS.repository, {
    name: NAME,
    value: 'old',
    updatedAt: '2025-01-01T00:00:00Z',
  });
  const delivery = await openDelivery(world);
  world.github.inject({ match: { method: 'PUT', times: Infinity }, status: 204 });
  const startMs = world.clock.monotonicMs();
  expect(await failure(delivery.deliver({ jobId: 'job-1', link: link(world, 24) }))).toMatchObject({
    code: 'integrity',
  });
  expect(world.writes().filter((line) => line.startsWith('PUT'))).toHaveLength(2);
  expect(world.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(20_000);
  expect(world.clock.monotonicMs() - startMs).toBeLessThan(30_000);
});

test.each([204, 201])(
  'A link that a server accepts with %d and does not store is an integrity error right after another write',
  async (status) => {
    await using world = await startWorld();
    await (await openDelivery(world)).deliver({ jobId: 'job-1', link: link(world, 24) });
    const delivery = await openDelivery(world);
    world.github.inject({ match: { method: 'PUT', times: Infinity }, status });
    expect(
      await failure(delivery.deliver({ jobId: 'job-2', link: link(world, 24, 'b') })),
    ).toMatchObject({
      code: 'integrity',
    });
  },
);

test('A write in the same second as the one before it waits for the next second, so that its date shows it', async () => {
  await using world = await startWorld();
  await (await openDelivery(world)).deliver({ jobId: 'job-1', link: link(world, 24) });
  const before = world.writes().length;
  const made = link(world, 24, 'b');
  await (await openDelivery(world)).deliver({ jobId: 'job-2', link: made });
  expect(methods(world, before)).toEqual(['POST', 'PUT', 'PATCH']);
  expect(world.secret()).toBe(made.url);
});

test.each([429, 503])(
  'A rate limit of the write itself (%d) says that nothing is lost, and when to try again',
  async (status) => {
    await using world = await startWorld();
    const delivery = await openDelivery(world);
    world.github.inject({
      match: { method: 'PUT' },
      status,
      headers: { 'retry-after': '3000' },
      body: {},
    });
    expectError(await failure(delivery.deliver({ jobId: 'job-3', link: link(world, 24) })), {
      code: 'rate-limited',
      message: /again in 50 ?m.*still has its previous value.*export-job-id: job-3/s,
      retryAfterMs: 3_000_000,
    });
  },
);

test('Without the Variables permission an export warns, names it, and still writes the secret', async () => {
  await using world = await startWorld();
  world.github.setToken(SECRET_TOKEN, { permissions: { secrets: 'write' } });
  const delivery = await openDelivery(world);
  expect(world.log.text('warning')).toContain('Variables: Read and write');
  await delivery.start('job-1');
  const facts = await delivery.deliver({ jobId: 'job-1', link: link(world, 24) });
  expect(facts).toMatchObject({ updated: true, stateWritten: false });
  expect(world.writes()).toEqual([`PUT /repos/acme/docs/actions/secrets/${NAME}`]);
});

test('Without the Variables permission the next export and a re-run write the secret too', async () => {
  await using world = await startWorld();
  const to = makeDestination();
  world.github.setToken(SECRET_TOKEN, { permissions: { secrets: 'write' } });
  for (const run of [{ runId: '1' }, { runId: '2' }, { runId: '2', runAttempt: 2 }]) {
    world.clock.advance(60_000);
    const { recorded, error, log } = await world.export({ to }, { run });
    expect(error).toBeUndefined();
    expect(log.text('warning')).toContain('Variables: Read and write');
    expect(world.secret()).toBe(recorded.bundleUrl);
  }
});

test('A token that may only read variables warns before the export is started', async () => {
  await using world = await startWorld();
  world.github.setToken(SECRET_TOKEN, {
    permissions: { ...ALL_RIGHTS, actions_variables: 'read' },
  });
  const delivery = await openDelivery(world);
  await delivery.start('job-1');
  expect(world.log.text('warning')).toContain('Variables: Read and write');
  expect(delivery.plan().map(({ target }) => target)).toEqual([
    `secret ${NAME} of repository acme/docs`,
  ]);
});

/** Methods of the writes since then. */
function methods(world: World, since: number): (string | undefined)[] {
  return world
    .writes()
    .slice(since)
    .map((line) => line.split(' ')[0]);
}

test.each([
  ['no', 'answered 403: no. The secret DOCS_BUNDLE_URL of repository acme/docs still has'],
  ['No.', 'answered 403: No. The secret DOCS_BUNDLE_URL of repository acme/docs still has'],
  ['', 'answered 403. The secret DOCS_BUNDLE_URL of repository acme/docs still has'],
])(
  "GitHub's own words (%j) end as a sentence before the action's words begin",
  async (message, told) => {
    await using world = await startWorld();
    const delivery = await openDelivery(world);
    world.github.inject({ match: { method: 'PUT' }, status: 403, body: { message } });
    expectError(await failure(delivery.deliver({ jobId: 'job-9', link: link(world, 24) })), {
      message: told,
    });
  },
);

test.each([
  ['The claim', 'POST', 'Nothing was written', false],
  ['The state', 'PATCH', 'was written, but', true],
] as const)(
  '%s that cannot be written fails the run, which says what the secret contains',
  async (_what, method, meaning, updated) => {
    await using world = await startWorld();
    await (await openDelivery(world)).deliver({ jobId: 'job-1', link: link(world, 24) });
    const delivery = await openDelivery(world);
    world.github.inject({ match: { method, times: Infinity }, status: 500 });
    const made = link(world, 48, 'b');
    expectError(await failure(delivery.deliver({ jobId: 'job-2', link: made })), {
      code: 'network',
      message: meaning,
    });
    expect(world.secret() === made.url).toBe(updated);
    if (updated) expect(world.recorded.delivery).toMatchObject({ updated, stateWritten: false });
  },
);

const own = { full_name: 'acme/docs' };
const fork = { full_name: 'stranger/docs' };
test.each([
  ['issue_comment', {}],
  ['pull_request_target', {}],
  ['', {}],
  [
    'pull_request',
    { action: 'opened', pull_request: { merged: false, head: { repo: own }, base: { repo: own } } },
  ],
  [
    'pull_request',
    { action: 'closed', pull_request: { merged: false, head: { repo: own }, base: { repo: own } } },
  ],
  ['workflow_run', { workflow_run: { head_repository: fork } }],
  ['workflow_run', { workflow_run: { head_repository: null } }],
  ['workflow_run', { workflow_run: { event: 'pull_request', head_repository: own } }],
])('On %s no secret is written: refused without a request (%#)', async (eventName, event) => {
  await using world = await startWorld();
  expect(await failure(openDelivery(world, { eventName, payload: event }))).toMatchObject({
    code: 'refused',
  });
  expect(world.github.requests).toHaveLength(0);
});

test.each([
  ['push', {}],
  ['schedule', {}],
  ['workflow_dispatch', {}],
  ['repository_dispatch', {}],
  ['release', {}],
  ['workflow_run', { workflow_run: { event: 'push', head_repository: own } }],
  [
    'pull_request',
    { action: 'closed', pull_request: { merged: true, head: { repo: own }, base: { repo: own } } },
  ],
])('On %s of this repository a secret may be written', async (eventName, event) => {
  await using world = await startWorld();
  expect((await openDelivery(world, { eventName, payload: event })).plan()).toHaveLength(2);
});
