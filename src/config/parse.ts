import { CourierError } from '../errors.ts';
import { INPUT_NAMES, SECRET_INPUTS } from '../inputs/reader.ts';
import { REMOVED_NAMES, removedProblems } from '../inputs/removed.ts';
import { guess, isKeyShaped } from '../text/names.ts';
import { parseYaml } from '../yaml.ts';

/** Inputs that a file cannot set: what to do and which file are decided where the program is started. */
const STARTED_WITH: readonly string[] = ['mode', 'config-file', 'site'];

function isSecretKey(key: string): boolean {
  return SECRET_INPUTS.some((name) => name === key);
}

/** Options of the command line that a file may set too. */
const OPTION_KEYS = ['to-command', 'state'] as const;

/** Keys of a site alone. */
const SITE_KEYS = ['paths'] as const;

export const VALUE_KEYS: readonly string[] = [
  ...INPUT_NAMES.filter((name) => !STARTED_WITH.includes(name) && !isSecretKey(name)),
  ...OPTION_KEYS,
];

/** The texts of inputs, by name. */
export type Values = ReadonlyMap<string, string>;

/** One of several sites in a file. */
export interface Site {
  /** Its own keys alone. */
  readonly values: Values;
  /** Patterns of the files that it is made of; none: each file counts. */
  readonly paths: readonly string[];
}

export interface Config {
  /** The keys at the top: those of every site. */
  readonly values: Values;
  readonly sites: ReadonlyMap<string, Site>;
}

/** The keys at the top, and before them those of the site. */
export function valuesOf({ values }: Config, site: Site | undefined): Values {
  return site === undefined ? values : new Map([...values, ...site.values]);
}

const SITE_NAME = /^[a-z0-9][a-z0-9_.-]{0,62}$/i;

const MAX_FINDINGS = 20;

/** Reads `docs-courier.yml`. Throws one `config` error with every finding, a line each; it repeats no value of the file. */
export async function parseConfig(text: string, name: string): Promise<Config> {
  const document = await parseYaml(text, { asWritten: true });
  const reading = new Reading();
  const config = document.findings.length > 0 ? undefined : reading.root(document.value);
  const findings = [
    ...document.findings.slice(0, MAX_FINDINGS),
    ...reading.problems.map(({ path, problem }) => ({ ...document.place(path), problem })),
  ];
  if (findings.length === 0 && config !== undefined) return config;
  const lines = findings.map(({ line, column, problem }) => `- ${name}:${line}:${column}: ${problem}`);
  const more = Math.max(reading.count, document.findings.length) - findings.length;
  if (more > 0) lines.push(`- and ${more} more`);
  throw new CourierError({
    code: 'config',
    message: [`${name} cannot be used:`, ...lines].join('\n'),
    hint: 'Correct the file. Nothing was sent.',
  });
}

const AT_THE_TOP = 'inputs stand at the top of the file: write them without ';
/** Keys that a file of another program would have. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  inputs: `${AT_THE_TOP}inputs:`,
  with: `${AT_THE_TOP}with:`,
  mode: 'the mode is not part of the file: it is the command, as in docs-courier export, or the input mode of the step; remove it',
  'config-file': 'a file names no other file; remove it',
  site: 'the site is named where the program is started: --site NAME; remove it',
};

type Path = readonly string[];

class Reading {
  /** The first of them. */
  readonly problems: { readonly path: Path; readonly problem: string }[] = [];
  count = 0;

  root(value: unknown): Config {
    const entries = this.#mapping([], value).filter(([key]) => key !== '$schema');
    const sites = entries.find(([key]) => key === 'sites');
    return {
      values: this.#values(
        [],
        entries.filter(([key]) => key !== 'sites'),
      ),
      sites: sites === undefined ? new Map() : this.#sites(sites[1]),
    };
  }

  #sites(value: unknown): ReadonlyMap<string, Site> {
    if (Array.isArray(value)) {
      this.#problem(
        ['sites'],
        'sites is a list; write each site with its name as the key, as in "sites: { guide: { … } }"',
      );
      return new Map();
    }
    const entries = this.#mapping(['sites'], value);
    if (entries.length === 0) this.#problem(['sites'], 'it has no site');
    return new Map(entries.map(([name, site]) => [name, this.#site(['sites', name], name, site)]));
  }

  #site(path: Path, name: string, value: unknown): Site {
    if (!SITE_NAME.test(name)) {
      this.#problem(path, 'the name of a site is 1 to 63 letters, digits, dots, hyphens and underscores');
    }
    const entries = this.#mapping(path, value);
    const paths = entries.filter(([key]) => key === 'paths');
    const own = entries.filter(([key]) => key !== 'paths');
    return {
      values: this.#values(path, own),
      paths: paths.flatMap(([key, item]) => this.#texts([...path, key], item)),
    };
  }

  #values(path: Path, entries: readonly (readonly [string, unknown])[]): Values {
    this.#refuseRemoved(path, entries);
    const known = entries.filter(([key]) => this.#isKnown([...path, key], key));
    return new Map(known.map(([key, item]) => [key, this.#texts([...path, key], item).join('\n')]));
  }

  #refuseRemoved(path: Path, entries: readonly (readonly [string, unknown])[]): void {
    const names = entries.map(([key]) => key).filter((key) => REMOVED_NAMES.has(key) && !VALUE_KEYS.includes(key));
    if (names.length === 0) return;
    const texts = new Map(entries.map(([key, item]) => [key, typeof item === 'string' ? item : '']));
    const value = (name: string) => texts.get(name) ?? '';
    for (const { name, text } of removedProblems({ names, value, show: (key, wanted) => `${key}: ${wanted}` })) {
      this.#problem([...path, name], text);
    }
  }

  #isKnown(path: Path, key: string): boolean {
    if (VALUE_KEYS.includes(key)) return true;
    if (REMOVED_NAMES.has(key)) return false;
    if (isSecretKey(key)) {
      this.#problem(
        path,
        `${key} is a secret and must not be in a file: remove it, replace the key that was written here, and give the new one as a variable`,
      );
      return false;
    }
    const elsewhere = ELSEWHERE[key];
    if (elsewhere !== undefined) {
      this.#problem(path, elsewhere);
      return false;
    }
    const own = path.length > 1 ? SITE_KEYS : ['sites'];
    // A guess takes time, and this problem would not be shown.
    if (this.problems.length >= MAX_FINDINGS) return this.#skip();
    const meant = guess(key, [...VALUE_KEYS, ...own, ...SECRET_INPUTS]);
    // A key of a file that was meant for another program may be anything.
    const shown = /^[a-z]+(-[a-z]+)*$/i.test(key) && key.length <= 40 ? `unknown key ${key}` : 'unknown key';
    this.#problem(path, meant === undefined || isSecretKey(meant) ? shown : `${shown}; did you mean ${meant}?`);
    return false;
  }

  /** A text, which a number, true and false are here too; or a list of them. */
  #texts(path: Path, value: unknown): string[] {
    if (value === undefined || value === null) return [];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const texts = items.filter((item) => typeof item === 'string');
    if (texts.length < items.length) this.#problem(path, 'a text, or a list of texts, is wanted');
    if (texts.some(isKeyShaped)) {
      this.#problem(path, 'this looks like a key: remove it, and replace the key that was written here');
    }
    return texts;
  }

  #mapping(path: Path, value: unknown): (readonly [string, unknown])[] {
    if (value === undefined || value === null) return [];
    if (typeof value === 'object' && !Array.isArray(value)) return Object.entries(value);
    this.#problem(path, 'a mapping of keys is wanted');
    return [];
  }

  #problem(path: Path, problem: string): void {
    this.count += 1;
    if (this.problems.length < MAX_FINDINGS) this.problems.push({ path, problem });
  }

  #skip(): false {
    this.count += 1;
    return false;
  }
}
