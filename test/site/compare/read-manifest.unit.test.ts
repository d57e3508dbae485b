import { expect, test } from 'vitest';
import { readManifest } from '../../../src/site/compare/compared-site.ts';

const HASH = 'a'.repeat(64);
const manifest = (change: object = {}) =>
  JSON.stringify({
    version: 1,
    site: 'docs.example.com',
    exportJobId: 'job-0',
    files: [{ path: 'site/index.html', bytes: 7, sha256: HASH }],
    ...change,
  });

test('A manifest contains the files and pages of the site, in a folder of the archive or not', () => {
  const read = readManifest(manifest());
  expect(read).toMatchObject({
    ok: true,
    domain: 'docs.example.com',
    site: { jobId: 'job-0', bytes: 7 },
  });
  expect(read.ok && [...read.site.pages.keys()]).toEqual(['/']);
});

test.each([
  ['text that is not JSON', 'not json', 'is not JSON'],
  ['something else', '{"a": 1}', 'is not a manifest of Docs Courier'],
  ['a list', '[]', 'is not a manifest of Docs Courier'],
  [
    'a newer version',
    manifest({ version: 2 }),
    'has version 2, and this Docs Courier reads version 1',
  ],
  [
    'a file without a hash',
    manifest({ files: [{ path: 'a', bytes: 1, sha256: null }] }),
    'files.0.sha256 is invalid',
  ],
  [
    'a name that leads out',
    manifest({ files: [{ path: '../a', bytes: 1, sha256: HASH }] }),
    'no bundle can have: ../a',
  ],
  [
    'an absolute name',
    manifest({ files: [{ path: '/a', bytes: 1, sha256: HASH }] }),
    'no bundle can have: /a',
  ],
  [
    'a name with a line end',
    manifest({ files: [{ path: 'a\n::error::x', bytes: 1, sha256: HASH }] }),
    'a ::error::x',
  ],
  [
    'a file twice',
    manifest({ files: [1, 2].map((bytes) => ({ path: 'a', bytes, sha256: HASH })) }),
    'a file twice',
  ],
  ['an invalid job id', manifest({ exportJobId: '../x' }), 'exportJobId is invalid'],
  ['an invalid list of files', manifest({ files: {} }), 'files is invalid'],
])('A manifest with this problem is refused in one line: %s', (_, text, problem) => {
  const read = readManifest(text);
  expect(read).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  expect(!read.ok && read.problem).not.toContain('\n');
});
