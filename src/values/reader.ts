import { isAbsolute } from 'node:path';
import { CourierError, type Hint, type Place } from '../errors.ts';
import {
  beginsLikeCredential,
  credentialKind,
  isAssistantKey,
  keyPrefix,
  looksSecret,
  secretReference,
} from '../text/credentials.ts';
import { plainLine } from '../text/escape.ts';
import { guess } from '../text/names.ts';
import { INPUTS, type InputName } from './catalog.ts';
import * as values from './values.ts';

/**
 * Where the values of inputs come from: the variables of a runner, or later flags, variables and a
 * file.
 */
export interface InputSource {
  /** The text that was given, untrimmed; `''` if none was. */
  value(name: string): string;
  /** Names that were given and that no input has, as they were written. */
  unknownNames(): readonly string[];
  /** An input that was not given has its default here, as the runner of an action fills it in. */
  readonly fillsDefaults?: boolean | undefined;
  /** Where the value was written; undefined: the input or flag itself. */
  place?(name: string): Place | undefined;
  /** True for a credential that every job of a project gets as a variable: it may stay unread. */
  isAmbient?(name: string): boolean;
}

export interface ReadDestination {
  /** `owner/name` of the current repository. */
  readonly repository: string;
  /** Relative paths are below it. */
  readonly workspace: string;
  /** False if no comments and issues can be written: on every system but GitHub Actions. */
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

/** Inputs that contain a secret: masked before anything else is done, never shown in a message. */
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

export function isSecretInput(name: string): boolean {
  return SECRET_INPUTS.some((secret) => secret === name);
}

export const VARIABLE_PREFIX = 'DOCS_COURIER_';

/** The variable of an input: `DOCS_COURIER_BASE_URL`. */
export function variableName(name: string): string {
  return `${VARIABLE_PREFIX}${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The token with which a person uses GitHub from their own machine, as its command gh reads it. */
export function laptopToken(run: ReadDestination['run']): string | undefined {
  if (run?.kind !== 'local') return undefined;
  return run.env['GH_TOKEN']?.trim() || run.env['GITHUB_TOKEN']?.trim() || undefined;
}

export function rawInput(source: InputSource, name: InputName): string {
  return source.value(name).trim();
}

/**
 * True if a secret is given as the path of a file: a path is not a secret, and messages name it.
 */
export function isPathInput(source: InputSource, name: InputName): boolean {
  return name === 'kubeconfig' && isAbsolute(rawInput(source, name));
}

const PLATFORM_KEYS = ['admin-api-key', 'assistant-api-key'] as const;
/** What is sent to other servers than the platform. */
const TOKENS: readonly InputName[] = ['secret-token', 'github-token', 'vault-token'];
/**
 * Whose tokens these inputs take, of those that are recognized. The form of the runner's own token
 * is the runner's to choose.
 */
const FITTING_KINDS: ReadonlyMap<InputName, readonly string[]> = new Map([
  ['secret-token', ['a GitHub token', 'a GitLab token']],
  ['vault-token', ['a Vault token']],
]);

/** More would hide what is wrong; the rest shows in the next run. */
const MAX_PROBLEMS = 20;

/** Inputs whose values usually come from a secret or a variable of the CI system. */
const FROM_SETTINGS: ReadonlySet<string> = new Set([...SECRET_INPUTS, 'base-url']);

/** What the command line has besides inputs, and this reader reads. */
type CommandOption =
  | 'to-command'
  | 'state'
  | 'changed-since'
  | 'max-age'
  | 'print-link'
  | (typeof RESULT_FILES)[number];

/** Flags of the command line that name a file for results. */
export const RESULT_FILES = ['link-file', 'output-file', 'summary', 'junit'] as const;

/** A variable of the environment. */
export type Variable = Uppercase<string>;

export interface InputProblem {
  /**
   * The input that is wrong; absent for a name that no input has, and for options and variables.
   */
  readonly input?: InputName | undefined;
  readonly text: string;
  /** What to type. */
  readonly fix: Hint;
}

interface Problem extends InputProblem {
  /** Its value usually comes from a secret or a variable of the CI system. */
  readonly isEmpty?: boolean;
  /** What the fix says is right as it is, or a placeholder if nothing was given. */
  readonly isCertain: boolean;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

// A name and a password before the host of an address.
const LOGIN = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^\s:@/]+:(?!\/\/)[^\s@]+@(?!sha256:)/i;

/** Collects what is wrong with the inputs, so that all of it is reported in one failure. */
export class InputReader {
  readonly #source: InputSource;
  readonly #emptyCauses: readonly string[];
  readonly #problems: Problem[] = [];

  constructor(source: InputSource, emptyCauses: readonly string[]) {
    this.#source = source;
    this.#emptyCauses = emptyCauses;
  }

  /**
   * The text that was given, `''` if none was. Of an input, or an option that only the command line
   * has.
   */
  text(name: InputName | CommandOption): string {
    return this.#source.value(name).trim();
  }

  /** True when the value is neither empty nor the default, which the runner fills in. */
  isGiven(name: InputName): boolean {
    const raw = this.text(name);
    return raw !== '' && raw !== INPUTS[name].default;
  }

  /**
   * The value, or undefined if it is empty or wrong; a wrong one is a problem. An empty one falls
   * back to the default.
   */
  optional<T>(name: InputName, parser: values.Parser<T>): T | undefined {
    const raw = this.text(name) || INPUTS[name].default;
    if (raw === '') return undefined;
    const mistaken = this.#mistaken(name, raw);
    const parsed =
      mistaken === undefined ? values.attempt(parser, raw) : new values.Misfit(mistaken);
    if (parsed.ok) return parsed.value;
    this.#reject(name, parsed.allowed);
    return undefined;
  }

  /** As `optional`, and an empty value is a problem. */
  required<T>(name: InputName, parser: values.Parser<T>, why = ''): T | undefined {
    if (this.text(name) === '' && INPUTS[name].default === '') {
      this.#reportEmpty(name, why);
      return undefined;
    }
    return this.optional(name, parser);
  }

  /**
   * What the value must be, if it is a key that belongs to another input: it would be sent to the
   * wrong server.
   */
  #mistaken(name: InputName, raw: string): string | undefined {
    if (!isSecretInput(name)) {
      return name === 'to' || !beginsLikeCredential(raw) || /\s/.test(raw)
        ? undefined
        : 'something else: this looks like a token, which belongs to another input';
    }
    if (secretReference(raw) !== undefined) return 'the secret itself; this is the name of one';
    if (name === 'live-headers') {
      const sent = PLATFORM_KEYS.find(
        (key) => this.text(key) !== '' && raw.includes(this.text(key)),
      );
      return (
        sent && `headers for the published site; one of them contains the platform's key of ${sent}`
      );
    }
    return TOKENS.includes(name) ? this.#mistakenToken(name, raw) : undefined;
  }

  #mistakenToken(name: InputName, raw: string): string | undefined {
    const twin = PLATFORM_KEYS.find((key) => this.text(key) === raw);
    if (twin !== undefined) return `a token; this one is the platform's key of ${twin}`;
    if (isAssistantKey(raw)) return 'a token; this one is an assistant API key of the platform';
    const prefix = keyPrefix(this.text('admin-api-key'));
    if (prefix !== undefined && raw.startsWith(prefix)) {
      return `a token; this one begins with ${prefix}, as the platform's key of admin-api-key does`;
    }
    const kind = credentialKind(raw);
    const isForeign = kind !== undefined && FITTING_KINDS.get(name)?.includes(kind) === false;
    return isForeign ? `a token of another kind; this one looks like ${kind}` : undefined;
  }

  #reportEmpty(name: InputName, why: string): void {
    const mode = this.text('mode');
    // The agent cannot do without it, so that a step that lacks it is rare.
    const isFromSettings = FROM_SETTINGS.has(name) || (name === 'project-id' && mode === 'agent');
    const isEmpty = isFromSettings && this.#emptyCauses.length > 0;
    const text = `${name} is ${isEmpty ? 'empty' : 'missing'}${why}`;
    const advice = isEmpty ? this.#emptyAdvice() : 'Give it:';
    this.#problems.push({
      input: name,
      text,
      fix: { text: advice, inputs: { [name]: '' } },
      isEmpty,
      isCertain: true,
    });
  }

  /** An unknown input is as wrong as an unknown mode: what it was to do would not happen. */
  refuseUnknown(): void {
    for (const name of this.#source.unknownNames()) {
      const nearest = guess(name, INPUT_NAMES);
      const advice = nearest === undefined ? 'remove it' : `did you mean ${nearest}?`;
      const subject = looksSecret(name) ? 'unknown input' : `unknown input ${plainLine(name, 60)}`;
      const fix = { text: nearest === undefined ? 'Remove it.' : 'Rename or remove it.' };
      this.#problems.push({ text: `${subject}; ${advice}`, fix, isCertain: false });
    }
  }

  /** The value of an input does not fit. It is shown unless it is a secret. */
  #reject(name: InputName, allowed: string): void {
    const raw = this.text(name);
    // Also if two inputs were mixed up, and a key was given for one that is shown.
    // An id that was copied with the address of its page may look like a secret.
    const reference = secretReference(raw);
    const mayBeSecret =
      isSecretInput(name) || looksSecret(raw.replace(UUID, '')) || LOGIN.test(raw);
    const shown = reference === undefined && mayBeSecret ? 'the value' : `"${plainLine(raw, 100)}"`;
    const text = `${name}: ${shown} is not allowed; it must be ${allowed}`;
    this.problem(name, text, isSecretInput(name) ? { inputs: { [name]: reference ?? '' } } : {});
  }

  /** `name`: what is wrong. Without a fix, the text says what to write. */
  problem(name: InputName | CommandOption | Variable, text: string, fix: Partial<Hint> = {}): void {
    // Two readers may want the same input.
    if (this.#problems.some((one) => one.text === text)) return;
    const input = INPUT_NAMES.find((one) => one === name);
    const usual = { text: 'Write it like this, or remove it:', inputs: input && { [input]: '' } };
    this.#problems.push({
      input,
      text,
      fix: { ...usual, ...fix },
      isCertain: fix.inputs !== undefined,
    });
  }

  /** Each of these inputs that is given is a problem: nothing would read it. */
  forbid(names: readonly InputName[], because: string): void {
    for (const name of names) {
      if (this.isGiven(name) && this.#source.isAmbient?.(name) !== true) {
        this.problem(name, `${name} ${because}`, { text: `Remove ${name}.`, inputs: {} });
      }
    }
  }

  /** The text with the position of the value after the name of its input. */
  #placed(text: string): string {
    const name = /^[a-z][a-z0-9-]*(?=:| )/.exec(text)?.[0];
    const place = name === undefined ? undefined : this.#source.place?.(name);
    if (name === undefined || place === undefined) return text;
    const shown = 'file' in place ? place.file : `variable ${place.variable}`;
    return `${name} (${shown})${text.slice(name.length)}`;
  }

  get problems(): readonly InputProblem[] {
    return this.#problems;
  }

  get failed(): boolean {
    return this.#problems.length > 0;
  }

  #emptyAdvice(): string {
    return `A secret or variable that the step names is empty in this run if ${this.#emptyCauses.join('; or ')}.`;
  }

  /** All problems as one error. Its hint has the lines that can be written already. */
  failure(): CourierError {
    const count = this.#problems.length;
    const isEmpty = this.#problems.some((problem) => problem.isEmpty);
    const certain = this.#problems.filter(({ isCertain }) => isCertain);
    const given: Readonly<Record<string, string>> = Object.assign(
      {},
      ...certain.map(({ fix }) => fix.inputs),
    );
    return new CourierError({
      code: 'config',
      inputs: [...new Set(this.#problems.flatMap(({ input = [] }) => input))],
      message: [
        count === 1 ? 'An input is wrong:' : `${count} inputs are wrong:`,
        ...this.#problems.slice(0, MAX_PROBLEMS).map(({ text }) => `- ${this.#placed(text)}`),
        ...(count > MAX_PROBLEMS ? [`- and ${count - MAX_PROBLEMS} more`] : []),
      ].join('\n'),
      hint: {
        text: [
          `Correct ${count === 1 ? 'it' : 'them'}; nothing was sent.`,
          ...(isEmpty ? [this.#emptyAdvice()] : []),
        ].join(' '),
        inputs: given,
        places: this.#placesOf(Object.keys(given)),
      },
    });
  }

  #placesOf(names: readonly string[]): Readonly<Record<string, Place>> | undefined {
    const found = names.flatMap((name) => {
      const place = this.#source.place?.(name);
      return place === undefined ? [] : [[name, place] as const];
    });
    return found.length === 0 ? undefined : Object.fromEntries(found);
  }
}

// Inputs of more than one mode.

export type CommonInputs = ReturnType<typeof readCommon>;

export function readCommon(reader: InputReader) {
  // A folder is searched without the platform.
  const baseUrl = reader.isGiven('search-site')
    ? reader.optional('base-url', values.baseUrl)
    : reader.required('base-url', values.baseUrl);
  return {
    /** Without a trailing slash; a path prefix is kept. Empty if nothing is asked. */
    baseUrl: baseUrl ?? '',
    dryRun: reader.required('dry-run', values.boolean) ?? false,
  } as const;
}

const FOLLOW_MS = 30 * 60_000;

/** How long a job is followed. */
export function readFollow(reader: InputReader, usualMs = FOLLOW_MS) {
  return {
    /** 0 or more. */
    timeoutMs: reader.optional('timeout', values.duration) ?? usualMs,
    onTimeout: reader.required('on-timeout', values.oneOf(['fail', 'detach'])) ?? 'fail',
  } as const;
}

/** undefined: no comment is written. */
export function readComment(reader: InputReader, { takesNotices = true }: ReadDestination) {
  const chosen = reader.required('comment', values.booleanOrTitles) ?? false;
  if (chosen === false) return undefined;
  const token = reader.required('github-token', values.apiToken, ': comment is written with it');
  if (!takesNotices) reader.problem('comment', 'comment works on GitHub Actions only; remove it');
  if (reader.text('mode') === 'export' && ['', 'none'].includes(reader.text('compare-with'))) {
    reader.problem(
      'comment',
      'comment is read only together with compare-with; write compare-with: previous',
    );
  }
  if (token === undefined) return undefined;
  return {
    token,
    /** Titles and addresses of pages are shown in a public repository too. */
    titles: chosen === 'titles',
  } as const;
}
