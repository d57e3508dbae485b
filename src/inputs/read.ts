import { INPUTS, type InputName } from '../values/catalog.ts';
import {
  COPIED_INPUTS,
  type CommonInputs,
  INPUT_NAMES,
  InputReader,
  type InputSource,
  type ReadDestination,
  rawInput,
  readCommon,
} from '../values/reader.ts';
import * as values from '../values/values.ts';
import { type Inputs, MODES, type Mode, type PlanInputs, type WorkInputs, type WorkMode } from './inputs.ts';
import { headerSecrets } from './read-after.ts';
import { readAgent } from './read-agent.ts';
import { readDoctor } from './read-doctor.ts';
import { readExport, readRefresh, readRollback } from './read-publish.ts';
import { readSearch } from './read-search.ts';
import { readUpdate } from './read-update.ts';

/** Everything that must not be shown of an input that holds a secret: the whole, and parts that are secrets too. */
export function secretsOf(name: InputName, raw: string): readonly string[] {
  return name === 'live-headers' ? [raw, ...headerSecrets(raw)] : [raw];
}

/** The mode alone, where it is readable: it decides how a failure of the rest is presented. */
export function readMode(source: InputSource): Mode | undefined {
  return MODES.find((mode) => mode === rawInput(source, 'mode'));
}

/**
 * The inputs, or one `config` error that names everything that is wrong. Sends and opens nothing. `emptyCauses` says why an
 * input that comes from a secret or a variable may be empty in this run.
 */
export function readInputs(
  source: InputSource,
  destination: ReadDestination,
  emptyCauses: readonly string[] = [],
): Inputs {
  const reader = new InputReader(source, emptyCauses);
  const mode = reader.required('mode', values.oneOf(MODES), `; it must be ${MODES.join(', ')}`);
  const readAs = (work: WorkMode, own: InputReader) => READERS[work](own, destination, readCommon(own));
  if (mode === 'doctor') return readDoctor({ source, emptyCauses }, readAs);
  reader.refuseUnknown();
  if (mode === undefined) {
    readCommon(reader);
    throw reader.failure();
  }
  refuseOtherModes(reader, mode);
  const inputs = mode === 'plan' ? readPlan(reader) : readAs(mode, reader);
  if (inputs === undefined || reader.failed) throw reader.failure();
  return inputs;
}

type ReadWork = (reader: InputReader, destination: ReadDestination, common: CommonInputs) => WorkInputs | undefined;

const READERS: Readonly<Record<WorkMode, ReadWork>> = {
  export: readExport,
  refresh: readRefresh,
  rollback: readRollback,
  publish: readUpdate,
  agent: readAgent,
  search: readSearch,
};

function isForeign(reader: InputReader, name: InputName, mode: Mode): boolean {
  const modes: readonly string[] = INPUTS[name].modes;
  return name !== 'github-token' && !modes.includes(mode) && reader.isGiven(name);
}

function refuseOtherModes(reader: InputReader, mode: Mode): void {
  for (const name of INPUT_NAMES.filter((one) => isForeign(reader, one, mode) && !COPIED_INPUTS.includes(one))) {
    reader.problem(
      name,
      name === 'image' && mode === 'refresh'
        ? 'image: a refresh needs no image, since an image does not expire; remove it'
        : `${name} belongs to mode ${INPUTS[name].modes.join(', ')}, not to ${mode}; remove it`,
    );
  }
}

interface Combination {
  readonly modes: readonly Mode[];
  readonly names: readonly InputName[];
  /** True if this run reads them. */
  readonly isRead: (reader: InputReader) => boolean;
  /** Completes "NAME does nothing in this run: …". */
  readonly advice: string;
}

/** What reads the bundle, or asks other hosts than the platform. */
const FETCHES: readonly InputName[] = [
  'bundle-path',
  'extract-to',
  'image',
  'live-url',
  'compare-with',
  'max-page-drop',
  'required-pages',
  'forbid-lost-addresses',
  'max-size',
];

/** Inputs that are right, and do nothing together with the others. What is wrong in each run is an error of its reader. */
const COMBINATIONS: readonly Combination[] = [
  {
    modes: ['export'],
    names: ['project-id'],
    isRead: (reader) => !reader.isGiven('domain') || reader.text('publish').toLowerCase() === 'true',
    advice: 'with domain the export is made by domain; remove one of the two, or write publish: true',
  },
  {
    modes: ['export'],
    names: [
      'bundle-path',
      'extract-to',
      'rollout',
      'live-url',
      'compare-with',
      'required-pages',
      'max-size',
      'comment',
    ],
    isRead: (reader) => reader.isGiven('export-job-id') || !isZero(reader.text('timeout')),
    advice: 'with timeout: 0s the run ends once the export is started; move it to the run with export-job-id',
  },
  {
    modes: ['export', 'refresh', 'rollback'],
    names: ['allow-private-hosts'],
    isRead: (reader) => FETCHES.some((name) => reader.isGiven(name)),
    advice: `it is read when a bundle or a site is downloaded, and none of ${FETCHES.join(', ')} is given; remove it`,
  },
  {
    modes: ['refresh'],
    names: ['refresh-before', 'if-no-state'],
    isRead: (reader) => !reader.isGiven('export-job-id'),
    advice: 'the link of the job that export-job-id names is renewed at once; remove it, or export-job-id',
  },
  {
    modes: ['agent'],
    names: ['create-agent-job'],
    isRead: (reader) => !reader.isGiven('agent-job-id'),
    advice: 'the message goes to the job that agent-job-id names; remove one of the two',
  },
  {
    modes: ['search'],
    names: ['domain', 'assistant-api-key'],
    isRead: (reader) => !reader.isGiven('search-site') || reader.isGiven('comment'),
    advice: 'with search-site a folder is searched, without the platform; remove it',
  },
];

function isZero(duration: string): boolean {
  return values.fits(values.duration, duration) && values.duration(duration) === 0;
}

/** What a notice says about each input that is given and does nothing in this run. */
export function idleNotices(source: InputSource, mode: Mode): readonly string[] {
  const reader = new InputReader(source, []);
  const isGiven = (name: InputName) => reader.isGiven(name) && source.isAmbient?.(name) !== true;
  return COMBINATIONS.filter(({ modes, isRead }) => modes.includes(mode) && !isRead(reader)).flatMap(
    ({ names, advice }) => names.filter(isGiven).map((name) => `${name} does nothing in this run: ${advice}.`),
  );
}

/** What a notice says about inputs that the mode does not read, and that change nothing; undefined: there are none. */
export function unreadNotice(source: InputSource, mode: Mode, name: string = mode): string | undefined {
  const reader = new InputReader(source, []);
  const names = mode === 'doctor' ? [] : COPIED_INPUTS.filter((name) => isForeign(reader, name, mode));
  return names.length === 0
    ? undefined
    : `Not read in mode ${name}: ${names.join(', ')}. Remove ${names.length === 1 ? 'it' : 'them'}.`;
}

function readPlan(reader: InputReader): PlanInputs | undefined {
  const configFile = reader.required('config-file', values.line, ': it names the file with the sites');
  const changedSince = reader.text('changed-since') || undefined;
  return configFile === undefined ? undefined : { mode: 'plan', baseUrl: undefined, configFile, changedSince };
}
