import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { seal } from '../../src/stores/github/secret.ts';
import { findNode } from '../../test/support/runner/environment.ts';
import { readAddress } from '../src/server.ts';

const CLI = join(import.meta.dirname, '../src/cli.ts');

async function makeSite() {
  const folder = await mkdtemp(join(tmpdir(), 'emulator-cli-'));
  await writeFile(join(folder, 'index.md'), '# Home\n');
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

function start(args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += String(chunk)));
  return { child, exited: once(child, 'exit'), output: () => output };
}

describe('the command line', () => {
  test('The emulator does not start with a bucket that does not exist, and says so', async () => {
    await using site = await makeSite();
    const store = createServer((_, reply) => reply.writeHead(404).end());
    await once(store.listen(0, '127.0.0.1'), 'listening');
    const endpoint = `http://127.0.0.1:${readAddress(store.address()).port}`;
    const env = {
      ...process.env,
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
      AWS_REGION: 'eu-central-1',
    };
    const { exited, output } = start(
      [`--site=acme=${site.folder}`, `--s3-endpoint=${endpoint}`, '--s3-bucket=misspelled'],
      env,
    );
    expect(await exited).toEqual([1, null]);
    expect(output()).toBe(
      `The bucket misspelled at ${endpoint} cannot be used: it does not exist (404).\n`,
    );
    store.close();
  });

  test('The emulator prints its address and keys, answers and logs requests, and stops on SIGTERM', async () => {
    await using site = await makeSite();
    const { child, exited, output } = start([
      `--site=acme=${site.folder}`,
      '--agent-job=j1=https://github.com/acme/docs@main',
      '--export-duration=10ms',
    ]);
    await expect.poll(output, { timeout: 15_000 }).toContain('Ctrl+C');
    const [, url = ''] = /emulator: (http:\/\/127\.0\.0\.1:\d+)/.exec(output()) ?? [];
    const [, key = ''] = /admin key +(svc_\w+)/.exec(output()) ?? [];
    const [, project = ''] = /project id +(\S+)/.exec(output()) ?? [];
    const reply = await fetch(`${url}/v2/agent/${project}/job/j1`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(await reply.json()).toMatchObject({
      id: 'j1',
      source: { repository: 'https://github.com/acme/docs', ref: 'main' },
    });
    await expect.poll(output).toMatch(/Z GET \/v2\/agent\/\S+ 200 \d+ ms/);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  test('Requests fail as the options and the control path demand', async () => {
    await using site = await makeSite();
    const { child, exited, output } = start([
      `--site=acme=${site.folder}`,
      '--admin-key=svc_local',
      '--fault=POST /jobs 429 retry-after=7',
      '--fail-export=No space left.',
      '--export-duration=0s',
      '--quiet',
    ]);
    await expect.poll(output, { timeout: 15_000 }).toContain('Ctrl+C');
    const [, url = ''] = /emulator: (http:\S+)/.exec(output()) ?? [];
    const call = async (method: string, path: string, body?: unknown) => {
      const reply = await fetch(url + path, {
        method,
        headers: { authorization: 'Bearer svc_local', 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return {
        status: reply.status,
        retryAfter: reply.headers.get('retry-after'),
        json: await reply.json(),
      };
    };
    const startJob = () => call('POST', '/v1/static-export/jobs', { domain: 'acme' });
    expect(await startJob()).toMatchObject({ status: 429, retryAfter: '7' });
    const { json } = await startJob();
    await expect
      .poll(async () => (await call('GET', `/v1/static-export/jobs/${json.jobId}`)).json)
      .toMatchObject({ status: 'failed', error: 'No space left.' });
    const fault = { match: { path: '/jobs', times: 'always' }, status: 503 };
    expect((await call('POST', '/__emulator/faults', fault)).status).toBe(201);
    expect((await startJob()).status).toBe(503);
    expect((await call('POST', '/__emulator/faults', { ...fault, stauts: 1 })).json).toMatchObject({
      error: expect.stringContaining('stauts'),
    });
    expect((await call('DELETE', '/__emulator/faults')).status).toBe(200);
    expect(
      (await call('PATCH', '/__emulator/behaviour', { plan: 'free', linkLifetimeMs: 1 })).json,
    ).toMatchObject({
      plan: 'free',
      linkLifetimeMs: 1,
    });
    expect((await startJob()).status).toBe(402);
    expect((await call('PATCH', '/__emulator/behaviour', { plan: 'cheap' })).status).toBe(400);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  test('A site that was rolled back at the start does not serve what is written into its folder later', async () => {
    await using site = await makeSite();
    const { child, exited, output } = start([
      `--site=acme=${site.folder}`,
      '--export-duration=10ms',
      '--rolled-back',
    ]);
    await expect.poll(output, { timeout: 15_000 }).toContain('Ctrl+C');
    const [, url = ''] = /emulator: (http:\S+)/.exec(output()) ?? [];
    const [, key = ''] = /admin key +(svc_\w+)/.exec(output()) ?? [];
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const bundleHas = async (text: string) => {
      const post = (path: string, body = '{}') =>
        fetch(url + path, { method: 'POST', headers, body });
      const { jobId } = await (await post('/v1/static-export/jobs', '{"domain":"acme"}')).json();
      const read = async () =>
        (await (await fetch(`${url}/v1/static-export/jobs/${jobId}`, { headers })).json()).status;
      await expect.poll(read, { timeout: 15_000 }).toBe('completed');
      const { bundleUrl } = await (await post(`/v1/static-export/jobs/${jobId}/bundle`)).json();
      return gunzipSync(await (await fetch(bundleUrl)).bytes()).includes(text);
    };
    await writeFile(join(site.folder, 'index.md'), '# Zebra');
    expect(await bundleHas('Zebra')).toBe(false);
    await fetch(`${url}/__emulator/rollbacks`, { method: 'DELETE', headers });
    expect(await bundleHas('Zebra')).toBe(true);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  test('The option --github also emulates GitHub, with tokens that have their permissions, and shows its state', async () => {
    await using site = await makeSite();
    const { child, exited, output } = start([
      `--site=acme=${site.folder}`,
      '--github',
      '--github-repository=acme/app',
      '--github-collaborator=ann=write',
    ]);
    await expect.poll(output, { timeout: 15_000 }).toContain('Ctrl+C');
    const [, url = ''] = /GitHub emulator: (http:\S+)/.exec(output()) ?? [];
    const [, secretToken = ''] = /secret token +(\S+)/.exec(output()) ?? [];
    const [, workflowToken = ''] = /workflow token +(\S+)/.exec(output()) ?? [];
    const call = async (token: string, method: string, path: string, body?: unknown) => {
      const reply = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      return { status: reply.status, json: text === '' ? undefined : JSON.parse(text) };
    };
    const { json: key } = await call(
      secretToken,
      'GET',
      '/repos/acme/app/actions/secrets/public-key',
    );
    const encrypted_value = await seal('https://link.example', key.key);
    const secret = { encrypted_value, key_id: key.key_id };
    const path = '/repos/acme/app/actions/secrets/DOCS_BUNDLE_URL';
    expect((await call(workflowToken, 'PUT', path, secret)).status).toBe(403);
    expect((await call(secretToken, 'PUT', path, secret)).status).toBe(201);
    const pull = { repository: 'acme/app', number: 7, user: 'ann', title: 'Change' };
    expect((await call(workflowToken, 'POST', '/__emulator/pull-requests', pull)).status).toBe(201);
    expect(
      (await call(workflowToken, 'POST', '/__emulator/pull-requests', { ...pull, titel: 'x' }))
        .status,
    ).toBe(422);
    const comment = {
      repository: 'acme/app',
      number: 7,
      user: 'ann',
      body: '/docs-agent shorten it',
    };
    expect((await call(workflowToken, 'POST', '/__emulator/comments', comment)).status).toBe(201);
    const event = await call(workflowToken, 'POST', '/__emulator/comment-events', {
      ...comment,
      number: 8,
    });
    expect(event.status).toBe(404);
    const { status, json } = await call(
      workflowToken,
      'POST',
      '/__emulator/comment-events',
      comment,
    );
    expect(status).toBe(201);
    expect(json).toMatchObject({
      action: 'created',
      issue: { number: 7, pull_request: {} },
      comment: { body: '/docs-agent shorten it', user: { login: 'ann', type: 'User' } },
      repository: { full_name: 'acme/app' },
      sender: { login: 'ann' },
    });
    expect((await call(workflowToken, 'GET', '/repos/acme/app/pulls/7')).json).toMatchObject({
      title: 'Change',
    });
    expect((await call('unknown', 'GET', '/__emulator/state')).status).toBe(401);
    expect((await call(secretToken, 'GET', '/__emulator/state')).json).toMatchObject({
      repositories: ['acme/app'],
      secrets: [{ place: 'repos/acme/app:DOCS_BUNDLE_URL', value: 'https://link.example' }],
      pullRequests: [{ number: 7 }],
      comments: [{ body: '/docs-agent shorten it' }, { body: '/docs-agent shorten it' }],
    });
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  test("Docs Courier writes a link into the emulated GitLab's and Gitea's variables and secrets", async () => {
    await using site = await makeSite();
    const forges = [
      '--gitlab',
      '--gitlab-project=acme/docs',
      '--gitea',
      '--gitea-organization=acme',
    ];
    const { child, exited, output } = start([
      `--site=acme=${site.folder}`,
      '--export-duration=1ms',
      ...forges,
    ]);
    await expect.poll(output, { timeout: 15_000 }).toContain('Ctrl+C');
    const variable = (name: string) => new RegExp(`[ ]${name}=(\\S+)`).exec(output())?.[1] ?? '';
    const courier = (forge: string, to: string) => {
      const env = {
        PATH: process.env.PATH,
        DOCS_COURIER_BASE_URL: variable('BASE_URL'),
        DOCS_COURIER_ADMIN_API_KEY: variable('ADMIN_KEY'),
        DOCS_COURIER_SECRET_TOKEN: variable(`${forge}_TOKEN`),
      };
      const program = join(import.meta.dirname, '../../src/entry/cli.ts');
      return promisify(execFile)(
        findNode(),
        [program, 'export', '--domain=acme', `--to=${to}?server=${variable(`${forge}_URL`)}`],
        { env },
      );
    };
    await courier('GITLAB', 'gitlab:project/acme%2Fdocs/DOCS_BUNDLE_URL');
    await courier('GITEA', 'gitea:org/acme/DOCS_BUNDLE_URL');
    expect(output()).toMatch(/gitlab POST \/api\/v4\/projects\/acme%2Fdocs\/variables 201/);
    expect(output()).toMatch(
      /gitea PUT \/api\/v1\/orgs\/acme\/actions\/secrets\/DOCS_BUNDLE_URL 20[14]/,
    );
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  test('The emulator exits if a port is in use, even if only its second server needs that port', async () => {
    await using site = await makeSite();
    const first = start([`--site=acme=${site.folder}`]);
    await expect.poll(first.output, { timeout: 15_000 }).toContain('Ctrl+C');
    const [, port = ''] = /emulator: http:\/\/127\.0\.0\.1:(\d+)/.exec(first.output()) ?? [];
    const second = start([`--site=acme=${site.folder}`, '--github', `--github-port=${port}`]);
    expect(await second.exited).toEqual([1, null]);
    expect(second.output()).toContain(`Port ${port} is in use`);
    first.child.kill('SIGTERM');
    expect(await first.exited).toEqual([0, null]);
  });

  test('An empty folder is not a site', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'emulator-empty-'));
    await writeFile(join(folder, 'logo.png'), 'x');
    const { exited, output } = start([`--site=acme=${folder}`]);
    expect(await exited).toEqual([1, null]);
    expect(output()).toContain('has no page');
    await rm(folder, { recursive: true });
  });

  test('A missing folder ends the emulator with a message and exit code 1', async () => {
    const { exited, output } = start(['--site=acme=/no/such/folder']);
    expect(await exited).toEqual([1, null]);
    expect(output()).toContain('/no/such/folder is not a folder.');
  });
});
