import { resolve } from 'node:path';
import type { CiRun } from '../ci/port.ts';
import { readConfinedFile, shownPath, userFolders } from '../ground/confined-files.ts';
import { configError, type Place } from '../ground/errors.ts';
import type { Log } from '../ground/log.ts';
import { isKeyShaped, looksSecret, shownName } from '../ground/text/credentials.ts';
import { plainLine } from '../ground/text/escape.ts';
import { didYouMean } from '../ground/text/names.ts';
import { whyNoPath } from '../ground/text/paths.ts';
import { destinationKeys } from '../inputs/read-destinations.ts';
import { INPUTS } from '../values/catalog.ts';
import { INPUT_NAMES, type InputSource } from '../values/reader.ts';
import { type Config, isReadInCi, parseConfig, type Values, valuesOf } from './parse.ts';

const MAX_BYTES = 256 * 1024;
/** How many sites, or pairs of sites, a message names. */
const MAX_NAMED = 20;

/**
 * Reads the configuration file at a path, which must be in the workspace in a CI system. Throws
 * `config`, also if two of its sites have the same destination.
 */
export async function readConfig(path: string, run: CiRun): Promise<Config> {
  // A key that was given as the wrong input would be shown as the path of a missing file.
  const mustBe = isKeyShaped(path) ? 'the path of a file' : whyNoPath(path);
  if (mustBe !== undefined) {
    throw configError(`config-file must be ${mustBe}. Nothing was sent.`, undefined, {
      inputs: ['config-file'],
    });
  }
  const absolutePath = resolve(run.workspace, path);
  const file = {
    path: absolutePath,
    input: 'config-file',
    folders: userFolders(absolutePath, run),
    maxBytes: MAX_BYTES,
  };
  const text = await readConfinedFile(file);
  const shown = shownPath(absolutePath, run.workspace);
  if (text === undefined) {
    throw configError(
      `config-file: ${shownName(shown)} does not exist.`,
      'Check the path. In a workflow, an earlier step must check out the repository.',
      { inputs: ['config-file'] },
    );
  }
  const config = await parseConfig(text, shown);
  const sites = [...config.sites].map(([name, site]) => {
    const values = valuesOf(config, site);
    return { name, value: (key: string) => values.get(key) ?? '' };
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
 * Throws `config` if two sites have the same destination. They would overwrite each other, also in
 * a run that names only one of them.
 */
function refuseShared(sites: readonly NamedSite[], run: CiRun): void {
  // Repository and workspace, which complete the addresses of destinations, are in `github`.
  const context = { ...run.github, run };
  const siteByDestination = new Map<string, string>();
  const problems: string[] = [];
  for (const { name, value } of sites) {
    // Each destination as one text, the same for two spellings of its address.
    for (const destination of destinationKeys(value, context)) {
      const firstSite = siteByDestination.get(destination);
      if (firstSite === undefined) siteByDestination.set(destination, name);
      else problems.push(`- ${firstSite} and ${name} have the same destination: ${destination}`);
    }
  }
  if (problems.length === 0) return;
  const lines = [
    'Two sites of the configuration file would overwrite each other:',
    ...problems.slice(0, MAX_NAMED),
  ];
  throw configError(
    lines.join('\n'),
    'Nothing was sent. Give each site its own destination, under sites in the configuration file.',
  );
}

/**
 * The values of the file for the site `name`; empty: for a file without sites. Throws `config` if
 * the file has no such site, or if it has sites and `name` is empty.
 */
export function valuesOfSite(config: Config, name: string): Values {
  const names = [...config.sites.keys()];
  const site = config.sites.get(name);
  const needsNoSite = name === '' && names.length === 0;
  if (site !== undefined || needsNoSite) return valuesOf(config, site);
  if (name === '') {
    throw configError(
      `The configuration file has sites, and site is missing: ${names.slice(0, MAX_NAMED).join(', ')}. Nothing was sent.`,
      { text: 'Name one of them:', inputs: { site: '' } },
    );
  }
  const shown = looksSecret(name) ? 'of this name' : plainLine(name, 80);
  const question = didYouMean(name, names) || '.';
  throw configError(`The configuration file has no site ${shown}${question} Nothing was sent.`);
}

/**
 * The only keys that agent mode reads in a run that a pull request or a comment on one started: the
 * file must not decide which comments are commands, who gets them, and what they say.
 */
const READ_IN_PULL_REQUESTS: readonly string[] = ['timeout', 'on-timeout'];

/**
 * The values of the file that a run takes; in a CI system, without those that a change request must
 * not decide, which a notice names. `source`: the inputs of the step itself.
 */
export function trustedValues(
  values: Values,
  step: { readonly source: InputSource; readonly run: CiRun; readonly log: Log },
): Values {
  const { source, run } = step;
  if (run.kind === 'local') return values;
  const isPullRequest = ['change-request', 'comment', 'merge'].includes(run.cause);
  const isAgent = isPullRequest && source.value('mode').trim() === 'agent';
  const isRefused = (key: string) => {
    if (!isReadInCi(key)) return true;
    return isAgent && isInputOf('agent', key) && !READ_IN_PULL_REQUESTS.includes(key);
  };
  const refused = [...values.keys()].filter(isRefused);
  if (refused.length > 0) {
    step.log.notice(
      `Not read from the configuration file in a CI system, since a change request can change it: ${refused.join(', ')}. Give it as an input or a variable.`,
    );
  }
  return new Map([...values].filter((entry) => !refused.includes(entry[0])));
}

function isInputOf(mode: string, key: string): boolean {
  return INPUT_NAMES.some(
    (name) => name === key && INPUTS[name].modes.some((taker) => taker === mode),
  );
}

/**
 * The source, completed by the values of the file: an input that was given to the step comes first.
 * Keys of other modes are not read. `place`: the line of a key in the file.
 */
export function withValues(
  source: InputSource,
  values: Values,
  place: (key: string) => Place | undefined = () => undefined,
): InputSource {
  const mode = source.value('mode').trim();
  /** The value of the file, if it counts; undefined: the source has the value, or neither has. */
  const fromFile = (name: string) => {
    const given = source.value(name).trim();
    const input = INPUT_NAMES.find((inputName) => inputName === name);
    // An option of the command line, such as `state`: it has no default and belongs to no mode.
    if (input === undefined) return given === '' ? values.get(name) : undefined;
    // A runner fills in the default of an input that was not given.
    const isDefault = source.fillsDefaults === true && given === INPUTS[input].default;
    if (given !== '' && !isDefault) return undefined;
    // `doctor` tries what the other modes would do, with their inputs.
    return mode === 'doctor' || isInputOf(mode, name) ? values.get(name) : undefined;
  };
  return {
    ...source,
    value: (name) => fromFile(name) ?? source.value(name),
    place: (name) => (fromFile(name) === undefined ? source.place?.(name) : place(name)),
  };
}
