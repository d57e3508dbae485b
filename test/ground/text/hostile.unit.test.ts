import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createLog } from '../../../src/ground/log.ts';
import { codeBlock, codeSpan, escapeMarkdown } from '../../../src/ground/text/escape.ts';
import { factList, table } from '../../../src/ground/text/markdown.ts';
import { composePrompt } from '../../../src/prompt/compose.ts';
import { createCredentialRedact } from '../../../src/prompt/credentials.ts';
import { readShown } from '../../../src/prompt/shown/read.ts';
import { readMarkdown, written } from '../../support/shown.ts';

/**
 * One hostile text per line, each with its source and its expected result: `hidden` must not reach
 * the agent, `shown` must, and a text with `secret` must not leave any part of the key anywhere.
 */
const corpus = readFileSync(new URL('../../fixtures/hostile/texts.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => schema().parse(JSON.parse(line)));

function schema() {
  return z.strictObject({
    source: z.string(),
    text: z.string(),
    hidden: z._default(z.array(z.string()), []),
    shown: z._default(z.array(z.string()), []),
    secret: z._default(z.boolean(), false),
  });
}

const KEY = 'svc_K3y0fTests0123456789';
const RUNS = process.env['SOAK'] ? 5000 : 100;
const redactCredentials = createCredentialRedact(KEY, []);

/** `title`: GitHub shows all of a title, as it is. */
function promptWith(text: string, title: string): string {
  return composePrompt({
    instruction: readMarkdown(text),
    asker: 'maya',
    context: {
      pull: { repository: 'acme/docs', number: 7, url: 'u', commit: 'a', title },
      description: written(text),
      showFiles: false,
      showDiff: false,
      comments: [{ author: 'rita', at: '2026-01-01T00:00:00Z', text: written(text) }],
      leftOut: [],
    },
    limitBytes: 49_152,
    read: readShown,
    redact: redactCredentials,
    createBoundary: () => '7f3a9c5e1b8d42060e9f4c7a2d5b8e31',
  }).text;
}

/** What the runner prints. */
function logged(text: string): string[] {
  const lines: string[] = [];
  const put = (line: string) => {
    lines.push(...line.split('\n'));
  };
  const log = createLog({
    info: put,
    debug: put,
    notice: put,
    warning: put,
    error: put,
    startGroup: put,
    endGroup() {},
    setSecret() {},
  });
  log.mask(KEY);
  log.info(text);
  log.debug(text);
  log.warning(text, { title: text, file: text });
  log.error(text);
  log.block('They said:', text);
  return lines;
}

const COMMAND =
  /^\s*(::|---|\+\+\+|~~~|\^\^\^|section_(start|end):|travis_(fold|time):)|##[A-Za-z]{0,20}\[/;
const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}]/u;

/** A page of a summary or a comment with external text, written as the project does. */
function page(text: string): string {
  return [
    `## ✅ Export of ${escapeMarkdown(text)}: completed`,
    factList([['Name', escapeMarkdown(text)]]),
    table(['Query', 'Page'], [[escapeMarkdown(text, 120), codeSpan(text, 160)]]),
    codeBlock(text, { language: 'yaml' }),
  ].join('\n\n');
}

const github = new MarkdownIt('default', { html: true, linkify: true });

/** The elements of the page that do not come from the project. */
function foreignMarkup(markdown: string): string[] {
  const tags = github.render(markdown).match(/<[a-z!/][^>]*>/gi) ?? [];
  return tags.filter(
    (tag) =>
      !/^<\/?(h2|ul|li|strong|table|thead|tbody|tr|th|td|code|pre|code class="language-yaml")>$/.test(
        tag,
      ),
  );
}

test.each(corpus)(
  'The agent gets only what GitHub shows of this text: $source',
  ({ text, hidden, shown }) => {
    const prompt = promptWith(text, hidden.length === 0 ? text : 'Title');
    for (const words of hidden) expect(prompt).not.toContain(words);
    // In the instruction unchanged, and in the data with escaped quotes.
    for (const words of shown) expect(readMarkdown(text).text).toContain(words);
    expect(prompt.replaceAll('\n', '')).not.toMatch(CONTROL);
    expect(prompt).not.toContain('K3y0fTests');
  },
);

test.each(corpus)('The log prints this text, and no system executes it: $source', ({ text }) => {
  for (const line of logged(text)) {
    expect(line).not.toMatch(COMMAND);
    expect(line).not.toMatch(CONTROL);
  }
});

test.each(corpus)('A summary or comment shows this as text: $source', ({ text }) => {
  expect(foreignMarkup(page(text))).toEqual([]);
  expect(page(text).replace(/```[\s\S]*```|`[^`]*`/g, '')).not.toMatch(
    /@octo|(?<!&)#1|www\.evil|:\/\/|<!--/,
  );
});

test('The page would show markup that is not escaped, so escaping is really tested', () => {
  expect(foreignMarkup('![x](y) <script>')).toEqual([
    '<p>',
    '<img src="y" alt="x">',
    '<script>',
    '</p>',
  ]);
});

test.each(corpus.filter(({ secret }) => secret))(
  'Nothing of the secret in this text is left: $source',
  ({ text }) => {
    const flat = (shown: string) => shown.replace(/[\s|`\\\u200b]/g, '');
    const parts = [
      KEY.slice(4, 12),
      Buffer.from(KEY).toString('hex').slice(8, 24),
      Buffer.from(KEY).toString('base64').slice(4, 14),
    ];
    for (const part of parts) {
      expect(flat(logged(text).join('\n')).toLowerCase()).not.toContain(part.toLowerCase());
      expect(flat(promptWith(text, text)).toLowerCase()).not.toContain(part.toLowerCase());
    }
  },
);

test('Hostile texts one after the other are as harmless as each alone', () => {
  const harmless = corpus.filter(({ secret }) => !secret).map(({ text }) => text);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...harmless), { minLength: 2, maxLength: 4 }), (texts) => {
      const text = texts.join('\n\n').slice(0, 20_000);
      expect(readMarkdown(text).text.replaceAll('\n', '')).not.toMatch(CONTROL);
      expect(logged(text).filter((line) => COMMAND.test(line) || CONTROL.test(line))).toEqual([]);
      expect(foreignMarkup(page(text))).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});
