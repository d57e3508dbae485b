import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CourierError } from '../../src/ground/errors.ts';
import { Admission, ARCHIVE_LIMITS, foldName, readName } from '../../src/site/archive/admission.ts';
import { anyText } from '../support/any-text.ts';

const numRuns = process.env.SOAK === '1' ? 10_000 : 1000;
const rules = { limits: ARCHIVE_LIMITS, inWorkspace: true };
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '',
        'a',
        'CON',
        '.git',
        'C:',
        '\\',
        'x y',
        '\u0000',
        'é',
        'e\u0301',
        '~',
        'a.',
      ),
      anyText({ maxLength: 12 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join('/'));

test('An accepted name stays below the folder on every system', () => {
  fc.assert(
    fc.property(hostile, fc.constantFrom('file' as const, 'directory' as const), (name, kind) => {
      let accepted: string;
      try {
        accepted = readName(name, kind, rules);
      } catch {
        return;
      }
      for (const path of [posix, win32]) {
        const root = path === posix ? '/root/site' : 'C:\\root\\site';
        const target = path.resolve(root, accepted);
        expect(target === root || target.startsWith(root + path.sep)).toBe(true);
        expect(path.relative(root, target).split(path.sep).join('/')).toBe(accepted);
      }
    }),
    { numRuns },
  );
});

test('Two accepted entries never share a path on a file system that folds names', () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 2, maxLength: 8 }), (names) => {
      const admission = new Admission(rules);
      const taken: string[] = [];
      for (const name of names) {
        try {
          const path = admission.admit({ name, kind: 'file', sizeBytes: 0 });
          if (path !== undefined)
            taken.push(path.normalize('NFKC').toUpperCase().normalize('NFKC').toLowerCase());
        } catch {
          break;
        }
      }
      expect(new Set(taken).size).toBe(taken.length);
      for (const path of taken)
        expect(taken.some((other) => other.startsWith(`${path}/`))).toBe(false);
    }),
    { numRuns },
  );
});

test('Ordinary names of a site are accepted unchanged', () => {
  for (const name of [
    'index.html',
    '_next/static/a-1.js',
    '.nojekyll',
    '.well-known/security.txt',
    'a b/(c) [d].html',
    '日本語/é.html',
    'auxiliary.html',
    'console/con-text.html',
  ]) {
    expect(readName(name, 'file', rules)).toBe(name);
  }
});

test.each([
  ['ſtart', 'start'],
  ['λόγος', 'λόγοσ'],
  ['ﬁle', 'file'],
  ['straße', 'STRASSE'],
  ['ẞ', 'ß'],
  ['e\u0301', '\u00e9'],
  ['x²', 'x2'],
  ['Ａ', 'a'],
  ['\u212a', 'k'],
  ['a\u200db', 'ab'],
  ['İ', 'i\u0307'],
  ['ŉ', '\u02bcn'],
])(
  '%j and %j are one file on some systems, so they are refused together and accepted alone',
  (one, other) => {
    const admit = (...names: string[]) => {
      const admission = new Admission(rules);
      return names.map((name) =>
        admission.admit({ name: `d/${name}.html`, kind: 'file', sizeBytes: 0 }),
      );
    };
    expect(() => admit(one, other)).toThrow(expect.objectContaining({ code: 'unsafe-archive' }));
    expect(() => admit(`${one}/x`, `${other}/y`)).toThrow(
      expect.objectContaining({ code: 'unsafe-archive' }),
    );
    expect(admit(one)).toEqual([`d/${one}.html`]);
    expect(admit(other)).toEqual([`d/${other}.html`]);
  },
);

test('A name is folded like every other spelling of it', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 8 }), (name) => {
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
        expect(foldName(name.normalize(form))).toBe(foldName(name));
      expect(foldName(name.toUpperCase())).toBe(foldName(name));
      expect(foldName(foldName(name))).toBe(foldName(name));
    }),
    { numRuns: numRuns * 5 },
  );
});

/** The hint of the refusal of these names, in this order. */
function hintOf(...names: readonly string[]): unknown {
  const admission = new Admission(rules);
  try {
    for (const name of names) admission.admit({ name, kind: 'file', sizeBytes: 0 });
  } catch (error) {
    return error instanceof CourierError && error.hint;
  }
  return undefined;
}

test.each([
  ['a question in its title', ['faq/why?.html']],
  ['a name that Windows reserves', ['api/aux.html']],
  ['another that differs only in case', ['guide/Setup.html', 'guide/setup.html']],
  ['a name of 300 bytes', [`${'é'.repeat(150)}.html`]],
])('The hint about a page with %s says to rename it', (_, names) => {
  expect(hintOf(...names)).toContain('rename it');
});

test.each([['../etc/passwd'], ['/etc/passwd'], ['a//b']])(
  'The hint about the name %s does not say to rename a page: no page has such a name',
  (name) => {
    expect(hintOf(name)).toMatch(/^Nothing was unpacked\. Report it to the platform/);
  },
);
