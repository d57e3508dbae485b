import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ARCHIVE_LIMITS } from '../../../src/bundle/archive/limits.ts';
import { createAdmission, judgeName } from '../../../src/bundle/archive/policy.ts';

const numRuns = process.env.SOAK === '1' ? 10_000 : 1000;
const rules = { limits: ARCHIVE_LIMITS, inWorkspace: true };
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('..', '.', '', 'a', 'CON', '.git', 'C:', '\\', 'x y', '\u0000', 'é', 'e\u0301', '~', 'a.'),
      fc.string({ unit: 'binary', maxLength: 12 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join('/'));

test('a name that passes stays below the folder on every system', () => {
  fc.assert(
    fc.property(hostile, fc.constantFrom('file' as const, 'directory' as const), (name, kind) => {
      const verdict = judgeName(name, kind, rules);
      if (!verdict.ok) return;
      for (const path of [posix, win32]) {
        const root = path === posix ? '/root/site' : 'C:\\root\\site';
        const target = path.resolve(root, verdict.path);
        expect(target === root || target.startsWith(root + path.sep)).toBe(true);
        expect(path.relative(root, target).split(path.sep).join('/')).toBe(verdict.path);
      }
    }),
    { numRuns },
  );
});

test('two entries that were both taken never share a place where case or accents do not count', () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 2, maxLength: 8 }), (names) => {
      const admission = createAdmission(rules);
      const taken: string[] = [];
      for (const name of names) {
        try {
          const path = admission.admit({ name, kind: 'file', sizeBytes: 0 });
          if (path !== undefined) taken.push(path.normalize('NFC').toLowerCase());
        } catch {
          break;
        }
      }
      expect(new Set(taken).size).toBe(taken.length);
      for (const path of taken) expect(taken.some((other) => other.startsWith(`${path}/`))).toBe(false);
    }),
    { numRuns },
  );
});

test('ordinary names of a site are taken as they are', () => {
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
    expect(judgeName(name, 'file', rules)).toEqual({ ok: true, path: name });
  }
});
