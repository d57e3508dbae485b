import type { CiRun, CiRunner } from '../ci/port.ts';
import { createGitHub } from '../github/connection.ts';
import { CourierError, configError, hasCode, toCourierError } from '../ground/errors.ts';
import type { Work } from '../ground/log.ts';
import { describeRelease, ownPackage } from '../ground/release.ts';
import { Http } from '../http/http.ts';
import { proxyFor } from '../http/proxy.ts';
import type { Inputs, Mode } from '../inputs/inputs.ts';
import { readInputs, readMode, secretsOf } from '../inputs/read.ts';
import { createPlatformClient } from '../platform/client.ts';
import { type InputSource, rawInput, SECRET_INPUTS } from '../values/reader.ts';
import {
  type End,
  type ExitRule,
  finish,
  type InputsOf,
  type ModeEntry,
  type Modes,
} from './finish.ts';

interface MainInit extends Work {
  readonly runner: CiRunner;
  readonly source: InputSource;
  readonly modes: Modes;
  /** How reports and notices name this run, if that is not its mode. */
  readonly name?: string | undefined;
  /** 1 for every failure if it is not given. */
  readonly exitCode?: ExitRule | undefined;
}

/**
 * Runs the step: reads the inputs, runs the mode, and writes outputs and summary. Gives the exit
 * code. Throws if outputs cannot be written at all, and for a fault of this program.
 */
export async function main(init: MainInit): Promise<number> {
  const { runner, source, log, clock } = init;
  // Before anything else: the runner masks only what comes from its secrets, and a key may be
  // written in the workflow itself.
  for (const name of SECRET_INPUTS)
    for (const secret of secretsOf(name, rawInput(source, name))) log.mask(secret);
  const { release } = ownPackage();
  log.info(`Docs Courier ${describeRelease(release)}`);
  const end: End = {
    release,
    startedAt: new Date(clock.now()),
    startMs: clock.monotonicMs(),
    mode: init.name ?? readMode(source) ?? 'unknown',
    results: runner.openResults(),
    log,
    clock,
    runner,
    exitCode: init.exitCode,
  };
  try {
    return await runStep(init, end);
  } catch (error) {
    return finish(end, { facts: { status: 'failed' }, error: toCourierError(error) });
  }
}

/** Reads the inputs and runs the mode, or ends the run as skipped. Gives the exit code. */
async function runStep(init: MainInit, end: End): Promise<number> {
  const { runner, modes, log, clock, signal } = init;
  const readRun = runner.readRun();
  // What a mode works with, also to answer if the inputs cannot be read.
  const connect = (run: CiRun, http: Http) => {
    const github = createGitHub({ run: run.github, signal, http, readEvent: runner.readEvent });
    return { run, github, log, clock, signal };
  };
  let step: Step;
  try {
    step = await readStep(init, readRun);
  } catch (error) {
    // The mode answers people who do not see this log, such as the author of a comment. If the
    // input `mode` itself is wrong, no one is answered.
    const mode = readMode(init.source);
    const answerUnread = mode && (await modes[mode].load()).answerUnread;
    // Without the limit below: the inputs, of which `timeout` is one, are not known.
    const http = new Http({ clock, log, signal });
    await answerUnread?.({ ...connect(readRun, http), error, source: init.source });
    throw error;
  }
  if ('skip' in step) return finish(end, { facts: { status: 'skipped', reason: step.skip } });
  const { run, inputs } = step;
  const entry = entryOf(modes, inputs.mode);
  // How long all calls together may wait because a server asked them to. A mode that follows a job
  // for `timeout` may wait as long again; for any other mode, each call has its own limit.
  const throttledMs =
    'timeoutMs' in inputs ? Math.max(LEAST_THROTTLED_MS, inputs.timeoutMs) : undefined;
  const http = new Http({ clock, log, signal, throttledMs });
  // `plan`, and a `doctor` without an address, make no call to the platform.
  const baseUrl = inputs.baseUrl ?? '';
  const context = {
    ...connect(run, http),
    platform: createPlatformClient({ http, baseUrl, keys: entry.keys(inputs) }),
    http,
    showHint: runner.showHint,
  };
  const mode = await entry.load();
  // These systems show the summary on the page of the run, so it needs no link to that page.
  const runUrl = ['github', 'gitea', 'forgejo'].includes(run.kind) ? undefined : run.url;
  return mode.execute(inputs, context, { ...end, runUrl, cause: run.cause });
}

/** The run with its inputs; `skip`: why the run gets no secrets, and so ends without a failure. */
type Step = { readonly skip: string } | { readonly run: CiRun; readonly inputs: Inputs };

/** Reads the inputs of the step. Throws `config` if they are wrong. */
async function readStep(init: MainInit, readRun: CiRun): Promise<Step> {
  const { runner, modes } = init;
  const mode = readMode(init.source);
  const entry = mode && entryOf(modes, mode);
  // A mode that works for all sites of the file reads it itself.
  const source = entry?.readsAllSites ? init.source : await withConfigFile(init, readRun);
  const run = readRun.kind === 'local' ? await withRepository(readRun, source) : readRun;
  // If the input `mode` is wrong, the key that most modes need is looked for.
  const key = entry === undefined ? 'admin-api-key' : entry.neededKey;
  const isKeyless = entry?.keylessWith !== undefined && rawInput(source, entry.keylessWith) !== '';
  const lacksKey = key !== undefined && !isKeyless && rawInput(source, key) === '';
  // Given if the system hands no secrets to this run, such as one for a fork. Else the key was
  // forgotten, which `readInputs` reports.
  const skip = lacksKey ? runner.explainEmptyInputs().skip : undefined;
  if (skip !== undefined) return { skip };
  // Comments with notices, by which a later run finds its own comment, are written on GitHub only.
  const context = { ...run.github, takesNotices: run.kind === 'github', run } as const;
  let inputs: Inputs;
  try {
    inputs = readInputs(source, context, () => runner.explainEmptyInputs().causes);
  } catch (error) {
    // Inputs that seem to be missing may be written in the wrong place: then that is the error.
    const { misplaced } = runner.explainEmptyInputs();
    if (!hasCode(error, 'config') || misplaced === undefined) throw error;
    throw new CourierError({ code: 'config', ...misplaced });
  }
  // Throws if the address of the proxy is wrong: now, and not at the first request, when the run
  // has already written that an export begins. A doctor shows it as a finding.
  if (inputs.baseUrl && !entryOf(modes, inputs.mode).reportsMistakes)
    proxyFor(new URL(inputs.baseUrl));
  return { run, inputs };
}

// A finished export is worth a minute, however short `timeout` is.
const LEAST_THROTTLED_MS = 60_000;

/**
 * The run on a person's machine, with the repository of the working folder if `to` has an address
 * of GitHub: such an address names no repository if it means that one.
 */
async function withRepository(run: CiRun, source: InputSource): Promise<CiRun> {
  if (!/^[ \t]*github:(secret|env)\//m.test(source.value('to'))) return run;
  const { localRepository } = await import('../ci/system.ts');
  // Empty if the folder has none: then an address that names no repository is an error.
  return { ...run, github: { ...run.github, repository: (await localRepository(run)) ?? '' } };
}

/** The inputs of the step, completed by those of the file that `config-file` names. */
async function withConfigFile(init: MainInit, run: CiRun): Promise<InputSource> {
  const { source, log } = init;
  const path = rawInput(source, 'config-file');
  const site = rawInput(source, 'site');
  if (path === '' && site !== '') {
    // A variable may be set for other steps too, so the message names it.
    const place = source.place?.('site');
    const where = place !== undefined && 'variable' in place ? ` (variable ${place.variable})` : '';
    throw configError(
      `site${where} is read only together with config-file. Nothing was sent.`,
      {
        text: 'Name the file that has the site, or remove site:',
        inputs: { 'config-file': '' },
      },
      { inputs: ['site'] },
    );
  }
  if (path === '') return source;
  const { readConfig, trustedValues, valuesOfSite, withValues } = await import('../config/file.ts');
  const config = await readConfig(path, run);
  // In a CI system, without what a change request must not decide: it can change the file.
  const values = trustedValues(valuesOfSite(config, site), { source, run, log });
  return withValues(source, values, (key) => config.place(site, key));
}

/** The entry of a mode. With this type the compiler matches the entry to the inputs of the mode. */
function entryOf<M extends Mode>(modes: Modes, mode: M): ModeEntry<InputsOf<M>> {
  return modes[mode];
}
