import { expect, test } from 'vitest';
import { RANK_TOKEN, startEmulatedAgentSite } from '../support/agent-sites/gitea-emulated.ts';

const COMMAND = '/docs-agent --job job-1 document it';

async function start() {
  const site = await startEmulatedAgentSite();
  site.platform.addAgentJob({
    id: 'job-1',
    source: { repository: site.repositoryUrl, ref: null },
    script: { prLink: null },
  });
  return site;
}

test("Without an administrator's token the run fails, says how to make one, and does not refuse the person", async () => {
  await using site = await start();
  const event = await site.say('writer', COMMAND);
  const { error } = await site.run(event, { inputs: { rankToken: undefined } });
  expect(error).toMatchObject({ code: 'forbidden' });
  expect(error?.hint).toContain('secret-token is missing');
  const unknown = await site.run(event, { inputs: { rankToken: 'f'.repeat(40) } });
  expect(unknown.error).toMatchObject({ code: 'forbidden' });
  expect(unknown.error?.hint).toContain('must be an administrator');
  expect(site.platform.requests).toEqual([]);
  const comments = await site.statusComments();
  expect(comments).toHaveLength(1);
  expect(comments[0]).toContain('must be an administrator');
});

test('A "not found" for a repository that the token cannot see is not a "no permission"', async () => {
  await using site = await start();
  const event = await site.say('writer', COMMAND);
  for (const path of [/\/permission$/, /\/repos\/ada\/app$/])
    site.gitea.inject({ match: { path, times: 9 }, status: 404, body: { message: 'not found' } });
  const { error } = await site.run(event);
  expect(error).toMatchObject({ code: 'forbidden' });
  expect(error?.message).toContain('could not be looked up');
});

test('A deleted account, or a reply about another account, has no permission', async () => {
  await using site = await start();
  const event = await site.say('writer', COMMAND);
  const user = { id: 4711, login: 'bob' };
  site.gitea.inject({ match: { path: '/permission' }, status: 404, body: { message: 'user does not exist' } });
  expect((await site.run(event)).facts).toMatchObject({ status: 'refused' });
  site.gitea.inject({ match: { path: '/permission' }, body: { permission: 'owner', role_name: 'owner', user } });
  const { facts, log } = await site.run(event);
  expect(facts).toMatchObject({ status: 'refused' });
  expect(log.text('warning')).toContain('is about another account');
  expect(site.platform.messages).toEqual([]);
});

test('The token that looks up permissions is used for nothing else', async () => {
  await using site = await start();
  await site.run(await site.say('writer', COMMAND));
  const asked = site.gitea.requests.filter(({ token }) => token === RANK_TOKEN).map(({ path }) => path);
  expect(asked).toEqual(['/api/v1/repos/ada/app/collaborators/bob/permission']);
});

test('An incomplete list of comments ends the run, because a record could be missing', async () => {
  await using site = await start();
  const event = await site.say('writer', COMMAND);
  site.gitea.inject({
    match: { path: /\/issues\/1\/comments$/ },
    status: 200,
    headers: { 'x-total-count': '2' },
    body: [],
  });
  const { error } = await site.run(event);
  expect(error).toMatchObject({ code: 'protocol' });
  expect(site.platform.messages).toEqual([]);
});

test('For a diff that is too large, the prompt lists the names of the files', async () => {
  await using site = await start();
  const event = await site.say('writer', COMMAND);
  site.gitea.inject({ match: { path: '/pulls/1.diff' }, status: 200, body: 'x'.repeat(9 * 1024 * 1024) });
  const { facts, log } = await site.run(event);
  expect(facts.status).toBe('completed');
  expect(log.text('warning')).toContain('too large');
  expect(site.platform.messages[0]?.prompt).toContain('docs/page.md');
  expect(site.platform.messages[0]?.prompt).not.toContain('+# A page');
});

test('A push while files and diff are read is refused, even if the head is the same again afterwards', async () => {
  await using site = await start();
  const event = await site.say('writer', COMMAND);
  const state = site.gitea.conversations;
  const pull = state.pull('ada/app', 1);
  if (pull === undefined) throw new Error('no pull request');
  const head = pull.head.sha;
  // The head moves away and back while the diff is read, between the two reads of the timeline around it.
  site.gitea.inject({ match: { path: '/pulls/1.diff' }, delayMs: 1000 });
  const running = site.run(event);
  await expect.poll(() => site.gitea.requests.some(({ path }) => path.endsWith('.diff')), { interval: 5 }).toBe(true);
  state.push(pull, 'e'.repeat(40));
  state.push(pull, head);
  const { facts } = await running;
  expect(facts.status).toBe('refused');
  expect(site.platform.messages).toEqual([]);
});

test('Comments on the diff are quoted with their lines', async () => {
  await using site = await start();
  const user = site.gitea.conversations.user('bob');
  const place = { repository: 'ada/app', number: 1, path: 'docs/page.md', line: 1, hunk: '@@ -0,0 +1 @@\n+# A page' };
  site.gitea.conversations.addReviewComment({ ...place, user, body: 'Say more here.' });
  site.clock.advance(2000);
  await site.run(await site.say('owner', COMMAND));
  const prompt = site.platform.messages[0]?.prompt ?? '';
  expect(prompt.indexOf('Say more here.')).toBeGreaterThan(prompt.indexOf('BEGIN DATA'));
});

test('A token without the scope to read its own account fails before anything is sent', async () => {
  await using site = await start();
  const event = await site.say('writer', COMMAND);
  site.gitea.inject({ match: { path: /\/user$/, times: 9 }, status: 403, body: { message: 'scope' } });
  const { error } = await site.run(event);
  expect(error).toMatchObject({ code: 'forbidden', message: expect.stringContaining('which account it belongs to') });
  expect(site.platform.messages).toEqual([]);
});

test('A later attempt sends if the earlier one failed before its reaction, and not if that is unknown', async () => {
  await using site = await start();
  const task = { repository: 'ada/app', runId: '900', runNumber: 900, name: 'instruct' };
  const again = { run: { runId: '900', runAttempt: 2 }, runNumber: '900' };
  site.gitea.conversations.addTask({ ...task, status: 'failure' });
  site.gitea.conversations.addTask({ ...task, status: 'running' });
  const first = await site.say('writer', COMMAND);
  expect((await site.start(first, again)).facts).toMatchObject({ status: 'completed', triggered: true });
  const second = await site.say('writer', COMMAND);
  const other = { run: { runId: '901', runAttempt: 2 }, runNumber: '901' };
  const { facts } = await site.start(second, other);
  expect(facts.status).toBe('skipped');
  expect(facts.reason).toContain('may have been sent by attempt 1');
  expect(site.platform.messages).toHaveLength(1);
});
