import { CourierError } from '../../errors.ts';

const KEY_BYTES = 32;
/** GitHub's limit for one secret. */
const LONGEST_SECRET_BYTES = 48 * 1024;

/** Seals a secret for the holder of a public key (X25519, base64): a libsodium sealed box, base64. Two seals always differ. */
export async function seal(value: string, publicKey: string): Promise<string> {
  const bytes = Buffer.byteLength(value);
  if (bytes === 0 || bytes > LONGEST_SECRET_BYTES) {
    throw new CourierError({
      code: 'config',
      message: `A secret of ${bytes} bytes cannot be written: GitHub accepts 1 to ${LONGEST_SECRET_BYTES}.`,
    });
  }
  const key = readKey(publicKey);
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  try {
    return Buffer.from(sodium.crypto_box_seal(value, key)).toString('base64');
  } catch (cause) {
    throw unusableKey(cause);
  }
}

function readKey(publicKey: string): Buffer {
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(publicKey);
  const key = Buffer.from(isBase64 ? publicKey : '', 'base64');
  if (key.length !== KEY_BYTES || key.every((byte) => byte === 0)) throw unusableKey();
  return key;
}

function unusableKey(cause?: unknown): CourierError {
  return new CourierError({
    code: 'protocol',
    message: 'The public key that GitHub gave for sealing secrets is not a usable X25519 key of 32 bytes.',
    hint: 'Nothing was written. If a proxy is between the runner and GitHub, check whether it changes replies.',
    cause,
  });
}
