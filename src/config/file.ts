import { resolve } from 'node:path';
import type { CiRun } from '../ci/port.ts';
import { readConfinedFile, shownPath, userFolders } from '../confined-files.ts';
import { CourierError, type Place } from '../errors.ts';
import { destinationKeys } from '../inputs/read-destinations.ts';
import type { Log } from '../log.ts';
import { isKeyShaped, looksSecret, shownName } from '../text/credentials.ts';
import { plainLine } from '../text/escape.ts';
import { didYouMean } from '../text/names.ts';
import { whyNoPath } from '../text/paths.ts';
import { INPUTS } from '../values/catalog.ts';
import { INPUT_NAMES, type InputSource } from '../values/reader.ts';
import { type Config, parseConfig, type Values, valuesOf } from './parse.ts';

const MAX_BYTES = 256 * 1024;

/**
 * The configuration at a path. In a CI system it must be in the workspace. Throws `config`, also if
 * two of its sites have one destination.
 */
export async function readConfig(path: string, run: CiRun): Promise<Config> {
  const no = isKeyShaped(path) ? 'the path of a file' : whyNoPath(path);
  if (no !== undefined) {
    throw new CourierError({
      code: 'config',
      inputs: ['config-file'],
      message: `config-file must be ${no}. Nothing was sent.`,
    });
  }
  const whole = resolve(run.workspace, path);
  const file = {
    path: whole,
    input: 'config-file',
    folders: userFolders(whole, run),
    maxBytes: MAX_BYTES,
  };
  const text = await readConfinedFile(file);
  const name = shownPath(whole, run.workspace);
  if (text === undefined) {
    throw new CourierError({
      code: 'config',
      inputs: ['config-file'],
      message: `config-file: ${shownName(name)} does not exist.`,
      hint: 'Check the path, and that an earlier step checks out the repository.',
    });
  }
  const config = await parseConfig(text, name);
  const sites = [...config.sites].map(([site, own]) => {
    const values = valuesOf(config, own);
    return { name: site, value: (key: string) => values.get(key) ?? '' };
  });
  refuseShared(sites, run);
  return config;
}

interface NamedSite {
  readonly name: string;
  /** The text of an input by its name, `''` if it has none. */
  readonly value: (key: string) => string;
}

/**
 * Two sites with one destination would overwrite each other: the command for one of them does so
 * too. Throws `config`.
 */
export function refuseShared(sites: readonly NamedSite[], run: CiRun): void {
  const owners = new Map<string, string>();
  const problems = new Set<string>();
  for (const { name, value } of sites) {
    for (const key of destinationKeys(value, { ...run.github, run })) {
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, name);
      else problems.add(`- ${owner} and ${name} have the same destination: ${key}`);
    }
  }
  if (problems.size === 0) return;
  const lines = [
    'Two sites of the configuration file would overwrite each other:',
    ...[...problems].slice(0, 20),
  ];
  throw new CourierError({
    code: 'config',
    message: lines.join('\n'),
    hint: 'Nothing was sent. Give each site its own destination, under sites in the configuration file.',
  });
}

/**
 * What the file says for a run of one site. Throws `config` if the site is not in it, or if none of
 * several is named.
 */
export function valuesOfSite(config: Config, name: string): Values {
  const names = [...config.sites.keys()];
  const site = config.sites.get(name);
  if (site !== undefined || (name === '' && names.length === 0)) return valuesOf(config, site);
  if (name === '') {
    throw new CourierError({
      code: 'config',
      message: `The configuration file has sites, and site is missing: ${names.slice(0, 20).join(', ')}. Nothing was sent.`,
      hint: { text: 'Name one of them:', inputs: { site: '' } },
    });
  }
  const shown = looksSecret(name) ? 'of this name' : plainLine(name, 80);
  const question = didYouMean(name, names) || '.';
  throw new CourierError({
    code: 'config',
    message: `The configuration file has no site ${shown}${question} Nothing was sent.`,
  });
}

/**
 * A change request can change the file. In a CI system it therefore never says who may do what,
 * what the agent is instructed to do, where something is published, and which earlier export is
 * restored. Where credentials are sent is never read from it.
 */
const NEVER_IN_CI: readonly string[] = [
  'id-token-audience',
  'state',
  'required-permission',
  'agent-repositories',
  'prompt',
  'prompt-file',
  'pull-request',
  'agent-job-id',
  'create-agent-job',
  'export-job-id',
  'force',
  'comment',
  'image',
  'branch',
  'publish',
  'publisher',
  'take-over',
];

/**
 * All that the file decides in agent mode, in a run that a pull request or a comment on one
 * started: not what is a command, to whom it goes, and what is in it.
 */
const READ_IN_PULL_REQUESTS: readonly string[] = ['timeout', 'on-timeout'];

/**
 * What a run takes of these values; in a CI system, without what a change request must not decide.
 * `source`: what the step itself gives.
 */
export function trustedValues(
  values: Values,
  reader: { readonly source: InputSource; readonly run: CiRun; readonly log: Log },
): Values {
  const { source, run } = reader;
  if (run.kind === 'local') return values;
  const isPullRequest = ['change-request', 'comment', 'merge'].includes(run.cause);
  const isAgent = isPullRequest && source.value('mode').trim() === 'agent';
  const isRefused = (key: string) => {
    if (/^(allowed|allow|vault|aws)-/.test(key) || NEVER_IN_CI.includes(key)) return true;
    return isAgent && isInputOf('agent', key) && !READ_IN_PULL_REQUESTS.includes(key);
  };
  const refused = [...values.keys()].filter(isRefused);
  if (refused.length > 0) {
    reader.log.notice(
      `Not read from the configuration file in a CI system, since a change request can change it: ${refused.join(', ')}. Give it as an input or a variable.`,
    );
  }
  return new Map([...values].filter((entry) => !refused.includes(entry[0])));
}

function isInputOf(mode: string, key: string): boolean {
  return INPUT_NAMES.some((name) => name === key && INPUTS[name].modes.some((one) => one === mode));
}

/**
 * The source, and below it the values of the file: what was given itself comes first. Keys of other
 * modes are not read.
 */
export function withValues(
  source: InputSource,
  values: Values,
  place: (key: string) => Place | undefined = () => undefined,
): InputSource {
  const mode = source.value('mode').trim();
  /** undefined: what was given itself counts. */
  const ofFile = (name: string) => {
    const given = source.value(name).trim();
    const input = INPUT_NAMES.find((one) => one === name);
    if (input === undefined) return given === '' ? values.get(name) : undefined;
    const isDefault = source.fillsDefaults === true && given === INPUTS[input].default;
    if (given !== '' && !isDefault) return undefined;
    return mode === 'doctor' || isInputOf(mode, name) ? values.get(name) : undefined;
  };
  return {
    ...source,
    value: (name) => ofFile(name) ?? source.value(name),
    place: (name) => (ofFile(name) === undefined ? source.place?.(name) : place(name)),
  };
}
