import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it, test } from 'vitest';
import { matcherOf } from '../../../src/ground/text/patterns.ts';
import { processorMs } from '../../support/growth.ts';

const NAMES = ['docs', 'a', 'ab', '.b', 'guide', 'x.md', 'a.b.md', 'index.ts'];
const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join('/'));
const PARTS = [
  '**',
  '*',
  '*.md',
  'a*',
  '?',
  '??',
  '[ab]',
  '[^a]b',
  '[a-c]*',
  '{a,docs}',
  '{a,*.md}',
  '*.{md,ts}',
  'x.md',
];
const pattern = fc
  .array(fc.constantFrom(...PARTS, ...NAMES), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join('/'));

describe('matcherOf', () => {
  it('agrees with picomatch on the documented patterns', () => {
    fc.assert(
      fc.property(pattern, path, (glob, name) => {
        // Whether `a*/**` is also a file `ab` is the only difference: for us it is, as for `ab/**`.
        fc.pre(!/[*?\]}](\/\*\*)+$/.test(glob));
        expect(matcherOf([glob])(name), `${glob} ${name}`).toBe(
          picomatch(glob, { dot: true })(name),
        );
      }),
      { numRuns: process.env['SOAK'] ? 100_000 : 3000 },
    );
  });

  test.each([
    ['docs/**', 'docs/a/b.md', true],
    ['docs/**', 'docs', true],
    ['**', 'a/.hidden/b', true],
    ['**.md', 'a/b.md', true],
    ['docs/**.md', 'docs/a/b.md', true],
    ['docs/**.md', 'a.md', false],
    ['*.md', 'a/b.md', false],
    ['./docs/*', 'docs/a', true],
    ['/**', '/', true],
    ['/api/**', '/api/v1/users', true],
    ['/api/*', '/api', false],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
    ['{docs/{a,b},c}/*', 'docs/b/x', true],
    ['{a}', '{a}', true],
    ['[a', '[a', true],
    ['[]a]', ']', true],
    ['(a+)+b', '(a+)+b', true],
    ['(a+)+b', 'aab', false],
    ['app/(group)/*', 'app/(group)/page.tsx', true],
    ['[!a]b', 'cb', true],
    ['[!a]b', 'ab', false],
    ['caf?', 'caf😀', true],
  ])('%s and %s: %s', (glob, name, isLike) => {
    expect(matcherOf([glob])(name)).toBe(isLike);
  });

  it('applies patterns in order, and those with an exclamation mark take files out again', () => {
    const isMeant = matcherOf(['docs/**', '!docs/drafts/**', 'docs/drafts/keep.md']);
    expect(['docs/a', 'docs/drafts/a', 'docs/drafts/keep.md', 'src/a'].map(isMeant)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test.each([
    ['nested repetition', '(a+)+b', 'a'.repeat(5000)],
    ['many stars in a name', `${'a*'.repeat(400)}b`, 'a'.repeat(4000)],
    ['many folders', `${'**/a/'.repeat(150)}*.md`, `${'a/'.repeat(2000)}b`],
    ['many folders against a long name', '**/a/**/a/**/*.md', `${'a/'.repeat(20_000)}b`],
    ['many brackets', '['.repeat(1000), '['.repeat(4000)],
  ])('takes less than a second of processor time for %s', (_name, glob, name) => {
    expect(processorMs(() => expect(matcherOf([glob])(name)).toBe(false))).toBeLessThan(1000);
  });

  test.each([
    ['a'.repeat(1001), 'has more than 1000 characters'],
    ['{a,b}'.repeat(20), 'stands for more than 256 patterns'],
    [`${'{a,'.repeat(200)}b${'}'.repeat(200)}`, 'stands for more than 256 patterns'],
  ])('refuses what would take too long: %#', (glob, problem) => {
    expect(processorMs(() => expect(() => matcherOf([glob])).toThrow(problem))).toBeLessThan(1000);
  });
});
