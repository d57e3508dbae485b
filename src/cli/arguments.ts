import { parseArgs } from 'node:util';
import { parseAddress } from '../inputs/parse-address.ts';
import { looksSecret } from '../text/credentials.ts';
import { plainLine } from '../text/escape.ts';
import { guess } from '../text/names.ts';
import { COPIED_INPUTS, guessInput, isSecretInput as isSecret, SECRET_INPUTS, variableName } from '../values/reader.ts';
import { REMOVED_NAMES, removedProblems } from '../values/removed.ts';
import { fits, hostName } from '../values/values.ts';
import { COMMANDS, type Command, FLAGS, type Flag, type GivenFlags } from './options.ts';

/** The words behind `docs-courier`, read. What is wrong is in `problems`, so that all of it shows at once. */
export interface CommandLine {
  readonly command: Command | undefined;
  readonly flags: GivenFlags;
  readonly problems: readonly string[];
}

const PARSED = Object.fromEntries([
  ...[...FLAGS.values(), ...SECRET_INPUTS.map((name) => ({ name, value: 'VALUE' }))].map(
    ({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' } as const] as const,
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
  /** The value is behind an equals sign. */
  readonly inlineValue?: boolean | undefined;
}

type Given = Map<Flag['name'], string[]>;

/** Reads the words of a command. Never throws, and repeats no value that may be a secret. */
export function readArguments(args: readonly string[]): CommandLine {
  const { flags: tokens, words } = readTokens(args);
  const flags: Given = new Map();
  const problems: string[] = [];
  const removed: string[] = [];
  for (const token of tokens) {
    const wrong = whyNot(token);
    if (REMOVED_NAMES.has(token.name)) removed.push(token.name);
    else if (wrong !== undefined) problems.push(wrong);
    else problems.push(...addFlag(flags, token.name, token.value ?? 'true'));
  }
  const commands = words.flatMap(({ value }) => COMMANDS.find((one) => one === value) ?? []);
  const [command, ...more] = commands;
  if (more.length > 0) problems.push(`${commands.join(' and ')} are ${commands.length} commands; give one`);
  problems.push(...removedProblems(removed).map(({ text }) => `--${text}`));
  const operands = words.filter(({ value }) => !COMMANDS.some((one) => one === value));
  problems.push(...readOperands(operands, command, flags));
  if (command !== undefined) problems.push(...flagsOfOthers(command, flags));
  return { command, flags, problems };
}

/** What is wrong with flags that belong to other commands. */
function flagsOfOthers(command: string, flags: Given): string[] {
  return [...flags.keys()].flatMap((name) => {
    const { commands: own = [] } = FLAGS.get(name) ?? {};
    if (own.includes(command) || COPIED_INPUTS.some((one) => one === name)) return [];
    return `--${name} belongs to ${own.join(', ')}, not to ${command}; remove it`;
  });
}

interface Word {
  readonly value: string;
  /** Behind `docs-courier`, from 1. */
  readonly position: number;
}

/** The flags with their values, and all other words. */
function readTokens(args: readonly string[]): {
  readonly flags: readonly FlagToken[];
  readonly words: readonly Word[];
} {
  // A word behind one dash would be read as one flag for each letter. Behind `--` there are no flags.
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const whole = args.map((arg, index) => (index < end && /^-[A-Za-z][\w-]/.test(arg) ? `-${arg}` : arg));
  const config = { args: whole, options: PARSED, strict: false, allowPositionals: true, tokens: true } as const;
  const { tokens } = parseArgs(config);
  const words = new Map(tokens.flatMap((token) => (token.kind === 'positional' ? [[token.index, token.value]] : [])));
  const flags = tokens.flatMap((token) => {
    if (token.kind !== 'option') return [];
    const next = words.get(token.index + 1);
    // `--wait false` as well as `--wait=false`.
    const isValue =
      token.value === undefined && FLAGS.get(token.name)?.isSwitch === true && /^(true|false)$/.test(next ?? '');
    // What follows an unknown flag is its value: it would be a second problem.
    const isUnknown = !Object.hasOwn(PARSED, token.name) && !COMMANDS.some((command) => command === next);
    if (isValue || isUnknown) words.delete(token.index + 1);
    const rawName = args[token.index] === whole[token.index] ? token.rawName : token.rawName.slice(1);
    if (isValue) return { ...token, value: next };
    return { ...token, rawName, value: token.value ?? (isUnknown ? next : undefined) };
  });
  return { flags, words: [...words].map(([index, value]) => ({ value, position: index + 1 })) };
}

/** Gives what is wrong with it. */
function addFlag(given: Given, name: string, value: string): string[] {
  const flag = FLAGS.get(name);
  if (flag === undefined) return [];
  const before = given.get(flag.name);
  given.set(flag.name, [...(before ?? []), value]);
  return before === undefined || flag.isRepeatable === true ? [] : [`--${name} is given twice; give it once`];
}

/** What other programs call a flag, with what to write; FILE stands for the value that was given. */
const FLAG_ALIASES: ReadonlyMap<string, string> = new Map([
  ...['output', 'out', 'o', 'dir', 'folder', 'directory', 'dest', 'target'].map(
    (name) => [name, 'write --extract-to FILE for the site, or --to file:link.txt for the link'] as const,
  ),
  ...['debug', 'vv', 'vvv', 'd'].map((name) => [name, 'write --verbose'] as const),
  ...['silent', 's'].map((name) => [name, 'write --quiet'] as const),
  ...['force-overwrite', 'overwrite'].map((name) => [name, 'write --take-over true'] as const),
  ...['check', 'n'].map((name) => [name, 'write --dry-run'] as const),
]);

function knownAdvice(name: string, value: string | undefined): string | undefined {
  const advice = FLAG_ALIASES.get(name.toLowerCase());
  const isShown = value !== undefined && /^[\w./-]{1,80}$/.test(value) && !looksSecret(value);
  return advice?.replace('FILE', isShown ? value : 'site');
}

function adviceFor(name: string, value: string | undefined): string {
  const known = knownAdvice(name, value);
  if (known !== undefined) return known;
  if (name === 'mode') return 'the mode is the command, as in docs-courier export';
  const negated = name.replace(/^no-/, '');
  if (negated !== name && FLAGS.get(negated)?.isSwitch === true) return `write --${negated}=false`;
  const meant = FLAGS.has(name) ? name : (guess(name, [...FLAGS.keys()]) ?? guessInput(name));
  if (meant === undefined) return 'see --help';
  return isSecret(meant)
    ? `did you mean --${meant}-file FILE, or the variable ${variableName(meant)}?`
    : `did you mean --${meant}?`;
}

/** Why a flag cannot be taken; undefined where it can. */
function whyNot({ name, rawName, value, inlineValue }: FlagToken): string | undefined {
  if (isSecret(name)) {
    return `--${name}: a secret on the command line can be read by every process of the machine. Give it as the variable ${variableName(name)}, or in a file with --${name}-file PATH, and replace the value that was written here`;
  }
  const flag = FLAGS.get(name);
  if (flag === undefined || rawName === `-${name}`) {
    const subject = looksSecret(rawName) ? 'A flag' : `The flag ${plainLine(rawName, 60)}`;
    return `${subject} does not exist; ${adviceFor(name, value)}`;
  }
  if (flag.isSwitch === true) return undefined;
  if (flag.value === undefined) return value === undefined ? undefined : `--${name} takes no value`;
  // The next flag is not a value: it would be lost without a message.
  const isFlag = value !== undefined && inlineValue !== true && /^-./.test(value);
  // An empty variable counts as not given. An empty flag, as from a shell variable that is not set, would let that variable decide.
  if (value?.trim() === '') return `--${name} is empty; give it a value, or leave it out`;
  if (isFlag && /^-\d/.test(value))
    return `--${name} ${plainLine(value, 40)} has a sign; write --${name} ${plainLine(value.slice(1), 40)}`;
  return value === undefined || isFlag
    ? `--${name} needs a value; one that begins with a dash is written --${name}=VALUE`
    : undefined;
}

/** The flag that a word alone was most likely meant for. The word may be a key, which is not repeated. */
function flagFor(word: string): string | undefined {
  if (looksSecret(word)) return undefined;
  if (parseAddress(word).ok) return `--to ${word}`;
  if (/^https?:\/\/[\w.:/-]+$/.test(word)) return `--base-url ${word}`;
  return word.includes('.') && fits(hostName, word) ? `--domain ${word}` : undefined;
}

/** What other programs call the commands. */
const COMMAND_ALIASES: ReadonlyMap<string, string> = new Map([
  ...['download', 'fetch', 'get', 'pull'].map((word) => [word, 'export --extract-to site'] as const),
  ...['publish', 'deploy', 'build', 'start', 'run'].map((word) => [word, 'export'] as const),
  ...['open', 'preview', 'dev'].map((word) => [word, 'serve site, after export --extract-to site'] as const),
  ...['renew', 'update'].map((word) => [word, 'refresh'] as const),
  ...['undo', 'revert', 'restore'].map((word) => [word, 'rollback'] as const),
  ['verify', 'export --verify report --extract-to site'],
  ...['check', 'validate', 'init'].map((word) => [word, 'doctor'] as const),
]);

/** A word as it was typed; undefined if it may be a key. */
function shownWord(word: string): string | undefined {
  return /^[\w./:@-]{1,60}$/.test(word) && !looksSecret(word) ? `"${word}"` : undefined;
}

/** The commands that take one word besides flags: `search docs-queries.yml`, `agent --pull-request 12 "…"`. */
const OPERANDS: Readonly<Record<string, { readonly flag: Flag['name']; readonly text: string } | undefined>> = {
  search: { flag: 'queries-file', text: 'one queries file' },
  agent: { flag: 'prompt', text: 'one instruction, in quotes' },
  redirects: { flag: 'site-path', text: 'the folder with the unpacked site' },
  serve: { flag: 'site-path', text: 'the folder with the unpacked site' },
};

/** Gives what is wrong. Every word that is not expected is a mistake, and not repeated: it may be a key. */
function readOperands(operands: readonly Word[], command: Command | undefined, given: Given): string[] {
  const [first, ...more] = operands;
  if (first === undefined) return [];
  const own = OPERANDS[command ?? ''];
  if (own !== undefined && more.length === 0 && !given.has(own.flag)) return addFlag(given, own.flag, first.value);
  if (command === undefined) {
    const meant = COMMAND_ALIASES.get(first.value.toLowerCase()) ?? guess(first.value, COMMANDS);
    const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
    const word = shownWord(first.value) ?? `Word ${first.position}`;
    return [`${word} is not a command; the commands are ${COMMANDS.join(', ')}${advice}`];
  }
  const dashed = operands.find(({ value }) => FLAGS.has(value.replace(/^--/, '')) && value.startsWith('--'));
  if (dashed !== undefined) return [`${dashed.value} is behind --, where words are no flags; write flags before --`];
  const positions = operands.map(({ position }) => position).join(', ');
  const meant = operands.map(({ value }) => flagFor(value)).filter((flag) => flag !== undefined);
  const [shown] = more.length === 0 ? [shownWord(first.value)] : [];
  const takes = `${command} takes ${own?.text ?? 'flags only'}`;
  const advice = meant.length === 0 ? takes : `did you mean ${meant.join(' ')}?`;
  return [`${shown ?? `Word ${positions} behind docs-courier`} belongs to no flag; ${advice}`];
}
