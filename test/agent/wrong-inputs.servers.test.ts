import { expect, test } from 'vitest';
import { runStepInProcess } from '../support/step-in-process.ts';
import { TOKEN } from '../support/world/conversation.ts';
import { startPullRequest } from '../support/world/pull-request.ts';
import type { World } from '../support/world.ts';

type Given = Readonly<Record<string, string>>;

const agentInputs = ({ platform }: World, given: Given = {}) => ({
  mode: 'agent',
  'base-url': platform.url,
  'admin-api-key': platform.keys.admin,
  'github-token': TOKEN,
  'project-id': 'project-1',
  ...given,
});

test.each<[string, Given, string]>([
  ['an empty project-id', { 'project-id': '' }, 'Input project-id: missing or wrong.'],
  ['an empty key', { 'admin-api-key': '' }, 'Input admin-api-key: missing or wrong.'],
  [
    'a key of another service',
    { 'admin-api-key': `ghp_${'a1'.repeat(18)}` },
    'Input admin-api-key: missing or wrong.',
  ],
  [
    'two wrong inputs',
    { 'base-url': 'http://docs.internal.example.com', 'required-permission': 'wriet' },
    'Input base-url, required-permission: missing or wrong.',
  ],
  [
    'an input of another mode',
    { queries: 'x' },
    'An input or the configuration file: missing or wrong.',
  ],
  [
    'a configuration file that is not there',
    { 'config-file': 'docs-courier.yml' },
    'Input config-file: missing or wrong.',
  ],
])(
  'With %s the author of a command gets one answer, and the log has the details',
  async (_what, given, reason) => {
    await using world = await startPullRequest();
    const comment = world.say('maya', '/docs-agent document it');
    for (const attempt of ['1', '2']) {
      const env = { GITHUB_RUN_ATTEMPT: attempt };
      const { exitCode, log } = await runStepInProcess(world, {
        inputs: agentInputs(world, given),
        ...comment,
        env,
      });
      expect(exitCode).toBe(1);
      expect(log.text('error')).toMatch(/: .*not |wrong/);
      expect(log.text('error')).not.toContain('docs/reference');
    }
    const [, answer, ...others] = world.github.comments.map(({ body }) =>
      body.split('\n').slice(1).join('\n'),
    );
    expect(others).toEqual([]);
    expect(answer).toBe(`⚠️ **The instruction was not sent.**

The workflow is not set up correctly. ${reason}

The log of the run says what to correct. After that, write the command in a new comment.

[Log of the run](https://github.com/acme/docs/actions/runs/501/attempts/2)`);
    expect(world.github.reactions.map(({ content }) => content)).toEqual(['confused']);
    expect(world.platform.requests).toEqual([]);
  },
);

test('The answer to a command goes away once the inputs are right and the run is started again', async () => {
  await using world = await startPullRequest({ pull_requests: 'write', actions: 'read' });
  const comment = world.say('maya', '/docs-agent --job job-1 document it');
  await runStepInProcess(world, { inputs: agentInputs(world, { 'project-id': '' }), ...comment });
  const { log } = await runStepInProcess(world, {
    inputs: agentInputs(world),
    ...comment,
    env: { GITHUB_RUN_ID: '502' },
  });
  expect(log.text()).toContain('Status: completed');
  expect(world.platform.messages).toHaveLength(1);
  const [, status, ...others] = world.github.comments.map(({ body }) => body);
  expect(status).toContain('The docs agent has finished');
  expect(others).toEqual([]);
});

test.each<[string, Given, string, string]>([
  ['a stranger', {}, 'stranger', '/docs-agent document it'],
  [
    'a stranger, if the permission that is needed is wrong too',
    { 'required-permission': 'x' },
    'stranger',
    '/docs-agent go',
  ],
  ['a person who writes no command', {}, 'maya', 'Looks good.'],
  ['a dry run', { 'dry-run': 'true' }, 'maya', '/docs-agent document it'],
  ['a run with a prompt', { prompt: 'Document it.' }, 'maya', '/docs-agent document it'],
  ['a run without a token', { 'github-token': '' }, 'maya', '/docs-agent document it'],
])(
  'If the inputs are wrong, %s gets nothing on the pull request',
  async (_who, given, login, body) => {
    await using world = await startPullRequest();
    const inputs = agentInputs(world, { 'project-id': '', ...given });
    const { exitCode } = await runStepInProcess(world, { inputs, ...world.say(login, body) });
    expect(exitCode).toBe(1);
    expect(world.github.comments).toHaveLength(1);
    expect(world.github.reactions).toEqual([]);
  },
);
