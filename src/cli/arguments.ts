import { parseArgs } from 'node:util';
import type { InputName } from '../inputs/catalog.ts';
import { parseAddress } from '../inputs/parse-address.ts';
import {
  COPIED_INPUTS,
  guessInput,
  INPUT_NAMES,
  isSecretInput as isSecret,
  SECRET_INPUTS,
  variableName,
} from '../inputs/reader.ts';
import { REMOVED_NAMES, removedProblems } from '../inputs/removed.ts';
import { hostName } from '../inputs/values.ts';
import { plainLine } from '../text/escape.ts';
import { guess, looksSecret } from '../text/names.ts';
import {
  COMMANDS,
  type Command,
  inputCommands,
  isBoolean,
  LISTS,
  OPTION_NAMES,
  type OptionName,
  optionCommands,
  optionInit,
} from './options.ts';

/** The words behind `docs-courier`, read. What is wrong is in `problems`, so that all of it shows at once. */
export interface CommandLine {
  readonly command: Command | undefined;
  readonly inputs: ReadonlyMap<InputName, string>;
  /** The file that holds the value of a secret input. */
  readonly secretFiles: ReadonlyMap<InputName, string>;
  readonly options: ReadonlyMap<OptionName, readonly string[]>;
  readonly problems: readonly string[];
}

interface Flag {
  /** `switch`: true without a value. */
  readonly takes: 'value' | 'switch' | 'nothing';
  readonly isRepeatable: boolean;
  /** The commands that take it. */
  readonly commands: readonly string[];
}

const FLAG_INPUTS = INPUT_NAMES.filter((name) => name !== 'mode' && !isSecret(name));
const SECRET_FILES = new Map(SECRET_INPUTS.map((name) => [`${name}-file`, name]));

/** Every flag that any command has, without its dashes. */
const FLAG_TABLE: ReadonlyMap<string, Flag> = new Map([
  ...FLAG_INPUTS.map((name): [string, Flag] => {
    const isRepeatable = LISTS.some((list) => list === name);
    return [name, { takes: isBoolean(name) ? 'switch' : 'value', isRepeatable, commands: inputCommands(name) }];
  }),
  ...[...SECRET_FILES].map(([flag, name]): [string, Flag] => {
    return [flag, { takes: 'value', isRepeatable: false, commands: inputCommands(name) }];
  }),
  ...OPTION_NAMES.map((name): [string, Flag] => {
    const { value, isRepeatable = false } = optionInit(name);
    return [name, { takes: value === undefined ? 'nothing' : 'value', isRepeatable, commands: optionCommands(name) }];
  }),
]);

export const FLAGS: readonly string[] = [...FLAG_TABLE.keys()];

const REMOVED_FLAGS = [...REMOVED_NAMES].filter((name) => !FLAG_TABLE.has(name));
/** These took no value. */
const REMOVED_SWITCHES = ['wait', 'issue-on-failure'];

function isSwitch(flag: string): boolean {
  return FLAG_TABLE.get(flag)?.takes === 'switch' || REMOVED_SWITCHES.includes(flag);
}

const PARSED = Object.fromEntries([
  ...[...FLAGS, ...SECRET_INPUTS, ...REMOVED_FLAGS].map((flag) => {
    const hasNoValue = isSwitch(flag) || FLAG_TABLE.get(flag)?.takes === 'nothing';
    return [flag, { type: hasNoValue ? 'boolean' : 'string' } as const] as const;
  }),
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
    const isValue = token.value === undefined && isSwitch(token.name) && /^(true|false)$/.test(next ?? '');
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
  if (negated !== name && isSwitch(negated)) return `write --${negated}=false`;
  const input = guessInput(name);
  const meant = FLAG_TABLE.has(name) ? name : (guess(name, FLAGS) ?? input);
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
  const takes = FLAG_TABLE.get(name)?.takes;
  if (takes === undefined || rawName === `-${name}`) {
    const subject = looksSecret(rawName) ? 'A flag' : `The flag ${plainLine(rawName, 60)}`;
    return `${subject} does not exist; ${adviceFor(name)}`;
  }
  if (takes !== 'value') return value === undefined || takes === 'switch' ? undefined : `--${name} takes no value`;
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
  return word.includes('.') && hostName(word).ok ? `--domain ${word}` : undefined;
}

/** The commands that take one word besides flags. */
const OPERANDS: Readonly<Partial<Record<Command, string>>> = {
  search: 'one queries file',
  agent: 'one instruction, in quotes',
};

class Reading {
  readonly #commands: Command[] = [];
  readonly #given = new Map<string, string[]>();
  readonly #removed = new Map<string, string>();
  readonly #operands: { readonly value: string; readonly position: number }[] = [];
  readonly #problems: string[] = [];

  flag(token: FlagToken): void {
    if (REMOVED_FLAGS.includes(token.name)) {
      this.#removed.set(token.name, token.value ?? 'true');
      return;
    }
    const wrong = whyNot(token);
    if (wrong !== undefined) this.#problem(wrong);
    else this.#add(token.name, token.value ?? 'true');
  }

  operand(value: string, position: number): void {
    const command = COMMANDS.find((one) => one === value);
    if (command === undefined) this.#operands.push({ value, position });
    else this.#commands.push(command);
  }

  end(): CommandLine {
    const [command, ...more] = this.#commands;
    if (more.length > 0) this.#problem(`${this.#commands.join(' and ')} are ${more.length + 1} commands; give one`);
    this.#refuseRemoved();
    this.#readOperands(command);
    if (command !== undefined) this.#refuseForeign(command);
    return {
      command,
      inputs: this.#values(FLAG_INPUTS, (values) => values.join('\n')),
      secretFiles: new Map(
        [...SECRET_FILES].flatMap(([flag, name]) => (this.#given.get(flag) ?? []).map((path) => [name, path] as const)),
      ),
      options: this.#values(OPTION_NAMES, (values) => values),
      problems: this.#problems,
    };
  }

  #refuseRemoved(): void {
    const value = (name: string) => this.#removed.get(name) ?? '';
    const show = (name: string, text: string) => `--${name} ${text}`;
    for (const { text } of removedProblems({ names: [...this.#removed.keys()], value, show }))
      this.#problem(`--${text}`);
  }

  #values<Name extends string, T>(
    names: readonly Name[],
    read: (values: readonly string[]) => T,
  ): ReadonlyMap<Name, T> {
    return new Map(
      names.flatMap((name) => {
        const values = this.#given.get(name);
        return values === undefined ? [] : [[name, read(values)] as const];
      }),
    );
  }

  #add(name: string, value: string): void {
    const before = this.#given.get(name);
    if (before !== undefined && FLAG_TABLE.get(name)?.isRepeatable !== true)
      this.#problem(`--${name} is given twice; give it once`);
    this.#given.set(name, [...(before ?? []), value]);
  }

  /** `docs-courier search docs-queries.yml`, `docs-courier agent --pull-request 12 "…"`. Every other word is a mistake, and not repeated: it may be a key. */
  #readOperands(command: Command | undefined): void {
    const [first, ...more] = this.#operands;
    if (first === undefined) return;
    if (command === 'search' && !this.#given.has('queries-file') && more.length === 0) {
      this.#add('queries-file', first.value);
    } else if (command === 'agent' && !this.#given.has('prompt') && more.length === 0) {
      this.#add('prompt', first.value);
    } else if (command === undefined) {
      const meant = guess(first.value, COMMANDS);
      this.#problem(
        `Word ${first.position} is not a command; the commands are ${COMMANDS.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      );
    } else {
      const positions = this.#operands.map(({ position }) => position).join(', ');
      const meant = this.#operands.map(({ value }) => flagFor(value)).filter((flag) => flag !== undefined);
      const advice =
        meant.length === 0
          ? `${command} takes ${OPERANDS[command] ?? 'flags only'}`
          : `did you mean ${meant.join(' ')}?`;
      this.#problem(`Word ${positions} behind docs-courier belongs to no flag; ${advice}`);
    }
  }

  #refuseForeign(command: Command): void {
    for (const flag of this.#given.keys()) {
      const { commands } = FLAG_TABLE.get(flag) ?? { commands: COMMANDS };
      if (!commands.includes(command) && !COPIED_INPUTS.some((name) => name === flag)) {
        this.#problem(`--${flag} belongs to ${commands.join(', ')}, not to ${command}; remove it`);
      }
    }
  }

  #problem(text: string): void {
    this.#problems.push(text);
  }
}
