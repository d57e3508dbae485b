import { createHash, randomBytes } from 'node:crypto';
import { formatLink } from './link-signature.ts';

/** Where finished bundles are stored, and what creates the links to them. */
export interface BundleStore {
  /** Stores the archive under a key of `A-Za-z0-9._~/-`. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  presign(wish: LinkWish): Promise<string>;
  /** Removes every bundle; links to them stop working. */
  clear(): void;
  /** Ends its connections; the bundles stay. */
  close(): void;
}

interface LinkWish {
  readonly key: string;
  /** Epoch milliseconds. */
  readonly expires: number;
  /** Scheme, host and port that the client used for the platform. */
  readonly origin: string;
}

export interface StoredBundle {
  readonly bytes: Uint8Array;
  /** With its quotes, as in a header. */
  readonly etag: string;
}

/** Bundles in memory, served by the emulator itself below `/storage/`. */
export interface LocalBundleStore extends BundleStore {
  readonly secret: string;
  get(key: string): StoredBundle | undefined;
}

export const STORAGE_PREFIX = '/storage/';

export function createLocalBundleStore(): LocalBundleStore {
  const secret = randomBytes(32).toString('hex');
  const bundles = new Map<string, StoredBundle>();
  return {
    secret,
    async put(key, bytes) {
      const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
      bundles.set(key, { bytes, etag });
    },
    async presign({ key, expires, origin }) {
      const nonce = randomBytes(8).toString('hex');
      return origin + formatLink(secret, { path: STORAGE_PREFIX + key, expires, nonce });
    },
    get: (key) => bundles.get(key),
    clear: () => bundles.clear(),
    close: () => undefined,
  };
}
