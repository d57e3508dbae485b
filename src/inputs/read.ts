import { isAbsolute } from 'node:path';
import { secretReference } from '../ground/text/credentials.ts';
import { INPUTS, type InputName } from '../values/catalog.ts';
import {
  INPUT_NAMES,
  type InputContext,
  InputReader,
  type InputSource,
  rawInput,
} from '../values/reader.ts';
import * as values from '../values/values.ts';
import {
  type Inputs,
  MODES,
  type Mode,
  type PlanInputs,
  type WorkInputs,
  type WorkMode,
} from './inputs.ts';
import { headerSecrets } from './read-after.ts';
import { readAgent } from './read-agent.ts';
import { type CommonInputs, readCommon } from './read-common.ts';
import { readDoctor } from './read-doctor.ts';
import { readExport, readRefresh, readRollback } from './read-publish.ts';
import { readSearch } from './read-search.ts';
import { readUpdate } from './read-update.ts';

/**
 * The texts to mask for an input that contains a secret: the whole value, and parts that are secret
 * too. Empty if the value is only the name of a secret, or the path of a kubeconfig.
 */
export function secretsOf(name: InputName, raw: string): readonly string[] {
  if (secretReference(raw) !== undefined) return [];
  // A path is not a secret, and messages name it.
  if (name === 'kubeconfig' && isAbsolute(raw.trim())) return [];
  if (name === 'live-headers') return [raw, ...headerSecrets(raw)];
  return [raw];
}

/**
 * The mode, read before all other inputs: it decides how an error in these is shown. undefined: it
 * is missing or wrong.
 */
export function readMode(source: InputSource): Mode | undefined {
  return MODES.find((mode) => mode === rawInput(source, 'mode'));
}

/**
 * The inputs of the run. Throws one `config` error with everything that is wrong; in mode `doctor`,
 * what is wrong is in the result. `emptyCauses`: why an input that comes from a secret or a
 * variable may be empty in this run.
 */
export function readInputs(
  source: InputSource,
  context: InputContext,
  emptyCauses?: () => readonly string[],
): Inputs {
  const reader = new InputReader(source, emptyCauses);
  const mode = reader.required('mode', values.oneOf(MODES), `; it must be ${MODES.join(', ')}`);
  const readAs = (workMode: WorkMode, modeReader: InputReader) =>
    READERS[workMode](modeReader, context, readCommon(modeReader));
  if (mode === 'doctor') return readDoctor(source, readAs, emptyCauses);
  reader.refuseUnknown();
  if (mode === undefined) {
    // So that the error names what is wrong with the inputs of all modes too.
    readCommon(reader);
    throw reader.failure();
  }
  refuseOtherModes(reader, mode);
  const inputs = mode === 'plan' ? readPlan(reader) : readAs(mode, reader);
  if (inputs === undefined || reader.failed) throw reader.failure();
  return inputs;
}

type ReadWork = (
  reader: InputReader,
  context: InputContext,
  common: CommonInputs,
) => WorkInputs | undefined;

const READERS: Readonly<Record<WorkMode, ReadWork>> = {
  export: readExport,
  refresh: readRefresh,
  rollback: readRollback,
  publish: readUpdate,
  agent: readAgent,
  search: readSearch,
};

/**
 * Each given input of other modes is a problem. Not `github-token`: it has a value in each step,
 * since its default is the token of the job.
 */
function refuseOtherModes(reader: InputReader, mode: Mode): void {
  for (const name of INPUT_NAMES) {
    const modes: readonly string[] = INPUTS[name].modes;
    if (name === 'github-token' || modes.includes(mode) || !reader.isGiven(name)) continue;
    reader.problem(name, `${name} belongs to mode ${modes.join(', ')}, not to ${mode}; remove it`);
  }
}

function readPlan(reader: InputReader): PlanInputs | undefined {
  const configFile = reader.required(
    'config-file',
    values.line,
    ': it names the file with the sites',
  );
  const changedSince = reader.text('changed-since') || undefined;
  if (configFile === undefined) return undefined;
  return { mode: 'plan', baseUrl: undefined, configFile, changedSince };
}
