import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAddress } from '../../src/inputs/parse-address.ts';
import { anyText } from '../support/any-text.ts';

const RUNS = Number(process.env.SOAK ? 10_000 : 1_000);
/**
 * GitHub's rules, written differently: https://docs.github.com/actions/reference/security/secrets,
 * and in upper case.
 */
function isGood(name: string): boolean {
  const isMadeOf = [...name].every((char) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'.includes(char),
  );
  return (
    name.length >= 1 &&
    name.length <= 200 &&
    isMadeOf &&
    !/^\d/.test(name) &&
    !name.startsWith('GITHUB_')
  );
}

const secretOf = (name: string) => parseAddress(`github:secret/${encodeURIComponent(name)}`);

const word = fc.stringMatching(/^[A-Za-z0-9_]{1,40}$/);
const anyName = fc.oneof(
  word,
  word.map((name) => `GITHUB_${name}`),
  word.map((name) => `github_${name}`),
  fc
    .tuple(word, fc.constantFrom(' ', '-', '.', '/', '\n', '\r', '\0', 'ß', 'Ａ', '%0A', '$'), word)
    .map((parts) => parts.join('')),
  anyText({ minLength: 1, maxLength: 30 }),
  fc.integer({ min: 190, max: 210 }).map((length) => 'A'.repeat(length)),
);

test("A secret's name is accepted exactly if GitHub accepts it, and stays unchanged", () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const result = secretOf(name);
      expect(result.ok && 'name' in result.value ? result.value.name : undefined).toBe(
        isGood(name) ? name : undefined,
      );
    }),
    { numRuns: RUNS },
  );
});

test('The name that the error suggests is accepted', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const result = secretOf(name);
      const shown = result.ok ? undefined : /; write (.*)$/s.exec(result.allowed)?.[1];
      if (shown !== undefined)
        expect(secretOf(shown)).toMatchObject({ ok: true, value: { name: shown } });
    }),
    { numRuns: RUNS },
  );
});
