import { expect, test } from 'vitest';
import { REPOSITORY } from '../support/world/names.ts';
import { OPENED, startPullRequest } from '../support/world/pull-request.ts';
import type { World } from '../support/world.ts';
import { expectMessages, firstPrompt } from './messages.ts';

const COMMAND = '/docs-agent --job job-1 document it';
const [A, B] = ['a'.repeat(40), 'e'.repeat(40)] as const;
const EVIL = [{ filename: 'evil.md', patch: '@@ -1 +1 @@\n+EVIL' }];

const push = ({ github }: World, sha: string, more: object = {}) =>
  github.push({ repository: REPOSITORY, number: 7, sha, ...more });

/** The pull request comes from a fork whose owner is an outsider. */
function fork({ github }: World, isReadable: boolean): void {
  if (isReadable) github.addRepository({ fullName: 'stranger/docs', private: false });
  github.addPullRequest({
    repository: REPOSITORY,
    number: 7,
    title: 'From a fork',
    user: 'stranger',
    head: { ref: 'topic', sha: A, repository: 'stranger/docs' },
    files: EVIL,
    createdAt: OPENED - 7_200_000,
  });
}

test('A push after the command is refused, even if its commit was the head before', async () => {
  await using world = await startPullRequest();
  // Push something malicious, go back to the harmless commit, wait for the command, push it again.
  push(world, B, { at: OPENED - 3_600_000 });
  push(world, A, { at: OPENED - 1_800_000, type: 'force_push' });
  const comment = world.say('maya', COMMAND);
  push(world, B, { files: EVIL, type: 'force_push' });
  const { facts } = await world.agent(comment);
  expect(facts).toMatchObject({ status: 'refused', triggered: false });
  expect(world.statusComments()[0]).toContain('pushed to after the command');
  expectMessages(world, 0);
});

test('A push before the command is accepted', async () => {
  await using world = await startPullRequest();
  push(world, B);
  const { facts } = await world.agent(world.say('maya', COMMAND));
  expect(facts).toMatchObject({ status: 'completed', commit: B });
});

test('A push in the same second as the command counts as later', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  push(world, B, { at: world.clock.now() - 1000 });
  expect((await world.agent(comment)).facts.status).toBe('refused');
});

test('A push record of another commit is ignored, and a deleted branch does not count as a push', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  world.github.inject({
    match: { path: '/activity' },
    body: [
      {
        activity_type: 'branch_deletion',
        after: '0'.repeat(40),
        timestamp: '2026-01-01T23:00:00Z',
      },
      { activity_type: 'push', after: B, timestamp: '2026-01-01T23:00:00Z' },
    ],
  });
  expect((await world.agent(comment)).facts.status).toBe('completed');
});

test('The last push is found behind a hundred other records of the branch', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  const timestamp = '2026-01-01T23:00:00Z';
  const deletion = { activity_type: 'branch_deletion', after: '0'.repeat(40), timestamp };
  for (const body of [
    Array(100).fill(deletion),
    [{ ...deletion, activity_type: 'push', after: A }],
  ])
    world.github.inject({ match: { path: '/activity' }, body });
  const { facts } = await world.agent(comment);
  expect(facts.reason).toContain('pushed to after the command');
  expectMessages(world, 0);
});

test.each([403, 404])(
  'The pushes are unknown if their list answers %d; an outage is a failure',
  async (status) => {
    await using world = await startPullRequest();
    world.github.inject({ match: { path: '/activity' }, status, body: { message: 'Not here' } });
    expect((await world.agent(world.say('maya', COMMAND))).facts.status).toBe('completed');
    world.github.inject({ match: { path: '/activity', times: 9 }, status: 500 });
    expect((await world.agent(world.say('maya', COMMAND))).error).toMatchObject({
      code: 'network',
    });
    expectMessages(world, 1);
  },
);

test('If the pushes of a fork cannot be read, outside text is refused, and --sha allows the run', async () => {
  await using world = await startPullRequest();
  fork(world, false);
  const inputs = { allowOutsideText: true };
  const refused = await world.agent({
    ...world.say('maya', '/docs-agent --job job-1 the option\n\nis new'),
    inputs,
  });
  expect(refused.facts.status).toBe('refused');
  // The same command, so that it goes to the same job with the same text.
  const again = `/docs-agent --sha ${A} --job job-1 the option\n\nis new`;
  expect(world.statusComments()[0]).toContain(`\n${again}\n\`\`\`\n`);
  expectMessages(world, 0);
  const pinned = await world.agent({ ...world.say('maya', again), inputs });
  expect(pinned.facts.status).toBe('completed');
  expect(firstPrompt(world)).toContain('EVIL');
});

test('If the pushes of a fork can be read, they are checked', async () => {
  await using world = await startPullRequest();
  fork(world, true);
  const inputs = { allowOutsideText: true };
  expect((await world.agent({ ...world.say('maya', COMMAND), inputs })).facts.status).toBe(
    'completed',
  );
  const comment = world.say('maya', COMMAND);
  push(world, B);
  expect((await world.agent({ ...comment, inputs })).facts.status).toBe('refused');
});

test('The value of --sha must be the current head', async () => {
  await using world = await startPullRequest();
  const { facts } = await world.agent(
    world.say('maya', `/docs-agent --sha ${B} --job job-1 document it`),
  );
  expect(facts).toMatchObject({ status: 'refused', triggered: false });
  expect(facts.reason).toContain(`The head of the pull request is ${A}`);
  expectMessages(world, 0);
});

test('Files of a commit other than the pinned one are never sent, even if the head changes back (A, B, A)', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  const contents_url = `https://api.github.com/repos/${REPOSITORY}/contents/evil.md?ref=${B}`;
  const file = {
    filename: 'evil.md',
    status: 'added',
    additions: 1,
    deletions: 0,
    patch: '@@ -0,0 +1 @@\n+EVIL',
  };
  // The list is read while B is the head; before and after that the head is A.
  world.github.inject({ match: { path: '/pulls/7/files' }, body: [{ ...file, contents_url }] });
  const { facts } = await world.agent(comment);
  expect(facts).toMatchObject({ status: 'refused', triggered: false });
  expectMessages(world, 0);
});

test('A pull request with changed files is never sent as one without changes', async () => {
  await using world = await startPullRequest();
  world.github.inject({ match: { path: '/pulls/7/files' }, body: [] });
  expect((await world.agent(world.say('maya', COMMAND))).facts.status).toBe('refused');
  expectMessages(world, 0);
});

test.each(['/pulls/7/files', '/issues/7/comments', '/pulls/7/comments', '/pulls/7', '/permission'])(
  'A malformed or incomplete reply to %s ends the run and sends nothing',
  async (path) => {
    await using world = await startPullRequest();
    const comment = world.say('maya', COMMAND);
    for (const body of ['', '[{"id"', { message: 'half' }, [{}]]) {
      world.github.inject({ match: { path, times: 9 }, status: 200, body });
      const { error, facts } = await world.agent(comment);
      expect(error, JSON.stringify(body)).toBeDefined();
      expect(facts.triggered ?? false).toBe(false);
      world.github.inject({ match: { path, times: 0 } });
    }
    expectMessages(world, 0);
  },
);
