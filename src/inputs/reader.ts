import { CourierError } from '../errors.ts';
import type { Log } from '../log.ts';
import { plainLine } from '../text/escape.ts';
import { guess } from '../text/guess.ts';
import { INPUTS, type InputName } from './catalog.ts';
import { isKeyShaped, type Parser } from './values.ts';

export type Env = Readonly<Record<string, string | undefined>>;
export type Mode = 'export' | 'refresh' | 'agent' | 'search';

export interface ReadPlace {
  /** `owner/name` of the current repository. */
  readonly repository: string;
  /** Relative paths are below it. */
  readonly workspace: string;
}

/** Inputs that hold a secret: masked before anything else is done, never shown in a message. */
export const SECRET_INPUTS = ['admin-api-key', 'assistant-api-key', 'github-token', 'secret-token'] as const;

export const INPUT_NAMES = Object.keys(INPUTS).filter((name): name is InputName => name in INPUTS);

/** The variable in which the runner hands an input over: upper case, spaces to underscores, hyphens as they are. */
export function variableOf(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}

export function rawInput(env: Env, name: InputName): string {
  return (env[variableOf(name)] ?? '').trim();
}

/** Collects what is wrong with the inputs, so that all of it is told in one failure. */
export class InputReader {
  readonly #env: Env;
  readonly #problems: string[] = [];

  constructor(env: Env) {
    this.#env = env;
  }

  /** True when the value is neither empty nor the default, which the runner fills in. */
  isGiven(name: InputName): boolean {
    const raw = rawInput(this.#env, name);
    return raw !== '' && raw !== INPUTS[name].default;
  }

  /** The value, or undefined when it is empty or wrong; wrong is noted. An empty one falls back to the default. */
  optional<T>(name: InputName, parser: Parser<T>): T | undefined {
    const raw = rawInput(this.#env, name) || INPUTS[name].default;
    if (raw === '') return undefined;
    const parsed = parser(raw);
    if (parsed.ok) return parsed.value;
    this.reject(name, parsed.allowed);
    return undefined;
  }

  /** As `optional`, and an empty value is noted as missing. */
  required<T>(name: InputName, parser: Parser<T>, why = ''): T | undefined {
    if (rawInput(this.#env, name) === '' && INPUTS[name].default === '') {
      this.problem(`${name} is missing${why}`);
      return undefined;
    }
    return this.optional(name, parser);
  }

  /** Notes that the value of an input does not fit; the value is shown unless it is a secret. */
  reject(name: InputName, allowed: string): void {
    const raw = rawInput(this.#env, name);
    // Also where two inputs were mixed up, and a key stands in one that is shown.
    const isSecret = SECRET_INPUTS.some((secret) => secret === name) || isKeyShaped(raw);
    const shown = isSecret ? 'the value' : `"${plainLine(raw, 100)}"`;
    this.problem(`${name}: ${shown} is not allowed; it must be ${allowed}`);
  }

  problem(text: string): void {
    this.#problems.push(text);
  }

  /** Notes each of these inputs that is given although nothing would read it. */
  forbid(names: readonly InputName[], because: string): void {
    for (const name of names) if (this.isGiven(name)) this.problem(`${name} ${because}`);
  }

  get failed(): boolean {
    return this.#problems.length > 0;
  }

  /** All problems as one error. */
  failure(): CourierError {
    const count = this.#problems.length;
    return new CourierError({
      code: 'config',
      message: [
        count === 1 ? 'An input is wrong:' : `${count} inputs are wrong:`,
        ...this.#problems.map((text) => `- ${text}`),
      ].join('\n'),
      hint: 'Correct the inputs under with: of the step. Nothing was sent.',
    });
  }
}

/** The runner only warns about an unknown input, without saying what was meant; this says it. */
export function warnOfUnknownInputs(env: Env, log: Log): void {
  const known = new Set(INPUT_NAMES.map(variableOf));
  for (const variable of Object.keys(env).filter((key) => key.startsWith('INPUT_') && !known.has(key))) {
    const name = variable.slice('INPUT_'.length).toLowerCase();
    const meant = guess(name, INPUT_NAMES);
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    log.warning(`There is no input "${plainLine(name, 60)}"; it is ignored.${hint}`);
  }
}
