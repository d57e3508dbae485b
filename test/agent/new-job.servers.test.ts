import { expect, test } from 'vitest';
import { expectError } from '../support/failure.ts';
import { ADMIN_KEY } from '../support/make-inputs.ts';
import { REPOSITORY } from '../support/world/names.ts';
import { startPullRequest } from '../support/world/pull-request.ts';
import type { World } from '../support/world.ts';
import { AGAIN, FIRST } from './messages.ts';

const COMMAND = '/docs-agent also document the --json flag';
const CREATE = { method: 'POST', path: /\/v2\/agent\/project-1\/job$/ };
const inputs = { createAgentJob: true };
const made = {
  id: 'new-1',
  status: 'active',
  source: { repository: `https://github.com/${REPOSITORY}`, ref: 'main' },
  model: 'm',
  prLink: null,
  createdAt: '2026-01-01T00:00:00Z',
  archivedAt: null,
};

const creations = ({ platform }: World) =>
  platform.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/job'));

test('Without a bound job, one is made with the instruction alone, is bound, and gets the context as a message', async () => {
  await using world = await startPullRequest();
  const first = await world.agent({ ...world.say('maya', COMMAND), inputs });
  expect(first.error).toBeUndefined();
  expect(first.facts).toMatchObject({ status: 'completed', triggered: true, jobOrigin: 'created' });
  expect(creations(world).map(({ body }) => JSON.parse(body))).toEqual([
    { prompt: 'also document the --json flag' },
  ]);
  const context = world.platform.messages.at(-1);
  expect(context?.jobId).toBe(first.facts.agentJobId);
  expect(context?.prompt).toContain('adds what is known about the pull request');
  expect(context?.prompt).toContain('BEGIN DATA');
  expect(context?.prompt).not.toContain('also document the --json flag');
  const second = await world.agent({ ...world.say('maya', '/docs-agent shorten it'), inputs });
  expect(second.facts).toMatchObject({ agentJobId: first.facts.agentJobId, jobOrigin: 'record' });
  expect(creations(world)).toHaveLength(1);
});

test('A command that names a job after its text creates no job, and one that shows --job as code does', async () => {
  await using world = await startPullRequest();
  const say = (text: string) =>
    world.agent({ ...world.say('maya', `/docs-agent ${text}`), inputs });
  const late = await say('document it --job job-1');
  expect(late.facts).toMatchObject({ status: 'refused' });
  expect(late.facts.reason).toContain('options come first');
  expect(creations(world)).toEqual([]);
  expect((await say('document `--job 12`')).facts.status).toBe('completed');
  expect(creations(world)).toHaveLength(1);
});

test('Without create-agent-job no job is made, and the answer says how to link one or have one made', async () => {
  await using world = await startPullRequest();
  expect((await world.agent(world.say('maya', COMMAND))).facts.status).toBe('refused');
  expect(creations(world)).toEqual([]);
  const [answer] = world.statusComments();
  expect(answer).toContain('With create-agent-job: true');
  expect(answer).toContain('agent-job:ID');
});

test.each([
  ['for another repository', { repository: 'https://github.com/evil/site', ref: null }],
  ['whose repository the platform does not name', undefined],
])(
  'A job %s is not linked, the answer says so, and no second job is created',
  async (_, source) => {
    await using world = await startPullRequest();
    world.platform.inject({ match: CREATE, status: 201, body: { ...made, source } });
    const { error, facts } = await world.agent({ ...world.say('maya', COMMAND), inputs });
    // Red: a refused command would be green.
    expect(error).toMatchObject({ code: 'config' });
    expect(facts).toMatchObject({ triggered: true, agentJobId: 'new-1' });
    expect(world.statusComments()[0]).toContain('not linked to this pull request');
    const again = await world.agent({ ...world.say('maya', COMMAND), inputs });
    expect(again.facts).toMatchObject({ status: 'refused', triggered: false });
    expect(creations(world)).toHaveLength(1);
    expect(world.platform.messages).toEqual([]);
  },
);

test.each([
  ['a lost reply', { reset: 'after' as const }],
  ['a server error', { status: 502 }],
  ['a reply without an id', { status: 201, body: { status: 'active' } }],
])(
  'After %s the answer says that a job may have been created, and no second one is requested',
  async (_name, effect) => {
    await using world = await startPullRequest();
    world.platform.inject({ match: CREATE, ...effect });
    const comment = { ...world.say('maya', COMMAND), inputs };
    const { error } = await world.agent({ ...comment, ...FIRST });
    expectError(error, { message: 'may have been created', mayHaveActed: true });
    expect(world.statusComments()[0]).toContain('A new agent job may have been created');
    const rerun = await world.agent({ ...comment, ...AGAIN });
    expect(rerun.error?.message).toContain('may have been sent');
    const other = await world.agent({ ...world.say('ada', COMMAND), inputs });
    expect(other.facts.status).toBe('refused');
    expect(other.facts.reason).toContain('--job ID, or start a run by dispatch with agent-job-id');
    expect(creations(world)).toHaveLength(1);
  },
);

test.each([
  ['may not be written', {}, 'forbidden'],
  ['are switched off', { statusComment: false }, 'config'],
])('No job is created if status comments %s: it could not be linked', async (_name, more, code) => {
  await using world = await startPullRequest();
  world.github.inject({
    match: { method: 'POST', path: '/issues/7/comments', times: 99 },
    status: 403,
    body: { message: 'no' },
  });
  for (const text of [COMMAND, `${COMMAND} and more`]) {
    const run = await world.agent({ ...world.say('maya', text), inputs: { ...inputs, ...more } });
    expectError(run.error, { code, message: 'Not sent' });
  }
  expect(creations(world)).toEqual([]);
});

test('After a change of the admin key, no second job is created for the pull request', async () => {
  await using world = await startPullRequest();
  await world.agent({ ...world.say('maya', COMMAND), inputs });
  const changed = { ...inputs, adminApiKey: `${ADMIN_KEY.slice(0, -4)}zzzz` };
  const { facts } = await world.agent({ ...world.say('maya', COMMAND), inputs: changed });
  expect(facts).toMatchObject({ status: 'refused', triggered: false });
  expect(facts.reason).toContain('--job ID');
  expect(creations(world)).toHaveLength(1);
});

test('A refused creation of a job may be tried again', async () => {
  await using world = await startPullRequest();
  world.platform.inject({
    match: CREATE,
    status: 429,
    headers: { 'retry-after': '1800' },
    body: { error: 'slow' },
  });
  const comment = { ...world.say('maya', COMMAND), inputs };
  expect((await world.agent(comment)).error).toMatchObject({ code: 'rate-limited' });
  expect((await world.agent(comment)).facts).toMatchObject({
    status: 'completed',
    jobOrigin: 'created',
  });
});

test('Only one of two commands at the same moment makes a job, and the other is answered', async () => {
  await using world = await startPullRequest();
  const comments = [world.say('maya', COMMAND), world.say('ada', `${COMMAND} and more`)];
  const runs = await Promise.all(comments.map((comment) => world.agent({ ...comment, inputs })));
  expect(creations(world)).toHaveLength(1);
  expect(runs.map(({ facts }) => facts.status).sort()).toEqual(['completed', 'refused']);
  expect(world.statusComments()).toHaveLength(2);
  expect(world.statusComments().join('\n')).toContain('only one is created');
});

test('A run that is killed while it makes a job leaves a claim, which a later attempt makes final', async () => {
  await using world = await startPullRequest();
  world.platform.inject({ match: CREATE, reset: 'after' });
  world.github.inject({
    match: { method: 'PATCH', times: 50 },
    status: 403,
    body: { message: 'no' },
  });
  const comment = { ...world.say('maya', COMMAND), inputs };
  await world.agent({ ...comment, ...FIRST });
  world.github.inject({ match: { method: 'PATCH', times: 0 } });
  await world.agent({ ...comment, ...AGAIN });
  expect(creations(world)).toHaveLength(1);
});

test('A context that cannot be sent is a warning, because the agent has the instruction', async () => {
  await using world = await startPullRequest();
  world.platform.inject({
    match: { method: 'POST', path: '/message', times: 9 },
    status: 404,
    body: { error: 'no' },
  });
  const { facts, log } = await world.agent({ ...world.say('maya', COMMAND), inputs });
  expect(facts).toMatchObject({ status: 'completed', triggered: true });
  expect(log.text('warning')).toContain('Sending what is known about the pull request');
  expect(facts.withheld).toEqual([expect.stringContaining('sending it failed')]);
  expect(world.statusComments()[0]).toMatch(/Not shown to the agent:\*\*\s+- All that is known/);
});

test('A dry run lists the creation of a job and does not create one', async () => {
  await using world = await startPullRequest();
  const { facts } = await world.agent({
    ...world.say('maya', COMMAND),
    inputs: { ...inputs, dryRun: true },
  });
  expect(facts.planned?.map(({ action }) => action)).toContain(
    'create a new agent job with the instruction',
  );
  expect(creations(world)).toEqual([]);
});
