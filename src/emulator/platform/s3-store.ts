import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { BundleStore } from './bundle-store.ts';
import type { S3Options } from './s3-options.ts';

function createClient({ endpoint, region, accessKeyId, secretAccessKey, sessionToken }: S3Options): S3Client {
  return new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
    // Not every compatible store knows the newer checksums, and some refuse them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** Bundles in an S3-compatible store, with links that it judges by itself. Rejects when the bucket cannot be reached. */
export async function openS3BundleStore(options: S3Options): Promise<BundleStore> {
  const { endpoint, bucket: Bucket } = options;
  const client = createClient(options);
  const keys = new Set<string>();
  try {
    await client.send(new HeadBucketCommand({ Bucket }));
  } catch (cause) {
    client.destroy();
    throw new Error(`The bucket ${Bucket} at ${endpoint} cannot be used: ${describe(cause)}.`, { cause });
  }
  return {
    async put(Key, Body) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: 'application/gzip' }));
      keys.add(Key);
    },
    presign({ key: Key, expires }) {
      // The store goes by its own clock, so that this one cannot be a test's.
      const expiresIn = Math.max(1, Math.ceil((expires - Date.now()) / 1000));
      return getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), { expiresIn });
    },
    clear() {
      // No name is ever used again, so that nothing has to wait for this.
      for (const Key of keys) void client.send(new DeleteObjectCommand({ Bucket, Key })).catch(() => undefined);
      keys.clear();
    },
    close: () => client.destroy(),
  };
}

function describe(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}${cause.message ? `: ${cause.message}` : ''}` : String(cause);
}
