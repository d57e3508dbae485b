import { expect, test } from 'vitest';
import { CourierError } from '../../src/ground/errors.ts';
import { REPOSITORY } from '../support/world/names.ts';
import { startPullRequest } from '../support/world/pull-request.ts';
import type { World } from '../support/world.ts';
import { AGAIN, expectMessages, FIRST } from './messages.ts';

const COMMAND = '/docs-agent --job job-1 document it';
const JOB = { method: 'GET', path: '/job/job-1' };

const reactions = ({ github }: World) => github.reactions.map(({ content }) => content);

test.each<[string, (world: World) => void, object, RegExp]>([
  [
    'the key is revoked',
    ({ platform }) =>
      platform.inject({
        match: { ...JOB, times: 99 },
        status: 401,
        body: { error: 'unauthorized' },
      }),
    { code: 'unauthorized' },
    /The key in admin-api-key may have expired[^\n]*dashboard\.\n/,
  ],
  [
    'the platform limits its requests',
    ({ platform }) => {
      const headers = { 'retry-after': '3600' };
      platform.inject({
        match: { ...JOB, times: 99 },
        status: 429,
        headers,
        body: { error: 'slow down' },
      });
    },
    { code: 'rate-limited' },
    /answered 429/,
  ],
  [
    'the platform cannot be reached',
    ({ platform }) => platform.inject({ match: { ...JOB, times: 99 }, reset: 'before' }),
    { code: 'network' },
    /connection/i,
  ],
  [
    'a part of the pull request cannot be read',
    ({ github }) => github.inject({ match: { path: '/pulls/7/files', times: 99 }, status: 502 }),
    { code: 'network' },
    /answered 502/,
  ],
  [
    'the pull request cannot be read',
    ({ github }) => github.inject({ match: { path: /\/pulls\/7$/, times: 99 }, status: 502 }),
    { code: 'network' },
    /answered 502/,
  ],
])('If %s, the author of the command sees it, once', async (_what, fail, error, reason) => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  fail(world);
  for (const runId of ['70', '71']) {
    const ended = await world.agent({ ...comment, run: { runId } });
    expect(ended.error).toMatchObject(error);
    expect(ended.facts.commentUrl).toBeDefined();
  }
  const [answer = '', ...others] = world.statusComments();
  expect(others).toEqual([]);
  expect(answer).toContain('**The instruction was not sent.**');
  expect(answer).toMatch(reason);
  expect(answer).toContain(
    `[Log of the run](https://github.com/${REPOSITORY}/actions/runs/71/attempts/1)`,
  );
  expect(reactions(world)).toEqual(['confused']);
  expectMessages(world, 0);
});

test('A command that failed before the message is carried out when the run is started again, with another key too', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  world.platform.inject({ match: JOB, status: 401, body: { error: 'unauthorized' } });
  await world.agent({ ...comment, ...FIRST });
  expect(world.statusComments()).toHaveLength(1);
  const adminApiKey = 'svc_anotherKeyForTests0123456789';
  world.platform.behaviour.agentJobs = { advance: 'poll', polls: 1 };
  const { facts } = await world.agent({
    ...comment,
    run: { runId: '71' },
    inputs: { adminApiKey },
  });
  expect(facts).toMatchObject({ status: 'completed', triggered: true });
  const [status, ...others] = world.statusComments();
  expect(status).toContain('The docs agent has finished');
  expect(others).toEqual([]);
});

test('A fault of the program is answered too, and still ends the run as one', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  const inputs = { agentRepositories: faulty() };
  await expect(world.agent({ ...comment, inputs })).rejects.toThrow('a fault of the program');
  expect(world.statusComments()[0]).toContain(
    'The run failed with an internal error; see its log.',
  );
  expect(reactions(world)).toEqual(['confused']);
  expectMessages(world, 0);
});

/** A list that cannot be read. */
function faulty(): string[] {
  const list: string[] = [];
  Object.defineProperty(list, Symbol.iterator, {
    value: () => {
      throw new Error('a fault of the program');
    },
  });
  return list;
}

test('A run that is cancelled before the claim says so on the pull request', async () => {
  await using world = await startPullRequest();
  const control = new AbortController();
  world.platform.inject({ match: JOB, delayMs: 200 });
  const run = world.agent({ ...world.say('maya', COMMAND), signal: control.signal });
  while (world.platform.requests.length === 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
  control.abort();
  expect((await run).error).toMatchObject({ code: 'cancelled' });
  expect(world.statusComments()[0]).toContain('cancelled before the instruction was sent');
  expectMessages(world, 0);
});

test('A stranger gets no answer, whatever fails', async () => {
  await using world = await startPullRequest();
  world.github.inject({ match: { path: '/permission', times: 99 }, status: 500 });
  const { error } = await world.agent(world.say('stranger', COMMAND));
  expect(error).toBeInstanceOf(CourierError);
  expect(world.statusComments()).toEqual([]);
  expect(reactions(world)).toEqual([]);
});

test('Without status comments, the reaction alone is the answer', async () => {
  await using world = await startPullRequest();
  world.platform.inject({
    match: { ...JOB, times: 99 },
    status: 401,
    body: { error: 'unauthorized' },
  });
  await world.agent({ ...world.say('maya', COMMAND), inputs: { statusComment: false } });
  expect(world.statusComments()).toEqual([]);
  expect(reactions(world)).toEqual(['confused']);
});

test('If it is not known whether a command was sent, it is answered when the run is started again', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  // The first attempt was lost with its machine, and the token may not read what became of it.
  world.github.inject({
    match: { path: '/attempts/1/jobs', times: 99 },
    status: 403,
    body: { message: 'no' },
  });
  const { facts } = await world.agent({ ...comment, ...AGAIN });
  expect(facts).toMatchObject({ status: 'refused', triggered: false });
  expect(world.statusComments()[0]).toMatch(
    /was not sent[\s\S]*may have been sent by attempt 1[\s\S]*new comment/,
  );
  expectMessages(world, 0);
});

test('A failure in a second delivery of a command leaves the status comment of the first as the only answer', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  await world.agent(comment);
  world.github.inject({ match: { path: /\/pulls\/7$/, times: 99 }, status: 502 });
  expect((await world.agent(comment)).error).toMatchObject({ code: 'network' });
  const [status, ...others] = world.statusComments();
  expect(status).toContain('The docs agent has finished');
  expect(others).toEqual([]);
  expect(reactions(world)).toEqual(['eyes', 'rocket']);
});

test('An answer that is written late is removed if another run has claimed the command', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  const isAnswer = ({ method, path }: { readonly method: string; readonly path: string }) =>
    method === 'POST' && path.endsWith('/issues/7/comments');
  world.github.inject({ match: { method: 'POST', path: '/issues/7/comments' }, delayMs: 400 });
  // What its first attempt did is not known, so this one only answers.
  const late = world.agent({ ...comment, ...AGAIN });
  await expect.poll(() => world.github.requests.some(isAnswer), { timeout: 60_000 }).toBe(true);
  const sending = await world.agent({ ...comment, run: { runId: '71' } });
  expect(sending.facts.triggered).toBe(true);
  expect((await late).facts).toMatchObject({ status: 'refused', triggered: false });
  expect(world.statusComments()).toEqual([expect.stringContaining('The docs agent has finished')]);
});
