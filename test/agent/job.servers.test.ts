import { expect, test } from 'vitest';
import { hintOf } from '../support/make-run.ts';
import { REPOSITORY } from '../support/world/names.ts';
import { startPullRequest } from '../support/world/pull-request.ts';
import type { World } from '../support/world.ts';
import { expectMessages } from './messages.ts';

const TEXT = '/docs-agent also document the --json flag';
const source = { repository: `https://github.com/${REPOSITORY}`, ref: 'docs/agent' };

test('A second command goes to the job of the first, even if the agent has made a pull request', async () => {
  await using world = await startPullRequest();
  await world.agent(world.say('maya', `/docs-agent --job job-1 first`));
  const { facts } = await world.agent(world.say('ada', TEXT));
  expect(facts).toMatchObject({ status: 'completed', agentJobId: 'job-1', jobOrigin: 'record' });
  expect(world.platform.messages.map(({ jobId }) => jobId)).toEqual(['job-1', 'job-1']);
});

test('A command can specify the bound job after the agent has made a pull request', async () => {
  await using world = await startPullRequest();
  for (const word of ['first', 'second']) {
    const { facts } = await world.agent(world.say('maya', `/docs-agent --job job-1 ${word}`));
    expect(facts.status).toBe('completed');
  }
  expectMessages(world, 2);
});

test('A record that was copied into another comment binds no job', async () => {
  await using world = await startPullRequest();
  await world.agent(world.say('maya', '/docs-agent --job job-1 first'));
  const ours = world.github.comments.find(({ body }) => body.startsWith('<!-- docs-courier:'));
  const copy = ours?.body ?? '';
  if (ours) ours.body = 'Taken away by a maintainer.';
  world.say('stranger', copy);
  const { facts } = await world.agent(world.say('maya', TEXT));
  expect(facts).toMatchObject({ status: 'refused' });
  expectMessages(world, 1);
});

test.each([
  ['maya', 'completed', undefined],
  ['tom', 'refused', 'set by tom'],
  [null, 'refused', 'unknown account'],
])('A command after a label set by %s is %s', async (actor, status, reason) => {
  await using world = await startPullRequest();
  world.github.addLabel({ repository: REPOSITORY, number: 7, label: 'agent-job:job-1', actor });
  const { facts } = await world.agent(world.say('maya', TEXT));
  expect(facts.status).toBe(status);
  if (reason !== undefined) expect(facts.reason).toContain(reason);
  expectMessages(world, status === 'completed' ? 1 : 0);
});

test('The account that set a label last counts, not the one that set it first', async () => {
  await using world = await startPullRequest();
  for (const [actor, event] of [
    ['maya', 'labeled'],
    ['maya', 'unlabeled'],
    ['tom', 'labeled'],
  ] as const) {
    world.github.addLabel({
      repository: REPOSITORY,
      number: 7,
      label: 'agent-job:job-1',
      actor,
      event,
    });
  }
  expect((await world.agent(world.say('maya', TEXT))).facts.status).toBe('refused');
});

test.each([
  ['Document the flag. --job job-1', 'before the text'],
  ['Document the flag.\n--job=job-1', 'before the text'],
  ['Document the flag --jobs.', 'no linked job'],
])('If a command without a job has the text %s, the answer is about %s', async (text, about) => {
  await using world = await startPullRequest();
  const { facts } = await world.agent(world.say('maya', `/docs-agent ${text}`));
  expect(facts.status).toBe('refused');
  const isAfterText = facts.reason?.includes('write it before the text');
  expect(isAfterText).toBe(about === 'before the text');
});

/** A command that names the job `job-2`. */
function sayNamed(world: World) {
  return world.agent(world.say('maya', '/docs-agent --job job-2 do it'));
}

test('The id of a job is reported, also if the job cannot be read or is archived', async () => {
  await using world = await startPullRequest();
  world.platform.addAgentJob({ id: 'job-2', source, status: 'archived' });
  world.platform.inject({ match: { path: '/job/job-2', times: 5 }, status: 500 });
  const unread = await sayNamed(world);
  expect(unread.error).toMatchObject({ code: 'network' });
  expect(unread.facts.agentJobId).toBe('job-2');
  expect((await sayNamed(world)).facts).toMatchObject({
    agentJobId: 'job-2',
    agentStatus: 'archived',
  });
});

test('A job of another repository is refused, unless agent-repositories lists it', async () => {
  await using world = await startPullRequest();
  world.platform.addAgentJob({
    id: 'job-2',
    source: { repository: 'https://github.com/acme/app.git', ref: null },
  });
  const first = await sayNamed(world);
  expect(first.facts).toMatchObject({ status: 'refused', agentJobId: 'job-2' });
  expect(first.facts.reason).toContain('acme/app');
  const inputs = { agentRepositories: ['acme/App'] };
  expect(
    (await world.agent({ ...world.say('maya', '/docs-agent --job job-2 do it'), inputs })).facts
      .status,
  ).toBe('completed');
  expectMessages(world, 1);
});

test.each([
  'https://github.com.evil.example/acme/docs',
  'https://evil.example/acme/docs',
  'https://github.com/acme/docs/extra',
  'https://github.com@evil.example/acme/docs',
])('The repository %s is not this one', async (repository) => {
  await using world = await startPullRequest();
  world.platform.addAgentJob({ id: 'job-2', source: { repository, ref: null } });
  expect((await sayNamed(world)).facts.status).toBe('refused');
  expectMessages(world, 0);
});

test('A job that made another pull request here is refused for --job and only logged for the input', async () => {
  await using world = await startPullRequest();
  world.platform.addAgentJob({
    id: 'job-2',
    source,
    prLink: `https://github.com/${REPOSITORY}/pull/12`,
  });
  const named = await sayNamed(world);
  expect(named.facts).toMatchObject({ status: 'refused' });
  expect(named.facts.reason).toContain('#12');
  const given = await world.agent({ ...world.say('maya', TEXT), inputs: { agentJobId: 'job-2' } });
  expect(given.facts.status).toBe('completed');
  expect(given.log.text('info')).toContain('#12');
});

test('An archived job and an unknown job end with a clear answer', async () => {
  await using world = await startPullRequest();
  world.platform.addAgentJob({ id: 'job-2', source, status: 'archived' });
  const archived = await sayNamed(world);
  expect(archived.facts.reason).toContain(
    'archived and accepts no more instructions. Name another',
  );
  const unknown = await world.agent(world.say('maya', '/docs-agent --job job-3 do it'));
  expect(unknown.facts.reason).toContain('knows no agent job job-3 in project project-1');
  world.platform.inject({ match: { path: '/message' }, status: 409 });
  const conflict = await world.agent(world.say('maya', '/docs-agent --job job-1 do it'));
  expect(hintOf(conflict.error)).toContain('archived, name another');
  expect(world.statusComments()).toHaveLength(3);
  expectMessages(world, 0);
});

test('If the platform shows no jobs, the input decides by the reply, and no job is polled', async () => {
  await using world = await startPullRequest();
  world.platform.inject({
    match: { method: 'GET', times: Number.POSITIVE_INFINITY },
    status: 405,
    body: { error: 'no' },
  });
  const { facts } = await world.agent({
    ...world.say('maya', TEXT),
    inputs: { agentJobId: 'job-1' },
  });
  expect(facts).toMatchObject({ status: 'detached', triggered: true });
  expectMessages(world, 1);
});

test("A job's own pull request is recognized while the platform shows no link", async () => {
  await using world = await startPullRequest();
  world.github.addPullRequest({
    repository: REPOSITORY,
    number: 7,
    title: 'Docs for --json',
    user: 'docs-agent[bot]',
    head: { ref: 'docs/agent', sha: 'f'.repeat(40), repository: REPOSITORY },
    files: [{ filename: 'guide.md', patch: '@@ -1 +1 @@\n+MADE BY THE AGENT' }],
  });
  const prLink = `https://github.com/${REPOSITORY}/pull/7`;
  world.platform.addAgentJob({ id: 'job-2', source, prLink, script: { prLink } });
  await world.agent(world.say('maya', '/docs-agent --job job-2 first'));
  // As the contract says for an active job.
  const active = { id: 'job-2', status: 'active', source, model: 'm', prLink: null };
  const body = { ...active, createdAt: '2026-01-01T00:00:00Z', archivedAt: null };
  world.platform.inject({ match: { method: 'GET', path: '/job/job-2' }, status: 200, body });
  const shown = await world.agent(world.say('maya', '/docs-agent second'));
  expect(shown.facts).toMatchObject({ status: 'completed', jobOrigin: 'record' });
  expect(world.platform.messages.map(({ prompt }) => prompt.includes('MADE BY THE AGENT'))).toEqual(
    [true, true],
  );
  world.platform.addAgentJob({ id: 'job-3', source });
  await world.agent(world.say('maya', '/docs-agent --job job-3 third'));
  expect(world.platform.messages[2]?.prompt).not.toContain('MADE BY THE AGENT');
});
