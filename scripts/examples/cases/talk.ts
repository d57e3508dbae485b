import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../stage.ts';
import { commit, REPOSITORY, write } from '../workspace.ts';
import { assertGreen, type ExampleCase } from './case.ts';

const PULL = 7;
const JOB = 'job-docs-1';

/** A comment on a pull request, and the event that GitHub sends for it. */
function comment({ github, platform }: Stage, user: string): Record<string, unknown> {
  platform.addAgentJob({
    id: JOB,
    source: { repository: `https://github.com/${REPOSITORY}`, ref: 'docs' },
    status: 'completed',
  });
  github.addPullRequest({
    repository: REPOSITORY,
    number: PULL,
    user: 'maya',
    title: 'Add an option',
    body: 'As asked.',
  });
  const body = `/docs-agent --job ${JOB} describe the new option`;
  const said = github.addComment({
    repository: REPOSITORY,
    number: PULL,
    user,
    body,
    authorAssociation: 'MEMBER',
  });
  const { id, type, login } = github.user(user);
  const account = { login, id, type };
  const at = new Date(said.createdAt).toISOString();
  return {
    action: 'created',
    sender: account,
    issue: {
      number: PULL,
      title: 'Add an option',
      body: 'As asked.',
      state: 'open',
      user: account,
      pull_request: { url: '' },
    },
    comment: {
      id: said.id,
      body,
      user: account,
      html_url: `https://github.com/${REPOSITORY}/pull/${PULL}#issuecomment-${said.id}`,
      author_association: 'MEMBER',
      created_at: at,
      updated_at: at,
    },
  };
}

async function instruct(stage: Stage): Promise<string> {
  const event = comment(stage, 'maya');
  assertGreen(await stage.run({ example: 'docs-agent.yml', eventName: 'issue_comment', event }));
  const { messages } = stage.platform;
  assert.equal(messages.length, 1);
  assert.match(messages[0]?.prompt ?? '', /describe the new option/);
  const status = stage.github.comments.filter(({ user }) => user.login === 'github-actions[bot]');
  assert.equal(status.length, 1);
  assert.match(status[0]?.body ?? '', /completed/i);
  assert.equal(stage.github.reactions[0]?.content, 'eyes');
  // The same event again: the claim in the status comment still applies.
  assertGreen(await stage.run({ example: 'docs-agent.yml', eventName: 'issue_comment', event }));
  assert.equal(stage.platform.messages.length, 1);
  return 'one message, also after a second run; status comment final; reaction on the command';
}

/** The pull request is merged and reported twice; then an open one gets the label. */
async function onMerge({ github, platform, run }: Stage): Promise<string> {
  const seed = {
    repository: REPOSITORY,
    user: 'maya',
    files: [{ filename: 'src/cli.ts', patch: '@@ -1 +1 @@\n+x' }],
  };
  github.setFile(
    REPOSITORY,
    '.github/docs-agent.md',
    'Document {{pull_request.title}} for users.\n',
  );
  github.addPullRequest({
    ...seed,
    number: PULL,
    title: 'Add an option',
    state: 'closed',
    merged: true,
  });
  github.addPullRequest({ ...seed, number: PULL + 1, title: 'Add a flag' });
  const { id, type, login } = github.user('maya');
  const sender = { id, type, login };
  const example = { example: 'docs-agent-on-merge.yml', eventName: 'pull_request_target' };
  const merged = { action: 'closed', sender, pull_request: { number: PULL, merged: true } };
  assertGreen(await run({ ...example, event: merged }));
  assert.match(github.comments[0]?.body ?? '', /The docs agent has finished/);
  // The instruction creates a job; the data of the pull request follows.
  assert.equal(platform.messages.length, 2);
  assertGreen(await run({ ...example, event: merged }));
  assert.equal(github.comments.length, 1);
  assert.equal(platform.messages.length, 2);
  const pull = { number: PULL + 1, merged: false };
  github.addLabel({ repository: REPOSITORY, number: PULL + 1, label: 'docs', actor: 'maya' });
  assertGreen(
    await run({
      ...example,
      event: { action: 'labeled', label: { name: 'docs' }, sender, pull_request: pull },
    }),
  );
  assert.equal(platform.messages.length, 4);
  assert.match(platform.messages[3]?.prompt ?? '', /"\{\{pull_request\.title\}\}": "Add a flag"/);
  return 'one message for a merge that is reported twice, one for the label';
}

async function onDispatch({ github, platform, run }: Stage): Promise<string> {
  github.addPullRequest({
    repository: REPOSITORY,
    number: PULL,
    user: 'maya',
    title: 'Add an option',
  });
  const inputs = { 'pull-request': String(PULL), prompt: 'Describe the new option.' };
  assertGreen(
    await run({
      example: 'docs-agent-on-dispatch.yml',
      eventName: 'workflow_dispatch',
      event: { inputs },
    }),
  );
  assert.match(platform.messages[0]?.prompt ?? '', /^Describe the new option\./);
  assert.equal(github.comments.length, 1);
  return 'the text of the form reached the agent; status comment on the pull request';
}

async function refuse(stage: Stage): Promise<string> {
  stage.github.user('rita');
  const run = await stage.run({
    example: 'docs-agent.yml',
    eventName: 'issue_comment',
    event: comment(stage, 'rita'),
  });
  assertGreen(run);
  assert.equal(stage.platform.messages.length, 0);
  return 'a person without write permission: nothing sent, the run stays green';
}

/** One search, which succeeds once the index contains the published content. */
async function ask({ platform }: Stage): Promise<void> {
  const reply = await fetch(`${platform.url}/discovery/v1/search/acme`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${platform.keys.assistant}`,
      'content-type': 'application/json',
    },
    body: '{"query":"refresh"}',
  });
  await reply.arrayBuffer();
  assert.equal(reply.status, 200);
}

async function search(stage: Stage): Promise<string> {
  const { platform, repository, folder } = stage;
  // A new page, and an index that is one round of queries older, as after a publish.
  const page = join(repository, 'docs/how-to/refresh-on-a-schedule.md');
  const text = readFileSync(page, 'utf8');
  rmSync(page);
  platform.publish('acme');
  await ask(stage);
  writeFileSync(page, text);
  platform.behaviour.searchLag = { searches: 7 };
  platform.publish('acme');
  const run = await stage.run({ example: 'search-after-publish.yml', eventName: 'push' });
  assertGreen(run);
  assert.match(run.log, /asking again/);
  assert.equal(readdirSync(join(folder, 'artifacts/search-report')).length, 1);
  assert.match(run.outputs.get('search')?.['report'] ?? '', /"failedCount": 0/);
  return 'waited for the index, then all queries passed; report kept';
}

async function compare(stage: Stage): Promise<string> {
  const schedule = {
    example: 'compare-search.yml',
    eventName: 'schedule',
    event: { repository: { default_branch: 'main' } },
  };
  assertGreen(await stage.run(schedule));
  const second = await stage.run(schedule);
  assertGreen(second);
  assert.match(second.log, /Compared with the earlier run: 0 better, 0 worse/);
  const queries = join(stage.repository, 'docs-queries.yml');
  const good = readFileSync(queries, 'utf8');

  write(
    queries,
    `${good}  - query: a page that is not published yet\n    expect: {paths: [/no-such-page]}\n`,
  );
  commit(stage.repository);
  const event = {
    action: 'opened',
    number: 7,
    pull_request: { number: 7 },
    repository: { default_branch: 'main' },
  };
  const change = { example: 'compare-search.yml', eventName: 'pull_request', event };
  stage.github.addPullRequest({
    repository: REPOSITORY,
    number: PULL,
    user: 'maya',
    title: 'Add a query',
    body: '',
  });
  const added = await stage.run(change);
  assertGreen(added);
  assert.match(added.log, /1 new \(1 of them missed\)/);
  assertComment(
    stage,
    /1 new miss\.\n[\s\S]*\| a page that is not published yet \| new \| miss \| 1\. `/,
  );

  write(queries, good.replace(/paths: \[.*\]/, 'paths: [/no-such-page]'));
  commit(stage.repository);
  const worse = await stage.run(change);
  assert.equal(worse.ok, false);
  assert.match(worse.log, /1 of \d+ queries got worse since the earlier run/);
  assertComment(
    stage,
    /❌ 1 of \d+ queries got worse since the earlier run\.\n[\s\S]*\| pass, rank \d \| miss \| 1\. `/,
  );

  write(queries, good);
  commit(stage.repository);
  assertGreen(await stage.run(change));
  assertComment(stage, /0 better, 0 worse, 0 new misses\.\n\n✅ Fixed: the check passes again\./);
  return 'a run for main is the baseline; a new query that misses passes, one that got worse does not; one comment shows it';
}

/** The pull request has one comment with this text. */
function assertComment({ github }: Stage, text: RegExp): void {
  assert.equal(github.comments.length, 1);
  assert.match(github.comments[0]?.body ?? '', text);
}

const MISS = `queries:
  - query: refresh the link on a schedule
    expect:
      paths: [/no-such-page]
`;

async function searchMiss(stage: Stage): Promise<string> {
  write(join(stage.repository, 'docs-queries.yml'), MISS);
  commit(stage.repository);
  const schedule = { example: 'compare-search.yml', eventName: 'schedule' };
  // A run in which a query could not be run is not a baseline.
  stage.platform.inject({
    match: { path: '/search/', times: 1 },
    status: 400,
    body: { error: 'no' },
  });
  assert.equal((await stage.run(schedule)).ok, false);
  const run = await stage.run(schedule);
  assert.equal(run.ok, false);
  assert.match(run.log, /so nothing is compared/);
  const errors = run.annotations.filter(
    ({ level, message }) => level === 'error' && /no-such-page/.test(message),
  );
  assert.equal(errors.length, 1, JSON.stringify(run.annotations));
  const second = await stage.run(schedule);
  assertGreen(second);
  assert.match(second.log, /0 better, 0 worse, 1 the same/);
  return 'the miss is annotated and the run is red, and is the baseline of the next one';
}

export const talkCases: readonly ExampleCase[] = [
  { example: 'docs-agent.yml', when: 'a maintainer', run: instruct },
  { example: 'docs-agent.yml', when: 'a reader', run: refuse },
  { example: 'docs-agent-on-merge.yml', run: onMerge },
  { example: 'docs-agent-on-dispatch.yml', run: onDispatch },
  { example: 'search-after-publish.yml', run: search },
  { example: 'compare-search.yml', when: 'twice', run: compare },
  { example: 'compare-search.yml', when: 'a page is missed', run: searchMiss },
];
