import { plainLine, stripInvisible } from '../text/escape.ts';
import { guess } from '../text/names.ts';
import { INPUTS } from '../values/catalog.ts';

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
      /** All that was written after the word, options included. */
      readonly written: string;
    }
  /** A command, but not one that can be carried out; `reason` is for the person who wrote it, and `example` is what to write. */
  | { readonly kind: 'wrong'; readonly reason: string; readonly example?: string | undefined };

const OPTIONS = ['--job', '--sha'] as const;
const OPTION_LIST = 'The options are --job ID and --sha COMMIT.';

const JOB_ID = /^(?!\.+$)[A-Za-z0-9._~-]{1,128}$/;
const COMMIT = /^[0-9a-f]{40}$/i;
const SHORT_COMMIT = /^[0-9a-f]{7,40}$/i;
const QUOTES = '"\'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb';

// Between backticks it is code, and belongs to the text.
const OPTION_IN_TEXT = new RegExp(`(?<![^\\s${QUOTES}])(?:--|[\\u2013\\u2014])(job|sha)[ \\t=]+(\\S+)`, 'gi');

// People write these to a program; as an instruction they say nothing about the documentation.
const NO_INSTRUCTION = /^(?:please )?(?:stop|cancel|status|retry|abort|undo|pause|resume)[.!?]*$/i;
// GitHub shows a longer one in a box that is hard to copy from.
const MAX_EXAMPLE_CHARS = 2000;

/**
 * A comment is a command when its first line begins, in its first column, with exactly the word, and white space or the end
 * follows. Everything after the word is the instruction, further lines included. In quotes and code the first column is
 * taken by `>`, a fence or spaces, so that nothing there can be a command.
 */
export function readCommand(body: string, word: string): Command {
  const after = body.startsWith(word) ? body.slice(word.length) : undefined;
  if (after === undefined || !/^([ \t\r\n]|$)/.test(after)) return findNear(body, word);
  return readInstruction(after.trimStart(), word);
}

/** The same command with `--sha`; undefined if it is too long to be shown as a whole. */
export function withCommit(word: string, written: string, sha: string): string | undefined {
  return exampleOf(`${word} --sha ${sha} ${written}`);
}

function exampleOf(text: string): string | undefined {
  return text.length <= MAX_EXAMPLE_CHARS ? text.trimEnd() : undefined;
}

function readInstruction(written: string, word: string): Command {
  const options = readOptions(written);
  if ('kind' in options) return options;
  const { given, rest, isEnded } = options;
  const text = rest.trim();
  if (text === '' && given.size > 0) {
    const example = exampleOf(`${word} ${written.trim()} document the new option`);
    return wrong('The instruction is missing after the options. Write, for example:', example);
  }
  if (text === '') return { kind: 'help' };
  if (!isEnded) {
    const before = `${word} ${written.slice(0, written.length - rest.length)}`;
    const other = readWord(text, before) ?? findOption(text, before, given);
    if (other !== undefined) return other;
  }
  return { kind: 'instruction', text, jobId: given.get('--job'), sha: given.get('--sha')?.toLowerCase(), written };
}

interface Options {
  readonly given: ReadonlyMap<string, string>;
  /** What comes after them. */
  readonly rest: string;
  /** Two dashes ended them. */
  readonly isEnded: boolean;
}

/** Options come before the instruction; `--` ends them, for an instruction that begins with dashes. */
function readOptions(written: string): Options | Wrong {
  const given = new Map<string, string>();
  let rest = written;
  for (;;) {
    const found = /^(--|[\u2013\u2014])([^\s=]*)(=?)/.exec(rest);
    if (found === null) return findShortOption(rest) ?? { given, rest, isEnded: false };
    const [begin, dashes, name = '', equals] = found;
    const after = rest.slice(begin.length);
    if (begin === '--') return { given, rest: after, isEnded: true };
    const known = OPTIONS.find((one) => one === `${dashes}${name}`);
    if (known === undefined) return unknownOption(begin, name);
    if (given.has(known)) return wrong(`${known} is given twice.`);
    const pattern = equals === '=' ? /^(\S*)/ : /^[ \t]+(\S+)|^/;
    const [argument = '', value = ''] = pattern.exec(after) ?? [];
    const fault = faultOf(known, value);
    if (fault !== undefined) return wrong(fault);
    given.set(known, value);
    rest = after.slice(argument.length).trimStart();
  }
}

/** A dash and one letter, as programs have for an option. No option has that here, and as text it would reach the agent. */
function findShortOption(rest: string): Wrong | undefined {
  const [option] = /^-[a-z](?![^\s=])/i.exec(rest) ?? [];
  if (option === undefined) return undefined;
  const meant = OPTIONS.find((one) => one.startsWith(`-${option.toLowerCase()}`));
  return notAnOption(option, meant);
}

/** A single word that asks for something other than a change. `before`: the command up to it. */
function readWord(text: string, before: string): Command | undefined {
  if (/^(?:help|\?)$/i.test(text)) return { kind: 'help' };
  if (!NO_INSTRUCTION.test(text)) return undefined;
  return wrong(
    `"${plainLine(text, 40)}" is not a command, so nothing was sent. A command is an instruction in your own words. To send this word as one, write:`,
    `${before}-- ${text}`,
  );
}

/**
 * An option after the beginning of the instruction or in quotes, if it would be sent as text. Only with a value like an id or
 * a commit: "document the --job flag" is an instruction.
 */
function findOption(text: string, begin: string, given: ReadonlyMap<string, string>): Command | undefined {
  for (const found of text.matchAll(OPTION_IN_TEXT)) {
    const [whole, name = '', argument = ''] = found;
    const option = name.toLowerCase() === 'job' ? '--job' : '--sha';
    const bare = withoutQuotes(argument);
    const value = lastPart(bare) ?? bare;
    const isMeant = option === '--job' ? faultOf(option, value) === undefined : SHORT_COMMIT.test(value);
    if (!isMeant || given.has(option)) continue;
    // The quotation mark in front of an option, if it is the first word.
    const before = found.index === 1 ? '' : text.slice(0, found.index);
    const after = text.slice(found.index + whole.length);
    const instruction = [before.trimEnd(), after.trimStart()].filter((part) => part !== '').join(' ');
    return wrong(
      `The option ${option} comes before the instruction, and without quotes. Nothing was sent. If it is part of the instruction, write -- in front of that; if it is not, write:`,
      exampleOf(`${begin}${option} ${value} ${instruction}`),
    );
  }
  return undefined;
}

/** The last part of an address, such as that of a job's page; undefined for anything else. */
function lastPart(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined;
  const [path = ''] = text.split(/[?#]/, 1);
  const [, , , ...parts] = path.split('/');
  return parts.findLast((part) => part !== '');
}

const AROUND = `${QUOTES}\`.,;:!?<>()[]`;

/** A value without quotes around it, and without the end of a sentence. */
function withoutQuotes(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && AROUND.includes(text.charAt(start))) start += 1;
  while (end > start && AROUND.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function faultOf(option: (typeof OPTIONS)[number], value: string): string | undefined {
  const shown = plainLine(value, 60);
  if (option === '--sha') {
    if (COMMIT.test(value)) return undefined;
    const what = value === '' ? '--sha needs a commit' : `"${shown}" is not a full commit`;
    return `${what}: write all 40 hexadecimal digits of the head commit.`;
  }
  if (value === '') return '--job needs the id of an agent job. The dashboard of the platform shows it.';
  const bare = withoutQuotes(value);
  const last = lastPart(bare);
  if (last !== undefined && JOB_ID.test(last)) {
    return `"${shown}" is an address. The id of the job is its last part: write --job ${last}.`;
  }
  if (!JOB_ID.test(value) && JOB_ID.test(bare) && /\d/.test(bare)) {
    return `Write the id without quotes or brackets: --job ${bare}.`;
  }
  if (!JOB_ID.test(value)) {
    return `"${shown}" is not a job id: an id has 1 to 128 letters, digits, dots, underscores, tildes or hyphens.`;
  }
  // Ids are made by programs; a word without a digit is the beginning of an instruction.
  if (!/\d/.test(value)) {
    return `"${shown}" is not a job id: an id has at least one digit. Write --job ID before the instruction, or leave --job out.`;
  }
  return undefined;
}

function unknownOption(begin: string, name: string): Wrong {
  if (!begin.startsWith('--')) {
    return wrong(`"${plainLine(begin, 40)}" begins with a long dash. Write --${plainLine(name, 40)}.`);
  }
  const written = `--${name}`;
  if (name in INPUTS) {
    return wrong(
      `"${written}" is an input of the workflow's step, and not an option of a comment: leave it out. ${OPTION_LIST} If it belongs to the instruction, write -- before it.`,
    );
  }
  return notAnOption(written, guess(written, OPTIONS));
}

function notAnOption(written: string, meant: string | undefined): Wrong {
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return wrong(
    `"${plainLine(written, 60)}" is not an option.${hint} ${OPTION_LIST} If it belongs to the instruction, write -- before it.`,
  );
}

type Wrong = Extract<Command, { readonly kind: 'wrong' }>;

function wrong(reason: string, example?: string): Wrong {
  return { kind: 'wrong', reason, ...(example !== undefined && { example }) };
}

/** Words that people write in front of a command. */
const POLITE = /^(?:please|hey|hi|hello|ok|okay)[,:!]? +/i;

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
    // Four spaces or a tab make code.
    const begin = index === 0 ? visible.replace(POLITE, '') : visible;
    const first = fence === undefined ? /^ {0,3}(\S+)/.exec(begin)?.[1] : undefined;
    if (first !== undefined && isNear(first, word, index === 0)) return { kind: 'near', seen: plainLine(first, 60) };
  }
  return { kind: 'none' };
}

function isNear(first: string, word: string, isFirstLine: boolean): boolean {
  const bare = first.replace(/(?<![:,.!])[:,.!]+$/, '');
  const same = (text: string) => text.toLowerCase() === word.toLowerCase();
  // Without its slash. In a later line it may be a part of the text.
  if (isFirstLine && same(`${word.charAt(0)}${bare}`)) return true;
  if (bare.length === 0 || ![word.at(0), '@'].includes(bare.at(0))) return false;
  if (same(bare) || same(bare.replace(/^@\/?/, '/'))) return true;
  return isFirstLine && guess(bare, [word]) !== undefined;
}
