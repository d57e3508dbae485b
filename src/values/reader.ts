import { type CourierError, configError, type Hint, type Place } from '../ground/errors.ts';
import { firstLines } from '../ground/text/amounts.ts';
import {
  beginsLikeCredential,
  credentialKind,
  isAssistantKey,
  keyPrefix,
  looksSecret,
  secretReference,
} from '../ground/text/credentials.ts';
import { plainLine } from '../ground/text/escape.ts';
import { didYouMean } from '../ground/text/names.ts';
import { NOT_UNFILLED, unfilledPart } from '../ground/text/paths.ts';
import { INPUTS, type InputName } from './catalog.ts';
import * as values from './values.ts';

/**
 * Where the values of inputs come from: the variables of a runner, or the flags, variables and
 * files of a command.
 */
export interface InputSource {
  /** The text that was given, untrimmed; `''` if none was. */
  value(name: string): string;
  /** Names that were given and are not inputs, as they were written. */
  unknownNames(): readonly string[];
  /** An input that was not given has its default here, as the runner of an action fills it in. */
  readonly fillsDefaults?: boolean | undefined;
  /** Where the value was written; undefined: the input or flag itself. */
  place?(name: string): Place | undefined;
  /**
   * True for a credential that all jobs of a project have as a variable: it may be of no use here.
   */
  isAmbient?(name: string): boolean;
}

/** What surrounds the run whose inputs are read: its repository, its folder, its system. */
export interface InputContext {
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

function isInput(name: string): boolean {
  return name in INPUTS;
}

export function isSecretInput(name: string): boolean {
  return SECRET_INPUTS.some((secret) => secret === name);
}

export const VARIABLE_PREFIX = 'DOCS_COURIER_';

/** The variable of an input: `DOCS_COURIER_BASE_URL`. */
export function variableName(name: string): string {
  return `${VARIABLE_PREFIX}${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The token with which a person uses GitHub from their own machine, as its command gh reads it. */
export function laptopToken(run: InputContext['run']): string | undefined {
  if (run?.kind !== 'local') return undefined;
  return run.env['GH_TOKEN']?.trim() || run.env['GITHUB_TOKEN']?.trim() || undefined;
}

export function rawInput(source: InputSource, name: InputName): string {
  return source.value(name).trim();
}

const PLATFORM_KEYS = ['admin-api-key', 'assistant-api-key'] as const;
/** Inputs whose secret is sent to other servers than the platform. */
const TOKENS: readonly InputName[] = ['secret-token', 'github-token', 'vault-token'];
/**
 * The kinds of tokens that these inputs take, of the kinds that are recognized. Not for
 * `github-token`: the runner chooses the form of its token.
 */
const FITTING_KINDS: ReadonlyMap<InputName, readonly string[]> = new Map([
  ['secret-token', ['a GitHub token', 'a GitLab token']],
  ['vault-token', ['a Vault token']],
]);

/** How many problems a message lists: more would be hard to read. */
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
  readonly text: string;
  /** What to type. */
  readonly fix: Hint;
}

interface Problem extends InputProblem {
  /** The input, option or variable that is wrong; undefined for the name of an unknown input. */
  readonly name?: string | undefined;
  /** Its value usually comes from a secret or a variable of the CI system. */
  readonly isEmpty?: boolean;
  /** The fix can be shown together with others: it gives the right value, or a placeholder. */
  readonly isCertain: boolean;
}

/** Words of our examples and hints that stand for a value of the reader's own. */
const PLACEHOLDER =
  /(?<!\w)(?:(?:[A-Z]+_)?PROJECT_ID|ACCOUNT(?:_ID)?|ARN|BUCKET_NAME|ORGANIZATION|OWNER)(?!\w)/;
/** Inputs that say what is meant, and where. A text such as a query may contain any word. */
const ADDRESSING: ReadonlySet<InputName> = new Set([
  'agent-job-id',
  'agent-repositories',
  'aws-role',
  'base-url',
  'domain',
  'export-job-id',
  'image',
  'live-url',
  'project-id',
  'served-at',
  'to',
  'vault-address',
  'vault-role',
]);

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

// A name and a password before the host of an address.
const LOGIN = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^\s:@/]+:(?!\/\/)[^\s@]+@(?!sha256:)/i;

/** Collects what is wrong with the inputs, so that all of it is reported in one failure. */
export class InputReader {
  readonly #source: InputSource;
  /** Why an input that comes from a secret or a variable may be empty in this run. */
  readonly #emptyCauses: () => readonly string[];
  readonly #problems: Problem[] = [];

  constructor(source: InputSource, emptyCauses: () => readonly string[] = () => []) {
    this.#source = source;
    this.#emptyCauses = emptyCauses;
  }

  /**
   * The text of an input, or of an option that only the command line has; `''` if none was given.
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
   * The value of an input. An empty text falls back to the default; undefined if there is none, or
   * if the text is wrong, which is then a problem.
   */
  optional<T>(name: InputName, parser: values.Parser<T>): T | undefined {
    const raw = this.text(name) || INPUTS[name].default;
    if (raw === '') return undefined;
    const wantedInstead = this.#wantedInsteadOfKey(name, raw);
    if (wantedInstead !== undefined) return this.#reject(name, wantedInstead);
    if (this.#isUnfilled(name, raw)) return this.#reject(name, NOT_UNFILLED);
    const placeholder = ADDRESSING.has(name) ? PLACEHOLDER.exec(raw)?.[0] : undefined;
    if (placeholder !== undefined)
      return this.#reject(name, `your own value: ${placeholder} is a placeholder of an example`);
    const parsed = values.attempt(parser, raw);
    if (parsed.ok) return parsed.value;
    return this.#reject(name, parsed.allowed, parsed.instead);
  }

  /** True for the name of a variable that the CI system has not replaced. */
  #isUnfilled(name: InputName, raw: string): boolean {
    const part = unfilledPart(raw);
    // A secret, such as a kubeconfig, may contain such a text. The parser of `to` reads its own.
    if (isSecretInput(name)) return part === raw;
    return part !== undefined && name !== 'to' && ADDRESSING.has(name);
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
   * What the value must be instead, if it looks like a key of another input, which would be sent to
   * the wrong server; undefined if it does not.
   */
  #wantedInsteadOfKey(name: InputName, raw: string): string | undefined {
    if (!isSecretInput(name)) {
      // The parser of `to` refuses tokens itself. A text with spaces is not a token.
      if (name === 'to' || !beginsLikeCredential(raw) || /\s/.test(raw)) return undefined;
      return 'something else: this looks like a token, which belongs to another input';
    }
    if (secretReference(raw) !== undefined) return NOT_UNFILLED;
    if (TOKENS.includes(name)) return this.#wantedInsteadOfToken(name, raw);
    // The parsers of the platform's keys check them, and a kubeconfig is sent nowhere.
    if (name !== 'live-headers') return undefined;
    const keyInHeader = PLATFORM_KEYS.find(
      (key) => this.text(key) !== '' && raw.includes(this.text(key)),
    );
    if (keyInHeader === undefined) return undefined;
    return `headers for the published site; one of them contains the platform's key of ${keyInHeader}`;
  }

  /** As `#wantedInsteadOfKey`, for an input that takes a token. */
  #wantedInsteadOfToken(name: InputName, raw: string): string | undefined {
    const sameKey = PLATFORM_KEYS.find((key) => this.text(key) === raw);
    if (sameKey !== undefined) return `a token; this one is the platform's key of ${sameKey}`;
    if (isAssistantKey(raw)) return 'a token; this one is an assistant API key of the platform';
    // The first word of a key, such as `acme_`, is the same in all keys of the platform.
    const prefix = keyPrefix(this.text('admin-api-key'));
    if (prefix !== undefined && raw.startsWith(prefix)) {
      return `a token; this one begins with ${prefix}, as the platform's key of admin-api-key does`;
    }
    const kind = credentialKind(raw);
    const fitting = FITTING_KINDS.get(name);
    // A token of a form that is not known, or for an input that takes any.
    if (kind === undefined || fitting === undefined || fitting.includes(kind)) return undefined;
    return `a token of another kind; this one looks like ${kind}`;
  }

  /** An input is empty: its secret or variable is, or it is not written in the step at all. */
  #reportEmpty(name: InputName, why: string): void {
    // On a person's machine there are no causes: an input is not taken from settings there.
    const isEmpty = FROM_SETTINGS.has(name) && this.#emptyCauses().length > 0;
    this.#problems.push({
      name,
      text: `${name} is ${isEmpty ? 'empty' : 'missing'}${why}`,
      fix: { text: isEmpty ? this.#emptyAdvice() : 'Give it:', inputs: { [name]: '' } },
      isEmpty,
      isCertain: true,
    });
  }

  /** Each unknown input is a problem: the run would not do what the input was meant for. */
  refuseUnknown(): void {
    for (const name of this.#source.unknownNames()) {
      const subject = looksSecret(name) ? 'unknown input' : `unknown input ${plainLine(name, 60)}`;
      const question = didYouMean(name, INPUT_NAMES);
      const fix = { text: question === '' ? 'Remove it.' : 'Rename or remove it.' };
      const text = `${subject}${question || '; remove it'}`;
      this.#problems.push({ text, fix, isCertain: false });
    }
  }

  /**
   * Reports that the value of an input does not fit, and gives undefined, the value of a wrong
   * input. The problem shows the text unless it may be a secret.
   */
  #reject(name: InputName, allowed: string, instead?: string): undefined {
    const raw = this.text(name);
    const isSecret = isSecretInput(name);
    // Two inputs may be mixed up, so that any input can have a key. An id in the address of a page
    // would look like a secret, and is not one.
    const mayBeSecret = isSecret || looksSecret(raw.replace(UUID, '')) || LOGIN.test(raw);
    // Only the name of a secret was given, which is not secret.
    const reference = secretReference(raw);
    const isHidden = reference === undefined && mayBeSecret;
    const shown = isHidden ? 'the value' : `"${plainLine(raw, 100)}"`;
    // A secret is written in one way, as a reference, so its fix is certain. `''`: a placeholder.
    const fixed = isSecret ? (reference ?? '') : instead;
    const isShown = isSecret || !isHidden;
    const fix = fixed !== undefined && isShown ? { inputs: { [name]: fixed } } : {};
    this.problem(name, `${name}: ${shown} is not allowed; it must be ${allowed}`, fix);
    return undefined;
  }

  /** Adds a problem. `name`: what is wrong. Without `fix`, the text says what to write. */
  problem(name: InputName | CommandOption | Variable, text: string, fix: Partial<Hint> = {}): void {
    // Two functions may read the same input.
    if (this.#problems.some((earlier) => earlier.text === text)) return;
    const usual = {
      text: 'Write it like this, or remove it:',
      inputs: isInput(name) ? { [name]: '' } : undefined,
    };
    // The usual fix is not certain: the input may be written in another way, or removed.
    const isCertain = fix.inputs !== undefined;
    this.#problems.push({ name, text, fix: { ...usual, ...fix }, isCertain });
  }

  /** Each of these inputs that is given is a problem: nothing would read it. */
  forbid(names: readonly InputName[], because: string): void {
    for (const name of names) {
      const isMistake = this.isGiven(name) && this.#source.isAmbient?.(name) !== true;
      // The fix has no inputs: nothing replaces it.
      if (isMistake)
        this.problem(name, `${name} ${because}`, { text: `Remove ${name}.`, inputs: {} });
    }
  }

  /**
   * The text of a problem with the place of the value after the name of the input. A text that does
   * not begin with a name, such as one that begins with an address, stays as it is.
   */
  #placed(text: string): string {
    const [name = ''] = /^[a-z][a-z0-9-]*(?=:| )/.exec(text) ?? [];
    const place = this.#source.place?.(name);
    if (place === undefined) return text;
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
    return `A secret or variable is empty in this run if ${this.#emptyCauses().join('; or ')}.`;
  }

  /**
   * An input that is written in the step, and has no value in this run, looks like one that is not
   * written. Empty on a person's machine, where no input is taken from elsewhere.
   */
  #absentAdvice(inputs: Hint['inputs'] = {}): string {
    const absent = Object.keys(inputs).filter(
      (name) => inputs[name] === '' && this.#source.value(name).trim() === '',
    );
    if (absent.length === 0 || this.#emptyCauses().length === 0) return '';
    return ` If ${absent.join(' or ')} is written there already, its value is empty in this run: compare the spelling of the step id, output or variable that it names.`;
  }

  /** All problems as one error. Its hint shows the fixes that are certain. */
  failure(): CourierError {
    const count = this.#problems.length;
    const lines = this.#problems.map(({ text }) => `- ${this.#placed(text)}`);
    const inputs: Record<string, string> = {};
    for (const problem of this.#problems)
      if (problem.isCertain) Object.assign(inputs, problem.fix.inputs);
    const [head, advice] =
      count === 1
        ? ['An input is wrong:', 'Correct it; nothing was sent.']
        : [
            `${count} inputs are wrong:`,
            'Correct them from the top: one may be the reason for those below. Nothing was sent.',
          ];
    const isEmpty = this.#problems.some((problem) => problem.isEmpty);
    const cause = isEmpty ? ` ${this.#emptyAdvice()}` : this.#absentAdvice(inputs);
    return configError(
      [head, ...firstLines(lines, MAX_PROBLEMS)].join('\n'),
      {
        text: `${advice}${cause}`,
        inputs,
        places: this.#placesOf(Object.keys(inputs)),
      },
      {
        // Only the inputs: a problem can be about an option or a variable too.
        inputs: [...new Set(this.#problems.map(({ name }) => name ?? '').filter(isInput))],
      },
    );
  }

  /** Where the values of these inputs were written; undefined: all of them as inputs or flags. */
  #placesOf(names: readonly string[]): Readonly<Record<string, Place>> | undefined {
    let places: Record<string, Place> | undefined;
    for (const name of names) {
      const place = this.#source.place?.(name);
      if (place !== undefined) places = { ...places, [name]: place };
    }
    return places;
  }
}
