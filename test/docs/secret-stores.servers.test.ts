import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { fieldOf, parseJson } from '../../src/ground/text/json.ts';
import { IdTokenIssuer } from '../publish/oidc.ts';
import { ADMIN_KEY } from '../support/make-inputs.ts';
import { PUSH, startMerge } from '../support/merge.ts';
import { SmallAws } from '../support/small-servers/aws.ts';
import { SmallVault } from '../support/small-servers/vault.ts';
import { runStepInProcess } from '../support/step-in-process.ts';
import { REPOSITORY } from '../support/world/names.ts';
import type { World } from '../support/world.ts';
import { readText } from './pages.ts';
import { codeBlocks } from './terminals.ts';

type Texts = Readonly<Record<string, string>>;

const PATH = 'docs/how-to/deliver-to-vault-or-aws.md';
const PAGE = readText(PATH);
const jobShape = z.object({
  export: z.object({
    environment: z.string(),
    steps: z.array(z.object({ with: z.record(z.string(), z.unknown()) })),
  }),
});
const [vaultJob, awsJob] = codeBlocks(PATH)
  .filter(({ code }) => code.startsWith('export:'))
  .map(({ code }) => jobShape.parse(parse(code)).export);
const DOCS = { platform: { sites: { docs: { 'index.md': '# Docs' } } } };
const VAULT = 'https://vault.example.com:8200';

/** The service that signs the identity of a job in an environment. */
function startIssuer(environment = ''): Promise<IdTokenIssuer> {
  const sub = `repo:${REPOSITORY}:environment:${environment}`;
  return IdTokenIssuer.start({ sub, repository: REPOSITORY, environment });
}

/** Runs the step of a job on a merge, with the servers of the test at the addresses of the page. */
async function runJob(world: World, job: typeof vaultJob, here: Texts, env: Texts) {
  const inputs = job?.steps.at(-1)?.with ?? {};
  const all = {
    'https://api.docs.example.com': world.platform.url,
    '${{ secrets.DOCS_ADMIN_API_KEY }}': ADMIN_KEY,
    PROJECT_ID: 'project-1',
    ...here,
  };
  const replaced = (text: string) =>
    Object.entries(all).reduce((done, [written, value]) => done.replaceAll(written, value), text);
  const given = Object.entries(inputs).map(([name, value]) => [name, replaced(String(value))]);
  const step = { ...PUSH, inputs: Object.fromEntries(given) };
  const ended = await runStepInProcess(world, {
    ...step,
    env: { GITHUB_JOB: 'export', GITHUB_REF_PROTECTED: 'true', ...PUSH.env, ...env },
  });
  return { exitCode: ended.exitCode, log: ended.log.text() };
}

async function siteAt(link: unknown): Promise<string> {
  const reply = await fetch(String(link));
  expect(reply.status).toBe(200);
  return gunzipSync(Buffer.from(await reply.arrayBuffer())).toString('utf8');
}

/** Sends what the page gives to the program `vault`, which trusts this issuer instead of GitHub. */
async function prepareVault(vault: SmallVault, { publicKey }: IdTokenIssuer): Promise<void> {
  const documents = PAGE.matchAll(/^vault (policy write|write) (\S+) - <<'END'\n([\s\S]*?)^END$/gm);
  expect(PAGE).toContain('vault auth enable jwt\n');
  await vault.api('POST', 'sys/auth/jwt', { type: 'jwt' });
  await vault.api('POST', 'auth/jwt/config', { jwt_validation_pubkeys: [publicKey] });
  for (const [, command, name = '', text = ''] of documents) {
    const { status } =
      command === 'write'
        ? await vault.api('POST', name, parseJson(text.replaceAll(VAULT, vault.url)))
        : await vault.api('PUT', `sys/policies/acl/${name}`, { policy: text });
    expect(status).toBe(204);
  }
}

describe('the job for Vault of the guide', () => {
  it('It logs in with its identity, by the policy and the role of the guide, and delivers the merge', async () => {
    await using world = await startMerge(DOCS);
    await using vault = await SmallVault.start();
    await using issuer = await startIssuer(vaultJob?.environment);
    await prepareVault(vault, issuer);
    const { exitCode, log } = await runJob(world, vaultJob, { [VAULT]: vault.url }, issuer.env);
    expect(exitCode, log).toBe(0);
    const { body } = await vault.api('GET', 'secret/data/docs/link');
    expect(await siteAt(fieldOf(body, 'data', 'data', 'url'))).toContain('Merged text.');
    expect(fieldOf(body, 'data', 'data', 'url_state')).toContain('"signature"');
  });

  it('A job of another environment is refused before the export starts', async () => {
    await using world = await startMerge(DOCS);
    await using vault = await SmallVault.start();
    await using issuer = await startIssuer('staging');
    await prepareVault(vault, issuer);
    const { exitCode, log } = await runJob(world, vaultJob, { [VAULT]: vault.url }, issuer.env);
    expect([exitCode, world.platform.exportJobs.length], log).toEqual([1, 0]);
    expect(log).toContain('claim "environment" does not match');
  });
});

/** Sends what the page gives to the program `aws`, to create the destinations. */
async function prepareAws(aws: SmallAws): Promise<void> {
  const pascal = (name: string) =>
    name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const calls = [...PAGE.matchAll(/^aws (\S+) (create-secret|put-parameter) (--.+)$/gm)];
  expect(calls).toHaveLength(2);
  for (const [, service, command = '', flags = ''] of calls) {
    const given = [...flags.matchAll(/--(\S+) (\S+)/g)].map(([, flag = '', value]) => [
      pascal(flag),
      value,
    ]);
    const made = await aws.api(`${service}.${pascal(command)}`, Object.fromEntries(given));
    expect(made, command).toBeDefined();
  }
}

/** What the trust policy of the page asks of an id token. */
function trusted(): object {
  const [, policy = ''] = /--assume-role-policy-document '([\s\S]*?)'/.exec(PAGE) ?? [];
  const { StringEquals: wanted = {} } =
    z
      .object({
        Statement: z.array(
          z.object({ Condition: z.record(z.string(), z.record(z.string(), z.string())) }),
        ),
      })
      .parse(parseJson(policy)).Statement[0]?.Condition ?? {};
  return Object.fromEntries(
    Object.entries(wanted).map(([name, value]) => [name.split(':').at(-1), value]),
  );
}

describe('the job for AWS of the guide', () => {
  it.each([
    ['a secret', 'aws-sm:docs/link', 'secretsmanager.GetSecretValue', ['SecretString']],
    ['a parameter', 'aws-ssm:/docs/link', 'ssm.GetParameter', ['Parameter', 'Value']],
  ])(
    'It delivers the merge into %s, with an identity that the role of the guide trusts',
    async (_, to, read, path) => {
      await using world = await startMerge(DOCS);
      await using aws = await SmallAws.start();
      await using issuer = await startIssuer(awsJob?.environment);
      await prepareAws(aws);
      const env = { AWS_ENDPOINT_URL: aws.url, ...issuer.env };
      const { exitCode, log } = await runJob(world, awsJob, { 'aws-sm:docs/link': to }, env);
      expect(exitCode, log).toBe(0);
      const name = to.slice(to.indexOf(':') + 1);
      const stored = await aws.api(read, { SecretId: name, Name: name });
      expect(await siteAt(fieldOf(stored, ...path))).toContain('Merged text.');
      const [, claims = ''] = issuer.issued.at(-1)?.split('.') ?? [];
      expect(parseJson(Buffer.from(claims, 'base64url').toString())).toMatchObject(trusted());
    },
  );
});
