import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import sodium from 'libsodium-wrappers';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type GitHubEmulator, startGitHubEmulator } from '../src/github/emulator.ts';

/** What GitHub describes, made by scripts/github-description.ts. */
const FILE = join(import.meta.dirname, '../../test/fixtures/github-openapi.json');
const { operations, $defs } = z
  .object({
    operations: z.record(z.string(), z.record(z.string(), z.unknown())),
    $defs: z.record(z.string(), z.unknown()),
  })
  .parse(JSON.parse(readFileSync(FILE, 'utf8')));
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
// One schema, so that what several replies refer to is compiled once.
ajv.addSchema({ $id: 'github', $defs, replies: operations });

const REPO = '/repos/acme/docs';
const HEAD = 'a'.repeat(40);
const NEXT = 'b'.repeat(40);
const SCOPES = [
  { name: '/repos/*/*', path: REPO },
  { name: '/repos/*/*/environments/*', path: `${REPO}/environments/production` },
  { name: '/orgs/*', path: '/orgs/acme' },
] as const;

/** The operation of the description, its path, and the body. */
type Call = readonly [operation: string, path: string, body?: object];

async function settingCalls(github: GitHubEmulator): Promise<Call[]> {
  await sodium.ready;
  const reply = await ask(github, 'GET', `${REPO}/actions/secrets/public-key`);
  const { key, key_id } = z.object({ key: z.string(), key_id: z.string() }).parse(reply.json);
  const sealed = sodium.crypto_box_seal(
    'value',
    sodium.from_base64(key, sodium.base64_variants.ORIGINAL),
  );
  const selected = { visibility: 'selected', selected_repository_ids: [77] };
  const secret = {
    encrypted_value: sodium.to_base64(sealed, sodium.base64_variants.ORIGINAL),
    key_id,
    ...selected,
  };
  return SCOPES.flatMap(({ name, path }) => {
    const [known, at] = name.includes('environments')
      ? [name, path]
      : [`${name}/actions`, `${path}/actions`];
    const calls: Call[] = [
      [`GET ${known}/secrets/public-key`, `${at}/secrets/public-key`],
      [`PUT ${known}/secrets/*`, `${at}/secrets/LINK`, secret],
      [`PUT ${known}/secrets/*`, `${at}/secrets/LINK`, secret],
      [`GET ${known}/secrets`, `${at}/secrets`],
      [`GET ${known}/secrets/*`, `${at}/secrets/LINK`],
      [`POST ${known}/variables`, `${at}/variables`, { name: 'STATE', value: 'one', ...selected }],
      [`GET ${known}/variables`, `${at}/variables`],
      [`GET ${known}/variables/*`, `${at}/variables/STATE`],
      [`PATCH ${known}/variables/*`, `${at}/variables/STATE`, { value: 'two' }],
    ];
    if (name === '/orgs/*') {
      calls.push([`GET ${known}/secrets/*/repositories`, `${at}/secrets/LINK/repositories`]);
      calls.push([`GET ${known}/variables/*/repositories`, `${at}/variables/STATE/repositories`]);
    }
    return [...calls, [`DELETE ${known}/variables/*`, `${at}/variables/STATE`]];
  });
}

async function start(): Promise<GitHubEmulator> {
  const write = 'write';
  const github = await startGitHubEmulator({
    tokens: {
      token: {
        kind: 'pat',
        login: 'dev',
        permissions: {
          ...{ actions: write, actions_variables: write, contents: write, deployments: write },
          ...{ environments: write, issues: write, pull_requests: write, secrets: write },
          ...{ organization_actions_variables: write, organization_secrets: write },
        },
      },
    },
    organizations: ['acme'],
    repositories: [
      {
        fullName: 'acme/docs',
        id: 77,
        environments: ['production'],
        collaborators: { dev: 'write' },
      },
    ],
    users: ['stranger'],
  });
  const place = { repository: 'acme/docs', number: 7 };
  const file = {
    filename: 'docs/a b.md',
    status: 'renamed',
    additions: 1,
    deletions: 2,
    patch: '@@ -1 +1 @@',
  } as const;
  github.addPullRequest({
    ...place,
    user: 'dev',
    head: { sha: HEAD },
    files: [{ ...file, previousFilename: 'old.md' }],
  });
  github.addPullRequest({
    repository: 'acme/docs',
    number: 8,
    state: 'closed',
    merged: true,
    user: 'stranger',
  });
  github.addComment({
    ...place,
    user: 'dev',
    body: 'A comment',
    createdAt: '2026-01-01T00:00:00Z',
  });
  github.addComment({
    ...place,
    user: 'dev',
    body: 'On a line',
    kind: 'review',
    path: 'docs/a b.md',
    line: 3,
  });
  github.addReview({ ...place, user: 'dev', body: 'A review', state: 'APPROVED' });
  // For the label of a deleted account, the description is wrong: GitHub gives no account.
  github.addLabel({ ...place, label: 'docs', actor: 'dev' });
  github.addDeployment({ repository: 'acme/docs', sha: HEAD, creator: 'acme-docs[bot]' });
  for (const sha of [HEAD, NEXT]) github.addCommit({ repository: 'acme/docs', sha });
  const steps = [{ name: 'Run', status: 'completed', conclusion: 'success' }] as const;
  github.addWorkflowJob({
    repository: 'acme/docs',
    runId: '11',
    attempt: 1,
    name: 'publish',
    steps,
  });
  github.setFile('acme/docs', 'docs/index.md', '# Docs');
  github.addIssue({
    repository: 'acme/docs',
    user: 'dev',
    title: 'An issue',
    labels: ['docs'],
    assignees: ['dev'],
  });
  return github;
}

async function ask(github: GitHubEmulator, method: string, path: string, body?: object) {
  const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
  const reply = await fetch(`${github.url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: reply.status, json };
}

/** Everything else; the ids are those of `start`. */
function otherCalls({ comments, issues, pullRequest }: GitHubEmulator): Call[] {
  const comment = comments.find(({ kind }) => kind === 'issue')?.id;
  const review = comments.find(({ kind }) => kind === 'review')?.id;
  const submitted = pullRequest('acme/docs', 7)?.reviews[0]?.id;
  const issue = issues[0]?.number;
  const repo = '/repos/*/*';
  const reacting = { content: 'eyes' };
  return [
    ['GET /user', '/user'],
    ['GET /users/*', '/users/dev'],
    ['GET /users/*', '/users/missing'],
    [`GET ${repo}`, REPO],
    [`GET ${repo}`, '/repos/acme/missing'],
    [`GET ${repo}/environments/*`, `${REPO}/environments/production`],
    [`GET ${repo}/collaborators/*/permission`, `${REPO}/collaborators/dev/permission`],
    [`GET ${repo}/activity`, `${REPO}/activity`],
    [`GET ${repo}/actions/runs/*`, `${REPO}/actions/runs/11`],
    [`GET ${repo}/actions/runs/*/attempts/*/jobs`, `${REPO}/actions/runs/11/attempts/1/jobs`],
    [`GET ${repo}/commits/*/pulls`, `${REPO}/commits/${HEAD}/pulls`],
    [`GET ${repo}/commits`, `${REPO}/commits`],
    [`GET ${repo}/commits/*`, `${REPO}/commits/main`],
    [`GET ${repo}/compare/*`, `${REPO}/compare/${HEAD}...${NEXT}`],
    [`GET ${repo}/contents/*`, `${REPO}/contents/docs/index.md`],
    [`GET ${repo}/issues`, `${REPO}/issues?state=all`],
    [
      `POST ${repo}/issues`,
      `${REPO}/issues`,
      { title: 'A new one', body: 'Text', labels: ['docs'] },
    ],
    [`POST ${repo}/issues`, `${REPO}/issues`, { title: 'A new one', assignees: ['stranger'] }],
    [`GET ${repo}/issues/*`, `${REPO}/issues/7`],
    [`GET ${repo}/issues/*`, `${REPO}/issues/${issue}`],
    [
      `PATCH ${repo}/issues/*`,
      `${REPO}/issues/${issue}`,
      { state: 'closed', state_reason: 'completed' },
    ],
    [`GET ${repo}/issues/*/labels`, `${REPO}/issues/7/labels`],
    [`GET ${repo}/issues/*/events`, `${REPO}/issues/7/events`],
    [`GET ${repo}/issues/*/timeline`, `${REPO}/issues/7/timeline`],
    [`GET ${repo}/issues/*/comments`, `${REPO}/issues/7/comments`],
    [`POST ${repo}/issues/*/comments`, `${REPO}/issues/7/comments`, { body: 'Another' }],
    [`GET ${repo}/issues/comments`, `${REPO}/issues/comments`],
    [`GET ${repo}/issues/comments/*`, `${REPO}/issues/comments/${comment}`],
    [`PATCH ${repo}/issues/comments/*`, `${REPO}/issues/comments/${comment}`, { body: 'Edited' }],
    ...reactionCalls(`${repo}/issues/comments/*`, `${REPO}/issues/comments/${comment}`),
    ...reactionCalls(`${repo}/pulls/comments/*`, `${REPO}/pulls/comments/${review}`),
    [`POST ${repo}/issues/*/reactions`, `${REPO}/issues/7/reactions`, reacting],
    [`GET ${repo}/issues/*/reactions`, `${REPO}/issues/7/reactions`],
    [`GET ${repo}/pulls`, `${REPO}/pulls?state=all`],
    [`GET ${repo}/pulls/*`, `${REPO}/pulls/7`],
    [`GET ${repo}/pulls/*`, `${REPO}/pulls/8`],
    [`GET ${repo}/pulls/*`, `${REPO}/pulls/99`],
    [`GET ${repo}/pulls/*/files`, `${REPO}/pulls/7/files`],
    [`GET ${repo}/pulls/*/comments`, `${REPO}/pulls/7/comments`],
    [`GET ${repo}/pulls/comments/*`, `${REPO}/pulls/comments/${review}`],
    [`GET ${repo}/pulls/*/reviews`, `${REPO}/pulls/7/reviews`],
    [`GET ${repo}/pulls/*/reviews/*`, `${REPO}/pulls/7/reviews/${submitted}`],
    [`GET ${repo}/deployments`, `${REPO}/deployments`],
    [`DELETE ${repo}/issues/comments/*`, `${REPO}/issues/comments/${comment}`],
  ];
}

function reactionCalls(operation: string, path: string): Call[] {
  return [
    [`POST ${operation}/reactions`, `${path}/reactions`, { content: 'eyes' }],
    [`POST ${operation}/reactions`, `${path}/reactions`, { content: 'eyes' }],
    [`GET ${operation}/reactions`, `${path}/reactions`],
  ];
}

function undoneReactions({ reactions }: GitHubEmulator): Call[] {
  return reactions
    .filter(({ commentId }) => commentId > 0)
    .map(({ id, commentId, commentKind }) => {
      const folder = commentKind === 'issue' ? 'issues' : 'pulls';
      const path = `${REPO}/${folder}/comments/${commentId}/reactions/${id}`;
      return [`DELETE /repos/*/*/${folder}/comments/*/reactions/*`, path];
    });
}

/** What is wrong with a reply by GitHub's description. */
function problemsOf(
  operation: string,
  { status, json }: { status: number; json: unknown },
): string[] {
  const described = operations[operation];
  if (described === undefined) return ['is not described: run scripts/github-description.ts'];
  const schema = described[String(status)];
  // GitHub describes few errors of a path; all have one form.
  if (schema === undefined && status < 400) return [`${status} is not described`];
  if (schema === null)
    return json === undefined || status === 201 ? [] : ['has a body, which is not described'];
  const pointer =
    typeof schema === 'object' ? ['replies', operation, String(status)] : ['$defs', 'basic-error'];
  const steps = pointer.map((step) =>
    encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  const validate = ajv.getSchema(`github#/${steps.join('/')}`);
  if (validate === undefined) return ['has no schema that can be compiled'];
  if (validate(json)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

// Compiling takes a second of processor time, which is a minute on a machine with much other work.
test('Every reply of the emulated GitHub is valid by the description that GitHub publishes', {
  timeout: 240_000,
}, async () => {
  await using github = await start();
  const problems: string[] = [];
  const asked = new Set<string>();
  const askAll = async (calls: readonly Call[]) => {
    for (const [operation, path, body] of calls) {
      asked.add(operation);
      const [method = ''] = operation.split(' ');
      const reply = await ask(github, method, path, body);
      for (const problem of new Set(problemsOf(operation, reply))) {
        problems.push(`${method} ${path} (${reply.status}): ${problem}`);
      }
    }
  };
  await askAll(await settingCalls(github));
  // Deleting a comment comes last.
  const others = otherCalls(github);
  await askAll(others.slice(0, -1));
  await askAll(undoneReactions(github));
  await askAll(others.slice(-1));
  expect(problems).toEqual([]);
  // An app's own token is needed, which the emulator does not have.
  expect(Object.keys(operations).filter((operation) => !asked.has(operation))).toEqual([
    'GET /app',
  ]);
});
