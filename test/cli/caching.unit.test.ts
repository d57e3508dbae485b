import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BuildIds } from '../../src/site/compare/build-ids.ts';

/** A name without its build hash, as the comparison of exports sees it. */
const stableName = (path: string) => new BuildIds([path]).stable(path);

const CHECKOUT = resolve(import.meta.dirname, '../..');
const GUIDE = 'docs/how-to/serve-the-site.md';

/** The parts of a file that this pattern has a group for. */
function groupsOf(pattern: RegExp): readonly string[] {
  return [...readFileSync(join(CHECKOUT, GUIDE), 'utf8').matchAll(pattern)].map(
    ([, group = '']) => group,
  );
}

const [nginx = ''] = groupsOf(/"~\^\(\?:20\[06\]\|304\) ([^"]*)" "public,/g);
const [most = '', others = ''] = groupsOf(/path_regexp (\S+)\n/g);
const isKept = {
  nginx: (path: string) => new RegExp(`^${nginx}`).test(path),
  caddy: (path: string) => new RegExp(most).test(path) && !new RegExp(others).test(path),
};

describe.each(['nginx', 'caddy'] as const)('the files that %s keeps for a year', (server) => {
  test.each([
    '/assets/app.3f9a2b1c.js',
    '/a/Main-Bk3hD9xQ.css',
    '/f/inter_latin.0a1b2c3d4e5f.woff2',
    '/chunks/9c1d2e3f.mjs',
    '/assets/js/9a9c897c0d1e2f3a.js',
  ])('%s has a hash of its content in its name and is kept', (path) => {
    expect(isKept[server](path)).toBe(true);
  });

  test.each([
    '/notes-20271231.css',
    '/js/javascript.js',
    '/v/report_20271231.woff2',
    '/a.3f9a2b1c.html',
    '/a.3f9a2b.js',
    '/css/bootstrap5.css',
    '/js/html5shiv.js',
    '/css/docs2026.css',
    '/js/face2face.js',
    '/js/mp3tomp4.js',
    '/js/b2b2cshop.js',
    '/js/md5sha1sha256.js',
    '/js/base64url2hex.js',
    '/css/decade90.css',
    '/css/20260101b2.css',
    '/js/index-DxQwPfHe.js',
  ])('%s has none, or is not such a file, and is asked for each time', (path) => {
    expect(isKept[server](path)).toBe(false);
  });

  test('A file is kept only if the comparison of exports finds a build hash in its name', () => {
    const part = fc.oneof(
      fc.stringMatching(/^\d{6,10}$/),
      fc.stringMatching(/^[A-Za-z]{6,10}$/),
      fc.stringMatching(/^[A-Za-z0-9]{6,10}$/),
    );
    const separator = fc.constantFrom('.', '-', '_');
    const names = fc.array(fc.tuple(part, separator), { maxLength: 2 });
    fc.assert(
      fc.property(
        names,
        part,
        fc.constantFrom('css', 'js', 'mjs', 'woff', 'woff2'),
        (before, last, ending) => {
          // A word with a number at its end is a name that people give.
          fc.pre(!/^[A-Za-z]+\d{1,4}$/.test(last));
          const path = `/assets/${before.flat().join('')}${last}.${ending}`;
          const hasHash = stableName(`${last}.${ending}`) === `*.${ending}`;
          expect(!isKept[server](path) || hasHash).toBe(true);
          expect(!hasHash || stableName(path) !== path).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
