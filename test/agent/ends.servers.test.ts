import { expect, test } from 'vitest';
import { agentPresentation } from '../../src/agent/summary.ts';
import { printedJson } from '../../src/ground/text/hide-credentials.ts';
import { outputsOf } from '../../src/run/outputs.ts';
import { expectError } from '../support/failure.ts';
import { hintOf } from '../support/make-run.ts';
import { REPOSITORY } from '../support/world/names.ts';
import { startPullRequest } from '../support/world/pull-request.ts';
import type { World } from '../support/world.ts';
import { AGAIN, FIRST } from './messages.ts';

const source = { repository: `https://github.com/${REPOSITORY}`, ref: 'docs/agent' };

/** A pull request, and the job that `command` names. */
async function startWithJob(script: object = { prLink: null }): Promise<World> {
  const world = await startPullRequest();
  world.platform.addAgentJob({ id: 'job-2', source, script });
  return world;
}

/** The platform refuses so many messages. */
function refuseMessages({ platform }: World, status: 400 | 413, times = 1): void {
  const match = { method: 'POST', path: '/message', times };
  platform.inject({ match, status, body: { error: 'no' } });
}

const command = (world: World) => world.say('maya', '/docs-agent --job job-2 do it');

// 16 for the work, and one that reads the comment again before anything is done.
test('One comment to the agent costs at most 17 requests to GitHub', async () => {
  await using world = await startPullRequest();
  const { facts } = await world.agent(world.say('maya', '/docs-agent --job job-1 do it'));
  expect(facts).toMatchObject({ status: 'completed', triggered: true });
  expect(world.github.requests.length).toBeLessThanOrEqual(17);
});

test('A job that ends without a pull request is a normal result', async () => {
  await using world = await startWithJob();
  const { facts } = await world.agent(command(world));
  expect(facts).toMatchObject({ status: 'completed', agentStatus: 'completed' });
  expect(facts.pullRequestUrl).toBeUndefined();
  // Nothing in the reply says that nothing had to change.
  const either =
    /made no pull request: either the documentation needed no change, or it committed to the branch itself/;
  expect(world.statusComments()[0]).toMatch(either);
  expect(facts.reason).toMatch(either);
});

test('A credential in what the platform says of a job is shown nowhere', async () => {
  const token = 'glpat-7fQx2LmN9pRt4VwZ8bKd';
  const prLink = `https://kim:${token}@git.acme.example/docs/-/merge_requests/3`;
  await using world = await startWithJob({ prLink });
  const body = {
    ...REPLY,
    model: `m-${token}`,
    source: { ...source, ref: `https://x-token-auth:zebra@git.acme.example` },
  };
  world.platform.inject({ match: { method: 'GET', nth: 2 }, status: 200, body });
  const { facts, log } = await world.agent(command(world));
  const report = {
    status: 'completed',
    version: 1,
    mode: 'agent',
    startedAt: '',
    elapsedMs: 1,
    ...facts,
  } as const;
  const texts = [
    agentPresentation.summary(report, 0),
    ...world.statusComments(),
    log.redact(log.text()),
    printedJson(facts),
  ];
  for (const text of texts) expect(text).not.toMatch(/7fQx2LmN9|zebra/);
  expect(texts[0]).toContain('git.acme.example');
});

test.each([
  'https://evil.example/acme/docs/pull/3',
  'https://github.com/evil/docs/pull/3',
  'https://github.com/acme/docs/pull/3)[x](https://evil.example',
  'javascript:alert(1)',
  'https://github.com/acme/docs/pull/3\n@evil',
])('The pull request address %s is neither linked nor an output', async (prLink) => {
  await using world = await startWithJob({ prLink });
  const { facts } = await world.agent(command(world));
  expect(facts.status).toBe('completed');
  expect(facts.pullRequestUrl).toBeUndefined();
  expect(outputsOf('agent', facts)['pull-request-url']).toBeUndefined();
  const [comment = ''] = world.statusComments();
  // As code, once, and nowhere else: neither a link nor a name that GitHub would turn into one.
  expect(comment).toContain(`\`${prLink.replaceAll('\n', ' ')}\``);
  expect(comment.replace(/`[^`]*`/g, '')).not.toMatch(/evil|javascript:/);
});

test.each([
  ['failed', 'The docs agent failed'],
  ['archived', 'archived before it completed'],
] as const)(
  'A job that ends as %s fails the run and its re-run with a specific message',
  async (outcome, words) => {
    await using world = await startWithJob({ outcome });
    const run = { ...command(world), ...FIRST };
    const { error, facts } = await world.agent(run);
    expect(error).toMatchObject({ code: 'job-failed' });
    expect(facts).toMatchObject({ triggered: true, agentStatus: outcome });
    expect(world.statusComments()[0]).toContain(words);
    expect(world.github.reactions.map(({ content }) => content)).toEqual(['eyes', 'confused']);
    const again = await world.agent({ ...run, ...AGAIN });
    expect(again.error).toMatchObject({ code: 'job-failed' });
  },
);

test('The job status from before the message is not read as a result', async () => {
  // Late polls still show the job as completed.
  await using world = await startWithJob({ staleFetches: 3, outcome: 'failed' });
  world.platform.behaviour.agentJobs = { advance: 'poll', polls: 6 };
  world.platform.inject({
    match: { method: 'POST', path: '/message' },
    status: 200,
    applied: true,
    body: REPLY,
  });
  const { error } = await world.agent(command(world));
  expect(error).toMatchObject({ code: 'job-failed' });
});

const REPLY = {
  id: 'job-2',
  status: 'completed',
  source,
  model: 'm',
  prLink: null,
  createdAt: '2026-01-01T00:00:00Z',
  archivedAt: null,
};

const LINK = (number: number) => `https://github.com/${REPOSITORY}/pull/${number}`;
const OLD = { ...REPLY, prLink: LINK(3) };
const ACTIVE = { ...REPLY, status: 'active' };

/**
 * What a run makes of these replies to its reads of the job: the first is that before the message,
 * the last is repeated.
 */
async function followReplies(replies: readonly object[]) {
  await using world = await startWithJob({ prLink: LINK(3) });
  world.platform.behaviour.agentJobs = { advance: 'poll', polls: 100_000 };
  for (const [index, body] of replies.entries()) {
    const times = index === replies.length - 1 ? 100_000 : 1;
    world.platform.inject({
      match: { method: 'GET', path: '/job/job-2', times },
      status: 200,
      body,
    });
  }
  const inputs = { agentJobId: 'job-2' };
  const { facts, error } = await world.agent({ ...world.say('maya', '/docs-agent do it'), inputs });
  expect(error).toBeUndefined();
  expect(facts.status).toBe('completed');
  return { pull: facts.pullRequestUrl, seconds: (facts.jobElapsedMs ?? 0) / 1000 };
}

test.each([
  ['a job that becomes active', [OLD, OLD, ACTIVE, { ...OLD, prLink: LINK(9) }], 9],
  ['a job that is seen as active first', [OLD, ACTIVE, OLD, { ...OLD, prLink: LINK(9) }], 9],
  ['a job that is never seen as active', [OLD, OLD, OLD, { ...OLD, prLink: LINK(9) }], 9],
  ['a job without a pull request before', [REPLY, ACTIVE, REPLY, OLD], 3],
  [
    'a job that had failed',
    [{ ...OLD, status: 'failed' }, { ...OLD, status: 'failed' }, ACTIVE, OLD],
    3,
  ],
])(
  'Stale replies about %s do not end the run, and another end does at once',
  async (_what, replies, number) => {
    const { pull, seconds } = await followReplies(replies);
    expect(pull).toBe(LINK(number));
    expect(seconds).toBeLessThan(30);
  },
);

test('An end that looks like the state before the message counts 30 s after the message, not before', async () => {
  const { pull, seconds } = await followReplies([OLD, ACTIVE, OLD]);
  expect(pull).toBe(LINK(3));
  expect(seconds).toBeGreaterThanOrEqual(30);
  expect(seconds).toBeLessThan(40);
});

test('If the job was active before the message, its end counts 30 s after the message', async () => {
  const { pull, seconds } = await followReplies([ACTIVE, OLD]);
  expect(pull).toBe(LINK(3));
  expect(seconds).toBeGreaterThanOrEqual(30);
});

test('A job that does not finish in time fails the run or is detached', async () => {
  await using world = await startWithJob();
  world.platform.behaviour.agentJobs = { advance: 'poll', polls: 1000 };
  const late = await world.agent({ ...command(world), inputs: { timeoutMs: 60_000 } });
  expect(late.error).toMatchObject({ code: 'timed-out' });
  // Twice the time that was not enough.
  expect(hintOf(late.error)).toContain('timeout: 2m');
  const let_go = await world.agent({
    ...command(world),
    inputs: { timeoutMs: 60_000, onTimeout: 'detach' },
  });
  expect(let_go.facts).toMatchObject({ status: 'detached', triggered: true });
  expect(world.statusComments()[0]).toContain('did not finish in time');
  expect(world.statusComments()[1]).toContain('is running');
});

test('With the timeout 0s the run ends once the message is accepted', async () => {
  await using world = await startWithJob({});
  const { facts } = await world.agent({
    ...command(world),
    inputs: { timeoutMs: 0, onTimeout: 'detach' },
  });
  expect(facts).toMatchObject({ status: 'detached', triggered: true, agentStatus: 'active' });
});

test('A prompt that is too large for the platform is halved once', async () => {
  await using world = await startWithJob();
  refuseMessages(world, 413);
  expect((await world.agent(command(world))).facts.status).toBe('completed');
  refuseMessages(world, 413, 2);
  const { error } = await world.agent(command(world));
  expectError(error, {
    code: 'config',
    message: 'did not accept the message, nor a second one with half of its context',
    hint: 'description,files,comments',
  });
  expect(world.platform.messages).toHaveLength(1);
});

test('A smaller context is suggested only if there is one', async () => {
  await using world = await startWithJob();
  refuseMessages(world, 400);
  const { error } = await world.agent({ ...command(world), inputs: { context: [] } });
  expect(error).toMatchObject({ code: 'config' });
  expect(hintOf(error)).not.toContain('context');
});

test('A forbidden reaction is only a warning', async () => {
  await using world = await startWithJob();
  world.github.inject({
    match: { path: '/reactions', times: 9 },
    status: 403,
    body: { message: 'Resource not accessible by integration' },
  });
  const { facts, log } = await world.agent(command(world));
  expect(facts.status).toBe('completed');
  expect(log.text('warning')).toContain('Reacting');
});

test('If the instruction is most of the message, nothing is halved: it is never sent without the instruction', async () => {
  await using world = await startWithJob();
  refuseMessages(world, 400);
  const inputs = { context: ['description'] as const };
  const { error } = await world.agent({ ...command(world), inputs });
  expectError(error, {
    code: 'config',
    message: 'The platform did not accept the message. ',
    hint: 'context: none',
  });
  expect(world.platform.requests.filter(({ path }) => path.includes('/message'))).toHaveLength(1);
});

test('Half of a message keeps the whole instruction', async () => {
  await using world = await startWithJob();
  world.github.addPullRequest({ repository: REPOSITORY, number: 7, user: 'maya', files: LARGE });
  refuseMessages(world, 413);
  const instruction = `begin ${'word '.repeat(1500)}end`;
  const { facts } = await world.agent(world.say('maya', `/docs-agent --job job-2 ${instruction}`));
  expect(facts.status).toBe('completed');
  const bytes = world.platform.requests
    .filter(({ path }) => path.includes('/message'))
    .map(({ body }) => body.length);
  expect(bytes).toHaveLength(2);
  expect(bytes[1]).toBeLessThan((bytes[0] ?? 0) * 0.6);
  expect(world.platform.messages[0]?.prompt.startsWith(instruction)).toBe(true);
});

const LARGE = Array.from({ length: 40 }, (_, index) => ({
  filename: `src/${index}.ts`,
  patch: `@@ -1 +1 @@\n${'+const value = 1;\n'.repeat(100)}`,
}));

test('A failure before the message is shown as not sent, and the next run may send it', async () => {
  await using world = await startWithJob();
  const comment = command(world);
  // The second read of the pull request comes after the claim and before the message.
  world.github.inject({ match: { path: /\/pulls\/7$/, nth: 2, times: 5 }, status: 502 });
  const { error } = await world.agent({ ...comment, ...FIRST });
  expect(error).toMatchObject({ code: 'network' });
  expect(world.statusComments()[0]).toContain('The instruction was not sent');
  const again = await world.agent({ ...comment, ...AGAIN });
  expect(again.facts).toMatchObject({ status: 'completed', triggered: true });
  expect(world.platform.messages).toHaveLength(1);
});

test('An interrupted claim leaves no comment that says the command is being sent', async () => {
  await using world = await startWithJob();
  const control = new AbortController();
  // Cancelled while the list that shows the oldest claim is read.
  world.github.inject({
    match: { method: 'GET', path: '/issues/7/comments', nth: 2 },
    delayMs: 200,
  });
  const run = world.agent({ ...command(world), signal: control.signal });
  while (world.statusComments().length === 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
  control.abort();
  expect((await run).error).toMatchObject({ code: 'cancelled' });
  expect(world.statusComments()[0]).toContain('cancelled before the instruction was sent');
  expect(world.platform.messages).toEqual([]);
});

test('If GitHub accepts neither comment nor reaction, nothing is sent and the missing permission is named', async () => {
  await using world = await startWithJob({ prLink: `https://github.com/${REPOSITORY}/pull/9` });
  const refusal = { status: 403, body: { message: 'Resource not accessible by integration' } };
  for (const method of ['POST', 'PATCH'])
    world.github.inject({ match: { method, times: 99 }, ...refusal });
  const { error } = await world.agent(command(world));
  expectError(error, { code: 'forbidden', hint: 'permissions:\n  pull-requests: write' });
  expect(world.platform.messages).toEqual([]);
  expect(world.statusComments()).toEqual([]);
});

test('If a comment can no longer be changed, the result is still in the summary', async () => {
  await using world = await startWithJob();
  world.github.inject({
    match: { method: 'PATCH', times: 99 },
    status: 403,
    body: { message: 'no' },
  });
  const { facts, log } = await world.agent(command(world));
  expect(facts).toMatchObject({ status: 'completed', triggered: true });
  expect(log.text('warning')).toContain('Updating the status comment');
});
