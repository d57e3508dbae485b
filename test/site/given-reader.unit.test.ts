import { expect, test } from 'vitest';
import { makeComparedSite } from '../../src/site/compare/compared-site.ts';
import { GivenReader } from '../../src/site/given/given-reader.ts';

const MANY = Array.from({ length: 5000 }, (_, index) => `picture ${index}.png`);

function readerOf(files: Readonly<Record<string, number>>, root?: string): GivenReader {
  const list = Object.entries(files).map(([path, bytes]) => ({ path, bytes, sha256: '' }));
  return new GivenReader(makeComparedSite('', list, root));
}

/** What a site with these files at its top is told, after a page with this text. */
function looseAfter(text: string, names: readonly string[]) {
  const reader = readerOf(Object.fromEntries(names.map((name) => [name, 1])));
  const page = Buffer.from(text);
  let reads = 0;
  const counted = Object.assign(Buffer.from(text), {
    toString(encoding?: BufferEncoding) {
      reads += 1;
      return page.toString(encoding);
    },
    includes(part: string | Buffer) {
      reads += 1;
      return page.includes(part);
    },
  });
  reader.wants('index.html', counted);
  return { reads, loose: reader.findings().map(({ target }) => target) };
}

test.each([
  ['as they are', MANY.join('" "')],
  ['escaped', MANY.map(encodeURI).join('" "')],
])('Thousands of files that a page names %s are found in one reading of it', (_, text) => {
  expect(looseAfter(text, [...MANY, 'é.pdf'])).toEqual({ reads: 2, loose: ['é.pdf'] });
  expect(looseAfter('', MANY)).toEqual({ reads: 2, loose: MANY });
});

test('Files with more kinds of endings than a text is searched for are not reported', () => {
  const names = Array.from({ length: 60 }, (_, index) => `file.${index}`);
  expect(looseAfter('file.7', names).loose).toEqual(names.slice(0, 50).toSpliced(7, 1));
});

test.each([
  [64 * 1024 * 1024, 'ENOENT'],
  [64 * 1024 * 1024 + 1, 'none is loose'],
])(
  'If the scripts that may name a file are too large in all, none is read and no file is reported (%d)',
  (bytes, outcome) => {
    const files = { 'docs.json': 1, 'a/a.js': 64 * 1024 * 1024, 'a/b.js': bytes };
    expect(readerOf(files).findings()).toMatchObject([{ target: 'docs.json' }]);
    const judge = () => {
      const { length } = readerOf(files, '/nonexistent').findings();
      throw new Error(length === 0 ? 'none is loose' : 'loose');
    };
    expect(judge).toThrow(outcome);
  },
);
