import { BLANK, plainLine, stripInvisible } from '../ground/text/escape.ts';
import { guess, isPathId } from '../ground/text/names.ts';
import type { Shown } from '../prompt/shown/shown.ts';

export type Command =
  | { readonly kind: 'none' }
  /** Not a command, but most likely meant as one; `seen` is the word that was read. */
  | { readonly kind: 'near'; readonly seen: string }
  | { readonly kind: 'help' }
  | {
      readonly kind: 'instruction';
      readonly text: string;
      readonly jobId: string | undefined;
      /**
       * The head commit that the author of the command names, 40 hexadecimal digits in lower case.
       */
      readonly sha: string | undefined;
      /** All that was written after the word, options included. */
      readonly written: string;
      /** What of the text is not seen, and so not sent. */
      readonly unseen: Pick<Shown, 'removed' | 'invisible'>;
    }
  /** A command, but not one that can be carried out; `reason` is for the person who wrote it. */
  | { readonly kind: 'wrong'; readonly reason: string };

/** Until the page of the comment was read, and for an instruction in an input. */
export const NO_INSTRUCTION = {
  kind: 'instruction',
  text: '',
  jobId: undefined,
  sha: undefined,
  written: '',
  unseen: { removed: [], invisible: 0 },
} as const;

const COMMIT = /^[0-9a-f]{40}$/i;
// GitHub shows a longer one in a box that is hard to copy from.
const MAX_EXAMPLE_CHARS = 2000;

/** The first word of a text, and the blanks that follow it. `[^]` is any character. */
const WORD = new RegExp(`^((?:(?!${BLANK})[^])+)${BLANK}*`, 'u');
/**
 * Invisible characters in front of the word. Spaces, tabs and line ends are not among them: behind
 * these, the word is on a later line or in code.
 */
const UNSEEN_START = new RegExp(`^(?:(?![ \\t\\r\\n])${BLANK})+`, 'u');

/** Four spaces or a tab make code. */
const INDENTED = /^(?: {4}| {0,3}\t)/;
/** What a page does not show in front of a word, or within it. */
const UNSHOWN = /<!--[\s\S]*?-->|[*_\\]/g;

/**
 * What a comment may be, by its source: of one that is `near`, only the page says what it is. Many
 * comments are neither, and need no request.
 */
export function sniff(source: string, word: string): 'none' | 'near' | 'command' {
  if (splitFirstWord(source.replace(UNSEEN_START, '')).word === word) return 'command';
  const text = stripInvisible(source).text;
  const start = splitFirstWord(text.replace(UNSHOWN, '').trimStart()).word;
  if (start === word.replace(UNSHOWN, '')) return INDENTED.test(text) ? 'none' : 'near';
  return findNear(text, word).kind;
}

/**
 * A comment is a command if what its page shows begins with exactly the word, and a blank or the end
 * follows. All that follows is the instruction. A quotation begins with `>`, and code with a
 * backtick, so that nothing there can be a command.
 */
export function readCommand(shown: Shown, word: string): Command {
  // The page shows a heading larger, without its mark.
  const first = splitFirstWord(shown.text.replace(/^#{1,6} /, ''));
  const isReadable = shown.text !== '' || shown.drawn.length + shown.unknown.length === 0;
  if (isReadable && first.word !== word) return findNear(shown.text, word);
  if (shown.drawn.length > 0) return wrong(describeDrawn(shown.drawn));
  if (shown.unknown.length > 0) {
    return wrong(
      `Not everything in the comment can be read as text: ${plainLine(shown.unknown.join(', '), 200)}. Write the command in a new comment without it.`,
    );
  }
  // A second command would be sent to the agent as text of the first.
  const [, ...furtherLines] = linesOf(shown.text);
  const second = furtherLines.find((line) => firstWord(line) === word);
  if (second !== undefined) {
    return wrong(
      `The comment has a second command: "${plainLine(second, 60)}". Write each command in its own comment; a line that only shows one goes into a block of code.`,
    );
  }
  return readInstruction(first.rest, shown);
}

/** Why an instruction is not sent of which the page draws a part. */
function describeDrawn(drawn: readonly string[]): string {
  const kinds = drawn.map((kind) => `a ${kind}`).join(' and ');
  return `The instruction has ${kinds}. The page draws it, so its readers do not see the source, and a drawing cannot be sent. Put the source into a block of code without a language, or describe it in words.`;
}

/**
 * The same command with `--sha`, to copy from a message; undefined if it is too long for that.
 * `word` begins a command, `written` is what follows it.
 */
export function withCommit(word: string, written: string, sha: string): string | undefined {
  const text = `${word} --sha ${sha} ${written}`;
  if (text.length <= MAX_EXAMPLE_CHARS) return text.trimEnd();
  return undefined;
}

/** The first word of a text, and what follows it without the blanks between them. */
function splitFirstWord(text: string): { readonly word: string; readonly rest: string } {
  const match = WORD.exec(text);
  // An empty text has no word.
  return { word: match?.[1] ?? '', rest: text.slice(match?.[0].length ?? 0) };
}

/** A block of code; a line with more backticks is code within a line. */
const CODE_BLOCK = /^[ >]*(`{3,}(?=[^`\n]*$)|~{3,})[\s\S]*?(?:\n[ >]*\1[`~]*[ \t]*$|(?![\s\S]))/gm;

/** The lines of a comment. A command in a block of code is only shown: the block is an empty line. */
function linesOf(text: string): string[] {
  return text.replace(CODE_BLOCK, '').split('\n');
}

/** The first word of a line. */
function firstWord(line: string): string {
  return splitFirstWord(line.trimStart()).word;
}

/** Reads the options, and then the instruction. Without both, it is the command `help`. */
function readInstruction(written: string, shown: Shown): Command {
  const options = new Map<string, string>();
  let rest = written;
  while (rest.startsWith('--')) {
    const option = splitFirstWord(rest);
    const value = splitFirstWord(option.rest);
    const fault = options.has(option.word)
      ? `${option.word} is given twice.`
      : faultOf(option.word, value.word);
    if (fault !== undefined) return wrong(fault);
    options.set(option.word, value.word);
    rest = value.rest;
  }
  const text = rest.trim();
  // Also after options, which are of no use to it.
  if (text === 'help') return { kind: 'help' };
  if (text === '' && shown.removed.length > 0)
    return wrong(`The instruction has no visible text: left out are ${shown.removed.join(', ')}.`);
  if (text === '' && options.size > 0)
    return wrong('The instruction is missing after the options.');
  if (text === '') return { kind: 'help' };
  const late = lateOptions(text).find((option) => !options.has(option));
  if (late !== undefined)
    return wrong(
      `${late} follows the text, and options come first: write it before the text. If it belongs to the instruction, write it as code, in backticks.`,
    );
  const sha = options.get('--sha')?.toLowerCase();
  const { removed, invisible } = shown;
  const unseen = { removed, invisible };
  return { kind: 'instruction', text, jobId: options.get('--job'), sha, written, unseen };
}

/**
 * The options that the text contains outside of code, with a value like an id or a commit, which
 * has a digit or several parts: sent as text, the instruction would go to another job, or without
 * the check of the commit.
 */
function lateOptions(text: string): string[] {
  const plain = text.replace(CODE_BLOCK, '').replace(CODE, '');
  return Array.from(
    plain.matchAll(/\s(--(?:job|sha))[\s=]+[\w.]*[\d_-]/g),
    ([, option = '']) => option,
  );
}

/** What is wrong with an option or its value; undefined if nothing is. */
function faultOf(option: string, value: string): string | undefined {
  const shown = plainLine(value, 60);
  switch (option) {
    case '--job':
      if (isPathId(value)) return undefined;
      return `"${shown}" is not a job id. Write --job ID; the dashboard of the platform shows the id.`;
    case '--sha':
      if (COMMIT.test(value)) return undefined;
      return `"${shown}" is not a full commit. Write --sha SHA, with all 40 hexadecimal digits of the head commit.`;
    default:
      return `"${plainLine(option, 60)}" is not an option. A command has --job ID, --sha SHA and the word help. An instruction does not begin with two hyphens.`;
  }
}

function wrong(reason: string): Command {
  return { kind: 'wrong', reason };
}

/** Words of code within a line. */
const CODE = /`[^`]*`/g;
/** What a sentence, a mention or a picture ends with, before a command that follows it. */
const BEFORE_COMMAND = /(?:[.!?:;,)…–—]|@[\w-]+|\p{Extended_Pictographic}\ufe0f?)\s*$/u;

/**
 * Finds what was most likely meant as a command: a misspelt word at the beginning, or the exact
 * word at the beginning of another line or behind a sentence. In quotes and code nothing is meant
 * as one.
 */
function findNear(
  text: string,
  word: string,
): Extract<Command, { readonly kind: 'none' | 'near' }> {
  for (const [index, line] of linesOf(text).entries()) {
    if (line.startsWith('>')) continue;
    const lineWord = firstWord(line);
    // Below the first line, a similar word is most likely one of the text.
    if (lineWord === word || (index === 0 && isMisspelt(lineWord, word)))
      return { kind: 'near', seen: plainLine(lineWord, 60) };
    const [before = '', ...after] = line.replace(CODE, '').split(`${word} `);
    if (after.length > 0 && BEFORE_COMMAND.test(before)) return { kind: 'near', seen: word };
  }
  return { kind: 'none' };
}

/** The word without the sign that it begins with. */
function nameIn(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]+/u, '');
}

/**
 * True if the word is most likely a misspelt command. It must begin with a sign, and the same one
 * if more is misspelt: `docs-agent` alone can begin a sentence.
 */
function isMisspelt(lineWord: string, word: string): boolean {
  if (lineWord !== nameIn(word) && nameIn(lineWord) === nameIn(word)) return true;
  return lineWord.startsWith(word.charAt(0)) && guess(lineWord, [word]) !== undefined;
}
