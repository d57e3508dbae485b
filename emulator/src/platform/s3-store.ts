import { AwsClient } from 'aws4fetch';
import type { BundleStore } from './bundle-store.ts';
import type { S3Options } from './s3-options.ts';

// aws4fetch automatically waits and retries on 5xx and 429; a local store is either up or not.
const RETRIES = 2;

/**
 * Bundles in an S3-compatible store, with links that the store checks itself. Rejects if the bucket
 * cannot be reached.
 */
export async function openS3BundleStore(options: S3Options): Promise<BundleStore> {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey, sessionToken } = options;
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
    retries: RETRIES,
    ...(sessionToken && { sessionToken }),
  });
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`;
  // Keys consist of letters, digits, `-`, `.` and `/`; anything else must not change the address.
  const address = (key: string) => `${base}/${key.split('/').map(encodeURIComponent).join('/')}`;
  const call = async (method: string, url: string, body?: Uint8Array) => {
    const init = body && {
      body: Buffer.from(body),
      headers: { 'content-type': 'application/gzip' },
    };
    const response = await client.fetch(url, { method, ...init });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status}${explain(text)}`);
  };
  const keys = new Set<string>();
  await call('HEAD', base).catch((cause: unknown) => {
    const why = describe(cause).replace(/^404$/, 'it does not exist (404)');
    throw new Error(`The bucket ${bucket} at ${endpoint} cannot be used: ${why}.`, { cause });
  });
  return {
    async put(key, body) {
      await call('PUT', address(key), body);
      keys.add(key);
    },
    async presign({ key, expires }) {
      // The store uses its own clock, so this one cannot be a test's.
      const seconds = Math.max(1, Math.ceil((expires - Date.now()) / 1000));
      const signed = await client.sign(`${address(key)}?X-Amz-Expires=${seconds}`, {
        aws: { signQuery: true },
      });
      return signed.url;
    },
    clear() {
      // Names are never used again, so nothing has to wait for this.
      for (const key of keys) void call('DELETE', address(key)).catch(() => undefined);
      keys.clear();
    },
    close: () => undefined,
  };
}

/** The message in the store's XML; empty after a HEAD. */
function explain(xml: string): string {
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(xml)?.[1];
  return code === undefined ? '' : ` ${code}`;
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? `${cause.message} (${cause.cause.message})` : cause.message;
}
