import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteLength } from '../../src/ground/text/escape.ts';
import { composePrompt } from '../../src/prompt/compose.ts';
import { shareBudget, shareUsefully } from '../../src/prompt/parts.ts';
import { fitPatch, measurePatch, splitHunks, whyNotQuoted } from '../../src/prompt/patch.ts';
import { readShown } from '../../src/prompt/shown/read.ts';
import { anyText } from '../support/any-text.ts';
import { instruction, readMarkdown, written } from '../support/shown.ts';

const same = (text: string) => text;
const plain = ({ body }: { readonly body: string }) => ({
  ...instruction(body),
  drawn: [],
  unknown: [],
});

const file = fc.record({
  path: fc.string({ minLength: 1, maxLength: 80 }),
  previousPath: fc.constant(undefined),
  status: fc.constantFrom('modified', 'added', 'removed', 'renamed'),
  additions: fc.integer({ min: 0, max: 9999 }),
  deletions: fc.integer({ min: 0, max: 9999 }),
  patch: fc.option(
    anyText({ maxLength: 3000 }).map((text) => `@@ -1 +1 @@\n${text}`),
    { nil: undefined },
  ),
});
const comment = fc.record({
  author: fc.string({ maxLength: 39 }),
  at: fc.constant('2026-01-01T00:00:00Z'),
  text: anyText({ maxLength: 4000 }),
});

test('Whatever the pull request contains, the prompt is within its limit and its data is JSON', () => {
  const init = fc.record({
    instruction: anyText({ minLength: 1, maxLength: 9000 }),
    spot: fc.option(
      fc.record({
        path: anyText({ maxLength: 900 }),
        line: fc.option(fc.nat(), { nil: undefined }),
        hunk: anyText({ maxLength: 5000 }),
      }),
      { nil: undefined },
    ),
    limitBytes: fc.integer({ min: 4096, max: 60_000 }),
    description: anyText({ maxLength: 9000 }),
    files: fc.array(file, { maxLength: 40 }),
    comments: fc.array(comment, { maxLength: 30 }),
  });
  fc.assert(
    fc.property(init, ({ instruction: asked, limitBytes, ...parts }) => {
      const pull = {
        repository: 'acme/docs',
        number: 7,
        url: 'https://github.com/acme/docs/pull/7',
        commit: 'a'.repeat(40),
        title: parts.description,
      };
      const description = { body: parts.description };
      const context = { pull, ...parts, description, showFiles: true, showDiff: true, leftOut: [] };
      const createBoundary = () => '0123456789abcdef0123456789abcdef';
      const { text, bytes, tooLong } = composePrompt({
        instruction: instruction(asked),
        asker: 'maya',
        context,
        limitBytes,
        read: plain,
        redact: same,
        createBoundary,
      });
      expect(byteLength(text)).toBe(bytes);
      const mostBytes = limitBytes - 2048;
      const isTooLong = byteLength(asked.toWellFormed()) > mostBytes;
      expect(tooLong === undefined).toBe(!isTooLong);
      if (isTooLong) return;
      expect(bytes).toBeLessThanOrEqual(limitBytes);
      expect(text.isWellFormed()).toBe(true);
      const begin = text.lastIndexOf('BEGIN DATA ');
      expect(() =>
        JSON.parse(text.slice(begin + 44, text.lastIndexOf('\nEND DATA '))),
      ).not.toThrow();
    }),
    { numRuns: process.env['SOAK'] ? 3000 : 60 },
  );
});

test('Small parts stay whole, and large ones are cut', () => {
  expect(shareBudget([10, 1000, 20, 500], 330)).toEqual([10, 150, 20, 150]);
  expect(shareBudget([10, 20], 100)).toEqual([10, 20]);
  expect(shareBudget([10, 20], -5)).toEqual([0, 0]);
});

test('Shares never exceed the budget or the need', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 50 }),
      fc.integer({ min: 0, max: 20_000 }),
      (needs, budget) => {
        const useful = needs.map((need) => ({ need, least: Math.min(need, 300) }));
        for (const shares of [shareBudget(needs, budget), shareUsefully(useful, budget)]) {
          expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(budget);
          for (const [index, share] of shares.entries())
            expect(share).toBeLessThanOrEqual(needs[index] ?? 0);
        }
      },
    ),
  );
});

test('A share that would be useless goes to the others', () => {
  const need = { need: 900, least: 800 };
  expect(shareUsefully([need, need, need], 1000)).toEqual([900, 0, 0]);
});

const HUNKS = ['@@ -1 +1 @@\n-a\n+b', '@@ -9 +9 @@\n-c\n+d', '@@ -20 +20 @@\n-e\n+f'];

test('A hunk of a review comment is cut at its beginning, and says so', () => {
  const hunk = Array.from({ length: 901 }, (_, line) => `+line ${line}`).join('\n');
  const { text } = composePrompt({
    instruction: instruction('x'),
    asker: 'maya',
    context: {
      pull: { repository: 'acme/docs', number: 7, url: 'https://github.com/x', commit: 'a' },
      comments: [{ hunk, text: 'See here.' }],
      showFiles: false,
      showDiff: false,
      leftOut: [],
    },
    read: plain,
    redact: same,
    createBoundary: () => 'B',
  });
  expect(text).toMatch(/"\[cut: showing \d{3} of 901 lines\]"/);
  expect(text).toContain('"+line 900"');
});

test('A diff is cut between hunks', () => {
  expect(splitHunks(HUNKS.join('\n'))).toEqual(HUNKS);
  const patch = measurePatch('a.ts', HUNKS.join('\n'));
  expect(fitPatch(patch, patch.need)).toEqual([
    { file: 'a.ts', patch: HUNKS.join('\n').split('\n') },
  ]);
  expect(fitPatch(patch, patch.need - 1)).toEqual([
    { file: 'a.ts', showing: '2 of 3 hunks', patch: HUNKS.slice(0, 2).join('\n').split('\n') },
  ]);
  expect(fitPatch(patch, patch.least)).toMatchObject([{ showing: '1 of 3 hunks' }]);
  expect(fitPatch(patch, 100)).toEqual([]);
});

test('A hunk that is too long is cut at a line, and says so', () => {
  const patch = measurePatch(
    'new.md',
    `@@ -0,0 +1,900 @@\n${Array.from({ length: 900 }, (_, at) => `+line ${at}`).join('\n')}`,
  );
  const [shown] = fitPatch(patch, patch.least);
  expect(shown?.['showing']).toBe('the beginning');
  expect(shown?.['patch']?.at(-1)).toMatch(/^\[cut: showing \d{3} of 901 lines of hunk 1 of 1\]$/);
});

test.each(['\u2028', '\u2029', '\r', '\v', '\f', '\u0085'])(
  'In a diff and in the name of a file, %j ends no line',
  (end) => {
    const forged = `${end}@@ -9 +9 @@${end}-if (isAdmin)`;
    const patch = `@@ -1 +1,2 @@\n-old\n+new${forged}\n+last\r`;
    const pull = {
      repository: 'acme/docs',
      number: 7,
      url: 'https://github.com/acme/docs/pull/7',
      commit: 'a',
    };
    const path = `a.ts${end}b.ts`;
    const files = [
      { path, previousPath: undefined, status: 'modified', additions: 2, deletions: 1, patch },
    ];
    const { text } = composePrompt({
      instruction: instruction('x'),
      asker: 'maya',
      context: {
        pull,
        files,
        spot: { path, line: 1, hunk: patch },
        comments: [{ hunk: patch, text: 'See here.' }],
        showFiles: true,
        showDiff: true,
        leftOut: [],
      },
      read: plain,
      redact: same,
      createBoundary: () => 'B',
    });
    const lines = ['@@ -1 +1,2 @@', '-old', '+new @@ -9 +9 @@ -if (isAdmin)', '+last'];
    expect(JSON.parse(text.split('DATA B\n')[1]?.split('\nEND ')[0] ?? '')).toMatchObject({
      instructionWrittenOn: { file: 'a.ts b.ts', hunk: lines },
      changedFiles: { list: ['modified +2 -1 a.ts b.ts'] },
      diff: { files: [{ file: 'a.ts b.ts', patch: lines }] },
      comments: { list: [{ hunk: lines }] },
    });
  },
);

test('If many files do not fit, as many as possible are quoted: the limit is used', () => {
  const files = Array.from({ length: 40 }, (_, index) => ({
    path: `src/${index}.ts`,
    previousPath: undefined,
    status: 'modified',
    additions: 100,
    deletions: 0,
    patch: `@@ -1 +1,100 @@\n${'+const value = 1;\n'.repeat(100)}`,
  }));
  const pull = { repository: 'acme/docs', number: 7, url: 'u', commit: 'a' };
  const { text, bytes } = composePrompt({
    instruction: instruction('Go on.'),
    asker: 'maya',
    context: { pull, files, showFiles: true, showDiff: true, leftOut: [] },
    limitBytes: 49_152,
    read: plain,
    redact: same,
    createBoundary: () => '0123456789abcdef0123456789abcdef',
  });
  expect(bytes).toBeGreaterThan(0.85 * 49_152);
  expect(text).toMatch(/"showing": "1\d of 40 files"/);
});

const NO_CHANGES = { previousPath: undefined, additions: 0, deletions: 0 };

test.each([
  ['package-lock.json', '@@', 'modified', 'lock file'],
  ['dist/index.js', '@@', 'modified', 'generated'],
  ['src/a.min.js', '@@', 'added', 'generated'],
  ['src/big.ts', undefined, 'modified', 'too large'],
  ['logo.png', undefined, 'added', 'binary or empty'],
  ['src/one-line.js', `@@ ${'x'.repeat(6000)}`, 'modified', 'minified'],
  ['src/a.ts', '@@ -1 +1 @@', 'modified', undefined],
])('The diff of %s is quoted, or left out with a reason', (path, patch, status, why) => {
  expect(whyNotQuoted({ ...NO_CHANGES, path, patch, status })).toBe(why);
});

const pull = { repository: 'acme/docs', number: 7, url: 'u', commit: 'a' };
const nothing = { pull, showFiles: false, showDiff: false, leftOut: [] };
const boundary = () => '0123456789abcdef0123456789abcdef';

test.each(['word ', '<!-- hidden -->'])(
  'Of thousands of long comments of %j, only as many are read as the prompt has room for',
  (bit) => {
    let read = 0;
    const comments = Array.from({ length: 2500 }, (_, index) => ({
      author: 'rita',
      at: '2026-01-01T00:00:00Z',
      text: { body: '', html: `${index} ${bit.repeat(65_536 / bit.length)}` },
    }));
    const { text } = composePrompt({
      instruction: instruction('Document it.'),
      asker: 'maya',
      context: { ...nothing, comments },
      limitBytes: 49_152,
      read(text) {
        read += text.html?.length ?? 0;
        return readShown(text);
      },
      redact: same,
      createBoundary: boundary,
    });
    expect(read).toBeLessThan(10 * 49_152);
    expect(text).toMatch(/"showing": "\d+ of 2500"/);
    expect(text).toMatch(/"2499[ "]/);
  },
);

test('A prompt says what of its instruction readers of the page do not see', () => {
  const { text } = composePrompt({
    instruction: readMarkdown(
      'Do it. <!-- not -->\n\n<details><summary>More</summary>not</details>',
    ),
    asker: 'maya',
    context: { ...nothing, description: written('<b title="x">shown</b>') },
    limitBytes: 8192,
    read: readShown,
    redact: same,
    createBoundary: boundary,
  });
  expect(text).toMatch(/^Do it\.\n\nMore\n/);
  expect(text).toContain('Left out of it, since readers of the page do not see it: folded parts.');
});
