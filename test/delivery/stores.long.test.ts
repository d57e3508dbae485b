import { generateKeyPairSync, sign } from 'node:crypto';
import http from 'node:http';
import { expect, test } from 'vitest';
import { startEmulator } from '../../emulator/src/platform/emulator.ts';
import { fieldOf } from '../../src/ground/text/json.ts';
import { assertNoLeaks } from '../support/leaks.ts';
import { runStep, type StepOptions, type StepResult } from '../support/runner.ts';
import { SmallAws } from '../support/small-servers/aws.ts';
import { SmallVault } from '../support/small-servers/vault.ts';

const REQUEST_TOKEN = 'request-token-0123456789abcdef';
const TO = 'vault:secret/docs/site#url\naws-sm:docs/link\naws-ssm:/docs/link';
const ROLE = 'arn:aws:iam::123456789012:role/docs';

/**
 * GitHub's service for id tokens: signs which repository asks, for the audience that it asks for.
 */
async function startIdentity(repository: string) {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issued: string[] = [];
  const server = http.createServer((request, reply) => {
    if (request.headers.authorization !== `Bearer ${REQUEST_TOKEN}`)
      return reply.writeHead(401).end('{}');
    const audience = new URL(request.url ?? '', 'http://any').searchParams.get('audience');
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: 'ci', sub: 'run', aud: audience, repository, iat: now, exp: now + 300 };
    const text = `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(text), {
      key: pair.privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    issued.push(`${text}.${signature.toString('base64url')}`);
    return reply
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ value: issued.at(-1) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/token?api-version=2`,
    issued,
    publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }),
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function startWorld() {
  await using parts = new AsyncDisposableStack();
  const platform = await startEmulator({
    sites: { acme: { 'index.md': '# Docs' } },
    exportJobs: { advance: 'poll', polls: 1 },
  });
  parts.defer(() => platform.close());
  const identity = parts.use(await startIdentity('acme/docs'));
  const vault = parts.use(await SmallVault.start());
  await vault.api('PUT', 'sys/policies/acl/docs', {
    policy: 'path "secret/data/docs/site" { capabilities = ["create", "read", "update", "patch"] }',
  });
  await vault.api('POST', 'sys/auth/jwt', { type: 'jwt' });
  await vault.api('POST', 'auth/jwt/config', { jwt_validation_pubkeys: [identity.publicKey] });
  await vault.api('POST', 'auth/jwt/role/docs', {
    role_type: 'jwt',
    user_claim: 'sub',
    bound_audiences: [vault.url],
    bound_claims: { repository: 'acme/docs' },
    token_policies: ['docs'],
  });
  const aws = parts.use(await SmallAws.start());
  await aws.api('secretsmanager.CreateSecret', { Name: 'docs/link' });
  await aws.api('AmazonSSM.PutParameter', {
    Name: '/docs/link',
    Value: 'none',
    Type: 'SecureString',
  });
  const destinations = async () => {
    const stored = (await vault.api('GET', 'secret/data/docs/site')).body;
    return {
      vault: fieldOf(stored, 'data', 'data', 'url'),
      vaultState: fieldOf(stored, 'data', 'data', 'url_state'),
      secret: fieldOf(
        await aws.api('secretsmanager.GetSecretValue', { SecretId: 'docs/link' }),
        'SecretString',
      ),
      parameter: fieldOf(
        await aws.api('AmazonSSM.GetParameter', { Name: '/docs/link' }),
        'Parameter',
        'Value',
      ),
    };
  };
  const step = (inputs: Record<string, string>, more: Partial<StepOptions> = {}) =>
    runStep({
      ...(process.env['ACTION_MAIN'] ? { main: process.env['ACTION_MAIN'] } : {}),
      secrets: [platform.keys.admin],
      env: {
        ACTIONS_ID_TOKEN_REQUEST_URL: identity.url,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: REQUEST_TOKEN,
        AWS_ENDPOINT_URL: aws.url,
        AWS_REGION: 'eu-central-1',
      },
      inputs: {
        mode: 'export',
        'base-url': platform.url,
        'admin-api-key': platform.keys.admin,
        to: TO,
        'vault-address': vault.url,
        'vault-role': 'docs',
        'aws-role': ROLE,
        ...(inputs['mode'] === undefined ? { domain: 'acme.example.com' } : {}),
        ...inputs,
      },
      ...more,
    });
  const disposables = parts.move();
  return {
    platform,
    vault,
    aws,
    identity,
    destinations,
    step,
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}

type World = Awaited<ReturnType<typeof startWorld>>;

/** No link, token or kubeconfig is in any public output of the run. */
function expectNoLeaks(
  { platform, identity }: World,
  result: StepResult,
  links: Readonly<Record<string, string>>,
): void {
  const tokens = Object.fromEntries(
    identity.issued.map((token, index) => [`id token ${index}`, token]),
  );
  assertNoLeaks(
    { ...links, ...tokens, admin: platform.keys.admin },
    { log: result.log, summary: result.summary, report: result.outputs['report'] ?? '' },
  );
}

async function statusOf(link: unknown): Promise<number> {
  const reply = await fetch(String(link));
  await reply.arrayBuffer();
  return reply.status;
}

test('An export writes its link with an id token to Vault and AWS; a refresh keeps all fresh', async () => {
  await using world = await startWorld();
  const exported = await world.step({});
  expect(exported.exitCode, exported.log).toBe(0);
  const first = await world.destinations();
  expect([first.secret, first.parameter]).toEqual([first.vault, first.vault]);
  expect(JSON.parse(exported.outputs.report ?? '').delivery.destinations).toHaveLength(3);
  expect(await statusOf(first.vault)).toBe(200);
  expect(JSON.parse(String(first.vaultState))).toMatchObject({
    version: 2,
    runs: [{ state: 'done' }],
  });
  // Before the start and before each write.
  expect(world.identity.issued.length).toBeGreaterThan(1);
  expectNoLeaks(world, exported, { link: String(first.vault) });

  const refreshed = await world.step({ mode: 'refresh', 'refresh-before': '400h' });
  expect(refreshed.exitCode, refreshed.log).toBe(0);
  const second = await world.destinations();
  expect(second.vault).not.toBe(first.vault);
  expect([second.secret, second.parameter]).toEqual([second.vault, second.vault]);
  expect(refreshed.summary).toContain('the previous link is version');
  expect(await statusOf(second.vault)).toBe(200);
  expect(world.platform.exportJobs).toHaveLength(1);
  expectNoLeaks(world, refreshed, {
    first: String(first.vault),
    second: String(second.vault),
  });
});
