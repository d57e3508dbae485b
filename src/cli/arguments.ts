import { looksSecret } from '../ground/text/credentials.ts';
import { plainLine } from '../ground/text/escape.ts';
import { didYouMean, guess } from '../ground/text/names.ts';
import { isSecretInput as isSecret, SECRET_INPUTS, variableName } from '../values/reader.ts';
import { COMMANDS, type Command, FLAGS, type Flag, type GivenFlags } from './options.ts';

/** What the words after `docs-courier` say. `problems`: everything that is wrong with them. */
export interface CommandLine {
  readonly command: Command | undefined;
  readonly flags: GivenFlags;
  readonly problems: readonly string[];
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['-h', 'help'],
  ['-v', 'version'],
  ['-q', 'quiet'],
]);

interface GivenFlag {
  readonly name: string;
  /** As it was written, with its dashes. */
  readonly written: string;
  readonly value: string | undefined;
  /** The value was written as the next word, and not after an equals sign. */
  readonly isNext: boolean;
}

/** A word that is neither a flag nor the value of one. */
interface Word {
  readonly value: string;
  /** The number of the word after `docs-courier`, from 1. */
  readonly position: number;
  /** It may be the rest of a secret that was written without quotes. */
  readonly mayBeSecret: boolean;
}

/** A flag begins with a dash. A dash alone is a word: to many programs it means standard input. */
const LIKE_FLAG = /^-./;

/** Flags that may stand beside `--version`, which runs nothing. */
const WITH_VERSION: ReadonlySet<string> = new Set(['version', 'json', 'help', 'quiet', 'verbose']);

type Flags = Map<Flag['name'], string[]>;

/** What is kept for a flag that is given without a value, such as `--json`. */
const WITHOUT_VALUE = 'true';

/** Reads the words of a command. It never throws, and its problems contain no secret. */
export function readArguments(args: readonly string[]): CommandLine {
  const { given, words } = readWords(args);
  const flags: Flags = new Map();
  const problems = given.flatMap((flag) => takeFlag(flags, flag) ?? []);
  const commands: Command[] = [];
  const operands: Word[] = [];
  for (const word of words) {
    const command = COMMANDS.find((name) => name === word.value);
    if (command === undefined) operands.push(word);
    else commands.push(command);
  }
  const [command] = commands;
  if (commands.length > 1)
    problems.push(`${commands.join(' and ')} are ${commands.length} commands; give one`);
  const hasOthers = [...flags.keys()].some((name) => !WITH_VERSION.has(name));
  if (flags.has('version') && hasOthers) {
    problems.push(
      '--version, or -v, shows the version and runs nothing; leave out the other flags',
    );
  }
  const misplaced = takeOperand(flags, operands, command);
  if (misplaced !== undefined) problems.push(misplaced);
  for (const name of flags.keys()) {
    // Only known flags were taken: the empty list is for the compiler.
    const takers = FLAGS.get(name)?.commands ?? [];
    if (command === undefined || takers.includes(command)) continue;
    problems.push(`--${name} belongs to ${takers.join(', ')}, not to ${command}; remove it`);
  }
  return { command, flags, problems };
}

/** The flags, each with its value, and all other words. After `--` there are no flags. */
function readWords(args: readonly string[]) {
  const given: GivenFlag[] = [];
  const words: Word[] = [];
  const endOfFlags = args.includes('--') ? args.indexOf('--') : args.length;
  let mayBeSecret = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (at < endOfFlags && LIKE_FLAG.test(arg)) {
      const flag = readFlag(arg, args[at + 1]);
      given.push(flag);
      mayBeSecret = isSecret(flag.name) || !FLAGS.has(flag.name);
      // The next word was read as the value of this flag.
      if (flag.isNext) at += 1;
    } else if (at !== endOfFlags) words.push({ value: arg, position: at + 1, mayBeSecret });
  }
  return { given, words };
}

/** A flag with its value, after an equals sign or in the next word. */
function readFlag(arg: string, next: string | undefined): GivenFlag {
  // Without an equals sign nothing matches: the whole word is the name.
  const [, written = arg, value] = /^(-[^=]*)=(.*)$/s.exec(arg) ?? [];
  const name = SHORT.get(written) ?? written.replace(/^--?/, '');
  const isNext = value === undefined && next !== undefined && takesNext(name, next);
  return { name, written, value: isNext ? next : value, isNext };
}

/** True if the word after a flag is the value of the flag. */
function takesNext(name: string, next: string): boolean {
  // A secret is refused as a flag: its value must not be reported as a word.
  if (isSecret(name)) return true;
  const flag = FLAGS.get(name);
  // The word after an unknown flag counts as its value: else it would be reported too.
  if (flag === undefined)
    return !LIKE_FLAG.test(next) && !COMMANDS.some((command) => command === next);
  if (flag.value !== undefined) return true;
  // A switch takes only `true` and `false`, as in `--clean false`.
  return flag.isSwitch === true && /^(true|false)$/.test(next);
}

/** Adds a flag with its value to `flags`. Gives the problem with it; undefined: there is none. */
function takeFlag(flags: Flags, given: GivenFlag): string | undefined {
  const { name, written, value = WITHOUT_VALUE } = given;
  if (isSecret(name))
    return `--${name}: a secret on the command line can be read by every process of the machine. Give it as the variable ${variableName(name)}, or in a file with --${name}-file PATH, and replace the value that was written here`;
  const flag = FLAGS.get(name);
  // A whole name has two dashes: `-domain` is not a flag.
  if (flag === undefined || written === `-${name}`) {
    // It is not shown if it may be a key.
    const shown = looksSecret(written) ? '' : ` ${plainLine(written, 60)}`;
    return `unknown flag${shown}; ${adviceFor(name)}`;
  }
  const problem = whyRefused(flag, given);
  if (problem !== undefined) return problem;
  const earlierValues = flags.get(flag.name);
  flags.set(flag.name, [...(earlierValues ?? []), value]);
  if (earlierValues === undefined || flag.isRepeatable) return undefined;
  return `--${name} is given twice; give it once`;
}

/** The problem with the value of a flag; undefined if there is none. */
function whyRefused(flag: Flag, { name, value, isNext }: GivenFlag): string | undefined {
  if (flag.value === undefined && !flag.isSwitch)
    return value === undefined ? undefined : `--${name} takes no value`;
  // An empty flag, as from a variable of the shell that is not set, would count as not given: the
  // variable of the input would be read instead.
  if (value?.trim() === '') return `--${name} is empty; give it a value, or leave it out`;
  // The value of a switch is that of an input, and checked with the inputs.
  if (flag.isSwitch) return undefined;
  // In `--summary --json`, the next word is a flag, which would be lost as the value of this one.
  const isNextFlag = isNext && value !== undefined && LIKE_FLAG.test(value);
  if (value === undefined || isNextFlag)
    return `--${name} needs a value; one that begins with a dash is written --${name}=VALUE`;
  return undefined;
}

/** Names the nearest flag: for an input that contains a secret, the flag for its file. */
function adviceFor(name: string): string {
  const nearest = guess(name, [...FLAGS.keys(), ...SECRET_INPUTS]);
  if (nearest === undefined) return 'see --help';
  return `did you mean --${isSecret(nearest) ? `${nearest}-file` : nearest}?`;
}

/** A word that a command takes instead of a flag: `search docs-queries.yml`. */
interface Operand {
  /** The flag that it stands for. */
  readonly flag: Flag['name'];
  /** Completes "COMMAND takes …". */
  readonly text: string;
  readonly pattern: RegExp;
  /** How many such words; undefined: one. */
  readonly count?: number;
}

const SITE: Operand = {
  flag: 'site-path',
  text: 'the folder with the unpacked site',
  pattern: /./,
};

/**
 * The commands that take one word besides flags: `search docs-queries.yml`, `agent --pull-request
 * 12 "…"`.
 */
const OPERANDS: Readonly<Record<string, Operand>> = {
  search: {
    flag: 'queries-file',
    text: 'one queries file (.yml, .yaml or .json), or --query TEXT',
    pattern: /\.(ya?ml|json)$/i,
  },
  agent: { flag: 'prompt', text: 'one instruction, in quotes', pattern: /./ },
  redirects: SITE,
  serve: SITE,
  explain: { flag: 'code', text: 'one error code', pattern: /./ },
  changes: { flag: 'compared', text: 'two folders, archives or manifests', pattern: /./, count: 2 },
  completion: { flag: 'shell', text: 'one shell: bash, zsh or fish', pattern: /^[a-z]+$/ },
};

/** Words that people type for a command with another name. */
const MEANT: ReadonlyMap<string, Command> = new Map([
  ['diff', 'changes'],
  ['compare', 'changes'],
  ['preview', 'publish'],
  ['renew', 'refresh'],
  ['undo', 'rollback'],
  ['revert', 'rollback'],
  ['check', 'doctor'],
  ['open', 'serve'],
]);

/**
 * Takes the words that are neither a command nor part of a flag: some commands take one such word,
 * which is added to `flags`. Gives the problem with them; undefined: there is none.
 */
function takeOperand(
  flags: Flags,
  words: readonly Word[],
  command: Command | undefined,
): string | undefined {
  const [first] = words;
  if (first === undefined) return undefined;
  if (command === undefined) {
    const question = didYouMean(MEANT.get(first.value) ?? first.value, COMMANDS);
    return `${shownWord(first)} is not a command; the commands are ${COMMANDS.join(', ')}${question}`;
  }
  const operand = OPERANDS[command];
  // The pattern keeps a mistyped flag or command from being read as, say, a queries file.
  const isOperand =
    words.length === (operand?.count ?? 1) && operand?.pattern.test(first.value) === true;
  // If the flag is given too, the word is one too many.
  if (operand !== undefined && isOperand && !flags.has(operand.flag)) {
    flags.set(
      operand.flag,
      words.map((word) => word.value),
    );
    return undefined;
  }
  const belong = words.length === 1 ? 'belongs' : 'belong';
  const shown = words.slice(0, MOST_WORDS).map(shownWord);
  if (words.length > MOST_WORDS) shown.push(`${words.length - MOST_WORDS} more`);
  return `${shown.join(', ')} ${belong} to no flag; ${command} takes ${operand?.text ?? 'flags only'}`;
}

/** A pattern of the shell can be thousands of names. */
const MOST_WORDS = 5;

/** A word for a message: only its number if it may be a key. */
function shownWord(word: Word): string {
  const isPlain = /^[\w./:@-]{1,60}$/.test(word.value) && !looksSecret(word.value);
  return isPlain && !word.mayBeSecret
    ? `"${word.value}"`
    : `Word ${word.position} after docs-courier`;
}
