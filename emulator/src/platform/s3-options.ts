/** Where an S3-compatible store is, and who may use it. */
export interface S3Options {
  /** Base address; buckets are addressed as the first part of the path, which every such store understands. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** A presigned link lives seven days at the most, by the rules of its signature. */
const LONGEST_S3_LINK_MS = 7 * 24 * 3_600_000;

interface S3Arguments {
  readonly s3Endpoint: string | undefined;
  readonly s3Bucket: string | undefined;
  readonly linkLifetimeMs: number;
}

/** undefined where no store was asked for. Credentials come from the environment alone: a command line is seen by others. */
export function readS3Options(
  { s3Endpoint, s3Bucket, linkLifetimeMs }: S3Arguments,
  env: Readonly<Record<string, string | undefined>>,
): S3Options | undefined {
  if (s3Endpoint === undefined && s3Bucket === undefined) return undefined;
  if (s3Endpoint === undefined || s3Bucket === undefined) throw new Error('--s3-endpoint and --s3-bucket go together.');
  if (linkLifetimeMs > LONGEST_S3_LINK_MS)
    throw new Error('--link-lifetime: links to an S3 store live 168h at the most.');
  if (!/^https?:$/.test(URL.parse(s3Endpoint)?.protocol ?? ''))
    throw new Error('--s3-endpoint: must be an http or https address.');
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey) {
    throw new Error('--s3-endpoint needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.');
  }
  return {
    endpoint: s3Endpoint,
    bucket: s3Bucket,
    // Stores of one's own often know no regions, but the signature holds one.
    region: env.AWS_REGION ?? 'us-east-1',
    accessKeyId,
    secretAccessKey,
    sessionToken: env.AWS_SESSION_TOKEN || undefined,
  };
}
