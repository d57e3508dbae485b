import { parseArgs } from 'node:util';
import { looksSecret } from '../text/credentials.ts';
import { plainLine } from '../text/escape.ts';
import { guess } from '../text/names.ts';
import { isSecretInput as isSecret, SECRET_INPUTS, variableName } from '../values/reader.ts';
import { OPERANDS, refuseWords, type Word } from './operands.ts';
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

const PARSED = Object.fromEntries([
  ...[...FLAGS.values(), ...SECRET_INPUTS.map((name) => ({ name, value: 'VALUE' }))].map(
    ({ name, value }) =>
      [name, { type: value === undefined ? 'boolean' : 'string' } as const] as const,
  ),
  ['help', { type: 'boolean', short: 'h' } as const],
  ['version', { type: 'boolean', short: 'v' } as const],
  ['quiet', { type: 'boolean', short: 'q' } as const],
]);

interface FlagToken {
  readonly name: string;
  /** As it was written, with its dashes. */
  readonly rawName: string;
  readonly value?: string | undefined;
  /** The value is after an equals sign. */
  readonly inlineValue?: boolean | undefined;
}

/** Flags that may stand beside `--version`, which runs nothing. */
const WITH_VERSION: ReadonlySet<string> = new Set(['version', 'json', 'help', 'quiet', 'verbose']);

type Given = Map<Flag['name'], string[]>;

/** Reads the words of a command. Never throws, and repeats no value that may be a secret. */
export function readArguments(args: readonly string[]): CommandLine {
  const { flags: tokens, words } = readTokens(args);
  const flags: Given = new Map();
  const problems: string[] = [];
  for (const token of tokens) {
    const wrong = whyNot(token);
    if (wrong !== undefined) problems.push(wrong);
    else problems.push(...addFlag(flags, token.name, token.value ?? 'true'));
  }
  const commands = words.flatMap(({ value }) => COMMANDS.find((one) => one === value) ?? []);
  const [command, ...more] = commands;
  if (more.length > 0) {
    problems.push(`${commands.join(' and ')} are ${commands.length} commands; give one`);
  }
  if (flags.has('version') && [...flags.keys()].some((name) => !WITH_VERSION.has(name))) {
    problems.push(
      '--version, or -v, shows the version and runs nothing; leave out the other flags',
    );
  }
  const operands = words.filter(({ value }) => !COMMANDS.some((one) => one === value));
  problems.push(...readOperands(operands, command, flags));
  if (command !== undefined) problems.push(...flagsOfOthers(command, flags));
  return { command, flags, problems };
}

/** What is wrong with flags that belong to other commands. */
function flagsOfOthers(command: string, flags: Given): string[] {
  return [...flags.keys()].flatMap((name) => {
    const { commands: own = [] } = FLAGS.get(name) ?? {};
    if (own.includes(command)) return [];
    return `--${name} belongs to ${own.join(', ')}, not to ${command}; remove it`;
  });
}

/** The flags with their values, and all other words. */
function readTokens(args: readonly string[]): {
  readonly flags: readonly FlagToken[];
  readonly words: readonly Word[];
} {
  // A word after one dash would be read as one flag for each letter. After `--` there are no flags.
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const whole = args.map((arg, index) =>
    index < end && /^-[A-Za-z][\w-]/.test(arg) ? `-${arg}` : arg,
  );
  const config = {
    args: whole,
    options: PARSED,
    strict: false,
    allowPositionals: true,
    tokens: true,
  } as const;
  const { tokens } = parseArgs(config);
  const words = new Map(
    tokens.flatMap((token) => (token.kind === 'positional' ? [[token.index, token.value]] : [])),
  );
  const flags = tokens.flatMap((token) => {
    if (token.kind !== 'option') return [];
    const next = words.get(token.index + 1);
    // `--wait false` as well as `--wait=false`.
    const isValue =
      token.value === undefined &&
      FLAGS.get(token.name)?.isSwitch === true &&
      /^(true|false)$/.test(next ?? '');
    // What follows an unknown flag is its value: it would be a second problem.
    const isUnknown =
      !Object.hasOwn(PARSED, token.name) && !COMMANDS.some((command) => command === next);
    if (isValue || isUnknown) words.delete(token.index + 1);
    const rawName =
      args[token.index] === whole[token.index] ? token.rawName : token.rawName.slice(1);
    if (isValue) return { ...token, value: next };
    return { ...token, rawName };
  });
  return { flags, words: [...words].map(([index, value]) => ({ value, position: index + 1 })) };
}

/** Gives what is wrong with it. */
function addFlag(given: Given, name: string, value: string): string[] {
  const flag = FLAGS.get(name);
  if (flag === undefined) return [];
  const before = given.get(flag.name);
  given.set(flag.name, [...(before ?? []), value]);
  return before === undefined || flag.isRepeatable === true
    ? []
    : [`--${name} is given twice; give it once`];
}

/** The nearest flag of a closed list; a secret has a flag for its file. */
function adviceFor(name: string): string {
  const nearest = guess(name, [...FLAGS.keys(), ...SECRET_INPUTS]);
  if (nearest === undefined) return 'see --help';
  return `did you mean --${isSecret(nearest) ? `${nearest}-file` : nearest}?`;
}

function secretAsValue(name: string): string {
  return `--${name}: a secret on the command line can be read by every process of the machine. Give it as the variable ${variableName(name)}, or in a file with --${name}-file PATH, and replace the value that was written here`;
}

interface FlagValue extends Pick<FlagToken, 'value' | 'inlineValue'> {
  /** The flag takes no value. */
  readonly isFlagOnly: boolean;
}

/** What is wrong with the value of a flag; undefined: nothing. */
function whyNoValue(
  name: string,
  { value, inlineValue, isFlagOnly }: FlagValue,
): string | undefined {
  if (isFlagOnly) return value === undefined ? undefined : `--${name} takes no value`;
  // The next flag is not a value: it would be lost without a message.
  const isFlag = value !== undefined && inlineValue !== true && /^-./.test(value);
  // An empty variable counts as not given. An empty flag, as from a shell variable that is not set,
  // would let that variable decide.
  if (value?.trim() === '') return `--${name} is empty; give it a value, or leave it out`;
  return value === undefined || isFlag
    ? `--${name} needs a value; one that begins with a dash is written --${name}=VALUE`
    : undefined;
}

/** Why a flag cannot be taken; undefined where it can. */
function whyNot({ name, rawName, value, inlineValue }: FlagToken): string | undefined {
  if (isSecret(name)) return secretAsValue(name);
  const flag = FLAGS.get(name);
  if (flag === undefined || rawName === `-${name}`) {
    const subject = looksSecret(rawName)
      ? 'unknown flag'
      : `unknown flag ${plainLine(rawName, 60)}`;
    return `${subject}; ${adviceFor(name)}`;
  }
  if (flag.isSwitch === true) return undefined;
  return whyNoValue(name, { value, inlineValue, isFlagOnly: flag.value === undefined });
}

/** Gives what is wrong. Only some commands take a word besides flags, and these take one. */
function readOperands(
  operands: readonly Word[],
  command: Command | undefined,
  given: Given,
): string[] {
  const [first, ...more] = operands;
  if (first === undefined) return [];
  const own = OPERANDS[command ?? ''];
  const isTaken = own !== undefined && more.length === 0 && own.pattern.test(first.value);
  if (isTaken && !given.has(own.flag)) return addFlag(given, own.flag, first.value);
  return [refuseWords([first, ...more], command)];
}
