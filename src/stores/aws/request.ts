import { CourierError } from '../../errors.ts';
import { plainLine } from '../../text/escape.ts';
import { isLoopback, parseUrl } from '../../text/names.ts';
import { type AwsAddress, isAwsRegion } from './address.ts';

/** Variables of the run. */
export type Env = Readonly<Record<string, string | undefined>>;

export type AwsServiceName = 'secretsmanager' | 'ssm' | 'sts';

// Each partition of AWS has separate hosts, accounts and ARNs. From the table of the SDKs:
// botocore/data/partitions.json.
const PARTITIONS: readonly (readonly [prefix: string, partition: string, suffix: string])[] = [
  ['cn-', 'aws-cn', 'amazonaws.com.cn'],
  ['us-gov-', 'aws-us-gov', 'amazonaws.com'],
  ['eusc-', 'aws-eusc', 'amazonaws.eu'],
  ['us-iso-', 'aws-iso', 'c2s.ic.gov'],
  ['us-isob-', 'aws-iso-b', 'sc2s.sgov.gov'],
  ['us-isof-', 'aws-iso-f', 'csp.hci.ic.gov'],
  ['eu-isoe-', 'aws-iso-e', 'cloud.adc-e.uk'],
];

/** The partition in ARNs, such as `aws-cn`, and the end of its host names. */
export function partitionOf(region: string) {
  const [, id, suffix] = PARTITIONS.find(([prefix]) => region.startsWith(prefix)) ?? [
    '',
    'aws',
    'amazonaws.com',
  ];
  return { id, suffix };
}

/**
 * The region of a destination: that of its ARN, the one that it names, or the environment's. Throws
 * `config` if there is none.
 */
export function regionOf({ scheme, name, region: given }: AwsAddress, env: Env): string {
  const ofArn = name.startsWith('arn:') ? name.split(':')[3] : undefined;
  const found = (ofArn || given || env['AWS_REGION'] || env['AWS_DEFAULT_REGION'])?.trim();
  if (found !== undefined && isAwsRegion(found)) return found;
  const is =
    found === undefined
      ? `${scheme}:${name} names no region`
      : `"${plainLine(found, 40)}" is not a region of AWS`;
  throw new CourierError({
    code: 'config',
    message: `${is}. Nothing was sent.`,
    hint: {
      text: 'Set the variable AWS_REGION, or name the region in the address:',
      inputs: { to: `${scheme}:${name}?region=REGION` },
    },
  });
}

const ENDPOINT_VARIABLES: Readonly<Record<AwsServiceName, string>> = {
  secretsmanager: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  ssm: 'AWS_ENDPOINT_URL_SSM',
  sts: 'AWS_ENDPOINT_URL_STS',
};

/**
 * The address of a service in a region, without a trailing slash. As with AWS's own SDKs,
 * AWS_ENDPOINT_URL_SECRETS_MANAGER (_SSM, _STS) and AWS_ENDPOINT_URL name another one,
 * AWS_IGNORE_CONFIGURED_ENDPOINT_URLS leaves them out, and AWS_USE_FIPS_ENDPOINT asks for the host
 * with FIPS cryptography: https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export function endpointOf(service: AwsServiceName, region: string, env: Env): string {
  const variables = [ENDPOINT_VARIABLES[service], 'AWS_ENDPOINT_URL'];
  const variable = isTrue(env['AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'])
    ? undefined
    : variables.find((name) => env[name]?.trim());
  if (variable !== undefined) {
    // The link is in the body of a request, and http would show it to the network.
    const { href, search } = addressIn(variable, env, isLoopback);
    if (search === '') return href.replace(/(?<!\/)\/+$/, '');
    throw unusable(variable);
  }
  const fips = isTrue(env['AWS_USE_FIPS_ENDPOINT']) ? '-fips' : '';
  return `https://${service}${fips}.${region}.${partitionOf(region).suffix}`;
}

/**
 * The address in a variable: an https address, or one by http whose host `allowsHttp` takes. Throws
 * `config`.
 */
export function addressIn(variable: string, env: Env, allowsHttp: (host: string) => boolean): URL {
  const url = parseUrl(env[variable]?.trim() ?? '');
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && allowsHttp(url.hostname));
  if (url !== undefined && isSafe && url.username === '' && url.hash === '') return url;
  throw unusable(variable);
}

function unusable(variable: string): CourierError {
  return new CourierError({
    code: 'config',
    message: `The variable ${variable} is not an https address without a user name and query. Nothing was sent.`,
    hint: 'Correct it, or remove it: without it, the address is that of AWS.',
  });
}

export function isTrue(text: string | undefined): boolean {
  return text?.trim().toLowerCase() === 'true';
}

/** Keys for one identity of AWS. Those with a session token are temporary. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
  /** Epoch milliseconds; undefined: AWS does not say, or never. */
  readonly expiresAtMs: number | undefined;
}

interface Signable {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** All of them are signed. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly service: string;
  readonly region: string;
}

/**
 * The headers of a request with a signature of version 4, good for some minutes from `atMs`:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
 */
export async function signedHeaders(
  request: Signable,
  keys: AwsKeys,
  atMs: number,
): Promise<Record<string, string>> {
  const { AwsV4Signer } = await import('aws4fetch');
  const { url, sessionToken, ...rest } = { ...request, ...keys };
  const signer = new AwsV4Signer({
    ...rest,
    url: url.href,
    ...(sessionToken !== undefined && { sessionToken }),
    datetime: new Date(atMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    allHeaders: true,
  });
  const { headers } = await signer.sign();
  return Object.fromEntries(headers);
}

/** A policy that allows this, as AWS writes it. */
export function policyOf(...statements: readonly Readonly<Record<string, unknown>>[]): string {
  const Statement = statements.map((statement) => ({ Effect: 'Allow', ...statement }));
  return JSON.stringify({ Version: '2012-10-17', Statement }, undefined, 2);
}
