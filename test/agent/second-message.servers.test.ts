import { expect, test } from 'vitest';
import { expectError } from '../support/failure.ts';
import { TOKEN } from '../support/world/conversation.ts';
import { REPOSITORY } from '../support/world/names.ts';
import { startPullRequest } from '../support/world/pull-request.ts';
import type { World } from '../support/world.ts';
import { expectMessages } from './messages.ts';

const COMMAND = '/docs-agent --job job-1 also document the --json flag';
const ROTATED = 'svc_rotatedKeyForTests0123456789';
/** The first attempt of a run, and its re-run. */
const FIRST = { runId: '5' };
const SECOND = { ...FIRST, runAttempt: 2 };
const OURS = '<!-- docs-courier:';

/**
 * The jobs of a run's attempts as GitHub lists them: ours is running now, and earlier attempts
 * ended like this.
 */
function addAttempts({ github }: World, runId: string, before: string | null, steps = true): void {
  const step = (conclusion: string | null) => [
    { name: 'Set up job', status: 'completed' as const, conclusion: 'success' },
    {
      name: 'Run docs-courier',
      status: conclusion === null ? ('in_progress' as const) : ('completed' as const),
      conclusion,
    },
  ];
  const job = { repository: REPOSITORY, runId, name: 'Instruct' };
  github.addWorkflowJob({
    ...job,
    attempt: 1,
    conclusion: before === 'success' ? 'success' : 'failure',
    steps: steps ? step(before) : [],
  });
  github.addWorkflowJob({
    ...job,
    attempt: 2,
    status: 'in_progress',
    conclusion: null,
    steps: step(null),
  });
}

/**
 * A command to a job that makes no pull request, so that nothing but the records can keep it from
 * being sent.
 */
function sayCommand(world: World) {
  const source = { repository: `https://github.com/${REPOSITORY}`, ref: null };
  world.platform.addAgentJob({ id: 'job-2', source, script: { prLink: null } });
  return world.say('maya', '/docs-agent --job job-2 also document the --json flag');
}

function deleteStatusComments({ github }: World): void {
  for (let index = github.comments.length - 1; index >= 0; index -= 1)
    if (github.comments[index]?.body.startsWith(OURS)) github.comments.splice(index, 1);
}

test('A command that was sent before the admin key changed is not sent again (a)', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  await world.agent({ ...comment, run: FIRST });
  for (const run of [SECOND, { runId: '6' }]) {
    const { facts, log } = await world.agent({ ...comment, run, inputs: { adminApiKey: ROTATED } });
    expect(facts).toMatchObject({ status: 'skipped', triggered: false });
    expect(log.text('notice')).toMatch(
      /invalid signature[\s\S]*admin key was changed[\s\S]*new comment/,
    );
  }
  expectMessages(world, 1);
});

test('After a change of the admin key, the next answer says that old records no longer bind a job', async () => {
  await using world = await startPullRequest();
  await world.agent(world.say('maya', COMMAND));
  const { facts } = await world.agent({
    ...world.say('maya', '/docs-agent more'),
    inputs: { adminApiKey: ROTATED },
  });
  expect(facts.status).toBe('refused');
  expect(facts.reason).toContain('signature is invalid');
  expect(facts.reason).toContain('--job ID');
});

test("An edited record of the action's own author stops its command", async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  const record = { version: 1, command: `conversation:${comment.id}`, state: 'answered' };
  const forged = Buffer.from(JSON.stringify({ record, signature: 'x' })).toString('base64url');
  world.say('github-actions[bot]', `${OURS}${forged} -->`);
  expect((await world.agent(comment)).facts.status).toBe('skipped');
  expectMessages(world, 0);
});

test.each(['success', 'failure'])(
  'A re-run after the status comment was deleted sends nothing (b; first attempt: %s)',
  async (before) => {
    await using world = await startPullRequest();
    const comment = sayCommand(world);
    await world.agent({ ...comment, run: FIRST });
    deleteStatusComments(world);
    addAttempts(world, '5', before);
    for (const run of [SECOND, { runId: '6' }]) {
      const { facts, log } = await world.agent({ ...comment, run });
      expect(facts).toMatchObject({ status: 'skipped', triggered: false });
      expect(log.text('notice')).toContain('Write the command again in a new comment');
      deleteStatusComments(world);
    }
    expectMessages(world, 1);
  },
);

test('A re-run sends nothing if GitHub accepts no reactions and only the deleted comment was a record (b)', async () => {
  await using world = await startPullRequest();
  world.github.inject({
    match: { method: 'POST', path: '/reactions', times: 99 },
    status: 403,
    body: { message: 'Resource not accessible by integration' },
  });
  const comment = sayCommand(world);
  await world.agent({ ...comment, run: FIRST });
  expectMessages(world, 1);
  deleteStatusComments(world);
  addAttempts(world, '5', 'failure');
  const { facts } = await world.agent({ ...comment, run: SECOND });
  expect(facts.triggered ?? false).toBe(false);
  expectMessages(world, 1);
});

test('Without status comments, and with failing reactions, nothing is sent (c)', async () => {
  await using world = await startPullRequest();
  const inputs = { statusComment: false, agentJobId: 'job-1' };
  const comment = { ...world.say('maya', '/docs-agent do it'), inputs };
  for (const fault of [{ status: 403, body: { message: 'no' } }, { status: 500 }]) {
    world.github.inject({ match: { method: 'POST', path: '/reactions', times: 99 }, ...fault });
    const { error } = await world.agent(comment);
    world.github.clearFaults();
    expect(error).toBeDefined();
    expectMessages(world, 0);
  }
  expect((await world.agent(comment)).facts.triggered).toBe(true);
  expect((await world.agent(comment)).facts.status).toBe('skipped');
  expectMessages(world, 1);
});

test('With a token that may neither comment nor react, no delivery sends (c)', async () => {
  await using world = await startPullRequest({ pull_requests: 'read' });
  const comment = world.say('maya', COMMAND);
  for (let delivery = 0; delivery < 2; delivery += 1) {
    const { error } = await world.agent(comment);
    expectError(error, { code: 'forbidden', hint: 'permissions:\n  pull-requests: write' });
  }
  expectMessages(world, 0);
});

test('A review gets no reaction, so it is not sent without status comments', async () => {
  await using world = await startPullRequest();
  const inputs = { statusComment: false, agentJobId: 'job-1' };
  const user = world.account('maya');
  const body = '/docs-agent do it';
  const { id } = world.github.addReview({ repository: REPOSITORY, number: 7, user: 'maya', body });
  const review = { id, body, html_url: 'u', user, author_association: 'MEMBER' };
  const payload = {
    action: 'submitted',
    review: { ...review, submitted_at: '2026-01-01T12:00:01Z' },
    pull_request: { number: 7, title: 't', body: null },
    sender: user,
  };
  const { error } = await world.agent({ eventName: 'pull_request_review', payload, inputs });
  expectError(error, { code: 'config', hint: 'status-comment: true' });
  expectMessages(world, 0);
});

test.each([
  ['its job ended before the step', 'skipped', true],
  ['its job never got a runner', null, false],
  ['it failed in its checks', 'failure', true],
] as const)(
  'A later attempt sends if the earlier one clearly did not: %s',
  async (_name, before, steps) => {
    await using world = await startPullRequest();
    const comment = world.say('maya', COMMAND);
    addAttempts(world, '5', before, steps);
    const { facts } = await world.agent({ ...comment, run: SECOND });
    expect(facts).toMatchObject({ status: 'completed', triggered: true });
    expectMessages(world, 1);
  },
);

test.each([
  ['it succeeded', 'success'],
  ['it was cancelled', 'cancelled'],
])('A later attempt sends nothing if the earlier one may have: %s', async (_name, before) => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  addAttempts(world, '5', before);
  const { facts } = await world.agent({ ...comment, run: SECOND });
  expect(facts).toMatchObject({ status: 'refused', triggered: false });
  expectMessages(world, 0);
});

test('If the jobs of earlier attempts cannot be read, nothing is sent, and the permission is named', async () => {
  await using world = await startPullRequest();
  world.github.inject({
    match: { path: '/attempts/', times: 9 },
    status: 403,
    body: { message: 'no' },
  });
  const comment = world.say('maya', COMMAND);
  const { facts } = await world.agent({ ...comment, run: SECOND });
  expect(facts.status).toBe('refused');
  expect(facts.reason).toContain('actions: read');
  expectMessages(world, 0);
});

test('A refusal that is written after a deleted record does not allow a second message', async () => {
  await using world = await startPullRequest();
  const comment = sayCommand(world);
  await world.agent({ ...comment, run: FIRST });
  deleteStatusComments(world);
  const pull = {
    repository: REPOSITORY,
    number: 7,
    user: 'maya',
    head: { ref: 'json-flag', sha: 'a'.repeat(40) },
  };
  world.github.addPullRequest({ ...pull, state: 'closed', createdAt: 0 });
  await world.agent({ ...comment, run: { runId: '6' } });
  await world.agent({ ...comment, run: SECOND });
  world.github.addPullRequest({ ...pull, createdAt: 0 });
  for (const run of [{ runId: '7' }, { runId: '5', runAttempt: 3 }, { runId: '6', runAttempt: 2 }])
    expect((await world.agent({ ...comment, run })).facts.status).toBe('skipped');
  expectMessages(world, 1);
});

test('An incomplete list of comments is never read as one without a record', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  await world.agent(comment);
  for (const body of ['', '[', '[{"id":1,"user":nu']) {
    world.github.inject({
      match: { method: 'GET', path: '/issues/7/comments', times: 9 },
      status: 200,
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { error } = await world.agent(comment);
    expect(error).toBeDefined();
    world.github.setToken(TOKEN, {
      kind: 'workflow',
      permissions: { pull_requests: 'write', contents: 'read' },
    });
  }
  expectMessages(world, 1);
});

test('Without a status comment only the first attempt sends a prompt, and a later one is red', async () => {
  await using world = await startPullRequest();
  const inputs = {
    prompt: 'Document it.',
    agentJobId: 'job-1',
    pullRequest: 7,
    statusComment: false,
  };
  const event = { eventName: 'workflow_dispatch', inputs };
  expect((await world.agent({ ...event, run: FIRST })).facts.triggered).toBe(true);
  expect((await world.agent({ ...event, run: SECOND })).facts.status).toBe('refused');
  expectMessages(world, 1);
  expect(world.statusComments()).toEqual([]);
});
