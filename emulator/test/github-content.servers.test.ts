import { getOctokit } from '@actions/github';
import { describe, expect, test } from 'vitest';
import { type GitHubEmulator, startGitHubEmulator } from '../src/github/emulator.ts';

const REPOSITORY = 'acme/docs';
const PLACE = { owner: 'acme', repo: 'docs' };
const BOT = 'acme-docs[bot]';
const FIRST = `1${'a'.repeat(39)}`;
const SECOND = `2${'b'.repeat(39)}`;
const THIRD = `3${'c'.repeat(39)}`;
const NOON = Date.parse('2026-11-23T12:00:00Z');

async function start() {
  const read = 'read';
  const permissions = {
    contents: read,
    deployments: read,
    actions: read,
    pull_requests: read,
  } as const;
  const github = await startGitHubEmulator({
    clock: { now: () => NOON },
    tokens: {
      reader: { kind: 'app', permissions },
      settings: { kind: 'app', permissions: { environments: 'write' } },
    },
    repositories: [{ fullName: REPOSITORY, environments: ['Production'] }],
  });
  const { request } = getOctokit('reader', { baseUrl: github.url });
  return { github, request, [Symbol.asyncDispose]: () => github.close() };
}

function addHistory(github: GitHubEmulator): void {
  github.addCommit({
    repository: REPOSITORY,
    sha: FIRST,
    files: [{ filename: 'README.md', status: 'added' }],
  });
  github.addCommit({ repository: REPOSITORY, sha: SECOND, files: [{ filename: 'docs/index.md' }] });
  github.addCommit({
    repository: REPOSITORY,
    sha: THIRD,
    files: [
      { filename: 'docs/index.md', additions: 3 },
      { filename: 'docs/new.mdx', previousFilename: 'docs/old.mdx', status: 'renamed' },
    ],
  });
}

test('Deployments are listed newest first; a preview is transient, and the commit may be any text', async () => {
  await using world = await start();
  const { github, request } = world;
  const seed = { repository: REPOSITORY, creator: BOT };
  github.addDeployment({ ...seed, sha: 'newest', ref: 'refs/heads/main' });
  github.addDeployment({ ...seed, sha: FIRST, environment: 'preview', isTransient: true });
  const { data } = await request('GET /repos/{owner}/{repo}/deployments', PLACE);
  expect(data).toMatchObject([
    { environment: 'preview', transient_environment: true, production_environment: false },
    {
      environment: 'production',
      transient_environment: false,
      production_environment: true,
      sha: 'newest',
    },
  ]);
});

describe('commits of the emulated GitHub', () => {
  test('A comparison shows the files that the commits in between change, and takes abbreviated commits and branches', async () => {
    await using world = await start();
    const { github, request } = world;
    addHistory(github);
    const compare = async (basehead: string, query: object = {}) =>
      (
        await request('GET /repos/{owner}/{repo}/compare/{basehead}', {
          ...PLACE,
          basehead,
          ...query,
        })
      ).data;
    for (const basehead of [
      `${FIRST}...${THIRD}`,
      `${FIRST.slice(0, 7)}...main`,
      '1aaa...refs/heads/main',
    ]) {
      const { status, files = [], commits, base_commit } = await compare(basehead);
      expect([status, base_commit.sha, commits.map(({ sha }) => sha)]).toEqual([
        'ahead',
        FIRST,
        [SECOND, THIRD],
      ]);
      expect(files).toMatchObject([
        { filename: 'docs/index.md', status: 'modified', additions: 3, sha: THIRD },
        { filename: 'docs/new.mdx', status: 'renamed', previous_filename: 'docs/old.mdx' },
      ]);
    }
    expect(await compare(`${THIRD}...${FIRST}`)).toMatchObject({ status: 'behind', files: [] });
    const page = await compare(`${FIRST}...${THIRD}`, { per_page: 1, page: 2 });
    expect([page.commits.map(({ sha }) => sha), page.files]).toEqual([[THIRD], undefined]);
  });

  test('Digits that two commits begin with name neither of them', async () => {
    await using world = await start();
    const { github, request } = world;
    addHistory(github);
    github.addCommit({ repository: REPOSITORY, sha: `1aaa${'d'.repeat(36)}` });
    const compare = (basehead: string) =>
      request('GET /repos/{owner}/{repo}/compare/{basehead}', { ...PLACE, basehead });
    await expect(compare(`1aaa...${THIRD}`)).rejects.toMatchObject({ status: 404 });
    await expect(compare(`1aa...${THIRD}`)).rejects.toMatchObject({ status: 404 });
    expect((await compare(`1aaaa...${THIRD}`)).data.status).toBe('ahead');
  });

  test('A branch has its own newest commit, and a commit shows what it changes', async () => {
    await using world = await start();
    const { github, request } = world;
    addHistory(github);
    github.addCommit({
      repository: REPOSITORY,
      sha: '4'.repeat(40),
      branch: 'topic',
      parent: SECOND,
    });
    const topic = await request('GET /repos/{owner}/{repo}/compare/{basehead}', {
      ...PLACE,
      basehead: 'main...topic',
    });
    expect(topic.data).toMatchObject({ status: 'diverged', ahead_by: 1, behind_by: 1 });
    const { data } = await request('GET /repos/{owner}/{repo}/commits/{ref}', {
      ...PLACE,
      ref: SECOND.slice(0, 10),
    });
    expect(data).toMatchObject({ sha: SECOND, files: [{ filename: 'docs/index.md' }] });
  });
});

describe('other forms of a reply', () => {
  const url = (github: GitHubEmulator, path: string) => `${github.url}/repos/acme/docs${path}`;
  const get = (address: string, headers: Record<string, string>) =>
    fetch(address, { headers: { authorization: 'Bearer reader', ...headers } });

  test('A reply that is the same as before is 304 without content and does not count, until something changes', async () => {
    await using world = await start();
    const { github } = world;
    addHistory(github);
    const address = url(github, '/commits');
    const before = await get(address, {});
    const etag = before.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[0-9a-f]+"$/);
    const same = await get(address, { 'if-none-match': `"other", ${etag}` });
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag]);
    const remaining = (reply: Response) => reply.headers.get('x-ratelimit-remaining');
    expect(remaining(same)).toBe(remaining(before));
    github.addCommit({ repository: REPOSITORY, sha: '4'.repeat(40) });
    const changed = await get(address, { 'if-none-match': etag });
    expect([changed.status, remaining(changed)]).toEqual([
      200,
      String(Number(remaining(before)) - 1),
    ]);
    expect((await get(url(github, '/commits/missing'), { 'if-none-match': etag })).status).toBe(
      404,
    );
  });

  test('A pull request and a comparison are given as a diff if the media type of the request says so', async () => {
    await using world = await start();
    const { github } = world;
    addHistory(github);
    const patch = '@@ -1 +1 @@\n-old\n+new';
    const files = [
      { filename: 'docs/a.md', patch },
      { filename: 'docs/new.md', status: 'renamed', previousFilename: 'docs/old.md', patch },
      { filename: 'docs/added.md', status: 'added', patch: '@@ -0,0 +1 @@\n+new' },
      { filename: 'docs/gone.png', status: 'removed' },
    ] as const;
    const { number } = github.addPullRequest({ repository: REPOSITORY, files });
    for (const accept of [
      'application/vnd.github.diff',
      'application/json;q=0.5, application/vnd.github.v3.diff',
    ]) {
      const reply = await get(url(github, `/pulls/${number}`), { accept });
      expect(reply.headers.get('content-type')).toBe('application/vnd.github.diff; charset=utf-8');
      expect(await reply.text()).toBe(`diff --git a/docs/a.md b/docs/a.md
--- a/docs/a.md
+++ b/docs/a.md
@@ -1 +1 @@
-old
+new
diff --git a/docs/old.md b/docs/new.md
rename from docs/old.md
rename to docs/new.md
--- a/docs/old.md
+++ b/docs/new.md
@@ -1 +1 @@
-old
+new
diff --git a/docs/added.md b/docs/added.md
new file mode 100644
--- /dev/null
+++ b/docs/added.md
@@ -0,0 +1 @@
+new
diff --git a/docs/gone.png b/docs/gone.png
deleted file mode 100644
Binary files a/docs/gone.png and /dev/null differ
`);
    }
    const comparison = await get(url(github, '/compare/1aaa...main'), {
      accept: 'application/vnd.github.diff',
    });
    expect(await comparison.text()).toContain('diff --git a/docs/old.mdx b/docs/new.mdx\n');
  });

  test('A diff of more than 300 files is refused', async () => {
    await using world = await start();
    const files = Array.from({ length: 301 }, (_, index) => ({ filename: `${index}.md` }));
    const { number } = world.github.addPullRequest({ repository: REPOSITORY, files });
    const reply = await get(url(world.github, `/pulls/${number}`), {
      accept: 'application/vnd.github.diff',
    });
    expect([reply.status, await reply.json()]).toMatchObject([
      406,
      { errors: [{ code: 'too_large' }] },
    ]);
  });
});

test('An environment is found whatever the case of its name, by a token with the permission Actions', async () => {
  await using world = await start();
  const read = (token: string, name: string) =>
    getOctokit(token, { baseUrl: world.github.url }).request(
      'GET /repos/{owner}/{repo}/environments/{environment_name}',
      { ...PLACE, environment_name: name },
    );
  expect((await read('reader', 'production')).data.name).toBe('Production');
  await expect(read('reader', 'staging')).rejects.toMatchObject({ status: 404 });
  await expect(read('settings', 'production')).rejects.toMatchObject({ status: 403 });
});
