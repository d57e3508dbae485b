import type { HttpReply } from '../../http/exchange.ts';
import type { Http } from '../../http/http.ts';
import type { Meaning, Service } from '../../http/service.ts';
import { plainLine } from '../../text/escape.ts';
import { fieldOf, parseJson } from '../../text/json.ts';
import { type Env, endpointOf } from './region.ts';
import type { AwsKeys } from './sign.ts';

const SECRET_ELEMENTS = /<(SecretAccessKey|SessionToken)>[^<]*/g;

interface WebIdentity {
  /** The ARN of the role. */
  readonly role: string;
  readonly session: string;
  /** The token that says who asks. */
  readonly token: string;
}

/**
 * Temporary keys of a role, for a signed token of an identity provider that the role trusts. Not signed, so that no key is
 * needed: https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
 */
export async function assumeRole(
  http: Http,
  identity: WebIdentity,
  { region, env }: { readonly region: string; readonly env: Env },
): Promise<AwsKeys> {
  const { role, session, token } = identity;
  const body = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: session,
    WebIdentityToken: token,
  });
  const reply = await http.request({
    service: serviceFor(identity),
    method: 'POST',
    url: new URL(`${endpointOf('sts', region, env)}/`),
    name: `AWS STS: AssumeRoleWithWebIdentity for ${role}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/xml' },
    body: body.toString(),
    // A login makes keys that expire by themselves, and changes nothing.
    repeat: 'always',
    // A reply that does not fit is quoted, and the token may come back in an error.
    redact: (text) => text.replaceAll(token, '***').replace(SECRET_ELEMENTS, '<$1>***'),
    check: (found) => (keysIn(found) === undefined ? 'it holds no credentials' : undefined),
  });
  const keys = keysIn(reply);
  if (keys === undefined) throw new Error('The reply was checked before.');
  return keys;
}

function keysIn({ body }: HttpReply): AwsKeys | undefined {
  const xml = body.toString('utf8');
  const [accessKeyId, secretAccessKey] = [textIn(xml, 'AccessKeyId'), textIn(xml, 'SecretAccessKey')];
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const expiresAtMs = Date.parse(textIn(xml, 'Expiration') ?? '');
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: textIn(xml, 'SessionToken'),
    expiresAtMs: Number.isNaN(expiresAtMs) ? undefined : expiresAtMs,
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the one element of this name: STS nests none of those that are read here. */
function textIn(xml: string, element: string): string | undefined {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1]?.trim();
  return text?.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');
}

function serviceFor(identity: WebIdentity): Service {
  return {
    name: 'AWS STS',
    addressSetting: 'the region',
    errorText: ({ body }) => {
      const xml = body.toString('utf8');
      const said = [textIn(xml, 'Code'), textIn(xml, 'Message')].filter((text) => text !== undefined);
      return said.length === 0 ? undefined : said.join(': ');
    },
    meaning: (reply) => meaning(reply, identity),
  };
}

function meaning(reply: HttpReply, identity: WebIdentity): Meaning | undefined {
  if (reply.status >= 500) return undefined;
  const code = textIn(reply.body.toString('utf8'), 'Code');
  const claims = claimsOf(identity.token);
  switch (code) {
    case 'Throttling':
    case 'ThrottlingException':
      return { code: 'rate-limited' };
    case 'IDPCommunicationError':
      // AWS could not reach the provider for its keys, and asks to repeat the call.
      return { code: 'network', retry: 'safe' };
    case 'RegionDisabledException':
      return {
        code: 'config',
        hint: 'Turn AWS STS on for this region in the settings of the account, or name another region.',
      };
    case 'ValidationError':
      return {
        code: 'config',
        hint: 'Check aws-role: it is the ARN of a role, such as arn:aws:iam::123456789012:role/docs.',
      };
    case 'InvalidIdentityToken':
      return {
        code: 'unauthorized',
        hint: `The account of the role needs an identity provider for the issuer of the token, with its audience:\n${providerCommand(claims)}`,
      };
    case 'ExpiredTokenException':
      return {
        code: 'unauthorized',
        hint: 'The id token has expired. Where a variable holds it, let it be made for this job.',
      };
    default:
      return {
        code: 'unauthorized',
        hint: `${saying(claims)} This trust policy of the role lets this run in:\n${trustPolicy(identity, claims)}`,
      };
  }
}

interface Claims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
}

/** What the token says of the run: no part of it is secret but the signature. */
function claimsOf(token: string): Claims {
  const payload = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const text = (name: string) => {
    const value = fieldOf(payload, name);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === 'string' ? plainLine(first, 300) : name.toUpperCase();
  };
  return { iss: text('iss'), aud: text('aud'), sub: text('sub') };
}

function saying({ iss, aud, sub }: Claims): string {
  return `The role does not trust this run, whose token says issuer ${iss}, audience ${aud} and subject ${sub}.`;
}

function providerCommand({ iss, aud }: Claims): string {
  return `aws iam create-open-id-connect-provider --url ${iss} --client-id-list ${aud}`;
}

function trustPolicy({ role }: WebIdentity, { iss, aud, sub }: Claims): string {
  const [, partition = 'aws', , , account = 'ACCOUNT'] = role.split(':');
  const provider = iss.replace(/^https:\/\//, '');
  const statement = {
    Effect: 'Allow',
    Principal: { Federated: `arn:${partition}:iam::${account}:oidc-provider/${provider}` },
    Action: 'sts:AssumeRoleWithWebIdentity',
    Condition: { StringEquals: { [`${provider}:aud`]: aud, [`${provider}:sub`]: sub } },
  };
  return JSON.stringify({ Version: '2012-10-17', Statement: [statement] }, undefined, 2);
}
