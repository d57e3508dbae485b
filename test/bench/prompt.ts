import { randomBytes } from 'node:crypto';
import { composePrompt } from '../../src/prompt/compose.ts';
import type { PromptContext } from '../../src/prompt/context.ts';
import { createCredentialRedact } from '../../src/prompt/credentials.ts';
import { sanitize } from '../../src/prompt/sanitize.ts';

const ROUNDS = 12;
const BYTES = 65_536;

// Short pieces that, repeated, are work for some part of a Markdown or HTML parser, and two
// ordinary texts.
const BITS = [
  [
    '<',
    '&amp;',
    '[',
    '`a',
    '*a ',
    '_a_ ',
    '![',
    '[a](',
    '<div>',
    '<b hidden>',
    '<!--',
    '&lt;!--',
    '&#38;',
    '\\',
  ],
  ['|a|\n|-|\n', '[^a]', '$a ', '$a$ ', '~~a~~ ', '<td>', '<T>', '<sub>', '# '],
  [
    '> ',
    '- ',
    '```\n',
    '<![CDATA[',
    '[a]: <',
    'a\n',
    'word\n\n',
    'A sentence of words. ',
    '**b** `c` [d](e)\n',
  ],
].flat();

function bestMs(action: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const startMs = performance.now();
    action();
    return performance.now() - startMs;
  });
  return Math.min(...times);
}

function largePrompt(): () => void {
  const pull = {
    repository: 'acme/docs',
    number: 7,
    url: 'https://github.com/acme/docs/pull/7',
    commit: 'a'.repeat(40),
  };
  const files = Array.from({ length: 400 }, (_, index) => ({
    path: `src/file-${index}.ts`,
    previousPath: undefined,
    status: 'modified',
    additions: 9,
    deletions: 9,
    patch: `@@ -1 +1 @@\n${'+const value = read();\n'.repeat(index)}`,
  }));
  const comments = Array.from({ length: 250 }, (_, index) => ({
    author: 'maya',
    at: '2026-01-01T00:00:00Z',
    text: 'A sentence of words. '.repeat(index),
  }));
  return composing({ pull, files, comments, showFiles: true, showDiff: true, leftOut: [] });
}

/** As many comments as a pull request can have, each as long as GitHub accepts. */
function manyComments(): () => void {
  const comments = Array.from({ length: 2500 }, (_, index) => ({
    author: 'maya',
    at: '2026-01-01T00:00:00Z',
    text: `${index} ${'<b hidden>a</b> *b* '.repeat(3276)}`,
  }));
  const pull = { repository: 'acme/docs', number: 7, url: 'u', commit: 'a' };
  return composing({ pull, comments, showFiles: false, showDiff: false, leftOut: [] });
}

function composing(context: PromptContext): () => void {
  const redact = createCredentialRedact('svc_0123456789abcdef', []);
  const createBoundary = () => randomBytes(16).toString('hex');
  return () => {
    composePrompt({
      instruction: 'Go on.',
      asker: 'maya',
      context,
      limitBytes: 48 * 1024,
      sanitize,
      redact,
      createBoundary,
    });
  };
}

/**
 * Lines for `npm run bench`: the slowest texts for the sanitiser, and a prompt about a large pull
 * request.
 */
export function benchPrompt(): string[] {
  const times = BITS.map((bit) => {
    const text = bit.repeat(Math.ceil(BYTES / bit.length)).slice(0, BYTES);
    return { bit, ms: bestMs(() => sanitize(text)) };
  }).sort((a, b) => b.ms - a.ms);
  const slowest = times
    .slice(0, 4)
    .map(({ bit, ms }) => `${JSON.stringify(bit)} ${ms.toFixed(1)} ms`);
  return [
    `Sanitiser, 64 KiB of one piece repeated (best of ${ROUNDS}, target 50 ms): slowest ${slowest.join(', ')}`,
    `Prompt of 250 comments and 400 files: ${bestMs(largePrompt()).toFixed(0)} ms`,
    `Prompt of 2,500 comments of 64 KiB: ${bestMs(manyComments()).toFixed(0)} ms (target 2,000 ms)`,
  ];
}
