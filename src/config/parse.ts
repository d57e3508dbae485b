import { CourierError, type Place } from '../errors.ts';
import { isKeyShaped, looksSecret } from '../text/credentials.ts';
import { plainLine } from '../text/escape.ts';
import { guess } from '../text/names.ts';
import { INPUT_NAMES, isSecretInput, SECRET_INPUTS, variableName } from '../values/reader.ts';
import { REMOVED_NAMES, removedProblems } from '../values/removed.ts';
import { parseYaml, type YamlFinding } from '../yaml.ts';

/** Inputs that a file cannot set: what to do and which file are decided where the program is started. */
const STARTED_WITH: readonly string[] = ['mode', 'config-file', 'site'];

/**
 * Addresses that receive credentials, and programs. A pull request can change the file, even if a person has checked it out:
 * it never decides where the keys of a run or of a shell are sent. Of `to` and `state`, servers are refused the same way.
 */
const NEVER_IN_A_FILE: readonly string[] = ['base-url', 'vault-address', 'live-url', 'to-command'];

export const VALUE_KEYS: readonly string[] = [
  ...INPUT_NAMES.filter(
    (name) => !STARTED_WITH.includes(name) && !isSecretInput(name) && !NEVER_IN_A_FILE.includes(name),
  ),
  // An option of the command line that a file may set too.
  'state',
];

/** The texts of inputs, by name. */
export type Values = ReadonlyMap<string, string>;

/** One of several sites in a file. */
interface Site {
  /** Its own keys alone. */
  readonly values: Values;
  /** Patterns of the files that it is made of; none: each file counts. */
  readonly paths: readonly string[];
}

export interface Config {
  /** The keys at the top: those of every site. */
  readonly values: Values;
  readonly sites: ReadonlyMap<string, Site>;
  /** The line of a key, of a site or of the top. */
  readonly place: (site: string, key: string) => Place;
}

/** The keys at the top, and before them those of the site. */
export function valuesOf({ values }: { readonly values: Values }, site: Site | undefined): Values {
  return site === undefined ? values : new Map([...values, ...site.values]);
}

const SITE_NAME = /^[a-z0-9][a-z0-9_.-]{0,62}$/i;

const MAX_FINDINGS = 20;

/** Reads `docs-courier.yml`. Throws one `config` error with every finding, a line each; it repeats no value of the file. */
export async function parseConfig(text: string, name: string): Promise<Config> {
  const document = await parseYaml(text, { asWritten: true });
  const reading = new Reading();
  const config = document.findings.length > 0 ? undefined : reading.root(document.value);
  const findings = [...document.findings, ...reading.findings, ...cutAddresses(text)];
  if (findings.length === 0 && config !== undefined) {
    const place = (site: string, key: string) => {
      const isOwn = config.sites.get(site)?.values.has(key) === true;
      return { file: `${name}:${document.place(isOwn ? ['sites', site, key] : [key]).line}` };
    };
    return { ...config, place };
  }
  const lines = findings.slice(0, MAX_FINDINGS).map((finding) => {
    const { line, column } = 'path' in finding ? document.place(finding.path) : finding;
    const problem = typeof finding.problem === 'string' ? finding.problem : finding.problem();
    return `- ${name}:${line}:${column}: ${problem}`;
  });
  if (findings.length > MAX_FINDINGS) lines.push(`- and ${findings.length - MAX_FINDINGS} more`);
  throw new CourierError({
    code: 'config',
    message: [`${name} cannot be used:`, ...lines].join('\n'),
    hint: 'Correct the file. Nothing was sent.',
  });
}

/** An address whose key was taken for a comment, as in `k8s:docs/site #link`. */
function cutAddresses(text: string): readonly YamlFinding[] {
  return text.split('\n').flatMap((line, index) => {
    const [key = '', value = ''] = line.split(/:(.*)/s);
    const at = value.search(/ #\w/);
    if (!['to', 'state', 'rollout'].includes(key.trim()) || value.slice(0, Math.max(at, 0)).trim() === '') return [];
    const problem = 'a space before # begins a comment: leave out the space, or put one after # too';
    return [{ line: index + 1, column: key.length + at + 3, problem }];
  });
}

const AT_THE_TOP = 'inputs are at the top of the file: write them without ';
/** Keys that a file of another program would have. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['inputs', `${AT_THE_TOP}inputs:`],
  ['with', `${AT_THE_TOP}with:`],
  [
    'mode',
    'the mode is not part of the file: it is the command, as in docs-courier export, or the input mode of the step; remove it',
  ],
  ['config-file', 'a configuration file cannot name another one; remove it'],
  ...['defaults', 'default', 'common', 'all', 'global'].map(
    (key) => [key, `keys at the top of the file serve all sites: write them there, without ${key}:`] as const,
  ),
  ...['export', 'refresh', 'rollback', 'search', 'agent'].map((key) => [key, `${AT_THE_TOP}${key}:`] as const),
  ['paths', 'paths belongs to a site: write it below its name, as in "sites: { guide: { domain: …, paths: … } }"'],
  ['<<', 'merge keys are not read: keys at the top of the file serve all sites'],
  ['site', 'the site is named where the program is started: --site NAME; remove it'],
]);

type Path = readonly string[];
/** A function if the text takes time: only what is shown is made. */
type Problem = string | (() => string);
/** The keys of a mapping. A map, since a file may have keys that every object has, such as `constructor`. */
type Fields = ReadonlyMap<string, unknown>;

/** Why a key cannot be taken; `own` is the one that only this level has. */
function whyNot(key: string, own: string): Problem | undefined {
  if (VALUE_KEYS.includes(key)) return undefined;
  if (isSecretInput(key)) {
    return `${key} is a secret and must not be in a file: remove it, replace the key that was written here, and give the new one as a variable`;
  }
  if (NEVER_IN_A_FILE.includes(key)) return neverInAFile(key);
  return ELSEWHERE.get(key) ?? (() => unknownKey(key, own));
}

function neverInAFile(key: string): string {
  const reads = key === 'to-command' ? 'starts a program' : 'says where credentials are sent';
  const input = INPUT_NAMES.some((name) => name === key) ? `, or the input ${key} of a step` : '';
  return `${key} ${reads}, and a pull request can change this file: remove the line, and write --${key} VALUE, the variable ${variableName(key)}=VALUE${input}`;
}

/** An address from the file has a kind, a path and a key: which server gets the link and the token is not its decision. */
function namesServer(address: string): boolean {
  return /\?/.test(address) || /^\s*[a-z0-9-]+:\/\/[^/]/i.test(address);
}

function unknownKey(key: string, own: string): string {
  const meant = guess(key, [...VALUE_KEYS, own, ...SECRET_INPUTS]);
  // A key of a file that was meant for another program may be anything.
  const shown = /^[a-z]+(-[a-z]+)*$/i.test(key) && key.length <= 40 ? `unknown key ${key}` : 'unknown key';
  return meant === undefined || isSecretInput(meant) ? shown : `${shown}; did you mean ${meant}?`;
}

class Reading {
  readonly findings: { readonly path: Path; readonly problem: Problem }[] = [];

  root(value: unknown): Omit<Config, 'place'> {
    if (typeof value === 'string') {
      const form = 'write each key as KEY: VALUE, with a space after the colon; a comment begins with #';
      this.#find([], `this is not YAML with keys: ${form}`);
      return { values: new Map(), sites: new Map() };
    }
    if (value === null || value === undefined) {
      this.#find([], 'the file is empty: write each key as KEY: VALUE, such as domain: docs.example.com');
      return { values: new Map(), sites: new Map() };
    }
    const fields = this.#mapping([], value);
    const sites = fields.get('sites');
    if (sites === null) this.#findUnindented(fields);
    const values = this.#values([], without(fields, ['$schema', 'sites']));
    return { values, sites: new Map(sites === undefined ? [] : this.#sites(sites)) };
  }

  /** `sites:` without a site: its sites begin in the first column, or have no keys. */
  #findUnindented(fields: Fields): void {
    for (const [key, value] of fields) {
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        this.#find([key], `${key} is a site: put two spaces before its lines, so that it is below sites`);
      }
    }
  }

  #sites(value: unknown): (readonly [string, Site])[] {
    if (Array.isArray(value)) {
      const form = 'as in "sites: { guide: { … } }"';
      this.#find(['sites'], `sites is a list; write each site with its name as the key, ${form}`);
      return [];
    }
    if (typeof value === 'string') {
      this.#find(['sites'], 'a site has a name and keys, as in "sites: { guide: { domain: … } }"');
      return [];
    }
    const entries = [...this.#mapping(['sites'], value)];
    if (entries.length === 0) this.#find(['sites'], 'it has no site');
    return entries.map(([name, site]) => [name, this.#site(['sites', name], name, site)]);
  }

  #site(path: Path, name: string, value: unknown): Site {
    if (typeof value !== 'object' && VALUE_KEYS.includes(name)) {
      this.#find(
        path,
        `${name} is a key of a site: write it below the name of its site, with two more spaces before it`,
      );
      return { values: new Map(), paths: [] };
    }
    if (!SITE_NAME.test(name)) {
      this.#find(path, 'the name of a site is 1 to 63 letters, digits, dots, hyphens and underscores');
    }
    const fields = this.#mapping(path, value);
    const paths = this.#texts([...path, 'paths'], fields.get('paths'));
    return { values: this.#values(path, without(fields, ['paths'])), paths };
  }

  #values(path: Path, fields: Fields): Values {
    for (const { name, text } of removedProblems([...fields.keys()])) this.#find([...path, name], text);
    const values = new Map<string, string>();
    for (const [key, item] of without(fields, REMOVED_NAMES)) {
      if (key === 'site' && typeof item === 'object' && item !== null) {
        this.#find(
          [...path, key],
          'the key is sites, with a name for each site, as in "sites: { guide: { domain: … } }"',
        );
        continue;
      }
      const problem = whyNot(key, path.length > 0 ? 'paths' : 'sites');
      if (problem === undefined) values.set(key, this.#texts([...path, key], item).join('\n'));
      else this.#find([...path, key], problem);
    }
    for (const key of ['to', 'state']) this.#refuseServers([...path, key], values.get(key) ?? '');
    return values;
  }

  #refuseServers(path: Path, addresses: string): void {
    const refused = addresses.split('\n').filter(namesServer);
    if (refused.length === 0) return;
    const shown = refused.map((line) => {
      const [address = ''] = line.split('?');
      return looksSecret(address) ? 'one of its lines' : plainLine(address, 100);
    });
    const key = path.at(-1) ?? '';
    this.#find(
      path,
      `${key} names a server or an option after "?", and a pull request can change this file: ${shown.join(', ')}; write this address as --${key} ADDRESS or as the variable ${variableName(key)}=ADDRESS`,
    );
  }

  /** A text, which a number, true and false are here too; or a list of them. */
  #texts(path: Path, value: unknown): string[] {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value ?? []].flat();
    const texts = items.filter((item) => typeof item === 'string');
    if (items.some((item) => typeof item === 'object' && item !== null && !Array.isArray(item))) {
      this.#find(
        path,
        'this must be a text, not a mapping: write an address without a space after its colon, such as to: file:link.txt',
      );
    } else if (texts.length < items.length) this.#find(path, 'this must be a text or a list of texts');
    if (texts.some(isKeyShaped)) {
      this.#find(path, 'this looks like a key: remove it, and replace the key that was written here');
    }
    return texts;
  }

  #mapping(path: Path, value: unknown): Fields {
    if (value === undefined || value === null) return new Map();
    if (typeof value === 'object' && !Array.isArray(value)) return new Map(Object.entries(value));
    this.#find(path, 'this must be a mapping of keys');
    return new Map();
  }

  #find(path: Path, problem: Problem): void {
    this.findings.push({ path, problem });
  }
}

function without(fields: Fields, names: Iterable<string>): Fields {
  const left = new Map(fields);
  for (const name of names) left.delete(name);
  return left;
}
