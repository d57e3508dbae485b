import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { expect, test, vi } from 'vitest';
import { processorMs } from '../support/growth.ts';

const src = join(import.meta.dirname, '../../src');

// Processor time is what is judged; on a busy machine the clock may show several times as much.
vi.setConfig({ testTimeout: 90_000 });

interface Found {
  readonly place: string;
  readonly pattern: RegExp;
}

/** Every regular expression that is written as such in a file. */
function patternsOf(file: string, text: string): Found[] {
  const found: Found[] = [];
  JSON.stringify(parseAst(text, { lang: 'ts' }), (_, node: unknown) => {
    if (typeof node !== 'object' || node === null || !('regex' in node)) return node;
    const { pattern, flags } = readLiteral(node.regex);
    found.push({
      place: `${file} /${pattern}/`,
      pattern: new RegExp(pattern, flags.replace(/[gy]/g, '')),
    });
    return undefined;
  });
  return found;
}

function readLiteral(literal: unknown): { pattern: string; flags: string } {
  if (
    typeof literal !== 'object' ||
    literal === null ||
    !('pattern' in literal) ||
    !('flags' in literal)
  ) {
    throw new Error('a literal without pattern and flags');
  }
  return { pattern: String(literal.pattern), flags: String(literal.flags) };
}

// An exponential one takes a second for the second, and would not end for the last. For that, a
// quadratic one takes 60 ms and more, a linear one at most a few.
const LENGTHS = [24, 30, 14_000];
const LONGEST_MS = 30;
const SINGLE = [...' \t\n/\\#.,:;-_=@&%?!|*<>()[]{}"\'`~^$+', 'a', 'A', '0', 'é', '\0'];

/** Texts that repeat what a pattern looks for, and do not end as it wants. */
function* hostileTexts({ source }: RegExp): Generator<string> {
  const plain = source.replace(/\\[bBdDsSwWpPkcxu]/g, '\0').replace(/\\(.)/g, '$1');
  const words = plain
    .split(/[\0()[\]{}?*+|^$]+/)
    .filter((word) => word.length > 1 && word.length < 40);
  const pumps = new Set([
    ...SINGLE,
    ...words,
    ...words.map((word) => `${word} `),
    ...words.map((word) => ` ${word}`),
  ]);
  const begins = new Set(['', 'x', ...words.slice(0, 2)]);
  for (const length of LENGTHS) {
    for (const pump of pumps) {
      for (const begin of begins)
        yield `${begin}${pump.repeat(Math.ceil(length / pump.length))}\0\n\u2028!`;
    }
  }
}

/**
 * Processor time of the slowest hostile text: the shortest of three, so that a collection of
 * garbage does not count.
 */
function slowestMs(pattern: RegExp): number {
  let slowest = 0;
  for (const text of hostileTexts(pattern)) {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3 && least > LONGEST_MS; round += 1) {
      least = Math.min(
        least,
        processorMs(() => pattern.test(text)),
      );
    }
    slowest = Math.max(slowest, least);
    if (slowest > LONGEST_MS) return slowest;
  }
  return slowest;
}

/** Texts of these are short, whatever their origin. */
const BOUNDED = [
  // The digits of one number.
  'ground/text/amounts.ts /\\B(?=(\\d{3})+$)/',
  // 8 KiB of a page.
  'site/verify/certain-content.ts /<(nav|svg|button)',
];

const all = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'))
  .flatMap((name) => patternsOf(name, readFileSync(join(src, name), 'utf8')));

test('The rule finds the regular expressions, and the slow ones among them', () => {
  expect(all.length).toBeGreaterThan(500);
  expect(BOUNDED.filter((begin) => !all.some(({ place }) => place.startsWith(begin)))).toEqual([]);
  for (const slow of [/\/+$/, /\/\/\S*[?#]\S{8}/, /^[^\s/]+(\/\S*)*$/, /[#?].*$/]) {
    expect(slowestMs(slow), slow.source).toBeGreaterThan(LONGEST_MS);
  }
});

test('No regular expression takes more than linear time, however its text is made', () => {
  const slow = all
    .filter(({ place }) => !BOUNDED.some((begin) => place.startsWith(begin)))
    .filter(({ pattern }) => slowestMs(pattern) > LONGEST_MS);
  expect(slow.map(({ place }) => place)).toEqual([]);
});
