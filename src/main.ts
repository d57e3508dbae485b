import { explainMissingSecrets } from './ci/github-actions/missing-secrets.ts';
import { createResults, type Results } from './ci/github-actions/results.ts';
import { readRun } from './ci/github-actions/run.ts';
import type { Clock } from './clock.ts';
import { CourierError, unreachable } from './errors.ts';
import { createGitHub, type GitHub } from './github/connection.ts';
import type { Inputs } from './inputs/inputs.ts';
import { readInputs, readMode } from './inputs/read.ts';
import { type Env, rawInput, SECRET_INPUTS, warnOfUnknownInputs } from './inputs/reader.ts';
import type { Log } from './log.ts';
import type { Deps } from './modes/deps.ts';
import { type Finish, finish } from './modes/finish.ts';
import type { Presentation } from './modes/mode.ts';
import { createPlatformClient, type PlatformClient } from './platform/client.ts';
import { createTransport } from './platform/transport.ts';
import type { RunFacts } from './report/report.ts';

export interface MainInit {
  readonly env: Env;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Runs the step: inputs, the mode, outputs, summary. Gives the exit code; throws only what is a fault of this program. */
export async function main(init: MainInit): Promise<number> {
  const { env, log, clock } = init;
  // Before anything else: a key that was written into the workflow itself is not known to the runner as a secret.
  for (const name of SECRET_INPUTS) log.mask(rawInput(env, name));
  const results = createResults(env);
  const start = { startedAt: new Date(clock.now()), startMs: clock.monotonicMs() };
  const end = { ...start, mode: readMode(env) ?? 'unknown', results, log, clock };
  try {
    const run = readRun(env);
    warnOfUnknownInputs(env, log);
    const github = createGitHub({ run, clock, log, signal: init.signal });
    const reason = await explainMissingSecrets({
      github,
      mode: end.mode,
      isGiven: (name) => rawInput(env, name) !== '',
    });
    if (reason !== undefined) return finish({ ...end, facts: { status: 'skipped', reason } });
    const inputs = readInputs(env, run);
    return await runMode({ inputs, github, init, results, end });
  } catch (error) {
    return finish({ ...end, facts: {}, error: toCourierError(error) });
  }
}

type End = Omit<Finish<RunFacts>, 'facts' | 'error' | 'presentation'>;

interface ModeRun {
  readonly inputs: Inputs;
  readonly github: GitHub;
  readonly init: MainInit;
  readonly results: Results;
  readonly end: End;
}

// Each mode is loaded only when it is asked for.
async function runMode(run: ModeRun): Promise<number> {
  const { inputs } = run;
  switch (inputs.mode) {
    case 'export': {
      const [{ runExport }, { exportPresentation }] = await Promise.all([
        import('./modes/export/export.ts'),
        import('./modes/export/summary.ts'),
      ]);
      return execute(run, exportPresentation, (deps) => runExport(inputs, deps));
    }
    case 'refresh': {
      const [{ runRefresh }, { refreshPresentation }] = await Promise.all([
        import('./modes/refresh/refresh.ts'),
        import('./modes/refresh/summary.ts'),
      ]);
      return execute(run, refreshPresentation, (deps) => runRefresh(inputs, deps));
    }
    case 'agent': {
      const [{ runAgent }, { agentPresentation }] = await Promise.all([
        import('./modes/agent/agent.ts'),
        import('./modes/agent/summary.ts'),
      ]);
      return execute(run, agentPresentation, (deps) => runAgent(inputs, deps));
    }
    case 'search': {
      const [{ runSearch }, { searchPresentation }] = await Promise.all([
        import('./modes/search/search.ts'),
        import('./modes/search/summary.ts'),
      ]);
      return execute(run, searchPresentation, (deps) => runSearch(inputs, deps));
    }
    default:
      return unreachable(inputs);
  }
}

/** Runs a mode; what it told before it failed is kept. */
async function execute<Facts extends RunFacts>(
  run: ModeRun,
  presentation: Presentation<Facts>,
  body: (deps: Deps<Facts>) => Promise<Facts>,
): Promise<number> {
  const { init, github, results } = run;
  let known: Partial<Facts> = {};
  let announced: string | undefined;
  const tell = (facts: Partial<Facts>) => {
    known = { ...known, ...facts };
    const jobId = presentation.outputs(known)['job-id'];
    if (jobId !== undefined && jobId !== announced) results.writeOutputs({ 'job-id': jobId });
    announced = jobId;
  };
  const platform = createPlatform(run);
  try {
    const facts = await body({ platform, github, log: init.log, clock: init.clock, signal: init.signal, tell });
    return finish({ ...run.end, presentation, facts: { ...known, ...facts } });
  } catch (error) {
    return finish({ ...run.end, presentation, facts: known, error: toCourierError(error) });
  }
}

function createPlatform({ inputs, init }: ModeRun): PlatformClient {
  const admin = inputs.mode === 'search' ? undefined : inputs.adminApiKey;
  const assistant =
    inputs.mode === 'search'
      ? inputs.assistantApiKey
      : inputs.mode === 'agent'
        ? inputs.relatedDocs?.assistantApiKey
        : undefined;
  const { clock, log, signal } = init;
  return createPlatformClient(
    createTransport({ baseUrl: inputs.baseUrl, keys: { admin, assistant }, clock, log, signal }),
  );
}

// What is not a CourierError is a fault of this program: it goes up to the one handler of those.
function toCourierError(error: unknown): CourierError {
  if (error instanceof CourierError) return error;
  throw error;
}
