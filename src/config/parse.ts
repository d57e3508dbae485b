import { configError, type Place } from '../ground/errors.ts';
import { isKeyShaped, looksSecret } from '../ground/text/credentials.ts';
import { plainLine } from '../ground/text/escape.ts';
import { guess } from '../ground/text/names.ts';
import { parseYaml } from '../ground/yaml.ts';
import type { InputName } from '../values/catalog.ts';
import { INPUT_NAMES, isSecretInput, SECRET_INPUTS, variableName } from '../values/reader.ts';

/** Given where the program is started: what to do, with which file and for which site. */
const STARTED_WITH: readonly string[] = ['mode', 'config-file', 'site'];

/**
 * The keys of a file, each of them reviewed: a change request may decide about them. Any input that
 * is in neither of these two lists is refused in a file.
 */
const EVERYWHERE: readonly (InputName | 'state')[] = [
  'add',
  'base-path',
  'baseline-file',
  'bundle-path',
  'clean',
  'command',
  'compare-with',
  'context',
  'domain',
  'dry-run',
  'export-paths',
  'export-version',
  'extract-to',
  'filter',
  'forbid-lost-addresses',
  'if-no-state',
  'live-timeout',
  'max-page-drop',
  'max-size',
  'min-pages',
  'min-results',
  'on-not-live',
  'on-rollout-failure',
  'on-timeout',
  'project-id',
  'queries-file',
  'query',
  'refresh-before',
  'required-pages',
  'rollout',
  'rollout-timeout',
  'search-site',
  'status-comment',
  'timeout',
  'to',
  'verify',
  'wait-for-index',
];

/**
 * Ignored in a CI system, where a change request can change the file: who may do what, what the
 * agent is instructed to do, where something is published, and which earlier export is restored.
 * Never an address that receives credentials, nor a program: a pull request can change the file in
 * the clone of a person too. For the same reason, `to` and `state` must not name a server in it.
 */
const OWN_MACHINE: readonly (InputName | 'state')[] = [
  'agent-job-id',
  'agent-repositories',
  'allow-kube-exec',
  'allow-outside-text',
  'allow-private-hosts',
  'allowed-bots',
  'aws-role',
  'branch',
  'comment',
  'create-agent-job',
  'export-job-id',
  'force',
  'from',
  'id-token-audience',
  'image',
  'publish',
  'publisher',
  'prompt',
  'prompt-file',
  'pull-request',
  'required-permission',
  'take-over',
  'vault-role',
  'state',
];

/** True for a key of the file that a change request may decide about, in a CI system. */
export function isReadInCi(key: string): boolean {
  return EVERYWHERE.some((name) => name === key);
}

/** `state` is an option of the command line. */
export const VALUE_KEYS: readonly string[] = [...INPUT_NAMES, 'state'].filter((name) =>
  [...EVERYWHERE, ...OWN_MACHINE].some((key) => key === name),
);

/** The texts of inputs, by name. */
export type Values = ReadonlyMap<string, string>;

/** One of several sites in a file. */
interface Site {
  /** The keys below this site only, without those at the top of the file. */
  readonly values: Values;
  /** Patterns of the files that the site is made of; an empty list: each file counts. */
  readonly paths: readonly string[];
}

export interface Config {
  /** The keys at the top: those of every site. */
  readonly values: Values;
  readonly sites: ReadonlyMap<string, Site>;
  /** The line of a key: below the site if the site has the key, else at the top. */
  readonly place: (site: string, key: string) => Place;
}

/** The values for a site: its own keys replace the same keys at the top. */
export function valuesOf(config: { readonly values: Values }, site: Site | undefined): Values {
  return new Map([...config.values, ...(site?.values ?? [])]);
}

const SITE_NAME = /^[a-z0-9][a-z0-9_.-]{0,62}$/i;

const MAX_FINDINGS = 20;

/**
 * Reads `docs-courier.yml`. Throws one `config` error with every finding, a line each; it repeats
 * no value of the file.
 */
export async function parseConfig(text: string, name: string): Promise<Config> {
  // Numbers and booleans stay as they are written, since inputs are texts.
  const document = await parseYaml(text, { asWritten: true });
  const reading = new Reading();
  const isYaml = document.findings.length === 0;
  // undefined only if there are findings.
  const config = isYaml ? reading.root(document.value) : undefined;
  const findings = [...document.findings, ...reading.findings];
  if (findings.length === 0 && config !== undefined) {
    const place = (site: string, key: string) => {
      const isOfSite = config.sites.get(site)?.values.has(key) === true;
      const { line } = document.place(isOfSite ? ['sites', site, key] : [key]);
      return { file: `${name}:${line}` };
    };
    return { ...config, place };
  }
  const lines = findings.slice(0, MAX_FINDINGS).map((finding) => {
    // The parser of YAML has given the line itself.
    const { line, column } = 'path' in finding ? document.place(finding.path) : finding;
    return `- ${name}:${line}:${column}: ${finding.problem}`;
  });
  if (findings.length > MAX_FINDINGS) lines.push(`- and ${findings.length - MAX_FINDINGS} more`);
  throw configError(
    [`${name} cannot be used:`, ...lines].join('\n'),
    'Correct the file. Nothing was sent.',
  );
}

type Path = readonly string[];
/**
 * The keys of a mapping. A map, since a file may have keys that every object has, such as
 * `constructor`.
 */
type Fields = ReadonlyMap<string, unknown>;

/**
 * Why a key is refused, and what to do. `levelKey`: the key that is not an input and that only this
 * level of the file has: `sites` at the top, `paths` in a site.
 */
function whyRefused(key: string, levelKey: string): string {
  if (isSecretInput(key)) {
    return `${key} is a secret and must not be in a file: remove it, replace the key that was written here, and give the new one as a variable`;
  }
  if (STARTED_WITH.includes(key))
    return `${key} is given where the program is started, not in the file: remove it`;
  const isInput = INPUT_NAMES.some((name) => name === key);
  if (isInput || key === 'to-command') return neverInAFile(key);
  return unknownKey(key, levelKey);
}

function neverInAFile(key: string): string {
  const step = key === 'to-command' ? '' : `, or the input ${key} of a step`;
  return `${key} must not be in this file, which a pull request can change: remove the line, and write --${key} VALUE, the variable ${variableName(key)}=VALUE${step}`;
}

/**
 * True for an address with an option after `?` or with a host: the file must not decide which
 * server gets the link and the token.
 */
function namesServer(address: string): boolean {
  // After `file://`, a third slash begins a path on this machine.
  return /\?/.test(address) || /^\s*[a-z0-9-]+:\/\/[^/]/i.test(address);
}

function unknownKey(key: string, levelKey: string): string {
  // Secrets are in the list so that a misspelt one is not taken for another input. They are not
  // proposed, since none may be in a file.
  const meant = guess(key, [...VALUE_KEYS, levelKey, ...SECRET_INPUTS]);
  // The file may be that of another program, with any text as a key: such a key is not shown.
  const isPlain = /^(?=.{1,40}$)[a-z]+(-[a-z]+)*$/i.test(key);
  const shown = isPlain ? `unknown key ${key}` : 'unknown key';
  if (meant === undefined || isSecretInput(meant)) return shown;
  return `${shown}; did you mean ${meant}?`;
}

/** Reads the parsed YAML of a file. It never throws: what is wrong is in `findings`. */
class Reading {
  readonly findings: { readonly path: Path; readonly problem: string }[] = [];

  root(value: unknown): Omit<Config, 'place'> {
    if (value === null || value === undefined)
      this.#report([], 'the file is empty: write each key as KEY: VALUE');
    const fields = this.#mapping([], value);
    // `$schema` is for editors.
    const values = this.#values([], without(fields, ['$schema', 'sites']));
    const sites = new Map<string, Site>();
    const entries = this.#mapping(['sites'], fields.get('sites'));
    if (fields.has('sites') && entries.size === 0)
      this.#report(['sites'], 'it has no site: write `sites: { NAME: { KEY: VALUE } }`');
    for (const [name, site] of entries) sites.set(name, this.#site(['sites', name], name, site));
    return { values, sites };
  }

  #site(path: Path, name: string, value: unknown): Site {
    if (!SITE_NAME.test(name)) {
      this.#report(
        path,
        'the name of a site is 1 to 63 letters, digits, dots, hyphens and underscores',
      );
    }
    const fields = this.#mapping(path, value);
    const paths = this.#texts([...path, 'paths'], fields.get('paths'));
    return { values: this.#values(path, without(fields, ['paths'])), paths };
  }

  #values(path: Path, fields: Fields): Values {
    const values = new Map<string, string>();
    for (const [key, item] of fields) {
      if (VALUE_KEYS.includes(key)) {
        values.set(key, this.#texts([...path, key], item).join('\n'));
        continue;
      }
      // Further findings are counted only: looking for the nearest key would take time.
      const isShown = this.findings.length < MAX_FINDINGS;
      const levelKey = path.length > 0 ? 'paths' : 'sites';
      this.#report([...path, key], isShown ? whyRefused(key, levelKey) : 'unknown key');
    }
    for (const key of ['to', 'state']) this.#refuseServers(path, key, values.get(key) ?? '');
    return values;
  }

  #refuseServers(path: Path, key: string, addresses: string): void {
    const refused = addresses.split('\n').filter(namesServer);
    if (refused.length === 0) return;
    const shown = refused.map((line) => {
      const address = line.replace(/\?.*/s, '');
      return looksSecret(address) ? 'one of its lines' : plainLine(address, 100);
    });
    this.#report(
      [...path, key],
      `${key} names a server or an option after "?", and a pull request can change this file: ${shown.join(', ')}; write this address as --${key} ADDRESS or as the variable ${variableName(key)}=ADDRESS`,
    );
  }

  /**
   * The texts of a value: a text or a list of texts. The parser gives numbers and booleans as text.
   */
  #texts(path: Path, value: unknown): string[] {
    // The key has no value, as in `KEY:`.
    if (value === undefined || value === null) return [];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const texts = items.filter((item) => typeof item === 'string');
    if (texts.length < items.length) this.#report(path, 'this must be a text or a list of texts');
    if (texts.some(isKeyShaped)) {
      this.#report(
        path,
        'this looks like a key: remove it, and replace the key that was written here',
      );
    }
    return texts;
  }

  #mapping(path: Path, value: unknown): Fields {
    // The key is not in the file, or has no value.
    if (value === undefined || value === null) return new Map();
    if (typeof value === 'object' && !Array.isArray(value)) return new Map(Object.entries(value));
    this.#report(path, 'this must be a mapping, with each key as KEY: VALUE');
    return new Map();
  }

  #report(path: Path, problem: string): void {
    this.findings.push({ path, problem });
  }
}

function without(fields: Fields, names: readonly string[]): Fields {
  return new Map([...fields].filter(([name]) => !names.includes(name)));
}
