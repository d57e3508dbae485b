import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seal } from '../../src/stores/github/secret.ts';
import { SealingKey } from '../src/github/sealed-box.ts';

const sealed = async (value: string, key: SealingKey) =>
  Buffer.from(await seal(value, Buffer.from(key.publicKey).toString('base64')), 'base64');

describe('a sealed box', () => {
  test('A box that libsodium sealed can be opened by the other libraries', async () => {
    const key = new SealingKey();
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        expect(key.open(await sealed(value, key))).toBe(value);
      }),
      { numRuns: 50 },
    );
  });

  test('A box that is for another key, changed, or too short is not opened', async () => {
    const key = new SealingKey();
    const box = await sealed('a link', key);
    expect(new SealingKey().open(box)).toBeUndefined();
    expect(
      key.open(Buffer.from(box.map((byte, at) => (at === 40 ? byte ^ 1 : byte)))),
    ).toBeUndefined();
    for (const length of [0, 31, 32, 47]) expect(key.open(box.subarray(0, length))).toBeUndefined();
  });
});
