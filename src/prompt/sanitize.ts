import { isDeepStrictEqual } from 'node:util';
import { stripInvisible } from '../text/escape.ts';
import { type Block, continuesList, quoted, toMarkdown } from './shown/blocks.ts';
import { toHtml } from './shown/gfm.ts';
import { Losses, type Removed } from './shown/removed.ts';
import { type Unclosed, VisibleText } from './shown/visible-text.ts';

interface Sanitized {
  readonly text: string;
  /** What GitHub does not show and is left out, by kind; empty if nothing is lost. */
  readonly removed: readonly Removed[];
  /** The first hiding tag that has no end: everything after it is left out. */
  readonly unclosed?: Unclosed | undefined;
}

export type Sanitize = (markdown: string) => Sanitized;

// Texts of people are stable after one pass: a text that needs more passes is made to need them.
const MAX_PASSES = 3;
// GitHub's own limit for a description or a comment; what is longer is cut before it is read.
const MAX_CHARS = 65_536;

/**
 * Turns Markdown by any author into the text that a person sees on GitHub's page, as simple
 * Markdown. What GitHub does not show is left out and counted; what it shows stays, with
 * backslashes if it could be read as markup. Doing it twice changes nothing.
 */
export function sanitize(markdown: string): Sanitized {
  // Backslashes make a text longer: half as much is read until the result is within the limit too.
  for (let limit = MAX_CHARS; ; limit = Math.floor(limit / 2)) {
    const sanitized = sanitizeUpTo(markdown, limit);
    if (sanitized.text.length <= MAX_CHARS) return sanitized;
  }
}

/** `sanitize` for the first `limit` characters of the text. */
function sanitizeUpTo(markdown: string, limit: number): Sanitized {
  const losses = new Losses();
  // Counts nothing if the text is shorter.
  losses.add('text over the length limit', markdown.length - limit);
  const stripped = stripInvisible(markdown.slice(0, limit));
  losses.add('invisible characters', stripped.removed);
  const page = readPage(stripped.text, losses);
  return { text: stableText(page.blocks), removed: losses.list(), unclosed: page.unclosed };
}

/**
 * Writes blocks as Markdown that is read as the same blocks again: what the agent reads as markup
 * must be what a person saw as markup.
 */
function stableText(pageBlocks: readonly Block[]): string {
  let blocks = pageBlocks;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const unstable = new Set(blocks.filter((block) => !isStable(block)));
    // Backslashes only in the blocks that need them.
    const text = toMarkdown(blocks, (block) => unstable.has(block));
    // Blocks that are stable alone are so together, unless two of them are read as one list.
    if (unstable.size === 0 && !blocks.some(isRenumbered)) return text;
    const readAgain = blocksOf(text);
    if (isDeepStrictEqual(readAgain, blocks)) return text;
    blocks = readAgain;
  }
  // A text that is made to need more passes loses all that could be markup.
  return blocks.map(disarmed).filter(Boolean).join('\n\n');
}

/** What a reader of the page sees. `losses` takes what is left out. */
function readPage(text: string, losses: Losses) {
  return new VisibleText(toHtml(text, losses), losses).read();
}

function blocksOf(text: string): Block[] {
  return readPage(text, new Losses()).blocks;
}

/** True for a numbered item that would be read as one of the list before, with another number. */
function isRenumbered(block: Block, index: number, blocks: readonly Block[]): boolean {
  const previous = blocks[index - 1];
  const isNumbered = (one: Block | undefined) => one?.kind === 'text' && /^\d/.test(one.lead);
  return isNumbered(block) && isNumbered(previous) && !continuesList(previous, block);
}

// Whatever Markdown or HTML could take for markup within a line, or for a block at the beginning of
// one.
const INLINE_MARKUP =
  /[`*\\$]|~~|<[A-Za-z/!?]|&[#A-Za-z]|\]\(|\]:|\[\^|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u;
const BLOCK_MARKUP = /^(?:[-+=>#|:~]|\d{1,9}[.)])|#$/m;

/** True if the block needs no backslashes: its Markdown is read as the same block again. */
function isStable(block: Block): boolean {
  if (block.kind === 'code') return true;
  const pieces = block.kind === 'text' ? block.pieces : block.rows.flat(2);
  // Any other piece is written with markup: a backtick stands for it, which `INLINE_MARKUP` finds.
  const words = pieces.map((piece) => (piece.kind === 'text' ? piece.text : '`')).join('');
  // In a table's cell no block can begin, but a bar would end the cell.
  const blockMarkup = block.kind === 'text' ? BLOCK_MARKUP : /\|/;
  if (!INLINE_MARKUP.test(words) && !blockMarkup.test(words)) return true;
  // GitHub shows this `<!--`, so it is not a comment; another reader of Markdown may take it for
  // one.
  if (pieces.some((piece) => piece.kind === 'text' && piece.text.includes('<!--'))) return false;
  return isDeepStrictEqual(blocksOf(toMarkdown([block], () => false)), [block]);
}

/**
 * A block without any character that Markdown or HTML could read as markup, except the marks of
 * quotations. For a text that does not become stable.
 */
function disarmed(block: Block): string {
  const text = disarm(toMarkdown([{ ...block, quotes: 0 }], () => false));
  if (text === '') return '';
  return quoted(text, block.quotes);
}

/** Leaves words, numbers and plain punctuation; a line must not begin a list or a block of code. */
function disarm(text: string): string {
  const plain = text.replace(/[^\p{L}\p{N}\p{M}\p{Zs}\n,.:;'"?!/]/gu, ' ');
  const unindented = plain.replace(/\p{Zs}+/gu, ' ').replace(/^ | $/gm, '');
  const unnumbered = unindented.replace(/^(\d{1,9})\./gm, '$1');
  return unnumbered.replace(/\n{2,}/g, '\n\n').trim();
}
