import { getOctokit } from '@actions/github';
import sodium from 'libsodium-wrappers';
import { describe, expect, test } from 'vitest';
import { type GitHubEmulatorOptions, startGitHubEmulator } from '../src/github/emulator.ts';
import { primaryRateLimit } from '../src/github/faults.ts';

const REPOSITORY = { owner: 'acme', repo: 'docs' };

const options: GitHubEmulatorOptions = {
  tokens: {
    'app-token': {
      kind: 'app',
      permissions: {
        secrets: 'write',
        actions_variables: 'write',
        environments: 'write',
        organization_secrets: 'write',
        organization_actions_variables: 'write',
      },
    },
    'workflow-token': {
      kind: 'workflow',
      permissions: { pull_requests: 'write', checks: 'read', secrets: 'write' },
    },
    'blind-token': { kind: 'pat', login: 'dev', permissions: {}, repositories: ['acme/other'] },
  },
  organizations: ['acme'],
  repositories: [
    {
      fullName: 'acme/docs',
      id: 77,
      environments: ['production/eu'],
      collaborators: {
        writer: 'write',
        triager: 'triage',
        custom: { permission: 'read', role_name: 'Docs editor' },
      },
    },
    { fullName: 'acme/other', id: 78 },
    { fullName: 'acme/open', private: false },
  ],
  users: ['stranger'],
};

async function seal(value: string, key: string): Promise<string> {
  await sodium.ready;
  const box = sodium.crypto_box_seal(
    value,
    sodium.from_base64(key, sodium.base64_variants.ORIGINAL),
  );
  return sodium.to_base64(box, sodium.base64_variants.ORIGINAL);
}

function statusOf(call: Promise<unknown>): Promise<number> {
  return call.then(
    () => 0,
    (error: { status: number }) => error.status,
  );
}

describe('secrets and variables', () => {
  const scopes = [
    { base: '/repos/acme/docs/actions', scope: { scope: 'repository', repository: 'acme/docs' } },
    {
      base: '/repos/acme/docs/environments/production%2Feu',
      scope: { scope: 'environment', repository: 'acme/docs', environment: 'production/eu' },
    },
    { base: '/orgs/acme/actions', scope: { scope: 'organization', organization: 'acme' } },
  ] as const;

  test.each(scopes)('A sealed secret is opened and stored at $base', async ({ base, scope }) => {
    await using github = await startGitHubEmulator(options);
    const { request } = getOctokit('app-token', { baseUrl: github.url });
    const { data: key } = await request(`GET ${base}/secrets/public-key`);
    const body = {
      encrypted_value: await seal('https://example.com/?a=1', key.key),
      key_id: key.key_id,
      visibility: 'selected',
      selected_repository_ids: [78],
    };
    const created = await request(`PUT ${base}/secrets/LINK`, body);
    const updated = await request(`PUT ${base}/secrets/LINK`, body);
    expect([created.status, updated.status]).toEqual([201, 204]);
    expect(github.secret(scope, 'link')?.value).toBe('https://example.com/?a=1');

    const { data: shown } = await request(`GET ${base}/secrets/LINK`);
    expect(Date.parse(shown.updated_at)).toBeGreaterThan(Date.now() - 5000);
    expect(shown).not.toHaveProperty('value');
    const { data: all } = await request(`GET ${base}/secrets`);
    expect(all).toMatchObject({ total_count: 1, secrets: [{ name: 'LINK' }] });
  });

  test.each(scopes)(
    'A variable is created once and then changed at $base',
    async ({ base, scope }) => {
      await using github = await startGitHubEmulator(options);
      const { request } = getOctokit('app-token', { baseUrl: github.url });
      expect(await statusOf(request(`GET ${base}/variables/STATE`))).toBe(404);
      expect(await statusOf(request(`PATCH ${base}/variables/STATE`, { value: 'early' }))).toBe(
        404,
      );
      const body = { name: 'STATE', value: 'one', visibility: 'private' };
      expect((await request(`POST ${base}/variables`, body)).status).toBe(201);
      expect(await statusOf(request(`POST ${base}/variables`, body))).toBe(409);
      expect((await request(`PATCH ${base}/variables/STATE`, { value: 'two' })).status).toBe(204);
      expect((await request(`GET ${base}/variables/STATE`)).data).toMatchObject({
        name: 'STATE',
        value: 'two',
      });
      expect(github.variable(scope, 'STATE')?.value).toBe('two');
    },
  );

  test('Repositories of an organization secret are listed in pages', async () => {
    await using github = await startGitHubEmulator(options);
    const octokit = getOctokit('app-token', { baseUrl: `${github.url}/api/v3` });
    github.setSecret(
      { scope: 'organization', organization: 'acme' },
      { name: 'LINK', value: 'x', visibility: 'selected', selectedRepositoryIds: [77, 78] },
    );
    const { data: secret } = await octokit.request('GET /orgs/acme/actions/secrets/LINK');
    expect(secret.visibility).toBe('selected');
    const names = await octokit.paginate(
      'GET /orgs/{org}/actions/secrets/{secret_name}/repositories',
      {
        org: 'acme',
        secret_name: 'LINK',
        per_page: 1,
      },
    );
    expect(names.map((one) => one.full_name)).toEqual(['acme/docs', 'acme/other']);
    expect(github.requests.map((one) => one.query.page)).toEqual([undefined, undefined, '2']);
    expect(github.requests.map((one) => one.path)).not.toContain(
      '/api/v3/orgs/acme/actions/secrets/LINK',
    );
  });

  test('A new secret over the limit gets 422, an existing one can still be changed', async () => {
    await using github = await startGitHubEmulator(options);
    github.addRepository({ fullName: 'acme/full', secretLimit: 1 });
    const { request } = getOctokit('app-token', { baseUrl: github.url });
    const { data: key } = await request('GET /repos/acme/full/actions/secrets/public-key');
    const body = { encrypted_value: await seal('v', key.key), key_id: key.key_id };
    const put = (name: string) =>
      statusOf(request(`PUT /repos/acme/full/actions/secrets/${name}`, body));
    expect([await put('ONE'), await put('TWO'), await put('ONE')]).toEqual([0, 422, 0]);
  });

  test('A secret that is sealed for an earlier key gets 422', async () => {
    await using github = await startGitHubEmulator(options);
    const { request } = getOctokit('app-token', { baseUrl: github.url });
    const { data: key } = await request('GET /repos/acme/docs/actions/secrets/public-key');
    github.rotateKey();
    const body = { encrypted_value: await seal('v', key.key), key_id: key.key_id };
    const put = request('PUT /repos/acme/docs/actions/secrets/LINK', body);
    await expect(put).rejects.toMatchObject({
      status: 422,
      response: { data: { errors: [{ field: 'key_id' }] } },
    });
  });

  test.each([
    ['workflow-token', '/repos/acme/docs/actions/secrets/public-key', 403],
    ['unknown-token', '/repos/acme/docs/actions/secrets/public-key', 401],
    ['blind-token', '/repos/acme/docs/actions/secrets/public-key', 404],
    ['app-token', '/repos/acme/docs/environments/missing/secrets/public-key', 404],
    ['app-token', '/user', 403],
    ['blind-token', '/user', 0],
  ])('A request with %s to %s gets status %i (0: success)', async (token, path, status) => {
    await using github = await startGitHubEmulator(options);
    const { request } = getOctokit(token, { baseUrl: github.url });
    expect(await statusOf(request(`GET ${path}`))).toBe(status);
  });
});

describe('pull requests', () => {
  async function startWithPull() {
    const github = await startGitHubEmulator(options);
    github.addPullRequest({
      repository: 'acme/docs',
      number: 7,
      head: { sha: 'a'.repeat(40) },
      files: Array.from({ length: 3100 }, (_, index) => ({ filename: `page-${index}.md` })),
    });
    return { github, octokit: getOctokit('workflow-token', { baseUrl: github.url }) };
  }

  test('The files of a pull request end at 3,000, and its comments are listed oldest first in pages', async () => {
    const { github, octokit } = await startWithPull();
    await using _ = github;
    const files = await octokit.paginate(octokit.rest.pulls.listFiles, {
      ...REPOSITORY,
      pull_number: 7,
      per_page: 100,
    });
    expect(files).toHaveLength(3000);
    for (const minute of [3, 1, 2]) {
      const createdAt = `2026-01-01T00:0${minute}:00Z`;
      github.addComment({
        repository: 'acme/docs',
        number: 7,
        user: 'writer',
        body: `at ${minute}`,
        createdAt,
      });
    }
    const comments = await octokit.paginate(octokit.rest.issues.listComments, {
      ...REPOSITORY,
      issue_number: 7,
      per_page: 2,
    });
    expect(comments.map((one) => one.body)).toEqual(['at 1', 'at 2', 'at 3']);
  });

  test('A comment can be created, changed, reacted to and deleted', async () => {
    const { github, octokit } = await startWithPull();
    await using _ = github;
    const { data: comment } = await octokit.rest.issues.createComment({
      ...REPOSITORY,
      issue_number: 7,
      body: 'hi',
    });
    expect(comment.user).toMatchObject({ login: 'github-actions[bot]', type: 'Bot', id: 41898282 });
    await octokit.rest.issues.updateComment({
      ...REPOSITORY,
      comment_id: comment.id,
      body: 'done',
    });
    expect(github.comments.map((one) => one.body)).toEqual(['done']);
    const react = () =>
      octokit.rest.reactions.createForIssueComment({
        ...REPOSITORY,
        comment_id: comment.id,
        content: 'eyes',
      });
    expect([(await react()).status, (await react()).status]).toEqual([201, 200]);
    expect(github.reactions).toHaveLength(1);
    await octokit.rest.issues.deleteComment({ ...REPOSITORY, comment_id: comment.id });
    expect(github.comments).toEqual([]);
  });

  test('A comment that is too long for GitHub gets 422', async () => {
    const { github, octokit } = await startWithPull();
    await using _ = github;
    const create = (body: string) =>
      octokit.rest.issues.createComment({ ...REPOSITORY, issue_number: 7, body });
    expect(await statusOf(create('x'.repeat(65_537)))).toBe(422);
    expect(await statusOf(create('x'.repeat(65_536)))).toBe(0);
  });

  test('Labels show who set them', async () => {
    const { github, octokit } = await startWithPull();
    await using _ = github;
    github.addLabel({ repository: 'acme/docs', number: 7, label: 'agent-job:1', actor: 'writer' });
    github.addLabel({
      repository: 'acme/docs',
      number: 7,
      label: 'agent-job:1',
      actor: null,
      event: 'unlabeled',
    });
    const { data: events } = await octokit.rest.issues.listEvents({
      ...REPOSITORY,
      issue_number: 7,
    });
    expect(events.map((one) => [one.event, one.actor?.login])).toEqual([
      ['labeled', 'writer'],
      ['unlabeled', undefined],
    ]);
  });

  test.each([
    ['writer', { permission: 'write', role_name: 'write' }],
    ['triager', { permission: 'read', role_name: 'triage' }],
    ['custom', { permission: 'read', role_name: 'Docs editor' }],
    ['stranger', { permission: 'none', role_name: '' }],
  ])('The permission of %s contains the older scale and the role', async (username, expected) => {
    await using github = await startGitHubEmulator(options);
    const octokit = getOctokit('workflow-token', { baseUrl: github.url });
    const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel({
      ...REPOSITORY,
      username,
    });
    expect(data).toMatchObject(expected);
  });

  test('The permission of an unknown person is a 404', async () => {
    await using github = await startGitHubEmulator(options);
    const { request } = getOctokit('workflow-token', { baseUrl: github.url });
    expect(
      await statusOf(request('GET /repos/acme/docs/collaborators/nobody-here/permission')),
    ).toBe(404);
  });
});

describe('branches and deployments', () => {
  test('The head of a pull request is a branch, and so is the default branch', async () => {
    await using github = await startGitHubEmulator(options);
    const { request } = getOctokit('app-token', { baseUrl: github.url });
    github.setToken('app-token', { permissions: { contents: 'read' } });
    const sha = '4'.repeat(40);
    github.addPullRequest({ repository: 'acme/docs', head: { ref: 'docs/new', sha } });
    const read = (branch: string) => request(`GET /repos/acme/docs/git/ref/heads/${branch}`);
    expect((await read('docs/new')).data).toMatchObject({ object: { sha } });
    expect(await statusOf(read('main'))).toBe(0);
    expect(await statusOf(read('gone'))).toBe(404);
  });

  test('Deployments are filtered by commit and environment, and each has its last status', async () => {
    await using github = await startGitHubEmulator(options);
    github.setToken('app-token', { permissions: { deployments: 'read' } });
    const { request } = getOctokit('app-token', { baseUrl: github.url });
    const add = (sha: string, environment: string, state?: 'failure') =>
      github.addDeployment({ repository: 'acme/docs', creator: 'x[bot]', sha, environment, state });
    const [first, second, third] = [
      add('a', 'production'),
      add('a', 'guides', 'failure'),
      add('b', 'guides'),
    ];
    const list = async (query: string) =>
      (await request(`GET /repos/acme/docs/deployments?${query}`)).data.map(
        ({ id }: { id: number }) => id,
      );
    expect(await list('')).toEqual([third.id, second.id, first.id]);
    expect(await list('sha=a')).toEqual([second.id, first.id]);
    expect(await list('sha=a&environment=guides')).toEqual([second.id]);
    const { data } = await request(`GET /repos/acme/docs/deployments/${second.id}/statuses`);
    expect(data).toMatchObject([{ state: 'failure' }]);
  });
});

describe('faults', () => {
  test('A fault applies to the matching request, and to no other', async () => {
    await using github = await startGitHubEmulator(options);
    const { request } = getOctokit('app-token', { baseUrl: github.url });
    github.inject({
      match: { method: 'GET', path: /docs$/, nth: 2 },
      ...primaryRateLimit(Date.now() + 60_000),
    });
    const get = () => statusOf(request('GET /repos/acme/docs'));
    expect([await get(), await get(), await get()]).toEqual([0, 403, 0]);
    expect(github.requests.map((one) => one.status)).toEqual([200, 403, 200]);
  });

  test('A connection that is reset after the effect keeps the effect', async () => {
    await using github = await startGitHubEmulator(options);
    const scope = { scope: 'repository', repository: 'acme/docs' } as const;
    const { request } = getOctokit('app-token', { baseUrl: github.url });
    const create = (name: string) =>
      statusOf(request('POST /repos/acme/docs/actions/variables', { name, value: 'v' }));
    github.inject({ match: { path: '/variables' }, reset: 'before' });
    github.inject({ match: { path: '/variables', nth: 1 }, reset: 'after' });
    expect([await create('BEFORE'), await create('AFTER')]).toEqual([500, 500]);
    expect(github.variable(scope, 'BEFORE')).toBeUndefined();
    expect(github.variable(scope, 'AFTER')?.value).toBe('v');
  });

  test('A truncated body and a raw reply break the client, not the server', async () => {
    await using github = await startGitHubEmulator(options);
    github.inject({ truncateAfterBytes: 5 });
    github.inject({ raw: 'this is not HTTP\r\n\r\n' });
    const get = async () => (await fetch(`${github.url}/repos/acme/docs`, auth)).text();
    const auth = { headers: { authorization: 'Bearer app-token' } };
    await expect(get()).rejects.toThrow();
    await expect(get()).rejects.toThrow();
    await expect(get()).resolves.toContain('"full_name":"acme/docs"');
  });

  test('A reset of the emulator restores the state from the options', async () => {
    await using github = await startGitHubEmulator(options);
    const scope = { scope: 'repository', repository: 'acme/docs' } as const;
    github.setVariable(scope, { name: 'STATE', value: '1' });
    await fetch(github.url);
    github.reset();
    expect(github.variable(scope, 'STATE')).toBeUndefined();
    expect(github.requests).toEqual([]);
    const { request } = getOctokit('app-token', { baseUrl: github.url });
    expect(await statusOf(request('GET /repos/acme/docs'))).toBe(0);
  });
});
