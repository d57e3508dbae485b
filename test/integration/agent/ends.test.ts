import { expect, test } from 'vitest';
import { agentPresentation } from '../../../src/modes/agent/summary.ts';
import { hintOf } from '../../support/make-run.ts';
import { openScene, REPOSITORY, type Scene, statusComments } from './scene.ts';

const source = { repository: `https://github.com/${REPOSITORY}`, ref: 'docs/agent' };

function addJob({ platform }: Scene, script: object): void {
  platform.addAgentJob({ id: 'job-2', source, script });
}

const command = (scene: Scene) => scene.say('maya', '/docs-agent --job job-2 do it');

test('an end without a pull request is a normal result', async () => {
  await using scene = await openScene();
  addJob(scene, { prLink: null });
  const { facts } = await scene.run(command(scene));
  expect(facts).toMatchObject({ status: 'completed', agentStatus: 'completed' });
  expect(facts.pullRequestUrl).toBeUndefined();
  expect(statusComments(scene.github)[0]).toContain('made no pull request');
});

test.each([
  'https://evil.example/acme/docs/pull/3',
  'https://github.com/evil/docs/pull/3',
  'https://github.com/acme/docs/pull/3)[x](https://evil.example',
  'javascript:alert(1)',
  'https://github.com/acme/docs/pull/3\n@evil',
])('the pull request address %s is neither linked nor an output', async (prLink) => {
  await using scene = await openScene();
  addJob(scene, { prLink });
  const { facts } = await scene.run(command(scene));
  expect(facts.status).toBe('completed');
  expect(facts.pullRequestUrl).toBeUndefined();
  expect(agentPresentation.outputs(facts)['pull-request-url']).toBeUndefined();
  const [comment = ''] = statusComments(scene.github);
  // As code, once, and nowhere else: neither a link nor a name that GitHub would make one of.
  expect(comment).toContain(`\`${prLink.replaceAll('\n', ' ')}\``);
  expect(comment.replace(/`[^`]*`/g, '')).not.toMatch(/evil|javascript:/);
});

test.each([
  ['failed', 'The docs agent failed'],
  ['archived', 'archived before it completed'],
] as const)('a job that ends as %s fails the run in its own words', async (outcome, words) => {
  await using scene = await openScene();
  addJob(scene, { outcome });
  const { error, facts } = await scene.run(command(scene));
  expect(error).toMatchObject({ code: 'job-failed' });
  expect(facts).toMatchObject({ triggered: true, agentStatus: outcome });
  expect(statusComments(scene.github)[0]).toContain(words);
  expect(scene.github.reactions.map(({ content }) => content)).toEqual(['eyes', 'confused']);
});

test('the status before the message is not taken for a result', async () => {
  await using scene = await openScene();
  // Looks that come late show the job as it was: completed.
  addJob(scene, { staleFetches: 3, outcome: 'failed' });
  scene.platform.behaviour.agentJobs = { advance: 'poll', polls: 6 };
  scene.platform.inject({ match: { method: 'POST', path: '/message' }, status: 200, applied: true, body: REPLY });
  const { error } = await scene.run(command(scene));
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

test('a job that does not finish in time fails the run, or is let go', async () => {
  await using scene = await openScene();
  scene.platform.behaviour.agentJobs = { advance: 'poll', polls: 1000 };
  addJob(scene, { prLink: null });
  const late = await scene.run({ ...command(scene), inputs: { timeoutMs: 60_000 } });
  expect(late.error).toMatchObject({ code: 'timed-out' });
  const let_go = await scene.run({ ...command(scene), inputs: { timeoutMs: 60_000, onTimeout: 'detach' } });
  expect(let_go.facts).toMatchObject({ status: 'detached', triggered: true });
  expect(statusComments(scene.github)[0]).toContain('did not finish in time');
  expect(statusComments(scene.github)[1]).toContain('is running');
});

test('without waiting the run ends once the message is accepted', async () => {
  await using scene = await openScene();
  addJob(scene, {});
  const { facts } = await scene.run({ ...command(scene), inputs: { wait: false } });
  expect(facts).toMatchObject({ status: 'detached', triggered: true, agentStatus: 'active' });
});

test('a status that is not documented is followed on', async () => {
  await using scene = await openScene();
  addJob(scene, { prLink: null });
  scene.platform.inject({
    match: { method: 'GET', nth: 2 },
    status: 200,
    body: { ...REPLY, status: 'pondering::error::x' },
  });
  const { facts, log } = await scene.run(command(scene));
  expect(facts.status).toBe('completed');
  expect(log.text('warning')).toContain('pondering');
});

test('a cancelled run says so in its comment', async () => {
  await using scene = await openScene();
  scene.platform.behaviour.agentJobs = { advance: 'poll', polls: 1000 };
  addJob(scene, {});
  const control = new AbortController();
  const clock = {
    ...scene.clock,
    sleep: (ms: number, signal?: AbortSignal) => {
      if (scene.platform.messages.length > 0) control.abort();
      return scene.clock.sleep(ms, signal);
    },
  };
  const { error } = await scene.run({ ...command(scene), clock, signal: control.signal });
  expect(error).toMatchObject({ code: 'cancelled' });
  expect(statusComments(scene.github)[0]).toContain('cancelled after the instruction was sent');
});

test('a prompt that the platform finds too large is halved once', async () => {
  await using scene = await openScene();
  addJob(scene, { prLink: null });
  scene.platform.inject({ match: { method: 'POST', path: '/message' }, status: 413, body: { error: 'too large' } });
  expect((await scene.run(command(scene))).facts.status).toBe('completed');
  scene.platform.inject({
    match: { method: 'POST', path: '/message', times: 2 },
    status: 413,
    body: { error: 'too large' },
  });
  const { error } = await scene.run(command(scene));
  expect(error).toMatchObject({ code: 'config' });
  expect(scene.platform.messages).toHaveLength(1);
});

test('what the platform says is neutral in the comment', async () => {
  await using scene = await openScene();
  scene.platform.inject({
    match: { method: 'POST', path: '/message' },
    status: 404,
    body: { error: '@team ![x](https://evil.example/b.png) /close <b>' },
  });
  const { error } = await scene.run(scene.say('maya', '/docs-agent --job job-1 do it'));
  expect(error).toMatchObject({ code: 'not-found' });
  const comment = statusComments(scene.github)[0] ?? '';
  expect(comment).not.toMatch(/@team|!\[x\]\(|<b>/);
});

test('a reaction that is forbidden is a warning only', async () => {
  await using scene = await openScene();
  addJob(scene, { prLink: null });
  scene.github.inject({
    match: { path: '/reactions', times: 9 },
    status: 403,
    body: { message: 'Resource not accessible by integration' },
  });
  const { facts, log } = await scene.run(command(scene));
  expect(facts.status).toBe('completed');
  expect(log.text('warning')).toContain('Reacting');
});

test('where the instruction is most of the message, nothing is halved: it is never sent without it', async () => {
  await using scene = await openScene();
  addJob(scene, { prLink: null });
  scene.platform.inject({ match: { method: 'POST', path: '/message' }, status: 400, body: { error: 'no' } });
  const inputs = { context: ['description'] as const };
  const { error } = await scene.run({ ...scene.say('maya', '/docs-agent --job job-2 do it'), inputs });
  expect(error).toMatchObject({ code: 'config' });
  expect(scene.platform.requests.filter(({ path }) => path.includes('/message'))).toHaveLength(1);
});

test('half of a message keeps the whole instruction', async () => {
  await using scene = await openScene();
  addJob(scene, { prLink: null });
  scene.github.addPullRequest({ repository: REPOSITORY, number: 7, user: 'maya', files: LARGE });
  scene.platform.inject({ match: { method: 'POST', path: '/message' }, status: 413, body: { error: 'too large' } });
  const instruction = `begin ${'word '.repeat(1500)}end`;
  const { facts } = await scene.run(scene.say('maya', `/docs-agent --job job-2 ${instruction}`));
  expect(facts.status).toBe('completed');
  const bytes = scene.platform.requests.filter(({ path }) => path.includes('/message')).map(({ body }) => body.length);
  expect(bytes).toHaveLength(2);
  expect(bytes[1]).toBeLessThan((bytes[0] ?? 0) * 0.6);
  expect(scene.platform.messages[0]?.prompt.startsWith(instruction)).toBe(true);
});

const LARGE = Array.from({ length: 40 }, (_, index) => ({
  filename: `src/${index}.ts`,
  patch: `@@ -1 +1 @@\n${'+const value = 1;\n'.repeat(100)}`,
}));

test('what fails before the message is shown as not sent, and may be sent by the next run', async () => {
  await using scene = await openScene();
  addJob(scene, { prLink: null });
  const comment = command(scene);
  // The second read of the pull request comes after the claim and before the message.
  scene.github.inject({ match: { path: /\/pulls\/7$/, nth: 2, times: 5 }, status: 502 });
  const { error } = await scene.run({ ...comment, run: { runId: '90' } });
  expect(error).toMatchObject({ code: 'network' });
  expect(statusComments(scene.github)[0]).toContain('The instruction was not sent');
  const again = await scene.run({ ...comment, run: { runId: '90', runAttempt: 2 } });
  expect(again.facts).toMatchObject({ status: 'completed', triggered: true });
  expect(scene.platform.messages).toHaveLength(1);
});

test('a claim that is interrupted leaves no comment that says it is being sent', async () => {
  await using scene = await openScene();
  addJob(scene, { prLink: null });
  const control = new AbortController();
  // Cancelled while the list is read that shows whose claim is the oldest.
  scene.github.inject({ match: { method: 'GET', path: '/issues/7/comments', nth: 2 }, delayMs: 200 });
  const run = scene.run({ ...command(scene), signal: control.signal });
  while (statusComments(scene.github).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  control.abort();
  expect((await run).error).toMatchObject({ code: 'cancelled' });
  expect(statusComments(scene.github)[0]).toContain('cancelled before the instruction was sent');
  expect(scene.platform.messages).toEqual([]);
});

test('where GitHub accepts neither comment nor reaction, nothing is sent and the missing permission is named', async () => {
  await using scene = await openScene();
  addJob(scene, { prLink: `https://github.com/${REPOSITORY}/pull/9` });
  const refusal = { status: 403, body: { message: 'Resource not accessible by integration' } };
  for (const method of ['POST', 'PATCH']) scene.github.inject({ match: { method, times: 99 }, ...refusal });
  const { error } = await scene.run(command(scene));
  expect(error).toMatchObject({ code: 'forbidden' });
  expect(hintOf(error)).toContain('permissions:\n  pull-requests: write');
  expect(scene.platform.messages).toEqual([]);
  expect(statusComments(scene.github)).toEqual([]);
});

test('a comment that cannot be changed any more keeps no result from the summary', async () => {
  await using scene = await openScene();
  addJob(scene, { prLink: null });
  scene.github.inject({ match: { method: 'PATCH', times: 99 }, status: 403, body: { message: 'no' } });
  const { facts, log } = await scene.run(command(scene));
  expect(facts).toMatchObject({ status: 'completed', triggered: true });
  expect(log.text('warning')).toContain('Updating the status comment');
});
