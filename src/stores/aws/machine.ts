import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { CourierError } from '../../errors.ts';
import type { Http } from '../../http/http.ts';
import type { Service } from '../../http/service.ts';
import { isLoopback } from '../../text/names.ts';
import type { Env } from './region.ts';
import type { AwsKeys } from './sign.ts';

// Keys that the machine or the container of the run is given:
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html and feature-imds-credentials.html

const reply = z.object({
  AccessKeyId: z.string(),
  SecretAccessKey: z.string(),
  Token: z.string(),
  Expiration: z.optional(z.string()),
});

const container: Service = {
  name: 'the service for the keys of this container',
  addressSetting: 'AWS_CONTAINER_CREDENTIALS_FULL_URI',
};
const instance: Service = {
  name: 'the metadata service of this machine',
  addressSetting: 'AWS_EC2_METADATA_SERVICE_ENDPOINT',
};

/** Of a task of ECS, or of a pod of EKS with Pod Identity. */
export async function containerKeys(http: Http, env: Env, mask: (secret: string) => void): Promise<AwsKeys> {
  const url = containerAddress(env);
  const file = env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'];
  const token = (file ? await readTokenFile(file) : (env['AWS_CONTAINER_AUTHORIZATION_TOKEN'] ?? '')).trim();
  if (!/^[!-~ ]*$/.test(token)) throw notOneLine();
  mask(token);
  const headers = { accept: 'application/json', ...(token !== '' && { authorization: token }) };
  const request = { service: container, method: 'GET', url, headers, repeat: 'always' } as const;
  return keysOf((await http.requestJson(request, reply)).value);
}

// The addresses that AWS itself uses, by http; any other one only by https: the token would show.
const HTTP_HOSTS: readonly string[] = ['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]'];

function containerAddress(env: Env): URL {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path, AWS_CONTAINER_CREDENTIALS_FULL_URI: full = '' } = env;
  const address = path?.startsWith('/') ? `http://169.254.170.2${path}` : full;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isLocal = url !== undefined && (HTTP_HOSTS.includes(url.hostname) || isLoopback(url.hostname));
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return url;
  throw new CourierError({
    code: 'config',
    message:
      'The variable AWS_CONTAINER_CREDENTIALS_FULL_URI is neither an https address nor one of AWS on this machine.',
    hint: 'Remove it, or correct it.',
  });
}

function notOneLine(): CourierError {
  return new CourierError({
    code: 'config',
    message: 'The token for the keys of this container (AWS_CONTAINER_AUTHORIZATION_TOKEN) is not one line.',
    hint: 'Check the variable, or the file that AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE names.',
  });
}

export async function readTokenFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CourierError({
      code: 'config',
      message: `The token file ${path}, which a variable of AWS names, cannot be read.`,
      hint: 'Check that it is mounted into the container of this job.',
      cause,
    });
  }
}

const QUICK = { connectMs: 1000, headersMs: 2000, idleMs: 2000, totalMs: 4000 } as const;

/** Of an EC2 instance with a role, by version 2 of its metadata service; undefined: this machine has no such service or role. */
export async function instanceKeys(http: Http, env: Env): Promise<AwsKeys | undefined> {
  if (env['AWS_EC2_METADATA_DISABLED']?.trim().toLowerCase() === 'true') return undefined;
  const base = env['AWS_EC2_METADATA_SERVICE_ENDPOINT']?.replace(/\/+$/, '') || 'http://169.254.169.254';
  if (!URL.canParse(base)) return undefined;
  const common = { service: instance, repeat: 'never', limits: QUICK } as const;
  const roles = `${base}/latest/meta-data/iam/security-credentials/`;
  try {
    const session = await http.request({
      ...common,
      method: 'PUT',
      url: new URL(`${base}/latest/api/token`),
      headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '300' },
    });
    const headers = { 'x-aws-ec2-metadata-token': session.body.toString('utf8') };
    const names = await http.request({ ...common, method: 'GET', url: new URL(roles), headers });
    const role = encodeURIComponent(names.body.toString('utf8').split('\n')[0]?.trim() ?? '');
    const found = await http.requestJson({ ...common, method: 'GET', url: new URL(`${roles}${role}`), headers }, reply);
    return keysOf(found.value);
  } catch (error) {
    // Most machines are none of AWS, and some have another cloud's service at this address.
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    return undefined;
  }
}

function keysOf({ AccessKeyId, SecretAccessKey, Token, Expiration }: z.infer<typeof reply>): AwsKeys {
  const expiresAtMs = Date.parse(Expiration ?? '');
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: Token,
    expiresAtMs: Number.isNaN(expiresAtMs) ? undefined : expiresAtMs,
  };
}
