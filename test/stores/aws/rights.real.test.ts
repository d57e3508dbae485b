import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/ground/clock.ts';
import { Http } from '../../../src/http/http.ts';
import { signedHeaders } from '../../../src/stores/aws/request.ts';
import { AwsStore } from '../../../src/stores/aws/store.ts';
import { failure } from '../../support/failure.ts';
import { openStore } from '../../support/open-store.ts';
import { MotoServer } from '../../support/real-servers/moto.ts';
import { recordingLog } from '../../support/recording-log.ts';

// moto compares each signature with one that it makes by AWS's own library (botocore), and each
// action with the user's policies.

const REGION = 'eu-central-1';
const READS = ['secretsmanager:DescribeSecret', 'secretsmanager:GetSecretValue'];
let moto: MotoServer;
const keys = new Map<string, { id: string; secret: string }>();

async function iam(action: string, more: Readonly<Record<string, string>>): Promise<string> {
  const url = new URL(moto.url);
  const body = new URLSearchParams({ Action: action, Version: '2010-05-08', ...more }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const own = {
    accessKeyId: 'a',
    secretAccessKey: 'b',
    sessionToken: undefined,
    expiresAtMs: undefined,
  };
  const request = {
    method: 'POST',
    url,
    headers,
    body,
    service: 'iam',
    region: 'us-east-1',
  } as const;
  const reply = await fetch(url, {
    method: 'POST',
    headers: await signedHeaders(request, own, Date.now()),
    body,
  });
  return reply.text();
}

async function addUser(name: string, actions: readonly string[]): Promise<void> {
  await iam('CreateUser', { UserName: name });
  const statement = { Effect: 'Allow', Action: actions, Resource: '*' };
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
  await iam('PutUserPolicy', { UserName: name, PolicyName: 'docs', PolicyDocument });
  const xml = await iam('CreateAccessKey', { UserName: name });
  const text = (field: string) => new RegExp(`<${field}>([^<]+)<`).exec(xml)?.[1] ?? '';
  keys.set(name, { id: text('AccessKeyId'), secret: text('SecretAccessKey') });
}

function storeOf(
  user: string,
  scheme: 'aws-sm' | 'aws-ssm',
  name: string,
  secret = keys.get(user)?.secret,
) {
  const log = recordingLog();
  return new AwsStore({
    address: { scheme, name, region: REGION },
    role: undefined,
    idToken: () => Promise.reject(new Error('not asked for')),
    env: {
      AWS_ACCESS_KEY_ID: keys.get(user)?.id,
      AWS_SECRET_ACCESS_KEY: secret,
      AWS_ENDPOINT_URL: moto.url,
    },
    http: new Http({ clock: systemClock, log, signal: new AbortController().signal }),
    clock: systemClock,
    log,
  });
}

beforeAll(async () => {
  moto = await MotoServer.start();
  await addUser('writer', [
    ...READS,
    'secretsmanager:PutSecretValue',
    'secretsmanager:CreateSecret',
    'ssm:GetParameter',
    'ssm:GetParameterHistory',
    'ssm:PutParameter',
  ]);
  await addUser('reader', [...READS, 'ssm:GetParameter', 'ssm:GetParameterHistory']);
  await addUser('maker', ['secretsmanager:CreateSecret', 'ssm:PutParameter']);
  await create('secretsmanager', 'CreateSecret', {
    Name: 'docs/link',
    SecretString: 'none',
    ClientRequestToken: '0'.repeat(32),
  });
  await create('AmazonSSM', 'PutParameter', {
    Name: '/docs/link',
    Value: 'none',
    Type: 'SecureString',
  });
  await moto.checkRights();
});
afterAll(() => moto[Symbol.asyncDispose]());

async function create(service: string, operation: string, body: unknown): Promise<void> {
  const scope = `${REGION}/${service === 'AmazonSSM' ? 'ssm' : service}/aws4_request`;
  const headers = {
    'x-amz-target': `${service}.${operation}`,
    'content-type': 'application/x-amz-json-1.1',
    authorization: `AWS4-HMAC-SHA256 Credential=a/20260101/${scope}, SignedHeaders=host, Signature=b`,
  };
  await fetch(moto.url, { method: 'POST', headers, body: JSON.stringify(body) });
}

test.each([
  ['aws-sm', 'docs/link'],
  ['aws-ssm', '/docs/link'],
] as const)(
  'A user with the documented rights writes link and state (%s), with the same signatures as AWS makes',
  async (scheme, name) => {
    const store = storeOf('writer', scheme, name);
    const seen = await store.write(
      { link: 'https://bundles.example.com/a?b=c' },
      await openStore(store),
    );
    expect(await store.write({ state: '{"umlaut":"\u00fc"}' }, seen)).toMatchObject({
      state: '{"umlaut":"\u00fc"}',
    });
  },
);

test.each([
  ['aws-sm', 'docs/link'],
  ['aws-ssm', '/docs/link'],
] as const)(
  'A user with read access only is refused before anything starts (%s)',
  async (scheme, name) => {
    const error = await failure(openStore(storeOf('reader', scheme, name)));
    // moto answers in XML and AWS in JSON, so only the status is compared.
    expect(error).toMatchObject({ code: 'forbidden', httpStatus: 403 });
  },
);

test('Keys that do not belong together are refused', async () => {
  const error = await failure(
    openStore(storeOf('writer', 'aws-sm', 'docs/link', 'another-secret-0123456789')),
  );
  expect(error).toMatchObject({ code: 'forbidden', httpStatus: 403 });
});
