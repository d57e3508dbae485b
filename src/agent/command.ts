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

/** The first word of a text, and the blanks that follow it. `[^]` is any character. */
const WORD = new RegExp(`^((?:(?!${BLANK})[^])+)${BLANK}*`, 'u');
/**
 * Invisible characters in front of the word. Spaces, tabs and line ends are not among them: behind
 * these, the word is on a later line or in code.
 */
const UNSEEN_START = new RegExp(`^(?:(?![ \\t\\r\\n])${BLANK})+`, 'u');

/**
 * A comment is a command if it begins with exactly the word, and a blank or the end follows. All
 * that follows is the instruction. In quotes and code, `>`, a fence or spaces are in front of the
 * word, so that nothing there can be a command.
 */
export function readCommand(body: string, word: string): Command {
  if (splitFirstWord(body.replace(UNSEEN_START, '')).word !== word) return findNear(body, word);
  // A mail below the comment may repeat an earlier command, which is not a second one.
  const comment = withoutMail(body);
  // A second command would be sent to the agent as text of the first.
  const secondCommand = linesOf(comment).findIndex(
    (line, index) => index > 0 && !line.isCode && firstWord(line) === word,
  );
  if (secondCommand > 0) {
    return wrong(
      `Line ${secondCommand + 1} of the comment is a second command. Write each command in its own comment; a line that only shows one goes into a block of code.`,
    );
  }
  const written = splitFirstWord(comment.replace(UNSEEN_START, '')).rest;
  const hadMail = comment.trimEnd() !== body.trimEnd();
  return readInstruction({ written, hadMail });
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

/** The first word of a line, without invisible characters. */
function firstWord(line: CommentLine): string {
  return splitFirstWord(stripInvisible(line.text).text.trimStart()).word;
}

interface Written {
  /** All that was written after the command's word. */
  readonly written: string;
  /** A mail or a signature was cut off at its end. */
  readonly hadMail: boolean;
}

/** Reads the options, and then the instruction. Without both, it is the command `help`. */
function readInstruction({ written, hadMail }: Written): Command {
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
  if (text === '' && hadMail)
    return wrong('The instruction is missing: all that follows is a quoted mail or a signature.');
  if (text === '' && options.size > 0)
    return wrong('The instruction is missing after the options.');
  if (text === '') return { kind: 'help' };
  const sha = options.get('--sha')?.toLowerCase();
  return { kind: 'instruction', text, jobId: options.get('--job'), sha, written, hadMail };
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
 * word at the beginning of another line. In quotes and code nothing is meant as one.
 */
function findNear(body: string, word: string): Command {
  for (const [index, line] of linesOf(body).entries()) {
    const lineWord = firstWord(line);
    // Below the first line, a similar word is most likely one of the text.
    const isNear = lineWord === word || (index === 0 && isMisspelt(lineWord, word));
    if (isNear && !line.isCode) return { kind: 'near', seen: plainLine(lineWord, 60) };
  }
  return { kind: 'none' };
}

/**
 * True if the word is most likely a misspelt command. Its first character, such as `/`, must be
 * right: `docs-agent` alone can begin a sentence.
 */
function isMisspelt(lineWord: string, word: string): boolean {
  return lineWord.startsWith(word.charAt(0)) && guess(lineWord, [word]) !== undefined;
}
