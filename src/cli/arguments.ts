import { parseArgs } from 'node:util';
import { parseAddress } from '../inputs/parse-address.ts';
import { COPIED_INPUTS, guessInput, isSecretInput as isSecret, SECRET_INPUTS, variableName } from '../inputs/reader.ts';
import { REMOVED_NAMES, removedProblems } from '../inputs/removed.ts';
import { fits, hostName } from '../inputs/values.ts';
import { plainLine } from '../text/escape.ts';
import { guess, looksSecret } from '../text/names.ts';
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

/** Reads the words of a command. Never throws, and repeats no value that may be a secret. */
export function readArguments(args: readonly string[]): CommandLine {
  // A word behind one dash would be read as one flag for each letter. Behind `--` there are no flags.
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const whole = args.map((arg, index) => (index < end && /^-[A-Za-z][\w-]/.test(arg) ? `-${arg}` : arg));
  const config = { args: whole, options: PARSED, strict: false, allowPositionals: true, tokens: true } as const;
  const { tokens } = parseArgs(config);
  const words = new Map(tokens.flatMap((token) => (token.kind === 'positional' ? [[token.index, token.value]] : [])));
  const reading = new Reading();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const next = words.get(token.index + 1);
    // `--wait false` as well as `--wait=false`.
    const isValue =
      token.value === undefined && FLAGS.get(token.name)?.isSwitch === true && /^(true|false)$/.test(next ?? '');
    // What follows an unknown flag is its value: it would be a second problem.
    const isUnknown = !Object.hasOwn(PARSED, token.name) && !COMMANDS.some((command) => command === next);
    if (isValue || isUnknown) words.delete(token.index + 1);
    const rawName = args[token.index] === whole[token.index] ? token.rawName : token.rawName.slice(1);
    reading.flag(isValue ? { ...token, value: next } : { ...token, rawName });
  }
  for (const [index, word] of words) reading.operand(word, index + 1);
  return reading.end();
}

function adviceFor(name: string): string {
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
    return `${subject} does not exist; ${adviceFor(name)}`;
  }
  if (flag.isSwitch === true) return undefined;
  if (flag.value === undefined) return value === undefined ? undefined : `--${name} takes no value`;
  // The next flag is not a value: it would be lost without a message.
  const isFlag = value !== undefined && inlineValue !== true && value.startsWith('-');
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

/** The commands that take one word besides flags: `search docs-queries.yml`, `agent --pull-request 12 "…"`. */
const OPERANDS: Readonly<Record<string, { readonly flag: Flag['name']; readonly text: string } | undefined>> = {
  search: { flag: 'queries-file', text: 'one queries file' },
  agent: { flag: 'prompt', text: 'one instruction, in quotes' },
};

class Reading {
  readonly #commands: Command[] = [];
  readonly #given = new Map<Flag['name'], string[]>();
  readonly #removed: string[] = [];
  readonly #operands: { readonly value: string; readonly position: number }[] = [];
  readonly #problems: string[] = [];

  flag(token: FlagToken): void {
    const wrong = whyNot(token);
    if (REMOVED_NAMES.has(token.name)) this.#removed.push(token.name);
    else if (wrong !== undefined) this.#problems.push(wrong);
    else this.#add(token.name, token.value ?? 'true');
  }

  operand(value: string, position: number): void {
    const command = COMMANDS.find((one) => one === value);
    if (command === undefined) this.#operands.push({ value, position });
    else this.#commands.push(command);
  }

  end(): CommandLine {
    const [command, ...more] = this.#commands;
    const problems = this.#problems;
    if (more.length > 0) problems.push(`${this.#commands.join(' and ')} are ${more.length + 1} commands; give one`);
    problems.push(...removedProblems(this.#removed).map(({ text }) => `--${text}`));
    this.#readOperands(command);
    for (const name of command === undefined ? [] : this.#given.keys()) {
      const { commands = [] } = FLAGS.get(name) ?? {};
      if (!commands.includes(command ?? '') && !COPIED_INPUTS.some((one) => one === name)) {
        problems.push(`--${name} belongs to ${commands.join(', ')}, not to ${command}; remove it`);
      }
    }
    return { command, flags: this.#given, problems };
  }

  #add(name: string, value: string): void {
    const flag = FLAGS.get(name);
    if (flag === undefined) return;
    const before = this.#given.get(flag.name);
    if (before !== undefined && flag.isRepeatable !== true)
      this.#problems.push(`--${name} is given twice; give it once`);
    this.#given.set(flag.name, [...(before ?? []), value]);
  }

  /** Every word that is not expected is a mistake, and not repeated: it may be a key. */
  #readOperands(command: Command | undefined): void {
    const [first, ...more] = this.#operands;
    if (first === undefined) return;
    const own = OPERANDS[command ?? ''];
    if (own !== undefined && more.length === 0 && !this.#given.has(own.flag)) {
      this.#add(own.flag, first.value);
    } else if (command === undefined) {
      const meant = guess(first.value, COMMANDS);
      this.#problems.push(
        `Word ${first.position} is not a command; the commands are ${COMMANDS.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      );
    } else {
      const positions = this.#operands.map(({ position }) => position).join(', ');
      const meant = this.#operands.map(({ value }) => flagFor(value)).filter((flag) => flag !== undefined);
      const takes = `${command} takes ${own?.text ?? 'flags only'}`;
      const advice = meant.length === 0 ? takes : `did you mean ${meant.join(' ')}?`;
      this.#problems.push(`Word ${positions} behind docs-courier belongs to no flag; ${advice}`);
    }
  }
}
