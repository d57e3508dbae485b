import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * Each character of Unicode, as `fc.string({ unit: 'binary' })` has them: that one makes a table of
 * a million characters first, which takes each process a second and 130 MB.
 */
const character = fc.nat({ max: 0x10ffff - SURROGATES }).map(
  (index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES),
  (value) => {
    const code =
      typeof value === 'string' && value.isWellFormed() ? value.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== value)
      throw new Error('not one character');
    return code < FIRST_SURROGATE ? code : code - SURROGATES;
  },
);

/** A text of any characters. Lengths are in characters. */
export function anyText(lengths: {
  readonly minLength?: number;
  readonly maxLength: number;
}): fc.Arbitrary<string> {
  return fc.string({ unit: character, ...lengths });
}
