import { parseUrl } from '../../../src/ground/text/names.ts';
/** Address and credentials of an S3-compatible store. */
export interface S3Options {
  /** Base address; the bucket is the first part of the path, which every such store understands. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** A presigned link works for at most seven days, by the rules of its signature. */
const LONGEST_S3_LINK_MS = 7 * 24 * 3_600_000;

interface S3Arguments {
  readonly s3Endpoint: string | undefined;
  readonly s3Bucket: string | undefined;
  readonly linkLifetimeMs: number;
}

/**
 * undefined if no store was requested. Credentials come only from the environment: others can see a
 * command line.
 */
export function readS3Options(
  { s3Endpoint, s3Bucket, linkLifetimeMs }: S3Arguments,
  env: Readonly<Record<string, string | undefined>>,
): S3Options | undefined {
  if (s3Endpoint === undefined && s3Bucket === undefined) return undefined;
  if (s3Endpoint === undefined || s3Bucket === undefined)
    throw new Error('--s3-endpoint and --s3-bucket go together.');
  if (linkLifetimeMs > LONGEST_S3_LINK_MS)
    throw new Error('--link-lifetime: links to an S3 store work for at most 168h.');
  if (!/^https?:$/.test(parseUrl(s3Endpoint)?.protocol ?? ''))
    throw new Error('--s3-endpoint: must be an http or https address.');
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey) {
    throw new Error(
      '--s3-endpoint needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.',
    );
  }
  return {
    endpoint: s3Endpoint,
    bucket: s3Bucket,
    // Self-hosted stores often have no regions, but the signature contains one.
    region: env.AWS_REGION ?? 'us-east-1',
    accessKeyId,
    secretAccessKey,
    sessionToken: env.AWS_SESSION_TOKEN || undefined,
  };
}
