import { expect, test } from 'vitest';
import { readPageManifest } from '../../../src/site/compare/page-manifest.ts';
import { assertPageManifest } from '../../support/schemas.ts';

const CONTENT = 'a'.repeat(43);
const listed = (...paths: readonly string[]) =>
  JSON.stringify({
    version: 1,
    pages: paths.map((path) => ({ path, title: 'T', content: CONTENT })),
  });

test('A list of pages is read, with what a later version adds to it', () => {
  const text = JSON.stringify({
    ...JSON.parse(listed('/', '/a/b', '/a.')),
    later: { added: true },
  });
  const read = readPageManifest(text);
  expect(read.ok && [...read.list.pages.keys()]).toEqual(['/', '/a/b', '/a.']);
  expect(read.ok && read.list.broken).toBeUndefined();
});

test.each([
  ['a page of an application', '<!doctype html><title>Sign in</title>', 'is not JSON'],
  ['a file that was cut', listed('/', '/a').slice(0, -9), 'is not JSON'],
  ['an empty file', '', 'is not JSON'],
  ['JSON of another program', '{"name": "app"}', 'is not a list of pages of Docs Courier'],
  ['a list', '[]', 'is not a list of pages of Docs Courier'],
  ['a value', '7', 'is not a list of pages of Docs Courier'],
  ['a deep value', '['.repeat(100_000) + ']'.repeat(100_000), 'is not a list of pages'],
  ['another version', '{"version": 2, "pages": []}', 'version is invalid'],
  ['a page without a slash', listed('a'), 'pages.0.path is invalid'],
  ['a page on another host', listed('//evil.example/x'), 'has an address that no page has'],
  ['an address that leads out', listed('/../x'), 'has an address that no page has'],
  ['an address with a line end', listed('/a\n::error::x'), 'no page has: /a ::error::x'],
  ['a very deep address', listed('/a'.repeat(2000)), 'has an address that no page has'],
  ['a page twice', listed('/a', '/a'), 'names a page twice'],
  ['a long title', listed('/').replace('"T"', JSON.stringify('T'.repeat(301))), 'title is invalid'],
  ['no hash', listed('/').replace(CONTENT, '<b>'), 'content is invalid'],
  ['broken links that are a text', listed('/').replace('}]}', '}],"broken":"x"}'), 'broken is'],
])(
  'A file with this problem is refused in one line, and by the schema unless it is about addresses: %s',
  (_, text, problem) => {
    const read = readPageManifest(text);
    expect(read).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
    expect(read.ok ? '' : read.problem).not.toContain('\n');
    const isOfAddresses = /no page has|names a page twice/.test(problem);
    if (isOfAddresses) assertPageManifest(text);
    else expect(() => assertPageManifest(text)).toThrow(/JSON|Not as in/);
  },
);
