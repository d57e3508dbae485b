import { BLANK, plainLine, stripInvisible } from '../text/escape.ts';
import { guess, isPathId } from '../text/names.ts';
import { type CommentLine, linesOf } from './comment-lines.ts';
import { withoutMail } from './mail.ts';

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
      /** A mail that the comment answers, or a signature, was at its end and is left out. */
      readonly hadMail?: boolean;
    }
  /** A command, but not one that can be carried out; `reason` is for the person who wrote it. */
  | { readonly kind: 'wrong'; readonly reason: string };

const COMMIT = /^[0-9a-f]{40}$/i;
// GitHub shows a longer one in a box that is hard to copy from.
const MAX_EXAMPLE_CHARS = 2000;

/** The first word of a text, and the blanks that follow it. */
const WORD = new RegExp(`^((?:(?!${BLANK})[^])+)${BLANK}*`, 'u');
/**
 * Invisible characters in front of the word. Spaces, tabs and line ends are not among them: behind
 * these, the word is on a later line or in code.
 */
const UNSEEN_START = new RegExp(`^(?:(?![ \\t\\r\\n])${BLANK})+`, 'u');

/**
 * A comment is a command when its first line begins, in its first column, with exactly the word,
 * and a blank or the end follows. Everything after the word is the instruction, further lines
 * included. In quotes and code the first column is taken by `>`, a fence or spaces, so that nothing
 * there can be a command.
 */
export function readCommand(body: string, word: string): Command {
  if (takeWord(body.replace(UNSEEN_START, '')).word !== word) return findNear(body, word);
  const comment = withoutMail(body);
  const second = linesOf(comment).findIndex(
    (line, at) => at > 0 && !line.isCode && firstWord(line) === word,
  );
  if (second > 0) {
    return wrong(
      `Line ${second + 1} of the comment is a second command. Write each command in its own comment; a line that only shows one goes into a block of code.`,
    );
  }
  const written = takeWord(comment.replace(UNSEEN_START, '')).rest;
  return readInstruction(written, comment.trimEnd() !== body.trimEnd());
}

/** The same command with `--sha`; undefined if it is too long to be shown as a whole. */
export function withCommit(word: string, written: string, sha: string): string | undefined {
  const text = `${word} --sha ${sha} ${written}`;
  if (text.length <= MAX_EXAMPLE_CHARS) return text.trimEnd();
  return undefined;
}

function takeWord(text: string): { readonly word: string; readonly rest: string } {
  const found = WORD.exec(text);
  return { word: found?.[1] ?? '', rest: text.slice(found?.[0].length ?? 0) };
}

/** The first word of a line, without invisible characters. */
function firstWord(line: CommentLine): string {
  return takeWord(stripInvisible(line.text).text.trimStart()).word;
}

/** Reads the options, and then the instruction. Without both, it is the command `help`. */
function readInstruction(written: string, hadMail: boolean): Command {
  const given = new Map<string, string>();
  let rest = written;
  while (rest.startsWith('--')) {
    const option = takeWord(rest);
    const value = takeWord(option.rest);
    const fault = given.has(option.word)
      ? `${option.word} is given twice.`
      : faultOf(option.word, value.word);
    if (fault !== undefined) return wrong(fault);
    given.set(option.word, value.word);
    rest = value.rest;
  }
  const text = rest.trim();
  if (text === 'help') return { kind: 'help' };
  if (text === '' && hadMail)
    return wrong('The instruction is missing: all that follows is a quoted mail or a signature.');
  if (text === '' && given.size > 0) return wrong('The instruction is missing after the options.');
  if (text === '') return { kind: 'help' };
  const sha = given.get('--sha')?.toLowerCase();
  return { kind: 'instruction', text, jobId: given.get('--job'), sha, written, hadMail };
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

/**
 * Finds what was most likely meant as a command: a misspelt word at the beginning, or the exact
 * word at the beginning of another line. Quotes and code are passed over.
 */
function findNear(body: string, word: string): Command {
  for (const [index, line] of linesOf(body).entries()) {
    const first = firstWord(line);
    if (!line.isCode && isNear(first, word, index === 0))
      return { kind: 'near', seen: plainLine(first, 60) };
  }
  return { kind: 'none' };
}

function isNear(first: string, word: string, isFirstLine: boolean): boolean {
  if (first === word) return true;
  return isFirstLine && first.startsWith(word.charAt(0)) && guess(first, [word]) !== undefined;
}
