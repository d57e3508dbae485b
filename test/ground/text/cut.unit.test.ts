import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, cutAround } from '../../../src/ground/text/escape.ts';

describe('cutting a text', () => {
  it.each([
    ['ab😀cd', { chars: 4 }, 'ab…'],
    ['ab😀cd', { chars: 5 }, 'ab😀…'],
    ['abcd', { chars: 4 }, 'abcd'],
    ['abcd', { chars: 0 }, '…'],
  ])('Cutting %s to %j returns %s', (text, limit, expected) => {
    expect(cut(text, limit)).toBe(expected);
  });

  it.each([
    ['aé😀', 3, 'aé'],
    ['aé😀', 6, 'aé'],
    ['aé😀', 7, 'aé😀'],
    ['aé😀', 0, ''],
  ])('Cutting %s to %d bytes without a note returns %s', (text, bytes, expected) => {
    expect(cut(text, { bytes }, '')).toBe(expected);
  });

  it.each([
    [0, 'abcdefghi…'],
    [12, '…klmnopqr…'],
    [25, '…rstuvwxyz'],
  ])('A text that is cut around position %d has what is there', (at, expected) => {
    expect(cutAround('abcdefghijklmnopqrstuvwxyz', at, 10)).toBe(expected);
  });

  it('A cut text is within the limit, including the note, and keeps the beginning of the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 3, max: 80 }),
        (text, max) => {
          const inBytes = cut(text, { bytes: max });
          expect(Buffer.byteLength(inBytes)).toBeLessThanOrEqual(max);
          expect(text.startsWith(inBytes.replace(/…$/, ''))).toBe(true);
          expect(cut(text, { chars: max }).length).toBeLessThanOrEqual(max);
          expect(cut(text, { chars: max }).isWellFormed()).toBe(true);
        },
      ),
    );
  });
});
