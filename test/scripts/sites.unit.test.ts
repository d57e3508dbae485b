import { expect, test } from 'vitest';
import { findUnexplained } from '../../scripts/sites/differences.ts';
import { GENERATORS } from '../../scripts/sites/generators/all.ts';
import {
  CHANGED_PAGE,
  HIDDEN_WORDS,
  RENAMED_PAGE,
  readSource,
} from '../../scripts/sites/source.ts';

const EXPLANATION = {
  generator: 'next',
  version: '1.0.0',
  list: 'errors',
  contains: '/a.css',
  reason: 'The file is not there.',
};
const NEXT = { name: 'next', version: '1.0.0' };

test('A difference with an explanation is none, and one without is reported', () => {
  const lists = { errors: ['missing: /a.css in x.html', 'missing: /b.css in x.html'] };
  expect(findUnexplained(NEXT, lists, [EXPLANATION])).toEqual([
    'next: errors: missing: /b.css in x.html',
  ]);
});

test('An explanation of the same words in another list explains nothing', () => {
  const found = findUnexplained(NEXT, { unknown: ['/a.css'] }, [EXPLANATION]);
  expect(found).toContain('next: unknown: /a.css');
});

test.each([
  ['does not occur', NEXT, { errors: [] }],
  ['is of another version', { ...NEXT, version: '2.0.0' }, { errors: ['/a.css'] }],
])('An explanation that %s must be removed', (_, generator, lists) => {
  const [line = ''] = findUnexplained(generator, lists, [EXPLANATION]);
  expect(line).toContain('remove "/a.css" (errors)');
});

test('The explanations of other generators are not missed', () => {
  expect(findUnexplained({ ...NEXT, name: 'sphinx' }, {}, [EXPLANATION])).toEqual([]);
});

test('A site with one word changed differs in one page, and a renamed page has its links renamed', () => {
  const [pages, word, renamed] = [readSource('none'), readSource('word'), readSource('renamed')];
  const differing = word.filter((page, at) => JSON.stringify(page) !== JSON.stringify(pages[at]));
  expect(differing.map(({ id }) => id)).toEqual([CHANGED_PAGE]);
  expect(renamed).toHaveLength(pages.length);
  expect(renamed.map(({ id }) => id)).toContain(RENAMED_PAGE.to);
  expect(JSON.stringify(renamed)).not.toMatch(/\]\([^)]*\boffices\b/);
});

test.each(GENERATORS)('Each hidden word is once in the files for $name', ({ files }) => {
  const texts = [...files(readSource('none'), { basePath: '/handbook' }).values()].map(String);
  for (const { word } of HIDDEN_WORDS)
    expect(texts.filter((text) => text.includes(word))).toHaveLength(1);
});
