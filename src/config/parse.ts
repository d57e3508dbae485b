import { CourierError } from '../errors.ts';
import { isKeyShaped } from '../inputs/keys.ts';
import { SECRET_INPUTS } from '../inputs/reader.ts';
import { parseYaml } from '../search/yaml.ts';
import { guess } from '../text/guess.ts';
import { isSecretKey, VALUE_KEYS } from './keys.ts';

/** The texts of inputs, by name. */
export type Values = ReadonlyMap<string, string>;

const MAX_FINDINGS = 20;

/** Reads `docs-courier.yml`. Throws one `config` error with every finding, a line each; it repeats no value of the file. */
export async function parseConfig(text: string, name: string): Promise<Values> {
  const document = await parseYaml(text);
  const reading = new Reading();
  const values = document.findings.length > 0 ? undefined : reading.root(document.value);
  const findings = [
    ...document.findings,
    ...reading.problems.map(({ path, problem }) => ({ ...document.place(path), problem })),
  ];
  if (findings.length === 0 && values !== undefined) return values;
  const lines = findings
    .slice(0, MAX_FINDINGS)
    .map(({ line, column, problem }) => `- ${name}:${line}:${column}: ${problem}`);
  throw new CourierError({
    code: 'config',
    message: [`${name} cannot be used:`, ...lines].join('\n'),
    hint: 'Correct the file. Nothing was sent.',
  });
}

type Path = readonly string[];

class Reading {
  readonly problems: { readonly path: Path; readonly problem: string }[] = [];

  root(value: unknown): Values {
    const entries = this.#mapping(value).filter(([key]) => key !== '$schema');
    const known = entries.filter(([key]) => this.#isKnown([key], key));
    return new Map(known.map(([key, item]) => [key, this.#texts([key], item).join('\n')]));
  }

  #isKnown(path: Path, key: string): boolean {
    if (VALUE_KEYS.includes(key)) return true;
    if (isSecretKey(key)) {
      this.#problem(
        path,
        `${key} is a secret and must not be in a file: remove it, replace the key that was written here, and give the new one as a variable`,
      );
      return false;
    }
    const meant = guess(key, [...VALUE_KEYS, ...SECRET_INPUTS]);
    // A key of a file that was meant for another program may be anything.
    const shown = /^[a-z]+(-[a-z]+)*$/i.test(key) && key.length <= 40 ? `unknown key ${key}` : 'unknown key';
    this.#problem(path, meant === undefined || isSecretKey(meant) ? shown : `${shown}; did you mean ${meant}?`);
    return false;
  }

  /** A text, a number, true or false; or a list of them. */
  #texts(path: Path, value: unknown): string[] {
    if (value === undefined || value === null) return [];
    const texts = (Array.isArray(value) ? value : [value]).map((item) => scalarText(item));
    if (texts.some((text) => text === undefined)) this.#problem(path, 'a text, or a list of texts, is wanted');
    if (texts.some((text) => text !== undefined && isKeyShaped(text))) {
      this.#problem(path, 'this looks like a key: remove it, and replace the key that was written here');
    }
    return texts.filter((text) => text !== undefined);
  }

  #mapping(value: unknown): (readonly [string, unknown])[] {
    if (value === undefined || value === null) return [];
    if (typeof value === 'object' && !Array.isArray(value)) return Object.entries(value);
    this.#problem([], 'a mapping of keys is wanted');
    return [];
  }

  #problem(path: Path, problem: string): void {
    this.problems.push({ path, problem });
  }
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
