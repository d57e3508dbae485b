import { type CourierError, configError } from '../../ground/errors.ts';
import type { Env } from '../../ground/programs.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { isLoopback, parseUrl } from '../../ground/text/names.ts';
import type { HeaderFields } from '../../http/exchange.ts';
import { type AwsAddress, isAwsRegion } from './address.ts';

// Each partition of AWS has separate hosts, accounts and ARNs. From the table of the SDKs:
// botocore/data/partitions.json.
const PARTITIONS = [
  { prefix: 'cn-', id: 'aws-cn', suffix: 'amazonaws.com.cn' },
  { prefix: 'us-gov-', id: 'aws-us-gov', suffix: 'amazonaws.com' },
  { prefix: 'eusc-', id: 'aws-eusc', suffix: 'amazonaws.eu' },
  { prefix: 'us-iso-', id: 'aws-iso', suffix: 'c2s.ic.gov' },
  { prefix: 'us-isob-', id: 'aws-iso-b', suffix: 'sc2s.sgov.gov' },
  { prefix: 'us-isof-', id: 'aws-iso-f', suffix: 'csp.hci.ic.gov' },
  { prefix: 'eu-isoe-', id: 'aws-iso-e', suffix: 'cloud.adc-e.uk' },
];

/** `id`: the partition in ARNs, such as `aws-cn`. `suffix`: the end of its host names. */
export function partitionOf(region: string) {
  const partition = PARTITIONS.find((known) => region.startsWith(known.prefix));
  return partition ?? { id: 'aws', suffix: 'amazonaws.com' };
}

/**
 * The region of a destination: that of its ARN, else the one in its address, else that of the
 * environment. Throws `config` if there is none.
 */
export function regionOf(address: AwsAddress, env: Env): string {
  const { scheme, name } = address;
  const arnRegion = name.startsWith('arn:') ? name.split(':')[3] : undefined;
  const named = arnRegion || address.region || env['AWS_REGION'] || env['AWS_DEFAULT_REGION'];
  const region = named?.trim();
  if (region !== undefined && isAwsRegion(region)) return region;
  let problem = `${scheme}:${name} names no region`;
  if (region !== undefined) problem = `"${plainLine(region, 40)}" is not a region of AWS`;
  throw configError(`${problem}. Nothing was sent.`, {
    text: 'Set the variable AWS_REGION, or name the region in the address:',
    inputs: { to: `${scheme}:${name}?region=REGION` },
  });
}

const ENDPOINT_VARIABLES = {
  secretsmanager: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  ssm: 'AWS_ENDPOINT_URL_SSM',
  sts: 'AWS_ENDPOINT_URL_STS',
};

export type AwsServiceName = keyof typeof ENDPOINT_VARIABLES;

/**
 * The address of a service in a region, without a trailing slash. As with AWS's own SDKs,
 * AWS_ENDPOINT_URL_SECRETS_MANAGER (_SSM, _STS) and AWS_ENDPOINT_URL name another one,
 * AWS_IGNORE_CONFIGURED_ENDPOINT_URLS leaves them out, and AWS_USE_FIPS_ENDPOINT asks for the host
 * with FIPS cryptography: https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export function endpointOf(service: AwsServiceName, region: string, env: Env): string {
  const variables = [ENDPOINT_VARIABLES[service], 'AWS_ENDPOINT_URL'];
  const variable = variables.find((name) => env[name]?.trim());
  if (variable !== undefined && !isTrue(env['AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'])) {
    // The link is in the body of a request, and http would show it to the network.
    const url = addressIn(variable, env[variable]);
    // A path may follow an address, but not a query.
    if (url.search !== '') throw unusable(variable);
    // The lookbehind keeps many slashes from taking long.
    return url.href.replace(/(?<!\/)\/+$/, '');
  }
  const fips = isTrue(env['AWS_USE_FIPS_ENDPOINT']) ? '-fips' : '';
  return `https://${service}${fips}.${region}.${partitionOf(region).suffix}`;
}

/**
 * The address that a variable has as its text. Throws `config`, with the name of the variable,
 * unless it is an https address, or an http address of this machine.
 */
function addressIn(variable: string, text: string | undefined): URL {
  const url = parseUrl(text?.trim() ?? '');
  // A user name would be sent as a credential, and a fragment is not sent at all.
  if (url === undefined || url.username !== '' || url.hash !== '') throw unusable(variable);
  if (url.protocol === 'https:') return url;
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return url;
  throw unusable(variable);
}

/** The error for a variable with an address that no request is sent to. */
function unusable(variable: string): CourierError {
  return configError(
    `The variable ${variable} is not an https address without a user name and query. Nothing was sent.`,
    'Correct it, or remove it: without it, the address is that of AWS.',
  );
}

/** Whether a variable is set to true, as AWS's SDKs read it. */
function isTrue(text: string | undefined): boolean {
  return text?.trim().toLowerCase() === 'true';
}

/** Keys for one identity of AWS. Those with a session token are temporary. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
  /** Epoch milliseconds; undefined: AWS does not say when, or the keys do not expire. */
  readonly expiresAtMs: number | undefined;
}

/**
 * The headers of a request with a signature of version 4, good for some minutes from `atMs`:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
 */
export async function signedHeaders(
  request: {
    readonly method: string;
    readonly url: URL;
    /** All headers are signed. Names in lower case. */
    readonly headers: HeaderFields;
    readonly body: string;
    readonly service: string;
    readonly region: string;
  },
  keys: AwsKeys,
  atMs: number,
): Promise<Record<string, string>> {
  const { AwsV4Signer } = await import('aws4fetch');
  const signer = new AwsV4Signer({
    ...request,
    url: request.url.href,
    accessKeyId: keys.accessKeyId,
    secretAccessKey: keys.secretAccessKey,
    // The signer takes an empty text as no token.
    sessionToken: keys.sessionToken ?? '',
    // 20261121T083000Z
    datetime: new Date(atMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    allHeaders: true,
  });
  const signed = await signer.sign();
  return Object.fromEntries(signed.headers);
}

/** An IAM policy that allows what the statements say, as JSON to paste. */
export function policyOf(...statements: readonly Readonly<Record<string, unknown>>[]): string {
  const Statement = statements.map((statement) => ({ Effect: 'Allow', ...statement }));
  return JSON.stringify({ Version: '2012-10-17', Statement }, undefined, 2);
}
