import { expect, test } from 'vitest';
import { CourierError } from '../../../src/errors.ts';
import { account, openScene, REPOSITORY, type Scene, statusComments } from './scene.ts';

const COMMAND = '/docs-agent --job job-1 also document the --json flag';

function writes({ github }: Scene): string[] {
  return github.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
}

test.each([
  ['rita', 'read'],
  ['tom', 'triage'],
  ['stranger', 'read'],
])('%s, who has %s, gets no message to the agent, no comment and no reaction', async (user, has) => {
  await using scene = await openScene();
  const { facts, error } = await scene.run(scene.say(user, COMMAND));
  expect(error).toBeUndefined();
  expect(facts).toMatchObject({ status: 'refused', triggered: false });
  expect(facts.reason).toContain(has);
  expect(scene.platform.requests).toEqual([]);
  expect(writes(scene)).toEqual([]);
});

test('a member who lacks the permission gets an answer that says what is missing, once', async () => {
  await using scene = await openScene();
  const comment = scene.say('rita', COMMAND, { authorAssociation: 'MEMBER' });
  await scene.run(comment);
  const { facts } = await scene.run(comment);
  expect(facts.status).toBe('refused');
  expect(scene.github.reactions.map(({ content }) => content)).toEqual(['-1']);
  const comments = statusComments(scene.github);
  expect(comments).toHaveLength(1);
  expect(comments[0]).toContain('rita has the permission read here; a command needs write');
  expect(scene.platform.messages).toEqual([]);
});

test.each([500, 502, 503])('a permission lookup that fails with %d is a failure, not a no', async (status) => {
  await using scene = await openScene();
  scene.github.inject({ match: { path: '/permission', times: Number.POSITIVE_INFINITY }, status });
  const { error } = await scene.run(scene.say('maya', COMMAND));
  expect(error).toBeInstanceOf(CourierError);
  expect(error).toMatchObject({ code: 'network' });
  expect(scene.platform.requests).toEqual([]);
  expect(writes(scene)).toEqual([]);
});

test('a permission lookup that is never answered is a failure too', async () => {
  await using scene = await openScene();
  scene.github.inject({ match: { path: '/permission', times: Number.POSITIVE_INFINITY }, delayMs: 5000 });
  const { error } = await scene.run({ ...scene.say('maya', COMMAND), attemptTimeoutMs: 50 });
  expect(error).toMatchObject({ code: 'network' });
  expect(scene.github.requests.filter(({ path }) => path.includes('/permission')).length).toBeGreaterThan(1);
  expect(scene.platform.requests).toEqual([]);
  expect(writes(scene)).toEqual([]);
});

test('the least permission is an input', async () => {
  await using scene = await openScene();
  const inputs = { requiredPermission: 'admin' } as const;
  expect((await scene.run({ ...scene.say('maya', COMMAND), inputs })).facts.status).toBe('refused');
  expect((await scene.run({ ...scene.say('ada', COMMAND), inputs })).facts.status).toBe('completed');
});

test('an event whose sender is not the author of the comment is refused', async () => {
  await using scene = await openScene();
  const comment = scene.say('maya', COMMAND);
  const payload = { ...comment.payload, sender: account(scene.github, 'rita') };
  const { facts } = await scene.run({ ...comment, payload });
  expect(facts.status).toBe('refused');
  expect(scene.platform.requests).toEqual([]);
});

test('a bot may command only when allowed-bots names it', async () => {
  await using scene = await openScene();
  const comment = scene.say('helper[bot]', COMMAND);
  expect((await scene.run(comment)).facts.status).toBe('refused');
  const allowed = await scene.run({ ...comment, inputs: { allowedBots: ['helper[bot]'] } });
  expect(allowed.facts).toMatchObject({ status: 'completed', triggered: true });
});

test('a person with the login of an allowed bot is not that bot', async () => {
  await using scene = await openScene();
  const { facts } = await scene.run({ ...scene.say('helper', COMMAND), inputs: { allowedBots: ['helper'] } });
  expect(facts.status).toBe('refused');
});

test('our own status comment is never a command, whoever posts it', async () => {
  await using scene = await openScene();
  const { facts } = await scene.run(scene.say('maya', '/docs-agent help\n<!-- docs-courier:abc -->'));
  expect(facts).toMatchObject({ status: 'skipped' });
  expect(scene.github.requests).toEqual([]);
});

test.each([
  ['an ordinary comment', 'Looks good to me.'],
  ['the word inside a line', 'Please run /docs-agent do it'],
  ['the word in a quote', '> /docs-agent do it'],
])('%s is skipped without a single request', async (_name, body) => {
  await using scene = await openScene();
  const { facts } = await scene.run(scene.say('maya', body));
  expect(facts).toMatchObject({ status: 'skipped', triggered: false });
  expect(scene.github.requests).toEqual([]);
});

test.each(['edited', 'deleted'])('a comment that was %s is no command', async (action) => {
  await using scene = await openScene();
  const comment = scene.say('maya', COMMAND);
  const { facts } = await scene.run({ ...comment, payload: { ...comment.payload, action } });
  expect(facts).toMatchObject({ status: 'skipped' });
  expect(facts.reason).toContain(action);
});

test('help is answered with usage and calls no agent', async () => {
  await using scene = await openScene();
  for (const body of ['/docs-agent help', '/docs-agent']) {
    const { facts } = await scene.run(scene.say('maya', body));
    expect(facts).toMatchObject({ status: 'completed', triggered: false });
  }
  const comments = statusComments(scene.github);
  expect(comments).toHaveLength(2);
  expect(comments[0]).toContain('/docs-agent --job ID');
  expect(scene.platform.requests).toEqual([]);
});

test.each([
  ['closed', { state: 'closed' as const }],
  ['locked', { locked: true }],
])('a command on a %s pull request is refused', async (word, state) => {
  await using scene = await openScene();
  scene.github.addPullRequest({ repository: REPOSITORY, number: 7, user: 'maya', ...state });
  const { facts } = await scene.run(scene.say('maya', COMMAND));
  expect(facts.status).toBe('refused');
  expect(facts.reason).toContain(word);
  expect(scene.platform.requests).toEqual([]);
});

test('a merged pull request takes an instruction from the prompt input', async () => {
  await using scene = await openScene();
  scene.github.addPullRequest({ repository: REPOSITORY, number: 7, user: 'maya', merged: true });
  const payload = { action: 'closed', sender: account(scene.github, 'maya'), pull_request: { number: 7 } };
  const inputs = { prompt: 'Document what was merged.', agentJobId: 'job-1' };
  const { facts } = await scene.run({ eventName: 'pull_request', payload, inputs });
  expect(facts).toMatchObject({ status: 'completed', triggered: true });
});

test('a prompt on the event of a person without the permission is refused; push and schedule are exempt', async () => {
  await using scene = await openScene();
  const inputs = { prompt: 'Document it.', agentJobId: 'job-1', pullRequest: 7 };
  const payload = { sender: account(scene.github, 'rita'), pull_request: { number: 7 } };
  expect((await scene.run({ eventName: 'pull_request', payload, inputs })).facts.status).toBe('refused');
  expect((await scene.run({ eventName: 'pull_request', payload: {}, inputs })).facts.status).toBe('refused');
  expect((await scene.run({ eventName: 'schedule', payload: {}, inputs })).facts.status).toBe('completed');
});

test('a push between the command and the message is refused, and the comment says so', async () => {
  await using scene = await openScene();
  const comment = scene.say('maya', COMMAND);
  const clock = { ...scene.clock };
  const pull = scene.github.addPullRequest({ repository: REPOSITORY, number: 7, user: 'maya' });
  // The second read of the pull request comes right before the message.
  scene.github.inject({
    match: { path: /\/pulls\/7$/, nth: 2 },
    body: { ...PULL, head: { ref: 'x', sha: 'e'.repeat(40), repo: null } },
  });
  const { facts } = await scene.run({ ...comment, clock });
  expect(pull.head.sha).not.toBe('e'.repeat(40));
  expect(facts).toMatchObject({ status: 'refused', triggered: false });
  expect(scene.platform.messages).toEqual([]);
  expect(statusComments(scene.github)[0]).toContain('pushed to after the command');
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

test('a dry run reads everything, prints the prompt and writes nothing', async () => {
  await using scene = await openScene();
  const { facts, log } = await scene.run({ ...scene.say('maya', COMMAND), inputs: { dryRun: true } });
  expect(facts).toMatchObject({ status: 'completed', triggered: false });
  expect(facts.planned).toHaveLength(3);
  expect(log.text('block')).toContain('also document the --json flag');
  expect(facts.prompt).toContain('END DATA');
  expect(writes(scene)).toEqual([]);
  expect(scene.platform.messages).toEqual([]);
});
