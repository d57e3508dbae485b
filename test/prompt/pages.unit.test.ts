import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { renderBody } from '../../emulator/src/github/markdown/render.ts';
import { readShown } from '../../src/prompt/shown/read.ts';

/**
 * Texts and pages that hide something, or show something that looks hidden. `text` is Markdown, in
 * the page that GitHub makes of it; `html` is a page.
 */
const row = z.strictObject({
  source: z.string(),
  text: z.optional(z.string()),
  html: z.optional(z.string()),
  hidden: z.array(z.string()),
  shown: z.array(z.string()),
});
const rows = readFileSync(new URL('../fixtures/hostile/pages.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => row.parse(JSON.parse(line)));

test.each(rows)('Of this page only what it shows is read: $source', (one) => {
  const { text = '', html = renderBody(text, { repository: 'acme/docs' }), hidden, shown } = one;
  const read = readShown({ body: text, html }).text;
  for (const words of hidden) expect(read).not.toContain(words);
  for (const words of shown) expect(read).toContain(words);
});

test.each(rows.filter(({ text }) => text !== undefined))(
  'Without a page, a text is read only if its source is clear: $source',
  ({ text = '', hidden }) => {
    for (const words of hidden) expect(readShown({ body: text }).text).not.toContain(words);
  },
);

test('More than a hundred and fifty forms are tried', () => {
  expect(rows.length).toBeGreaterThan(150);
});
