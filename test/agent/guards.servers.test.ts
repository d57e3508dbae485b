import { expect, test } from 'vitest';
import { CourierError } from '../../src/ground/errors.ts';
import { REPOSITORY } from '../support/world/names.ts';
import { startPullRequest } from '../support/world/pull-request.ts';
import { expectMessages } from './messages.ts';

const COMMAND = '/docs-agent --job job-1 also document the --json flag';

test.each([
  ['rita', 'read'],
  ['tom', 'triage'],
  ['stranger', 'read'],
])(
  '%s, who has %s, gets no message to the agent, no comment and no reaction',
  async (user, has) => {
    await using world = await startPullRequest();
    const { facts, error, log } = await world.agent(world.say(user, COMMAND));
    expect(error).toBeUndefined();
    expect(log.text('notice')).toContain(`${user} has`);
    expect(facts).toMatchObject({ status: 'refused', triggered: false });
    expect(facts.reason).toContain(has);
    expect(world.platform.requests).toEqual([]);
    expect(world.writes()).toEqual([]);
  },
);

test.each([502, 503])(
  'A permission lookup that fails with %d is a failure and not a refusal',
  async (status) => {
    await using world = await startPullRequest();
    world.github.inject({
      match: { path: '/permission', times: Number.POSITIVE_INFINITY },
      status,
    });
    const { error } = await world.agent(world.say('maya', COMMAND));
    expect(error).toBeInstanceOf(CourierError);
    expect(error).toMatchObject({ code: 'network' });
    expect(world.platform.requests).toEqual([]);
    expect(world.writes()).toEqual([]);
  },
);

test('A person with the login of an allowed bot is not that bot', async () => {
  await using world = await startPullRequest();
  const { facts } = await world.agent({
    ...world.say('helper', COMMAND),
    inputs: { allowedBots: ['helper'] },
  });
  expect(facts.status).toBe('refused');
});

test("The action's own status comment is never a command, even if another account posts it", async () => {
  await using world = await startPullRequest();
  const { facts } = await world.agent(
    world.say('maya', '/docs-agent help\n<!-- docs-courier:abc -->'),
  );
  expect(facts).toMatchObject({ status: 'skipped' });
  expect(world.github.requests).toEqual([]);
});

test.each([
  ['ordinary text', 'Looks good to me.'],
  ['the word inside a line', 'Please run /docs-agent do it'],
  ['the word in a quote', '> /docs-agent do it'],
])('A comment with %s is skipped without a single request', async (_name, body) => {
  await using world = await startPullRequest();
  const { facts } = await world.agent(world.say('maya', body));
  expect(facts).toMatchObject({ status: 'skipped', triggered: false });
  expect(world.github.requests).toEqual([]);
});

test('A deleted comment is not a command', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  const { facts } = await world.agent({
    ...comment,
    payload: { ...comment.payload, action: 'deleted' },
  });
  expect(facts).toMatchObject({ status: 'skipped' });
  expect(facts.reason).toContain('deleted');
});

test.each([
  ['locked', { locked: true }],
  ['closed', { state: 'closed' }],
] as const)('A command on a %s pull request is refused', async (how, change) => {
  await using world = await startPullRequest();
  world.github.addPullRequest({ repository: REPOSITORY, number: 7, user: 'maya', ...change });
  const { facts } = await world.agent(world.say('maya', COMMAND));
  expect(facts).toMatchObject({ status: 'refused', triggered: false });
  expect(facts.reason).toContain(how);
  expect(world.platform.requests).toEqual([]);
});

test('A merged pull request accepts an instruction from the prompt input', async () => {
  await using world = await startPullRequest();
  world.github.addPullRequest({ repository: REPOSITORY, number: 7, user: 'maya', merged: true });
  const payload = { action: 'closed', sender: world.account('maya'), pull_request: { number: 7 } };
  const inputs = { prompt: 'Document what was merged.', agentJobId: 'job-1' };
  const { facts } = await world.agent({ eventName: 'pull_request', payload, inputs });
  expect(facts).toMatchObject({ status: 'completed', triggered: true });
});

test('A push between the command and the message is refused, and the comment says so', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  const clock = { ...world.clock };
  const pull = world.github.addPullRequest({ repository: REPOSITORY, number: 7, user: 'maya' });
  // The second read of the pull request comes right before the message.
  world.github.inject({
    match: { path: /\/pulls\/7$/, nth: 2 },
    body: { ...PULL, head: { ref: 'x', sha: 'e'.repeat(40), repo: null } },
  });
  const { facts } = await world.agent({ ...comment, clock });
  expect(pull.head.sha).not.toBe('e'.repeat(40));
  expect(facts).toMatchObject({ status: 'refused', triggered: false });
  expectMessages(world, 0);
  expect(world.statusComments()[0]).toContain('pushed to after the command');
});

const PULL = {
  number: 7,
  html_url: 'u',
  title: 't',
  body: '',
  user: null,
  state: 'open',
  merged: false,
  locked: false,
  labels: [],
  base: { ref: 'main' },
  changed_files: 0,
};

test('A dry run reads everything, prints the prompt and writes nothing', async () => {
  await using world = await startPullRequest();
  const { facts, log } = await world.agent({
    ...world.say('maya', COMMAND),
    inputs: { dryRun: true },
  });
  expect(facts).toMatchObject({ status: 'completed', triggered: false });
  expect(facts.planned).toHaveLength(3);
  expect(log.text('block')).toContain('also document the --json flag');
  expect(facts.prompt).toContain('END DATA');
  expect(world.writes()).toEqual([]);
  expectMessages(world, 0);
});
