import { expect, test } from 'vitest';
import { openScene, REPOSITORY, type Scene, START, statusComments } from './scene.ts';

const COMMAND = '/docs-agent --job job-1 document it';
const [A, B] = ['a'.repeat(40), 'e'.repeat(40)] as const;
const EVIL = [{ filename: 'evil.md', patch: '@@ -1 +1 @@\n+EVIL' }];

const push = ({ github }: Scene, sha: string, more: object = {}) =>
  github.push({ repository: REPOSITORY, number: 7, sha, ...more });

/** The pull request comes from a fork whose owner is an outsider. */
function fork({ github }: Scene, isReadable: boolean): void {
  if (isReadable) github.addRepository({ fullName: 'stranger/docs', private: false });
  github.addPullRequest({
    repository: REPOSITORY,
    number: 7,
    title: 'From a fork',
    user: 'stranger',
    head: { ref: 'topic', sha: A, repository: 'stranger/docs' },
    files: EVIL,
    createdAt: START - 7_200_000,
  });
}

test('a push after the command is refused, also of a commit that was the head before', async () => {
  await using scene = await openScene();
  // Push evil, go back to what is harmless, wait for the command, push evil again.
  push(scene, B, { at: START - 3_600_000 });
  push(scene, A, { at: START - 1_800_000, type: 'force_push' });
  const comment = scene.say('maya', COMMAND);
  push(scene, B, { files: EVIL, type: 'force_push' });
  const { facts } = await scene.run(comment);
  expect(facts).toMatchObject({ status: 'refused', triggered: false });
  expect(statusComments(scene.github)[0]).toContain('pushed to after the command');
  expect(scene.platform.messages).toEqual([]);
});

test('a push before the command is fine', async () => {
  await using scene = await openScene();
  push(scene, B);
  const { facts } = await scene.run(scene.say('maya', COMMAND));
  expect(facts).toMatchObject({ status: 'completed', commit: B });
});

test('a push in the second of the command counts as later', async () => {
  await using scene = await openScene();
  const comment = scene.say('maya', COMMAND);
  push(scene, B, { at: scene.clock.now() - 1000 });
  expect((await scene.run(comment)).facts.status).toBe('refused');
});

test('a record of another commit says nothing, and a branch that is deleted is no push', async () => {
  await using scene = await openScene();
  const comment = scene.say('maya', COMMAND);
  scene.github.inject({
    match: { path: '/activity' },
    body: [
      { activity_type: 'branch_deletion', after: '0'.repeat(40), timestamp: '2026-01-01T23:00:00Z' },
      { activity_type: 'push', after: B, timestamp: '2026-01-01T23:00:00Z' },
    ],
  });
  expect((await scene.run(comment)).facts.status).toBe('completed');
});

test.each([403, 404])('a record of pushes that is answered %d is unknown; an outage is a failure', async (status) => {
  await using scene = await openScene();
  scene.github.inject({ match: { path: '/activity' }, status, body: { message: 'Not here' } });
  expect((await scene.run(scene.say('maya', COMMAND))).facts.status).toBe('completed');
  scene.github.inject({ match: { path: '/activity', times: 9 }, status: 500 });
  expect((await scene.run(scene.say('maya', COMMAND))).error).toMatchObject({ code: 'network' });
  expect(scene.platform.messages).toHaveLength(1);
});

test('a fork whose pushes cannot be read is refused with outside text, and --sha goes on', async () => {
  await using scene = await openScene();
  fork(scene, false);
  const inputs = { allowOutsideText: true };
  const refused = await scene.run({ ...scene.say('maya', COMMAND), inputs });
  expect(refused.facts.status).toBe('refused');
  expect(statusComments(scene.github)[0]).toContain(`/docs-agent --sha ${A}`);
  expect(scene.platform.messages).toEqual([]);
  const pinned = await scene.run({ ...scene.say('maya', `/docs-agent --sha ${A} --job job-1 document it`), inputs });
  expect(pinned.facts.status).toBe('completed');
  expect(scene.platform.messages[0]?.prompt).toContain('EVIL');
});

test('a fork whose pushes can be read is judged by them', async () => {
  await using scene = await openScene();
  fork(scene, true);
  const inputs = { allowOutsideText: true };
  expect((await scene.run({ ...scene.say('maya', COMMAND), inputs })).facts.status).toBe('completed');
  const comment = scene.say('maya', COMMAND);
  push(scene, B);
  expect((await scene.run({ ...comment, inputs })).facts.status).toBe('refused');
});

test('--sha must be the current head', async () => {
  await using scene = await openScene();
  const { facts } = await scene.run(scene.say('maya', `/docs-agent --sha ${B} --job job-1 document it`));
  expect(facts).toMatchObject({ status: 'refused', triggered: false });
  expect(facts.reason).toContain(`The head of the pull request is ${A}`);
  expect(scene.platform.messages).toEqual([]);
});

test('files of another commit than the pinned one are never sent (A, B, A)', async () => {
  await using scene = await openScene();
  const comment = scene.say('maya', COMMAND);
  const contents_url = `https://api.github.com/repos/${REPOSITORY}/contents/evil.md?ref=${B}`;
  const file = { filename: 'evil.md', status: 'added', additions: 1, deletions: 0, patch: '@@ -0,0 +1 @@\n+EVIL' };
  // The list is read while B is the head; before and after that the head is A.
  scene.github.inject({ match: { path: '/pulls/7/files' }, body: [{ ...file, contents_url }] });
  const { facts } = await scene.run(comment);
  expect(facts).toMatchObject({ status: 'refused', triggered: false });
  expect(scene.platform.messages).toEqual([]);
});

test('a pull request that changes files is never sent as one that changes none', async () => {
  await using scene = await openScene();
  scene.github.inject({ match: { path: '/pulls/7/files' }, body: [] });
  expect((await scene.run(scene.say('maya', COMMAND))).facts.status).toBe('refused');
  expect(scene.platform.messages).toEqual([]);
});

test.each(['/pulls/7/files', '/issues/7/comments', '/pulls/7/comments', '/pulls/7', '/permission'])(
  'a reply to %s that is no JSON, or lacks what is read, ends the run and sends nothing',
  async (path) => {
    await using scene = await openScene();
    const comment = scene.say('maya', COMMAND);
    for (const body of ['', '[{"id"', { message: 'half' }, [{}]]) {
      scene.github.inject({ match: { path, times: 9 }, status: 200, body });
      const { error, facts } = await scene.run(comment);
      expect(error, JSON.stringify(body)).toBeDefined();
      expect(facts.triggered ?? false).toBe(false);
      scene.github.inject({ match: { path, times: 0 } });
    }
    expect(scene.platform.messages).toEqual([]);
  },
);
