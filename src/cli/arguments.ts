import { looksSecret } from '../text/credentials.ts';
import { plainLine } from '../text/escape.ts';
import { didYouMean, guess } from '../text/names.ts';
import { isSecretInput as isSecret, SECRET_INPUTS, variableName } from '../values/reader.ts';
import { COMMANDS, type Command, FLAGS, type Flag, type GivenFlags } from './options.ts';

/**
 * The words after `docs-courier`, read. What is wrong is in `problems`, so that all of it shows at
 * once.
 */
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
  /** The value is the next word, and not after an equals sign. */
  readonly isNext: boolean;
}

/** A word that is neither a flag nor the value of one. */
interface Word {
  readonly value: string;
  /** Behind `docs-courier`, from 1. */
  readonly position: number;
}

/** Flags that may stand beside `--version`, which runs nothing. */
const WITH_VERSION: ReadonlySet<string> = new Set(['version', 'json', 'help', 'quiet', 'verbose']);

type Flags = Map<Flag['name'], string[]>;

/** Reads the words of a command. Never throws, and repeats no value that may be a secret. */
export function readArguments(args: readonly string[]): CommandLine {
  const flags: Flags = new Map();
  const { given, words } = readWords(args);
  const problems = given.flatMap((one) => takeFlag(flags, one));
  const commands = words.flatMap((word) => COMMANDS.find((one) => one === word.value) ?? []);
  const [command] = commands;
  if (commands.length > 1)
    problems.push(`${commands.join(' and ')} are ${commands.length} commands; give one`);
  if (flags.has('version') && [...flags.keys()].some((name) => !WITH_VERSION.has(name))) {
    problems.push(
      '--version, or -v, shows the version and runs nothing; leave out the other flags',
    );
  }
  const others = words.filter((word) => !COMMANDS.some((one) => one === word.value));
  problems.push(...readOperands(others, command, flags));
  for (const name of flags.keys()) {
    const own = FLAGS.get(name)?.commands ?? [];
    if (command !== undefined && !own.includes(command))
      problems.push(`--${name} belongs to ${own.join(', ')}, not to ${command}; remove it`);
  }
  return { command, flags, problems };
}

/** The flags, each with its value, and all other words. After `--` there are no flags. */
function readWords(args: readonly string[]) {
  const given: GivenFlag[] = [];
  const words: Word[] = [];
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (at < end && /^-./.test(arg)) {
      const flag = readFlag(arg, args[at + 1]);
      given.push(flag);
      if (flag.isNext) at += 1;
    } else if (at !== end) words.push({ value: arg, position: at + 1 });
  }
  return { given, words };
}

function readFlag(arg: string, next: string | undefined): GivenFlag {
  const [, written = arg, value] = /^(-[^=]*)=(.*)$/s.exec(arg) ?? [];
  const name = SHORT.get(written) ?? written.replace(/^--?/, '');
  const isNext = value === undefined && next !== undefined && takesNext(name, next);
  return { name, written, value: isNext ? next : value, isNext };
}

function takesNext(name: string, next: string): boolean {
  const flag = FLAGS.get(name);
  if (flag?.value !== undefined || isSecret(name)) return true;
  // What follows an unknown flag is its value: it would be a second problem.
  if (flag === undefined) return !/^-./.test(next) && !COMMANDS.some((one) => one === next);
  // `--wait false` as well as `--wait=false`.
  return flag.isSwitch === true && /^(true|false)$/.test(next);
}

/** Gives what is wrong with it. */
function takeFlag(flags: Flags, given: GivenFlag): string[] {
  const wrong = whyNot(given);
  if (wrong !== undefined) return [wrong];
  const flag = FLAGS.get(given.name);
  return flag === undefined ? [] : addFlag(flags, flag, given.value ?? 'true');
}

function addFlag(flags: Flags, flag: Flag, value: string): string[] {
  const before = flags.get(flag.name);
  flags.set(flag.name, [...(before ?? []), value]);
  if (before === undefined || flag.isRepeatable === true) return [];
  return [`--${flag.name} is given twice; give it once`];
}

/** Why a flag cannot be taken; undefined where it can. */
function whyNot(given: GivenFlag): string | undefined {
  const { name, written, value } = given;
  if (isSecret(name)) {
    return `--${name}: a secret on the command line can be read by every process of the machine. Give it as the variable ${variableName(name)}, or in a file with --${name}-file PATH, and replace the value that was written here`;
  }
  const flag = FLAGS.get(name);
  if (flag === undefined || written === `-${name}`) {
    const subject = looksSecret(written)
      ? 'unknown flag'
      : `unknown flag ${plainLine(written, 60)}`;
    return `${subject}; ${adviceFor(name)}`;
  }
  if (flag.isSwitch === true) return undefined;
  if (flag.value === undefined) return value === undefined ? undefined : `--${name} takes no value`;
  // An empty variable counts as not given. An empty flag, as from a shell variable that is not set,
  // would let that variable decide.
  if (value?.trim() === '') return `--${name} is empty; give it a value, or leave it out`;
  // The next flag is not a value: it would be lost without a message.
  const isFlag = given.isNext && /^-./.test(value ?? '');
  if (value !== undefined && !isFlag) return undefined;
  return `--${name} needs a value; one that begins with a dash is written --${name}=VALUE`;
}

/** The nearest flag of a closed list; a secret has a flag for its file. */
function adviceFor(name: string): string {
  const nearest = guess(name, [...FLAGS.keys(), ...SECRET_INPUTS]);
  if (nearest === undefined) return 'see --help';
  return `did you mean --${isSecret(nearest) ? `${nearest}-file` : nearest}?`;
}

interface Operand {
  readonly flag: Flag['name'];
  /** Completes "COMMAND takes …". */
  readonly text: string;
  readonly pattern: RegExp;
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
};

/** Gives what is wrong. Only some commands take a word besides flags, and these take one. */
function readOperands(
  words: readonly Word[],
  command: Command | undefined,
  flags: Flags,
): string[] {
  const [first, ...more] = words;
  if (first === undefined) return [];
  const own = OPERANDS[command ?? ''];
  const flag = FLAGS.get(own?.flag ?? '');
  const isTaken = more.length === 0 && own?.pattern.test(first.value) === true;
  if (isTaken && flag !== undefined && !flags.has(flag.name))
    return addFlag(flags, flag, first.value);
  if (command === undefined) {
    const question = didYouMean(first.value, COMMANDS);
    return [
      `${shownWord(first)} is not a command; the commands are ${COMMANDS.join(', ')}${question}`,
    ];
  }
  const positions = words.map((word) => word.position).join(', ');
  const subject = more.length === 0 ? shownWord(first) : `Word ${positions} after docs-courier`;
  return [`${subject} belongs to no flag; ${command} takes ${own?.text ?? 'flags only'}`];
}

/** A word may be a key, and is then not repeated. */
function shownWord(word: Word): string {
  const isPlain = /^[\w./:@-]{1,60}$/.test(word.value) && !looksSecret(word.value);
  return isPlain ? `"${word.value}"` : `Word ${word.position} after docs-courier`;
}
