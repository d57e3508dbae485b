import { plainLine, stripInvisible } from '../text/escape.ts';
import { guess } from '../text/names.ts';

export type Command =
  | { readonly kind: 'none' }
  /** Not a command, but most likely meant as one; `seen` is the word that was read. */
  | { readonly kind: 'near'; readonly seen: string }
  | { readonly kind: 'help' }
  | {
      readonly kind: 'instruction';
      readonly text: string;
      readonly jobId: string | undefined;
      /** The head commit that the author of the command names, 40 hexadecimal digits in lower case. */
      readonly sha: string | undefined;
    }
  /** A command, but not one that can be carried out; `reason` is for the person who wrote it. */
  | { readonly kind: 'wrong'; readonly reason: string };

const OPTIONS = ['--job', '--sha'] as const;
const OPTION_LIST = 'The options are --job ID and --sha COMMIT.';

const JOB_ID = /^(?!\.+$)[A-Za-z0-9._~-]{1,128}$/;
const COMMIT = /^[0-9a-f]{40}$/i;

/**
 * A comment is a command when its first line begins, in its first column, with exactly the word, and white space or the end
 * follows. Everything after the word is the instruction, further lines included. In quotes and code the first column is
 * taken by `>`, a fence or blanks, so that nothing there can be a command.
 */
export function readCommand(body: string, word: string): Command {
  const after = body.startsWith(word) ? body.slice(word.length) : undefined;
  if (after === undefined || !/^([ \t\r\n]|$)/.test(after)) return findNear(body, word);
  return readInstruction(after.trimStart());
}

/** Options come before the instruction; `--` ends them, for an instruction that begins with dashes. */
function readInstruction(text: string): Command {
  const given = new Map<string, string>();
  let rest = text;
  for (;;) {
    const option = /^(--|[\u2013\u2014])([^\s=]*)(=?)/.exec(rest);
    if (option === null) break;
    const [written, dashes, name = '', equals] = option;
    const after = rest.slice(written.length);
    if (written === '--') {
      rest = after;
      break;
    }
    if (dashes !== '--')
      return wrong(`"${plainLine(written, 40)}" begins with a long dash. Write --${plainLine(name, 40)}.`);
    const known = OPTIONS.find((one) => one === `--${name}`);
    if (known === undefined) return unknownOption(`--${name}`);
    if (given.has(known)) return wrong(`${known} is given twice.`);
    const [argument = '', value = ''] = (equals === '=' ? /^(\S*)/ : /^[ \t]+(\S+)|^/).exec(after) ?? [];
    const fault = faultOf(known, value);
    if (fault !== undefined) return wrong(fault);
    given.set(known, value);
    rest = after.slice(argument.length).trimStart();
  }
  const instruction = rest.trim();
  if (instruction === '' || /^help$/i.test(instruction)) return { kind: 'help' };
  return { kind: 'instruction', text: instruction, jobId: given.get('--job'), sha: given.get('--sha')?.toLowerCase() };
}

function faultOf(option: (typeof OPTIONS)[number], value: string): string | undefined {
  const shown = plainLine(value, 60);
  if (option === '--sha') {
    if (COMMIT.test(value)) return undefined;
    const what = value === '' ? '--sha needs a commit' : `"${shown}" is not a full commit`;
    return `${what}: write all 40 hexadecimal digits of the head commit.`;
  }
  if (value === '') return '--job needs the id of an agent job. The dashboard of the platform shows it.';
  if (!JOB_ID.test(value)) {
    return `"${shown}" is not a job id: an id has 1 to 128 letters, digits, dots, underscores, tildes or hyphens.`;
  }
  // Ids are made by programs; a word without a digit is the beginning of an instruction.
  if (!/\d/.test(value)) {
    return `"${shown}" is not a job id: an id has at least one digit. Write --job ID before the instruction, or leave --job out.`;
  }
  return undefined;
}

function unknownOption(written: string): Command {
  const meant = guess(written, OPTIONS);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return wrong(
    `"${plainLine(written, 60)}" is not an option.${hint} ${OPTION_LIST} If it belongs to the instruction, write -- before it.`,
  );
}

function wrong(reason: string): Command {
  return { kind: 'wrong', reason };
}

/** A misspelt word at the beginning, or the word at the beginning of another line. Not in quotes and code. */
function findNear(body: string, word: string): Command {
  let fence: string | undefined;
  for (const [index, line] of body
    .split(/\r\n|\r|\n/)
    .slice(0, 200)
    .entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      continue;
    }
    const visible = stripInvisible(line.slice(0, 500)).text;
    // Four blanks or a tab make code.
    const first = fence === undefined ? /^ {0,3}(\S+)/.exec(visible)?.[1] : undefined;
    if (first !== undefined && isNear(first, word, index === 0)) return { kind: 'near', seen: plainLine(first, 60) };
  }
  return { kind: 'none' };
}

function isNear(first: string, word: string, isFirstLine: boolean): boolean {
  const bare = first.replace(/[:,.!]+$/, '');
  if (bare.length === 0 || ![word.at(0), '@'].includes(bare.at(0))) return false;
  const same = (text: string) => text.toLowerCase() === word.toLowerCase();
  if (same(bare) || same(bare.replace(/^@\/?/, '/'))) return true;
  return isFirstLine && guess(bare, [word]) !== undefined;
}
