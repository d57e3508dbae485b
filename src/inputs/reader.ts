import { isAbsolute } from 'node:path';
import { CourierError } from '../errors.ts';
import { plainLine } from '../text/escape.ts';
import { foreignPrefix, guess, isAssistantKey, looksSecret } from '../text/names.ts';
import { INPUTS, type InputName } from './catalog.ts';
import type { CommentInputs } from './inputs.ts';
import { REMOVED_NAMES, removedProblems } from './removed.ts';
import * as values from './values.ts';

/** Where the values of inputs come from: the variables of a runner, or later flags, variables and a file. */
export interface InputSource {
  /** The text that was given, untrimmed; `''` where none was. */
  value(name: string): string;
  /** Names that were given and that no input has, as they were written. */
  unknownNames(): readonly string[];
  /** An input that was not given has its default here, as the runner of an action fills it in. */
  readonly fillsDefaults?: boolean | undefined;
  /** True for a credential that every job of a project gets as a variable: it may stay unread. */
  isAmbient?(name: string): boolean;
}

export interface ReadDestination {
  /** `owner/name` of the current repository. */
  readonly repository: string;
  /** Relative paths are below it. */
  readonly workspace: string;
  /** The forge of the run; GitHub without it. */
  readonly forge?: 'github' | 'gitea' | undefined;
  /** False where no comments and issues can be written: on every system but GitHub Actions. */
  readonly takesNotices?: boolean | undefined;
  readonly run?:
    | {
        /** Such as `github`, `gitlab`, or `local` on a person's machine. */
        readonly kind: string;
        readonly serverUrl?: string | undefined;
        readonly env: Readonly<Record<string, string | undefined>>;
      }
    | undefined;
}

/** Inputs that hold a secret: masked before anything else is done, never shown in a message. */
export const SECRET_INPUTS = [
  'admin-api-key',
  'assistant-api-key',
  'github-token',
  'secret-token',
  'kubeconfig',
  'vault-token',
  'live-headers',
] as const satisfies readonly InputName[];

export const INPUT_NAMES = Object.keys(INPUTS).filter((name): name is InputName => name in INPUTS);

/** Inputs that a step has because it was copied from one of another mode. A mode that does not read them does the same. */
export const COPIED_INPUTS: readonly InputName[] = ['domain', 'timeout', 'on-timeout', 'project-id'];

export function rawInput(source: InputSource, name: InputName): string {
  return source.value(name).trim();
}

/** True where a secret is given as the path of a file: a path is not a secret, and messages name it. */
export function isPathInput(source: InputSource, name: InputName): boolean {
  return name === 'kubeconfig' && isAbsolute(rawInput(source, name));
}

const PLATFORM_KEYS = ['admin-api-key', 'assistant-api-key'] as const;
/** What is sent to other servers than the platform. */
const TOKENS: readonly InputName[] = ['secret-token', 'github-token', 'vault-token'];

/** More would hide what is wrong; the rest shows in the next run. */
const MAX_PROBLEMS = 20;

/** Inputs whose values usually come from a secret or a variable of the CI system. */
const FROM_SETTINGS: ReadonlySet<string> = new Set([...SECRET_INPUTS, 'base-url']);

/** Collects what is wrong with the inputs, so that all of it is reported in one failure. */
export class InputReader {
  readonly #source: InputSource;
  readonly #emptyCauses: readonly string[];
  readonly #problems: string[] = [];
  readonly #empty = new Set<string>();

  constructor(source: InputSource, emptyCauses: readonly string[]) {
    this.#source = source;
    this.#emptyCauses = emptyCauses;
  }

  /** The text that was given, `''` where none was. */
  text(name: InputName): string {
    return rawInput(this.#source, name);
  }

  /** An option of the command line that is not an input; `''` where it is not given. */
  option(name: string): string {
    return this.#source.value(name).trim();
  }

  /** True when the value is neither empty nor the default, which the runner fills in. */
  isGiven(name: InputName): boolean {
    const raw = rawInput(this.#source, name);
    return raw !== '' && raw !== INPUTS[name].default;
  }

  /** The value, or undefined where it is empty or wrong; a wrong one is a problem. An empty one falls back to the default. */
  optional<T>(name: InputName, parser: values.Parser<T>): T | undefined {
    const raw = rawInput(this.#source, name) || INPUTS[name].default;
    if (raw === '') return undefined;
    const parsed = parser(raw);
    const mistaken = this.#mistaken(name, raw);
    if (parsed.ok && mistaken === undefined) return parsed.value;
    this.reject(name, parsed.ok ? (mistaken ?? '') : parsed.allowed);
    return undefined;
  }

  /** As `optional`, and an empty value is a problem. */
  required<T>(name: InputName, parser: values.Parser<T>, why = ''): T | undefined {
    if (rawInput(this.#source, name) === '' && INPUTS[name].default === '') {
      this.#reportEmpty(name, why);
      return undefined;
    }
    return this.optional(name, parser);
  }

  /** What the value must be, where it is a key that belongs to another input: it would be sent to the wrong server. */
  #mistaken(name: InputName, raw: string): string | undefined {
    if (!SECRET_INPUTS.some((secret) => secret === name)) {
      return name === 'to' || foreignPrefix(raw) === undefined || /\s/.test(raw)
        ? undefined
        : 'something else: this looks like a token, which belongs to another input';
    }
    if (!TOKENS.includes(name)) return undefined;
    const twin = PLATFORM_KEYS.find((key) => rawInput(this.#source, key) === raw);
    if (twin !== undefined) return `a token; this one is the platform's key of ${twin}`;
    return isAssistantKey(raw) ? 'a token; this one is an assistant API key of the platform' : undefined;
  }

  #reportEmpty(name: InputName, why: string): void {
    const isFromSettings = FROM_SETTINGS.has(name);
    const problem = `${name} is ${isFromSettings ? 'empty' : 'missing'}${why}`;
    if (isFromSettings) this.#empty.add(problem);
    this.problem(problem);
  }

  /** A misspelled or removed input is as wrong as a misspelled mode: what it was to do would not happen. */
  refuseUnknown({ forge = 'github' }: Pick<ReadDestination, 'forge'>): void {
    const names = this.#source.unknownNames();
    if (names.length === 0) return;
    const value = (name: string) => (name === 'forge' ? forge : this.option(name));
    const show = (name: string, text: string) => `${name}: ${text}`;
    for (const { text } of removedProblems({ names, value, show })) this.problem(text);
    for (const name of names.filter((one) => !REMOVED_NAMES.has(one))) {
      const meant = guess(name, INPUT_NAMES);
      const advice = meant === undefined ? 'remove it' : `did you mean ${meant}?`;
      const subject = looksSecret(name) ? 'An input' : `The input "${plainLine(name, 60)}"`;
      this.problem(`${subject} does not exist; ${advice}`);
    }
  }

  /** An input was given that no longer exists. What else is missing may follow from that. */
  get hasRemoved(): boolean {
    return this.#source.unknownNames().some((name) => REMOVED_NAMES.has(name));
  }

  /** The value of an input does not fit. It is shown unless it is a secret. */
  reject(name: InputName, allowed: string): void {
    const raw = rawInput(this.#source, name);
    // Also where two inputs were mixed up, and a key was given for one that is shown.
    const isSecret = SECRET_INPUTS.some((secret) => secret === name) || looksSecret(raw);
    const shown = isSecret ? 'the value' : `"${plainLine(raw, 100)}"`;
    // A suggestion is made of the value.
    const wanted = isSecret ? allowed.replace(/; (?:write|did you mean) .*/s, '') : allowed;
    this.problem(`${name}: ${shown} is not allowed; it must be ${wanted}`);
  }

  problem(text: string): void {
    this.#problems.push(text);
  }

  /** Each of these inputs that is given is a problem: nothing would read it. */
  forbid(names: readonly InputName[], because: string): void {
    for (const name of names) {
      if (this.isGiven(name) && this.#source.isAmbient?.(name) !== true) this.problem(`${name} ${because}`);
    }
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  get failed(): boolean {
    return this.#problems.length > 0;
  }

  /** Why the input of this problem may be empty, where its value usually comes from a secret or a variable. */
  adviceOn(problem: string): string | undefined {
    return this.#empty.has(problem) ? this.#emptyAdvice() : undefined;
  }

  #emptyAdvice(): string | undefined {
    if (this.#empty.size === 0 || this.#emptyCauses.length === 0) return undefined;
    return `A secret or variable that the step names is empty in this run where ${this.#emptyCauses.join('; or ')}.`;
  }

  /** All problems as one error. */
  failure(): CourierError {
    const count = this.#problems.length;
    const advice = ['Correct them; nothing was sent.', this.#emptyAdvice()];
    return new CourierError({
      code: 'config',
      message: [
        count === 1 ? 'An input is wrong:' : `${count} inputs are wrong:`,
        ...this.#problems.slice(0, MAX_PROBLEMS).map((text) => `- ${text}`),
        ...(count > MAX_PROBLEMS ? [`- and ${count - MAX_PROBLEMS} more`] : []),
      ].join('\n'),
      hint: advice.filter((sentence) => sentence !== undefined).join(' '),
    });
  }
}

// Inputs of more than one mode.

export interface Common {
  readonly baseUrl: string;
  readonly dryRun: boolean;
}

export function readCommon(reader: InputReader): Common {
  const baseUrl = reader.required('base-url', values.baseUrl);
  const dryRun = reader.required('dry-run', values.boolean);
  return { baseUrl: baseUrl ?? '', dryRun: dryRun ?? false };
}

/** How long a job is followed. */
export function readFollow(reader: InputReader) {
  const timeoutMs = reader.required('timeout', values.duration) ?? 0;
  const onTimeout = reader.required('on-timeout', values.oneOf(['fail', 'detach'])) ?? 'fail';
  return { timeoutMs, onTimeout } as const;
}

/** undefined: no comment is written. */
export function readComment(reader: InputReader, { takesNotices = true }: ReadDestination): CommentInputs | undefined {
  const chosen = reader.required('comment', values.booleanOr('titles')) ?? false;
  if (chosen === false) return undefined;
  const token = reader.required('github-token', values.apiToken, ': comment is written with it');
  if (!takesNotices) reader.problem('comment works on GitHub Actions only; remove it');
  if (reader.text('mode') === 'export' && ['', 'none'].includes(reader.text('compare-with'))) {
    reader.problem('comment is read only together with compare-with; write compare-with: previous');
  }
  return token === undefined ? undefined : { token, titles: chosen === 'titles' };
}
