import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMasker } from './runner/masker.ts';

const SECRET = 'svc_"k\'ey" & <1>/?=+';

function maskWith(...secrets: string[]) {
  const masker = createMasker();
  for (const secret of secrets) masker.add(secret);
  return (text: string) => masker.mask(text);
}

describe('masking', () => {
  const mask = maskWith(SECRET);
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  test.each([
    ['unchanged', SECRET],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in a URL', 'svc_%22k%27ey%22%20%26%20%3C1%3E%2F%3F%3D%2B'],
    ['in XML', 'svc_&quot;k&apos;ey&quot; &amp; &lt;1&gt;/?=+'],
    ['in an expression', SECRET.replaceAll("'", "''")],
    ['in base64', base64(SECRET)],
    ['in URL-safe base64', Buffer.from(SECRET).toString('base64url')],
  ])('A secret is hidden %s', (_, form) => {
    expect(mask(`a ${form} b`)).toBe('a *** b');
  });

  test.each([0, 1, 2])('A secret is hidden in base64 behind %i other bytes', (before) => {
    const encoded = base64('x'.repeat(before) + SECRET);
    expect(mask(encoded)).toContain('***');
    expect(mask(encoded).length).toBeLessThan(10);
  });

  test('A secret is hidden inside quotes that belong to the value', () => {
    expect(maskWith('"quoted value"')('x quoted value')).toBe('x ***');
  });
});

test('Adjacent and overlapping secrets become one mark', () => {
  expect(maskWith('abcdef', 'defghi', 'xyz')('1abcdefghixyz2 xyz')).toBe('1***2 ***');
});

test('Text without a secret stays unchanged, and no secret ever stays', () => {
  const secret = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 });
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
      fc.pre(!`${before}${after}`.includes(value) && !'***'.includes(value));
      expect(maskWith(value)(before + value + after).includes(value)).toBe(false);
    }),
    { numRuns: 300 },
  );
  expect(maskWith('something')('else')).toBe('else');
});
