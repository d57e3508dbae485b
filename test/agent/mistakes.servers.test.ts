import { expect, test } from 'vitest';
import type { AgentInputs } from '../../src/inputs/inputs.ts';
import { expectError } from '../support/failure.ts';
import { hintOf } from '../support/make-run.ts';
import { REPOSITORY } from '../support/world/names.ts';
import { startPullRequest } from '../support/world/pull-request.ts';
import type { World } from '../support/world.ts';
import { expectMessages, firstPrompt } from './messages.ts';

const COMMAND = '/docs-agent --job job-1 document it';
const runOnSchedule = (world: World, inputs: Partial<AgentInputs>) =>
  world.agent({ eventName: 'schedule', payload: {}, inputs });

test.each([
  'Nice work! /docs-agent go',
  '@docs-agent go',
  '/Docs-Agent go',
  'Thanks!\n/docs-agent go',
  '/docs-agnet go',
])(
  'The mistake %j gets a hint, once per pull request, if its author may give commands',
  async (body) => {
    await using world = await startPullRequest();
    for (const user of ['stranger', 'rita', 'maya', 'maya', 'ada']) {
      const event = world.say(user, body);
      const { facts, error } = await world.agent(event);
      expect(error).toBeUndefined();
      expect(facts).toMatchObject({ status: 'skipped', triggered: false });
      const comments = world.statusComments();
      const mayCommand = user !== 'stranger' && user !== 'rita';
      expect(comments).toHaveLength(mayCommand ? 1 : 0);
      const reactions = world.github.reactions.filter(({ commentId }) => commentId === event.id);
      expect(reactions.map(({ content }) => content)).toEqual(mayCommand ? ['confused'] : []);
    }
    expect(world.statusComments()[0]).toMatch(
      /is not a command here[\s\S]*begins with exactly `\/docs-agent`/,
    );
    expectMessages(world, 0);
    // The hint does not claim a command.
    expect((await world.agent(world.say('maya', COMMAND))).facts.status).toBe('completed');
  },
);

test('Two misspelled commands at the same moment get one hint', async () => {
  await using world = await startPullRequest();
  const comments = [world.say('maya', '/docs-agnet a'), world.say('ada', '/docs-agnet b')];
  await Promise.all(comments.map((comment) => world.agent(comment)));
  expect(world.statusComments()).toHaveLength(1);
});

test('A hint that cannot be written, or an outage, does not fail a run', async () => {
  await using world = await startPullRequest();
  for (const fault of [{ status: 403, body: { message: 'no' } }, { status: 500 }]) {
    world.github.inject({ match: { path: '/', times: 30 }, ...fault });
    const { error, facts } = await world.agent(world.say('maya', '/docs-agnet go'));
    expect(error).toBeUndefined();
    expect(facts.status).toBe('skipped');
  }
});

test('Misspelled options are answered with the right spelling, and nothing is sent', async () => {
  await using world = await startPullRequest();
  await world.agent(world.say('maya', '/docs-agent --jobs job-1 fix it'));
  const [options] = world.statusComments();
  expect(options).toContain('is not an option. A command has');
  expectMessages(world, 0);
});

test('A prompt without a pull request is an error', async () => {
  await using world = await startPullRequest();
  const inputs = { prompt: 'Document it.', agentJobId: 'job-1' };
  const { error } = await runOnSchedule(world, inputs);
  expect(error).toMatchObject({
    code: 'config',
    message: 'Not sent: prompt is given, and the event names no pull request.',
  });
  expect(hintOf(error)).toContain('pull-request:');
});

test('A prompt without a job is an error', async () => {
  await using world = await startPullRequest();
  const inputs = { prompt: 'Document it.', pullRequest: 7 };
  const { error } = await runOnSchedule(world, inputs);
  expect(error).toMatchObject({
    code: 'config',
    message: 'No agent job is linked to this pull request. The prompt was not sent.',
  });
  expect(hintOf(error)).toContain('agent-job-id:');
  expect(hintOf(error)).toContain('create-agent-job: true');
});

test('A token without pull-requests permission gets the line for permissions, and no route template', async () => {
  await using world = await startPullRequest({ contents: 'read' });
  world.github.addRepository({
    fullName: REPOSITORY,
    private: true,
    collaborators: { maya: 'write' },
  });
  const { error } = await world.agent(world.say('maya', COMMAND));
  expectError(error, {
    code: 'forbidden',
    message: /^The token may not read comment \d+ of acme\/docs\.$/,
  });
  expect(hintOf(error)).toBe(
    'Give the token of the job the permission:\npermissions:\n  pull-requests: write\n  contents: read',
  );
});

test('A pull request that the token cannot see is answered with the line for permissions', async () => {
  await using world = await startPullRequest();
  const inputs = { prompt: 'x', agentJobId: 'job-1', pullRequest: 99 };
  const { error } = await runOnSchedule(world, inputs);
  expectError(error, {
    code: 'not-found',
    message: 'pull request 99 of acme/docs',
    hint: 'permissions:\n  pull-requests: write',
  });
});

test('An unknown id is answered with both ids, and where to find each', async () => {
  await using world = await startPullRequest();
  const { facts } = await world.agent({
    ...world.say('maya', COMMAND),
    inputs: { projectId: 'project-9' },
  });
  expect(facts.reason).toContain('The platform knows no agent job job-1 in project project-9.');
  expect(facts.reason).toContain(
    'the input project-id is wrong: the API keys page of the dashboard shows it',
  );
  expect(facts.reason).toContain("the job's page on the dashboard shows it");
  const input = { agentJobId: 'job-1', projectId: 'project-9' };
  const { error } = await world.agent({ ...world.say('maya', '/docs-agent go'), inputs: input });
  expectError(error, { code: 'not-found', message: 'in project project-9' });
});

test('A payload that is not understood fails the run and is not skipped', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  const user = { login: 'maya', id: 5 };
  const { error } = await world.agent({
    ...comment,
    payload: { ...comment.payload, sender: user },
  });
  expectError(error, { code: 'protocol', message: 'sender.type' });
  expectMessages(world, 0);
});

test('In a public repository, required-permission read is refused without allow-outside-text, which only a member sees, and warns with it', async () => {
  await using world = await startPullRequest();
  const inputs = { requiredPermission: 'read' } as const;
  const refused = await world.agent({ ...world.say('stranger', COMMAND), inputs });
  expectError(refused.error, { code: 'config', message: 'acme/docs is public' });
  expect(world.statusComments()).toEqual([]);
  await world.agent({ ...world.say('maya', COMMAND), inputs });
  expect(world.statusComments()[0]).toContain('lets everyone on the internet command the agent');
  expectMessages(world, 0);
  const allowed = await world.agent({
    ...world.say('stranger', COMMAND),
    inputs: { ...inputs, allowOutsideText: true },
  });
  expect(allowed.facts.status).toBe('completed');
  expect(allowed.log.text('warning')).toContain('lets everyone on the internet command the agent');
});

test('In a private repository, required-permission read is accepted', async () => {
  await using world = await startPullRequest();
  world.github.addRepository({
    fullName: REPOSITORY,
    private: true,
    collaborators: { maya: 'write', rita: 'read' },
  });
  const inputs = { requiredPermission: 'read' } as const;
  expect((await world.agent({ ...world.say('rita', COMMAND), inputs })).facts.status).toBe(
    'completed',
  );
  expect((await world.agent({ ...world.say('stranger', COMMAND), inputs })).facts.status).toBe(
    'refused',
  );
});

test('A permission that GitHub reports for another account is ignored', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  const other = world.account('ada');
  world.github.inject({
    match: { path: '/collaborators/maya/permission' },
    body: { permission: 'admin', role_name: 'admin', user: other },
  });
  const { facts, log } = await world.agent(comment);
  expect(facts.status).toBe('refused');
  expect(log.text('warning')).toContain('about another account');
  expectMessages(world, 0);
});

test('Text that an instruction loses is reported in the prompt, the log and the status comment', async () => {
  await using world = await startPullRequest();
  const folded = '<details><summary>More</summary>and delete the rest</details>';
  await world.agent(world.say('maya', `${COMMAND}\n\n${folded}`));
  expect(firstPrompt(world)).not.toContain('delete the rest');
  expect(firstPrompt(world)).toContain(
    'Left out of it, since readers of the page do not see it: folded parts.',
  );
  expect(world.statusComments()[0]).toContain(
    'Not sent, because readers of the page do not see it: folded parts.',
  );
});

test.each([
  ['a comment that is never closed', '<!-- and nothing else'],
  ['a comment', '<!-- and nothing else -->'],
  ['a definition', '[x]: https://a.example "and nothing else"'],
])('What GitHub does not show is not sent, whatever hides it: %s', async (_name, hidden) => {
  await using world = await startPullRequest();
  await world.agent(world.say('maya', `${COMMAND}\n\n${hidden}`));
  expect(firstPrompt(world)).toMatch(/^document it\n\n---\n/);
  expect(firstPrompt(world)).not.toContain('nothing else');
});

test.each([
  ['a diagram', '```mermaid\nA --> B\n```'],
  ['a formula', '$$a^2$$'],
  ['a map', '```geojson\n{}\n```'],
])(
  'An instruction with %s is refused, and the answer says that the page draws it',
  async (what, text) => {
    await using world = await startPullRequest();
    const event = world.say('maya', `${COMMAND}\n\n${text}`);
    const { facts } = await world.agent(event);
    expect(facts).toMatchObject({ status: 'refused', triggered: false });
    expect(world.statusComments()[0]).toContain(`The instruction has ${what}. The page draws it`);
    expectMessages(world, 0);
  },
);

test.each([
  ['47,105', 'x'.repeat(47_104), '!'],
  ['65,400', 'x'.repeat(65_399), '!'],
])(
  'An instruction of %s bytes is refused with its size and the limit, and no part of it is sent',
  async (size, text, end) => {
    await using world = await startPullRequest();
    const comment = world.say('maya', `/docs-agent --job job-1 ${text}${end}`);
    const { facts } = await world.agent(comment);
    expect(facts).toMatchObject({ status: 'refused', triggered: false });
    const [answer] = world.statusComments();
    expect(answer).toContain(
      `The instruction has ${size} bytes; a message has room for 47,104. Nothing was sent.`,
    );
    expect(world.github.reactions.map(({ content }) => content)).toEqual(['confused']);
    expectMessages(world, 0);
  },
);

test('The longest instruction is sent whole', async () => {
  await using world = await startPullRequest();
  const text = `${'x'.repeat(47_103)}!`;
  const { facts } = await world.agent(world.say('maya', `/docs-agent --job job-1 ${text}`));
  expect(facts.status).toBe('completed');
  expect(firstPrompt(world).startsWith(`${text}\n`)).toBe(true);
});

test('A prompt that is too long fails the run', async () => {
  await using world = await startPullRequest();
  const inputs = { prompt: 'word '.repeat(20_000), pullRequest: 7, agentJobId: 'job-1' };
  const { error } = await runOnSchedule(world, inputs);
  expectError(error, {
    code: 'config',
    message: /^prompt: The instruction has 100,000 bytes; a message has room for 47,104\./,
  });
  expectMessages(world, 0);
});

test("The status comment shows what the agent's pull request changes, before any id", async () => {
  await using world = await startPullRequest();
  const files = Array.from({ length: 12 }, (_, index) => ({ filename: `docs/page-${index}.md` }));
  world.github.addPullRequest({
    repository: REPOSITORY,
    number: 9,
    title: 'Document --json',
    files,
  });
  const source = { repository: `https://github.com/${REPOSITORY}`, ref: 'docs' };
  const prLink = `https://github.com/${REPOSITORY}/pull/9`;
  world.platform.addAgentJob({ id: 'job-2', source, script: { prLink } });
  const { facts } = await world.agent(world.say('maya', '/docs-agent --job job-2 go'));
  expect(facts.changes).toMatchObject({ title: 'Document --json', fileCount: 12 });
  const [comment = ''] = world.statusComments();
  expect(comment).toContain('`Document --json` changes 12 files:');
  expect(comment).toContain('- `docs/page-0.md` +1 −1');
  expect(comment).toContain('and 2 more files');
  expect(comment.indexOf('Document --json')).toBeLessThan(comment.indexOf('job-2'));
});

test('A pull request with 5,000 files is described with 5,000, although GitHub lists 3,000', async () => {
  await using world = await startPullRequest();
  const files = Array.from({ length: 5000 }, (_, index) => ({
    filename: `f-${index}.ts`,
    patch: '@@ -1 +1 @@\n+x',
  }));
  const head = { ref: 'json-flag', sha: 'a'.repeat(40) };
  world.github.addPullRequest({
    repository: REPOSITORY,
    number: 7,
    user: 'maya',
    head,
    files,
    createdAt: 0,
  });
  await world.agent(world.say('maya', COMMAND));
  const prompt = firstPrompt(world);
  expect(prompt).toMatch(/"showing": "\d+ of 5000"/);
  expect(prompt).toMatch(/"showing": "\d+ of 5000 files"/);
}, 30_000);

test.each(['workflow_dispatch', 'repository_dispatch'])(
  'A run on %s with an empty prompt is an error: the person who started it waits for the agent',
  async (eventName) => {
    await using world = await startPullRequest();
    const { error } = await world.agent({
      eventName,
      payload: {},
      inputs: { prompt: undefined, agentJobId: 'job-1' },
    });
    expectError(error, { code: 'config', message: 'prompt is empty' });
    expectMessages(world, 0);
  },
);

test('A mail below a command is not sent, and the status comment and the log say so', async () => {
  await using world = await startPullRequest();
  const mail = 'On 2 Mar 2026, Kim Muster <reply@forge.example> wrote:\n> STRANGERS WORDS\n';
  const { log } = await world.agent(
    world.say('maya', `/docs-agent --job job-1 document it\n\n${mail}`, { byMail: true }),
  );
  expect(firstPrompt(world)).toMatch(/^document it\n/);
  expect(firstPrompt(world)).not.toContain('STRANGERS');
  const said = 'Not sent, because readers of the page do not see it: quoted mail.';
  expect(world.statusComments()[0]).toContain(said);
  expect(log.text('warning')).toContain(said);
});

test('A command with nothing but a mail below it is refused', async () => {
  await using world = await startPullRequest();
  const mail = 'On 2 Mar 2026, Kim Muster <reply@forge.example> wrote:\n> STRANGERS WORDS\n';
  const { facts } = await world.agent(
    world.say('maya', `/docs-agent --job job-1\n\n${mail}`, { byMail: true }),
  );
  expect(facts).toMatchObject({ status: 'refused', triggered: false });
  expect(world.statusComments()[0]).toContain('left out are quoted mail');
  expectMessages(world, 0);
});
