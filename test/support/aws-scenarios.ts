import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { systemClock } from '../../src/ground/clock.ts';
import { fieldOf, parseJson } from '../../src/ground/text/json.ts';
import { Http } from '../../src/http/http.ts';
import type { AwsInputs } from '../../src/stores/aws/inputs.ts';
import { AwsStore } from '../../src/stores/aws/store.ts';
import { linkDigest } from '../../src/stores/port.ts';
import { expectError, failureOf } from './failure.ts';
import { fakeClock } from './fake-clock.ts';
import { FaultFront, type FrontRequest } from './fault-front.ts';
import { openStore } from './open-store.ts';
import { recordingLog } from './recording-log.ts';
import { describeStore, openRun, type StorePlace } from './store-scenarios.ts';

/** An imitation of AWS: moto, or ours. */
interface AnyAws extends AsyncDisposable {
  readonly url: string;
}

const LINK = 'https://bundles.example.com/site.tar.gz?X-Amz-Signature=0123456789abcdef';
const REGION = 'eu-central-1';
const ENV = {
  AWS_ACCESS_KEY_ID: 'AKIA0123456789ABCDEF',
  AWS_SECRET_ACCESS_KEY: 'secret-key-of-the-environment',
};
const NO_ROLE: AwsInputs = { role: undefined };
const ROLE = 'arn:aws:iam::123456789012:role/docs';

const SERVICES = [
  {
    scheme: 'aws-sm',
    name: 'a secret',
    missing: 'aws secretsmanager create-secret --region eu-central-1 --name',
  },
  {
    scheme: 'aws-ssm',
    name: 'a parameter',
    missing: 'aws ssm put-parameter --region eu-central-1 --name',
  },
] as const;

/**
 * What a link in AWS does, on any server: the small server of the tests is right if the other one
 * agrees.
 */
export function describeAws(name: string, start: () => Promise<AnyAws>): void {
  let aws: AnyAws;
  let front: FaultFront;
  beforeAll(async () => {
    aws = await start();
    front = await FaultFront.start({ upstream: aws.url });
  });
  afterAll(async () => {
    await front[Symbol.asyncDispose]();
    await aws[Symbol.asyncDispose]();
  });
  beforeEach(() => front.reset());

  async function api(operation: string, body: unknown): Promise<unknown> {
    const service = operation.includes('Parameter') ? 'AmazonSSM' : 'secretsmanager';
    const scope = `${service === 'AmazonSSM' ? 'ssm' : service}/aws4_request`;
    const reply = await fetch(aws.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `${service}.${operation}`,
        authorization: `AWS4-HMAC-SHA256 Credential=a/20260101/${REGION}/${scope}, SignedHeaders=host, Signature=${'0'.repeat(64)}`,
      },
      body: JSON.stringify(body),
    });
    const json: unknown = parseJson(await reply.text());
    return reply.ok ? json : undefined;
  }

  let count = 0;
  /** A destination that contains only what its creation requires. */
  async function newName(scheme: 'aws-sm' | 'aws-ssm', value?: string): Promise<string> {
    count += 1;
    const found = scheme === 'aws-sm' ? `docs/site-${count}` : `/docs/site-${count}`;
    await put(scheme, found, value);
    return found;
  }

  async function put(scheme: 'aws-sm' | 'aws-ssm', at: string, value?: string): Promise<void> {
    if (scheme === 'aws-ssm') {
      await api('PutParameter', {
        Name: at,
        Value: value ?? 'none',
        Type: 'SecureString',
        Overwrite: true,
      });
      return;
    }
    const token = createHash('sha256').update(`${at}${value}${Math.random()}`).digest('hex');
    const made = await api('CreateSecret', {
      Name: at,
      SecretString: value,
      ClientRequestToken: token,
    });
    if (made !== undefined || value === undefined) return;
    await api('PutSecretValue', { SecretId: at, SecretString: value, ClientRequestToken: token });
  }

  async function read(scheme: 'aws-sm' | 'aws-ssm', at: string): Promise<string | undefined> {
    const value =
      scheme === 'aws-sm'
        ? fieldOf(await api('GetSecretValue', { SecretId: at }), 'SecretString')
        : fieldOf(
            await api('GetParameter', { Name: at, WithDecryption: true }),
            'Parameter',
            'Value',
          );
    return typeof value === 'string' && value !== 'none' ? value : undefined;
  }

  interface Made {
    readonly credentials?: AwsInputs;
    readonly idToken?: () => Promise<string>;
    readonly clock?: typeof systemClock;
    readonly log?: ReturnType<typeof recordingLog>;
    readonly env?: Readonly<Record<string, string>>;
  }

  function storeAt(scheme: 'aws-sm' | 'aws-ssm', at: string, made: Made = {}): AwsStore {
    const {
      clock = fakeClock({ now: Date.now() }),
      log = recordingLog(),
      credentials = NO_ROLE,
      env = ENV,
    } = made;
    const { idToken = () => Promise.reject(new Error('not asked for')) } = made;
    const { signal } = new AbortController();
    return new AwsStore({
      address: { scheme, name: at },
      ...credentials,
      idToken,
      env: { AWS_REGION: REGION, ...env, AWS_ENDPOINT_URL: front.url },
      http: new Http({ clock, log, signal, random: () => 0 }),
      clock,
      log,
    });
  }

  const isWriteOf =
    (at: string) =>
    ({ body, headers }: FrontRequest): boolean => {
      const json = parseJson(body);
      const isTrial =
        fieldOf(json, 'VersionStages') !== undefined || fieldOf(json, 'Value') === 'none';
      return (
        /\.Put/.test(String(headers['x-amz-target'])) &&
        (fieldOf(json, 'SecretId') ?? fieldOf(json, 'Name')) === at &&
        !isTrial
      );
    };
  const isChange = ({ headers }: FrontRequest): boolean =>
    /\.(?:Put|Create|Delete)/.test(String(headers['x-amz-target']));
  const isCallOf =
    (operation: string) =>
    ({ headers }: FrontRequest): boolean =>
      String(headers['x-amz-target']).endsWith(`.${operation}`);
  /** The next requests of this kind are refused by AWS. */
  function refuse(
    isMet: (request: FrontRequest) => boolean,
    type: string,
    message: string,
    times?: number,
  ): void {
    front.inject(isMet, { kind: 'reply', status: 400, body: { __type: type, message } }, times);
  }

  /**
   * Each write is read until it shows. A claim is a version of the secret of the state, or a
   * parameter.
   */
  function partsOf(scheme: 'aws-sm' | 'aws-ssm'): StorePlace['parts'] {
    const isSecret = scheme === 'aws-sm';
    const [get, put] = isSecret
      ? ['GetSecretValue', 'PutSecretValue']
      : ['GetParameter', 'PutParameter'];
    const prepare = isSecret
      ? ['DescribeSecret link', 'GetSecretValue link']
      : ['GetParameter link', 'GetParameterHistory link'];
    const read = [`${get} link`, `${get} state`];
    const write = (part: string) => [`${put} ${part}`, `${get} ${part}`];
    const later = [...prepare, `${put} link`, ...read];
    const claim = `${put} state`;
    const firstClaim = isSecret ? [claim, 'CreateSecret state', claim] : [claim];
    return {
      // Without a value there is no version to ask for once more.
      open: isSecret ? { first: [...prepare, ...read], later } : { later },
      marks: [...firstClaim, ...read, ...write('state')],
      deliver: {
        // A parameter without a link is looked at once more: it is not created here.
        first: [
          claim,
          ...read,
          ...(isSecret ? [] : [`${get} link`]),
          ...write('link'),
          `${get} state`,
          ...write('state'),
        ],
        later: [claim, ...read, ...write('link'), `${get} state`, ...write('state')],
      },
    };
  }

  describe.each(SERVICES)(`$name of ${name}`, ({ scheme, missing }) => {
    async function startDestination(): Promise<StorePlace> {
      front.reset();
      const at = await newName(scheme);
      const clock = fakeClock({ now: Date.now() });
      return {
        clock,
        keepsVersions: true,
        keepsClaims: scheme === 'aws-sm',
        makeStore: () => storeAt(scheme, at, { clock }),
        readLink: () => read(scheme, at),
        readState: () => read(scheme, `${at}_state`),
        // Neither of them accepts an empty text.
        setState: (text) => put(scheme, `${at}_state`, text === '' ? ' ' : text),
        setLink: (link) => put(scheme, at, link),
        requests: () =>
          front.requests.map(({ headers, body }) => {
            const json = parseJson(body);
            const operation = String(headers['x-amz-target']).replace(/^.*\./, '');
            const name = String(fieldOf(json, 'SecretId') ?? fieldOf(json, 'Name'));
            return `${operation} ${/_state(?:_\d+)?$/.test(name) ? 'state' : 'link'}`;
          }),
        parts: partsOf(scheme),
        loseReply: () => front.inject(isWriteOf(at), { kind: 'lose' }, 5),
        disturb: (fault) => front.inject(isChange, fault, 5),
        refuse: () =>
          refuse(
            isWriteOf(at),
            'AccessDeniedException',
            'User: arn:aws:iam::123456789012:user/x is not authorized',
          ),
        [Symbol.asyncDispose]: async () => {},
      };
    }
    describeStore(`${scheme} of ${name}`, startDestination);

    test('A secret for the state that was created without a value is used, and does not become a claim', async (context) => {
      if (scheme !== 'aws-sm') return context.skip();
      const at = await newName(scheme);
      await put(scheme, `${at}_state`);
      const store = storeAt(scheme, at);
      expect((await openStore(store)).state).toBeUndefined();
      expect(await store.claims.create(1, '{"token":"a"}')).toBe(true);
      expect((await store.read()).state).not.toBe('{"token":"a"}');
      expect((await store.claims.read(1))?.text).toBe('{"token":"a"}');
    });

    test('A claim that follows an outdated reading does not replace the state of another run', async () => {
      const at = await newName(scheme);
      const [late, other] = [storeAt(scheme, at), storeAt(scheme, at)];
      await openStore(late);
      await other.write({ state: '{"version":2}' }, await openStore(other));
      expect(await late.claims.create(1, '{"token":"a"}')).toBe(true);
      expect((await late.read()).state).toBe('{"version":2}');
    });

    test('An ARN binds the destination to its account and region', async () => {
      const at = await newName(scheme);
      const store = storeAt(scheme, at);
      await openStore(store);
      const kind =
        scheme === 'aws-sm'
          ? `secretsmanager:${REGION}:\\d+:secret:`
          : `ssm:${REGION}:\\d+:parameter`;
      expect(store.signedAddress).toMatch(new RegExp(`^${scheme}:arn:aws:${kind}${at}`));
    });

    test('A read-only destination is refused before anything starts, with the policy to paste, except to a reader', async () => {
      const at = await newName(scheme, 'none');
      const store = storeAt(scheme, at);
      const denied =
        'User: arn:aws:sts::123456789012:assumed-role/docs/docs-courier is not authorized to perform it';
      const operation = scheme === 'aws-sm' ? 'PutSecretValue' : 'PutParameter';
      refuse(isCallOf(operation), 'AccessDeniedException', denied);
      const error = await failureOf(openStore(store));
      expectError(error, { code: 'forbidden', message: denied, mayHaveActed: false });
      const lines = String(error.hint).split('\n');
      const policy = JSON.parse(lines.slice(1).join('\n'));
      expect(JSON.stringify(policy)).toContain(
        scheme === 'aws-sm'
          ? `arn:aws:secretsmanager:${REGION}:*:secret:${at}-??????`
          : `arn:aws:ssm:${REGION}:*:parameter${at}`,
      );
      const sent = front.requests.filter(isCallOf(operation)).length;
      await storeAt(scheme, at).preflight('read');
      expect(front.requests.filter(isCallOf(operation))).toHaveLength(sent);
    });

    test('A refused claim names a policy that is enough for claims too', async () => {
      const at = await newName(scheme, LINK);
      const store = storeAt(scheme, at);
      await openStore(store);
      const operation = scheme === 'aws-sm' ? 'PutSecretValue' : 'PutParameter';
      refuse(isCallOf(operation), 'AccessDeniedException', 'no');
      const error = await failureOf(store.claims.create(8, '{"token":"a"}'));
      expect(error).toMatchObject({
        code: 'forbidden',
        lacksPermission: true,
        mayHaveActed: false,
      });
      const service =
        scheme === 'aws-sm' ? `secretsmanager:${REGION}:*:secret:` : `ssm:${REGION}:*:parameter`;
      const [rights, removal] = JSON.parse(String(error.hint).replace(/^[^\n]*\n/, '')).Statement;
      expect(rights).toMatchObject({
        Resource: expect.arrayContaining([`arn:aws:${service}${at}_state*`]),
      });
      // A claim of Secrets Manager is a version, which AWS removes.
      const wanted = { Action: 'ssm:DeleteParameter', Resource: `arn:aws:${service}${at}_state_*` };
      if (scheme === 'aws-ssm') expect(removal).toMatchObject(wanted);
    });

    test('A missing destination is an error with the command that creates it, and is not created', async () => {
      const at = `${await newName(scheme)}-absent`;
      const error = await failureOf(openStore(storeAt(scheme, at)));
      expectError(error, { code: 'not-found', hint: `${missing} ${at}` });
      // With a value, the right to write it can be checked before the export.
      expect(error.hint).toMatch(/ none$/);
      expect(await read(scheme, at)).toBeUndefined();
    });

    test('A destination that another writer changes right after this run is a conflict', async () => {
      const at = await newName(scheme);
      const store = storeAt(scheme, at);
      const seen = await openStore(store);
      const isRead = isCallOf(scheme === 'aws-sm' ? 'GetSecretValue' : 'GetParameter');
      const isReadBack = (request: FrontRequest) =>
        isRead(request) && front.requests.some(isWriteOf(at));
      const parameter = {
        Type: 'SecureString',
        Value: `${LINK}2`,
        Version: 9,
        LastModifiedDate: 1,
        ARN: 'arn:aws:x',
      };
      const secret = { VersionId: 'another', CreatedDate: 1, SecretString: `${LINK}2` };
      const body = scheme === 'aws-sm' ? secret : { Parameter: parameter };
      front.inject(isReadBack, { kind: 'reply', status: 200, body }, 9);
      expect(await failureOf(store.write({ link: LINK }, seen))).toMatchObject({
        code: 'conflict',
        mayHaveActed: true,
      });
    });

    test('A destination with an unreadable state is written without it, and the check says so', async () => {
      const at = await newName(scheme);
      const operation = scheme === 'aws-sm' ? 'GetSecretValue' : 'GetParameter';
      const isRead = (request: FrontRequest) =>
        isCallOf(operation)(request) && request.body.includes('_state"');
      refuse(isRead, 'AccessDeniedException', 'no', 9);
      const store = storeAt(scheme, at);
      expect(await openStore(store)).toMatchObject({
        stateError: { code: 'forbidden', lacksPermission: true },
      });
      expect(await store.read()).toMatchObject({
        stateError: { hint: expect.stringContaining('"Version"') },
      });
    });

    test.each<[string, string, string, { code: string; hint: string }]>([
      [
        'a missing right',
        'AccessDeniedException',
        'not authorized to perform',
        { code: 'forbidden', hint: '"Allow"' },
      ],
      [
        'a KMS key without access',
        'AccessDeniedException',
        'Access to KMS is not allowed',
        { code: 'forbidden', hint: 'kms:GenerateDataKey' },
      ],
      [
        'deleted keys',
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
        { code: 'unauthorized', hint: 'aws-role' },
      ],
      [
        'a wrong clock',
        'InvalidSignatureException',
        'Signature expired: 20260101T000000Z is now earlier than',
        { code: 'unauthorized', hint: 'clock' },
      ],
      [
        'expired keys of the environment',
        'ExpiredTokenException',
        'The security token included in the request is expired',
        { code: 'unauthorized', hint: 'have expired' },
      ],
    ])(
      'The error for %s (%3$s) contains the fix, and nothing is written',
      async (_what, type, message, expected) => {
        const at = await newName(scheme);
        const store = storeAt(scheme, at);
        const seen = await openStore(store);
        refuse(isWriteOf(at), type, message);
        const error = await failureOf(store.write({ link: LINK }, seen));
        expectError(error, {
          code: expected.code,
          message: message.slice(0, 40),
          hint: expected.hint,
          httpStatus: 400,
          mayHaveActed: false,
        });
        expect(JSON.stringify([error.message, error.hint])).not.toMatch(/X-Amz-Sig|secret-key-of/);
        expect(await read(scheme, at)).toBeUndefined();
      },
    );

    test('Each attempt of a reading is signed again, because a signature is valid for some minutes', async () => {
      const at = await newName(scheme);
      const store = storeAt(scheme, at);
      await openStore(store);
      const isRead = isCallOf(scheme === 'aws-sm' ? 'GetSecretValue' : 'GetParameter');
      const before = front.requests.length;
      refuse(isRead, 'ThrottlingException', 'Rate exceeded', 2);
      await store.claims?.read(1);
      const reads = front.requests.slice(before).map(({ headers }) => headers);
      expect(new Set(reads.map((headers) => headers['x-amz-date'])).size).toBe(3);
      expect(new Set(reads.map(({ authorization }) => authorization)).size).toBe(3);
    });

    test('A run assumes the role with its id token, and logs in again when the keys expire', async () => {
      const at = await newName(scheme);
      const log = recordingLog();
      let asked = 0;
      const idToken = async () => {
        asked += 1;
        return `header.${Buffer.from(JSON.stringify({ iss: 'https://ci.example.com', aud: 'sts.amazonaws.com', sub: 'run' })).toString('base64url')}.signature-${asked}`;
      };
      const credentials = { region: REGION, role: { arn: ROLE, audience: 'sts.amazonaws.com' } };
      const clock = fakeClock({ now: Date.now() });
      const store = storeAt(scheme, at, { credentials, idToken, log, clock, env: {} });
      const seen = await openStore(store);
      expect(asked).toBe(1);
      refuse(
        isWriteOf(at),
        'ExpiredTokenException',
        'The security token included in the request is expired',
      );
      expect((await store.write({ link: LINK }, seen)).link?.digest).toBe(linkDigest(LINK));
      expect(asked).toBe(2);
      const tokens = front.requests
        .map(({ headers }) => headers['x-amz-security-token'])
        .filter((one) => one);
      expect(new Set(tokens).size).toBe(2);
      for (const token of new Set(tokens)) expect(log.masks).toContain(token);
      expect(log.masks.some((secret) => secret.endsWith('signature-1'))).toBe(true);
    });
  });

  describe(`a secret of ${name}`, () => {
    const scheme = 'aws-sm';
    const versionsOf = async (at: string) => {
      const found = fieldOf(await api('ListSecretVersionIds', { SecretId: at }), 'Versions');
      return Array.isArray(found) ? found.length : 0;
    };

    test('The same write after a lost reply does not create a second version', async () => {
      const at = await newName(scheme, 'https://bundles.example.com/former');
      const store = storeAt(scheme, at);
      const seen = await openStore(store);
      front.inject(isWriteOf(at), { kind: 'lose' });
      expect(await failureOf(store.write({ link: LINK }, seen))).toMatchObject({
        mayHaveActed: true,
      });
      await store.write({ link: LINK }, seen);
      expect(await versionsOf(at)).toBe(2);
    });

    test('A secret can be given by its ARN', async () => {
      const at = await newName(scheme, LINK);
      const arn = String(fieldOf(await api('DescribeSecret', { SecretId: at }), 'ARN'));
      const store = storeAt(scheme, arn, { env: { ...ENV, AWS_REGION: 'us-east-1' } });
      expect(store.names.link).toBe(`secret ${at} of AWS Secrets Manager in ${REGION}`);
      expect(await store.write({ state: '{}' }, await openStore(store))).toMatchObject({
        state: '{}',
      });
      expect(await read(scheme, `${at}_state`)).toBe('{}');
      const byName = storeAt(scheme, at);
      expect(await openStore(byName)).toMatchObject({ state: '{}' });
      expect(byName.signedAddress).toBe(store.signedAddress);
      const both = { clock: fakeClock({ now: Date.now() }), makeStore: () => byName };
      expectError(await failureOf(openRun(both, { stores: [byName, store] })), {
        code: 'config',
        message: 'are the same destination',
      });
    });

    test('A secret that is scheduled for deletion is refused, with the command that restores it', async () => {
      const at = await newName(scheme, LINK);
      await api('DeleteSecret', { SecretId: at, RecoveryWindowInDays: 7 });
      expectError(await failureOf(openStore(storeAt(scheme, at))), {
        code: 'config',
        message: 'scheduled for deletion',
        hint: `aws secretsmanager restore-secret --region ${REGION} --secret-id ${at}`,
      });
    });

    test('A secret with a state that is scheduled for deletion is refused, with the command that restores the state', async () => {
      const at = await newName(scheme, LINK);
      await put(scheme, `${at}_state`, '{}');
      await api('DeleteSecret', { SecretId: `${at}_state`, RecoveryWindowInDays: 7 });
      expectError(await failureOf(openStore(storeAt(scheme, at))), {
        code: 'config',
        hint: `--secret-id ${at}_state`,
      });
    });

    test('A secret with binary data is refused', async () => {
      count += 1;
      const at = `docs/site-${count}`;
      const ClientRequestToken = 'b'.repeat(32);
      await api('CreateSecret', { Name: at, SecretBinary: btoa('binary'), ClientRequestToken });
      expectError(await failureOf(openStore(storeAt(scheme, at))), {
        code: 'config',
        message: 'binary',
      });
    });

    test.each([
      [{ OwningService: 'appflow' }, 'is managed by the service appflow'],
      [{ PrimaryRegion: 'us-east-1' }, 'is a replica of the one in us-east-1'],
      [{ RotationEnabled: true }, 'is rotated'],
    ])('A secret that cannot store a link (%j) is refused', async (more, expected) => {
      const at = await newName(scheme, LINK);
      const ARN = `arn:aws:secretsmanager:${REGION}:1:secret:${at}-abcdef`;
      front.inject(isCallOf('DescribeSecret'), {
        kind: 'reply',
        status: 200,
        body: { ARN, Name: at, ...more },
      });
      expect((await failureOf(openStore(storeAt(scheme, at)))).message).toContain(expected);
    });

    test('A secret with too many versions is an error that says why', async () => {
      const at = await newName(scheme, LINK);
      const store = storeAt(scheme, at);
      const seen = await openStore(store);
      const quota = ['LimitExceededException', 'You have exceeded the quota of versions'] as const;
      refuse(isWriteOf(at), ...quota);
      expectError(await failureOf(store.write({ link: `${LINK}2` }, seen)), {
        code: 'config',
        hint: 'ten minutes',
      });
      refuse(isCallOf('PutSecretValue'), ...quota);
      const claim = await failureOf(store.claims.create(1, '{"token":"a"}'));
      expect(claim).toMatchObject({
        code: 'config',
        hint: expect.stringContaining('25 times a day'),
      });
    });

    test('A secret that is written twice within ten minutes causes one warning', async () => {
      const at = await newName(scheme);
      const log = recordingLog();
      const store = storeAt(scheme, at, { log });
      let seen = await store.write({ link: LINK }, await openStore(store));
      expect(log.text('warning')).toBe('');
      seen = await store.write({ link: `${LINK}2` }, seen);
      await store.write({ link: `${LINK}3` }, seen);
      expect(log.text('warning').match(/less than ten minutes ago/g)).toHaveLength(1);
    });
  });

  describe(`a parameter of ${name}`, () => {
    const scheme = 'aws-ssm';

    test('A parameter keeps its key and its tier, and the state gets the same key', async () => {
      count += 1;
      const at = `/docs/site-${count}`;
      const kind = { Type: 'SecureString', KeyId: 'alias/docs', Tier: 'Advanced' };
      await api('PutParameter', { Name: at, Value: 'none', ...kind });
      const store = storeAt(scheme, at);
      const seen = await store.write({ link: LINK }, await openStore(store));
      await store.write({ state: '{}' }, seen);
      const [link, state] = [at, `${at}_state`].map(
        (one) => front.requests.find(isWriteOf(one))?.body ?? '',
      );
      expect(JSON.parse(link ?? '')).toMatchObject({ ...kind, Overwrite: true });
      expect(JSON.parse(state ?? '')).toMatchObject({
        Type: 'SecureString',
        KeyId: 'alias/docs',
        Overwrite: false,
      });
      const stored = fieldOf(await api('GetParameterHistory', { Name: at }), 'Parameters');
      expect(Array.isArray(stored) ? stored.at(-1) : undefined).toMatchObject({
        ...kind,
        Version: 2,
      });
    });

    test('A parameter that is stored as plain text is refused', async () => {
      count += 1;
      const at = `/docs/site-${count}`;
      await api('PutParameter', { Name: at, Value: 'none', Type: 'String' });
      expectError(await failureOf(openStore(storeAt(scheme, at))), {
        code: 'config',
        message: 'is a String, which is stored in the clear',
      });
    });

    test('A parameter that was deleted since it was read is an error, and is not created', async () => {
      const at = await newName(scheme);
      const store = storeAt(scheme, at);
      const seen = await openStore(store);
      await api('DeleteParameter', { Name: at });
      expect(await failureOf(store.write({ link: LINK }, seen))).toMatchObject({
        code: 'not-found',
      });
      expect(front.requests.filter(isWriteOf(at))).toEqual([]);
    });

    test('A parameter that is too small for the value is an error that says how to make it larger', async () => {
      const at = await newName(scheme);
      const store = storeAt(scheme, at);
      const seen = await openStore(store);
      const said = 'Standard tier parameters support a maximum parameter value of 4096 characters.';
      refuse(isWriteOf(at), 'ValidationException', said);
      expectError(await failureOf(store.write({ link: `${LINK}&${'a'.repeat(4100)}` }, seen)), {
        code: 'config',
        hint: '--tier Advanced',
        mayHaveActed: false,
      });
    });

    test.each([
      ['ParameterMaxVersionLimitExceeded', 'config', 'label'],
      ['InvalidKeyId', 'forbidden', 'KMS key'],
      ['HierarchyTypeMismatchException', 'config', 'delete-parameter'],
    ] as const)(
      'The error for a parameter that AWS refuses with %s contains the fix',
      async (type, code, hint) => {
        const at = await newName(scheme);
        const store = storeAt(scheme, at);
        const seen = await openStore(store);
        refuse(isWriteOf(at), type, 'no');
        const error = await failureOf(store.write({ link: LINK }, seen));
        expect([error.code, String(error.hint).includes(hint)]).toEqual([code, true]);
      },
    );
  });

  test(`A login at ${name} that the role refuses is an error with the trust policy for this run`, async () => {
    const at = await newName('aws-sm');
    const claims = {
      iss: 'https://token.actions.githubusercontent.com',
      aud: 'sts.amazonaws.com',
      sub: 'repo:acme/docs:environment:docs',
    };
    const idToken = async () =>
      `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature-of-the-run`;
    const credentials = { region: REGION, role: { arn: ROLE, audience: 'sts.amazonaws.com' } };
    const store = storeAt('aws-sm', at, { credentials, idToken, env: {} });
    const isLogin = ({ headers }: FrontRequest) => headers['x-amz-target'] === undefined;
    const xml = (code: string) =>
      `<ErrorResponse><Error><Code>${code}</Code><Message>Not authorized to perform sts:AssumeRoleWithWebIdentity</Message></Error></ErrorResponse>`;
    front.inject(isLogin, { kind: 'raw', status: 403, text: xml('AccessDenied') });
    const error = await failureOf(openStore(store));
    expectError(error, { code: 'unauthorized', message: 'AccessDenied: Not authorized' });
    expect(JSON.parse(String(error.hint).split('\n').slice(1).join('\n')).Statement[0]).toEqual({
      Effect: 'Allow',
      Principal: {
        Federated: 'arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com',
      },
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: {
        StringEquals: {
          'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
          'token.actions.githubusercontent.com:sub': 'repo:acme/docs:environment:docs',
        },
      },
    });
    expect(`${error.message}${String(error.hint)}`).not.toContain('signature-of-the-run');
    front.inject(isLogin, { kind: 'raw', status: 400, text: xml('InvalidIdentityToken') });
    expect(String((await failureOf(openStore(store))).hint)).toContain(
      'aws iam create-open-id-connect-provider --url https://token.actions.githubusercontent.com --client-id-list sts.amazonaws.com',
    );
  });
}
