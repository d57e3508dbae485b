import { readConfinedFile, replaceConfinedFile, shownPath } from '../confined-files.ts';
import { type CourierError, toCourierError } from '../errors.ts';
import type { SearchInputs } from '../inputs/inputs.ts';
import type { Context } from '../run/context.ts';
import { type EarlierOutcome, formatBaseline, MAX_BASELINE_BYTES, parseBaseline } from './baseline.ts';
import type { QueryOutcome } from './verdict.ts';

type Around = Pick<Context, 'run' | 'log'>;

/** The earlier run that this one is compared with; undefined where there is none. */
export async function readBaseline(
  inputs: SearchInputs,
  { run, log }: Around,
): Promise<readonly EarlierOutcome[] | undefined> {
  if (inputs.baselineFile === undefined) return undefined;
  const text = await readConfinedFile(fileOf(inputs.baselineFile, run));
  const name = shownPath(inputs.baselineFile, run.workspace);
  if (text !== undefined) return parseBaseline(text, name);
  // The first run of a workflow has no earlier one.
  const verdict = inputs.failOn === 'worse' ? ' Every query that misses fails this run.' : '';
  log.warning(`baseline-file: ${name} does not exist, so nothing is compared.${verdict}`);
  return undefined;
}

/**
 * Writes what this run found as the next baseline, where the inputs ask for it. `verdict`: what the run ends with; a file that
 * cannot be written does not hide it. Throws `io`.
 */
export async function updateBaseline(
  inputs: SearchInputs,
  around: Around,
  { outcomes, verdict }: { readonly outcomes: readonly QueryOutcome[]; readonly verdict: CourierError | undefined },
): Promise<void> {
  const { baselineFile } = inputs;
  if (baselineFile === undefined || !isDue(inputs, around)) return;
  const { run, log } = around;
  const name = shownPath(baselineFile, run.workspace);
  if (inputs.dryRun) return log.info(`A run without dry-run would make this the next baseline: ${name}`);
  if (outcomes.some(({ verdict }) => verdict === 'error')) {
    log.warning(`baseline-file: ${name} stays as it is, because some queries could not be run.`);
    return;
  }
  try {
    await replaceConfinedFile(fileOf(baselineFile, run), formatBaseline(outcomes));
    log.info(`This run is the next baseline: ${name}`);
  } catch (error) {
    if (verdict === undefined) throw error;
    log.warning(toCourierError(error).message);
  }
}

function isDue({ baselineUpdate }: SearchInputs, { run, log }: Around): boolean {
  if (baselineUpdate !== 'default-branch') return baselineUpdate === 'always';
  const { isDefaultBranch, changeRequestVariable, cause } = run;
  const isChange = cause === 'change-request' || cause === 'comment' || changeRequestVariable !== undefined;
  if (isDefaultBranch === undefined && !isChange) {
    log.warning(
      'baseline-update: default-branch does nothing here, because this CI system does not say whether the run is for the default branch. Set baseline-update: always in the job for that branch.',
    );
  }
  return isDefaultBranch === true && !isChange;
}

function fileOf(path: string, { workspace, temp }: Around['run']) {
  const folders = [
    { name: 'workspace', path: workspace },
    { name: 'RUNNER_TEMP', path: temp },
  ];
  return { path, input: 'baseline-file', folders, maxBytes: MAX_BASELINE_BYTES };
}
