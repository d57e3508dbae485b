import fc from 'fast-check';
import sodium from 'libsodium-wrappers';
import { expect, test } from 'vitest';
import { seal } from '../../../src/stores/github/secret.ts';

await sodium.ready;
const pair = sodium.crypto_box_keypair();
const publicKey = Buffer.from(pair.publicKey).toString('base64');
const open = (sealed: string) =>
  sodium.crypto_box_seal_open(
    Buffer.from(sealed, 'base64'),
    pair.publicKey,
    pair.privateKey,
    'text',
  );

test('The holder of the private key reads what was sealed, 48 bytes longer than the plain text', async () => {
  const value = fc.string({ minLength: 1, maxLength: 8000, unit: 'grapheme', size: 'max' });
  const short = value.filter((text) => Buffer.byteLength(text) <= 48 * 1024 && text.isWellFormed());
  await fc.assert(
    fc.asyncProperty(short, async (text) => {
      const sealed = await seal(text, publicKey);
      expect(open(sealed)).toBe(text);
      expect(Buffer.from(sealed, 'base64').length).toBe(Buffer.byteLength(text) + 48);
    }),
    { numRuns: process.env['SOAK'] ? 1000 : 100 },
  );
});

test('An invalid key is a protocol error, whatever it is', async () => {
  const key = fc.oneof(fc.base64String({ maxLength: 60 }), fc.string({ maxLength: 60 }));
  const noKey = key.filter((text) => Buffer.from(text, 'base64').length !== 32);
  await fc.assert(
    fc.asyncProperty(noKey, async (text) => {
      await expect(seal('value', text)).rejects.toMatchObject({ code: 'protocol' });
    }),
  );
  await expect(seal('value', Buffer.alloc(32).toString('base64'))).rejects.toMatchObject({
    code: 'protocol',
  });
});
