import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { Clock } from '../../ground/clock.ts';
import { CourierError, configError } from '../../ground/errors.ts';
import type { Log } from '../../ground/log.ts';
import type { Env } from '../../ground/programs.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { readTime } from '../../ground/text/instants.ts';
import { fieldOf, parseJson } from '../../ground/text/json.ts';
import { createRedact } from '../../ground/text/redact.ts';
import type { Http } from '../../http/http.ts';
import { type Meanings, meaningOf, type Service } from '../../http/service.ts';
import type { AwsInputs } from './inputs.ts';
import { type AwsKeys, endpointOf, policyOf } from './request.ts';

export interface AwsLoginInit extends AwsInputs {
  /** Asks the CI system for a token that says which run this is, good for some minutes. */
  readonly idToken: (audience: string) => Promise<string>;
  readonly region: string;
  readonly env: Env;
  readonly http: Http;
  readonly log: Log;
  readonly clock: Clock;
}

// Keys that end within this time are replaced: a request may wait for some minutes before it is
// sent.
const RESERVE_MS = 5 * 60_000;
// The name under which the logs of AWS show the run.
const SESSION = 'docs-courier';

/** The keys of a run for AWS. Everything secret in them is masked before it is returned. */
export class AwsLogin {
  readonly #init: AwsLoginInit;
  #keys: AwsKeys | undefined;

  constructor(init: AwsLoginInit) {
    this.#init = init;
  }

  /** The keys of the last login, or of a new one if there was none or its keys end soon. */
  async keys(): Promise<AwsKeys> {
    if (this.#keys !== undefined && this.#lastsFor(this.#keys, RESERVE_MS)) return this.#keys;
    return this.#makeKeys();
  }

  /**
   * True if the keys are temporary and the run can get new ones: they did not come from the
   * environment.
   */
  get canRenew(): boolean {
    if (this.#keys?.sessionToken === undefined) return false;
    return this.#init.role !== undefined || !this.#init.env['AWS_ACCESS_KEY_ID'];
  }

  /** Logs in again without keeping the former keys, since AWS does not accept them. */
  async replace(): Promise<void> {
    this.#keys = undefined;
    await this.#makeKeys();
  }

  /** Gives new keys, or the former keys if there are no new ones and the former are still valid. */
  async #makeKeys(): Promise<AwsKeys> {
    const former = this.#keys;
    try {
      const keys = await this.#findKeys();
      checkKeys(keys);
      this.#init.log.mask(keys.secretAccessKey);
      if (keys.sessionToken) this.#init.log.mask(keys.sessionToken);
      this.#keys = keys;
      return keys;
    } catch (error) {
      // Another error is a defect of this program, which must show.
      if (!(error instanceof CourierError)) throw error;
      const isFormerValid = former !== undefined && this.#lastsFor(former, 0);
      if (!isFormerValid) throw error;
      return former;
    }
  }

  /** True if the keys are valid for longer than this. */
  #lastsFor(keys: AwsKeys, reserveMs: number): boolean {
    if (keys.expiresAtMs === undefined) return true;
    return keys.expiresAtMs - this.#init.clock.now() > reserveMs;
  }

  /** The keys of the role for the id token of the job, else those of the environment. */
  async #findKeys(): Promise<AwsKeys> {
    const { role, env } = this.#init;
    if (role !== undefined) {
      // AWS gives keys of the role for the id token of the job, if the role trusts the CI system.
      const token = await this.#init.idToken(role.audience);
      return assumeRole(this.#init, { role: role.arn, session: SESSION, token });
    }
    const accessKeyId = lineOf('AWS_ACCESS_KEY_ID', env['AWS_ACCESS_KEY_ID']);
    const secretAccessKey = lineOf('AWS_SECRET_ACCESS_KEY', env['AWS_SECRET_ACCESS_KEY']);
    if (accessKeyId !== '' && secretAccessKey !== '') {
      // Keys without a session token are those of a user, and do not expire.
      const sessionToken = lineOf('AWS_SESSION_TOKEN', env['AWS_SESSION_TOKEN']) || undefined;
      return { accessKeyId, secretAccessKey, sessionToken, expiresAtMs: undefined };
    }
    // Both are set in a pod of EKS whose service account has a role.
    const tokenFile = env['AWS_WEB_IDENTITY_TOKEN_FILE'];
    const fileRole = env['AWS_ROLE_ARN'];
    if (tokenFile && fileRole) {
      const session = env['AWS_ROLE_SESSION_NAME'] || SESSION;
      const token = await readTokenFile(tokenFile);
      return assumeRole(this.#init, { role: fileRole, session, token });
    }
    throw configError(
      'No AWS credentials: neither aws-role, nor AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY, nor AWS_WEB_IDENTITY_TOKEN_FILE with AWS_ROLE_ARN is set. Nothing was written.',
      {
        text: 'If the AWS CLI is logged in, by a profile or by the role of a pod or a machine, run this before: eval "$(aws configure export-credentials --format env)". Or let the run log in by its own identity:',
        // Shown with a placeholder as its value.
        inputs: { 'aws-role': '' },
        permissions: { 'id-token': 'write', contents: 'read' },
      },
    );
  }
}

/**
 * The text without white space around it; empty: there is none. Throws `config`, with the name of
 * the variable, if it is not one line of printable ASCII.
 */
function lineOf(name: string, text: string | undefined): string {
  const line = text?.trim() ?? '';
  if (/^[ -~]*$/.test(line)) return line;
  throw configError(
    `The variable ${name} is not one line of printable ASCII characters. Nothing was sent.`,
    'Set it to the key alone.',
  );
}

const temporaryKeys = z.object({
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  sessionToken: z.string(),
  expiresAtMs: z.union([z.number(), z.undefined()]),
});

/** The token in a file that a variable names. */
async function readTokenFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (cause) {
    throw configError(
      `The token file ${path}, which a variable of AWS names, cannot be read.`,
      'Check that it is mounted into the container of this job.',
      { cause },
    );
  }
}

/**
 * Throws `config` for keys with an empty text, or with one that a header cannot contain: no request
 * can be signed with them.
 */
function checkKeys(keys: AwsKeys): void {
  const texts = [keys.accessKeyId, keys.secretAccessKey];
  if (keys.sessionToken !== undefined) texts.push(keys.sessionToken);
  if (texts.every((key) => /^[!-~]+$/.test(key))) return;
  throw configError(
    'The AWS keys of this run are not printable ASCII characters alone. Nothing was written.',
    'Check the variables, or what the role gives.',
  );
}

interface WebIdentity {
  /** The ARN of the role. */
  readonly role: string;
  readonly session: string;
  /** The token that says who asks. */
  readonly token: string;
}

/**
 * Temporary keys of a role, in exchange for a token of an identity provider that the role trusts.
 * The request itself is not signed, so that it needs no keys:
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
 */
async function assumeRole(init: AwsLoginInit, identity: WebIdentity): Promise<AwsKeys> {
  const { role, token } = identity;
  init.log.mask(token);
  const body = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: identity.session,
    WebIdentityToken: token,
  });
  const reply = await init.http.request({
    service: stsFor(identity),
    method: 'POST',
    url: new URL(`${endpointOf('sts', init.region, init.env)}/`),
    name: `AWS STS: AssumeRoleWithWebIdentity for ${role}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/xml' },
    body: body.toString(),
    // A login makes keys that expire, and changes nothing.
    repeat: 'always',
    // An error of STS may repeat the token.
    redact: createRedact([token]),
    // A reply of 2xx without credentials counts as a broken connection: the call is repeated.
    check: (candidate) => {
      if (temporaryKeys.safeParse(keysIn(candidate.body)).success) return undefined;
      return 'it contains no credentials';
    },
  });
  return temporaryKeys.parse(keysIn(reply.body));
}

/** What a reply of STS, which is XML, has of `temporaryKeys`. */
function keysIn(body: Buffer) {
  const text = (element: string) => textIn(body.toString('utf8'), element);
  return {
    accessKeyId: text('AccessKeyId'),
    secretAccessKey: text('SecretAccessKey'),
    sessionToken: text('SessionToken'),
    expiresAtMs: readTime(text('Expiration')),
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/**
 * The text of the first element of this name; undefined: there is none. The elements that are read
 * here contain no other elements.
 */
function textIn(xml: string, element: string): string | undefined {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1]?.trim();
  return text?.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');
}

/** STS, with advice for the role and token of this login. */
function stsFor(identity: WebIdentity): Service {
  return {
    name: 'AWS STS',
    givesKeys: true,
    addressSetting: 'the region',
    errorText: (reply) => {
      const xml = reply.body.toString('utf8');
      return [textIn(xml, 'Code'), textIn(xml, 'Message')].filter(Boolean).join(': ');
    },
    meaning: (reply) => {
      // A failure of AWS itself says nothing about the role.
      if (reply.status >= 500) return undefined;
      // Any other code than those in the table, such as AccessDenied: AWS gives no keys of this
      // role for this token.
      const code = textIn(reply.body.toString('utf8'), 'Code') ?? '';
      return meaningOf(code, MEANINGS) ?? { code: 'unauthorized', hint: adviceFor(code, identity) };
    },
  };
}

const MEANINGS: Meanings = [
  [/^Throttling(Exception)?$/, { code: 'rate-limited' }],
  // AWS could not reach the provider for its keys, and asks to repeat the call.
  [/^IDPCommunicationError$/, { code: 'network', retry: 'safe' }],
  [
    /^RegionDisabledException$/,
    {
      code: 'config',
      hint: 'Turn AWS STS on for this region in the settings of the account, or name another region.',
    },
  ],
  [
    /^ValidationError$/,
    {
      code: 'config',
      hint: 'Check aws-role: it is the ARN of a role, such as arn:aws:iam::123456789012:role/docs.',
    },
  ],
  [
    /^ExpiredTokenException$/,
    {
      code: 'unauthorized',
      hint: 'The id token has expired. If a variable contains it, create it in this job.',
    },
  ],
];

/** What to do if the account or the role does not take the token. */
function adviceFor(code: string, identity: WebIdentity): string {
  const { iss, aud, sub } = claimsOf(identity.token);
  // The account does not know the issuer, or knows it for another audience.
  if (code === 'InvalidIdentityToken') {
    return `The account of the role needs an identity provider for the issuer of the token, with its audience:\naws iam create-open-id-connect-provider --url ${iss} --client-id-list ${aud}`;
  }
  // A role is arn:PARTITION:iam::ACCOUNT:role/NAME.
  const [, partition = 'aws', , , account = 'ACCOUNT'] = identity.role.split(':');
  const provider = iss.replace(/^https:\/\//, '');
  const policy = policyOf({
    Principal: { Federated: `arn:${partition}:iam::${account}:oidc-provider/${provider}` },
    Action: 'sts:AssumeRoleWithWebIdentity',
    Condition: { StringEquals: { [`${provider}:aud`]: aud, [`${provider}:sub`]: sub } },
  });
  return `The role does not trust this run, whose token says issuer ${iss}, audience ${aud} and subject ${sub}. This trust policy of the role lets this run in:\n${policy}`;
}

/**
 * The issuer, audience and subject in the token, to show them: only its signature is secret. What
 * the token does not say becomes a placeholder such as `ISS`.
 */
function claimsOf(token: string) {
  const payload = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const text = (name: string) => {
    const value = fieldOf(payload, name);
    // An audience may be a list.
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === 'string' ? plainLine(first, 300) : name.toUpperCase();
  };
  return { iss: text('iss'), aud: text('aud'), sub: text('sub') };
}
