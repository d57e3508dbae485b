import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GitHubEmulator, startGitHubEmulator } from '../../../src/emulator/github/emulator.ts';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../src/emulator/platform/emulator.ts';
import { CourierError } from '../../../src/errors.ts';
import { createGitHub, type RunContext } from '../../../src/github/connection.ts';
import { EXCHANGE_LIMITS, type ExchangeLimits } from '../../../src/http/exchange.ts';
import { Http } from '../../../src/http/http.ts';
import type { ExportInputs } from '../../../src/inputs/inputs.ts';
import { runExport } from '../../../src/modes/export/export.ts';
import type { ExportFacts } from '../../../src/modes/export/summary.ts';
import { createPlatformClient } from '../../../src/platform/client.ts';
import { createTransport } from '../../../src/platform/transport.ts';
import type { RunFacts } from '../../../src/report/report.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';
import { ADMIN_KEY, makeExportInputs, SECRET_TOKEN } from '../../support/make-inputs.ts';
import { makeRun, makeRunContext } from '../../support/make-run.ts';
import { type RecordingLog, recordingLog } from '../../support/recording-log.ts';

export const DOMAIN = 'acme.example.com';
export const NAME = 'DOCS_BUNDLE_URL';
export const STATE = `${NAME}_STATE`;
export const REPOSITORY = { scope: 'repository', repository: 'acme/docs' } as const;
export const JOBS = '/v1/static-export/jobs';

/** Which requests of an export a fault is for. */
export const START = { method: 'POST', path: new RegExp(`^${JOBS}$`) };
export const POLL = { method: 'GET', path: `${JOBS}/` };
export const BUNDLE = { method: 'POST', path: /\/bundle$/ };

export interface World extends AsyncDisposable {
  readonly platform: Emulator;
  readonly github: GitHubEmulator;
  readonly clock: FakeClock;
  /** Holds `workspace` and `temp`. */
  readonly root: string;
}

/** Platform, GitHub and folders of one run; the platform goes by the run's own clock. */
export async function startWorld(options: Partial<EmulatorOptions> = {}): Promise<World> {
  const clock = fakeClock({ now: Date.now() });
  const platform = await startEmulator({
    sites: { acme: { 'index.md': '# Docs\n\nHello.', 'install.md': '# Install\n\nOne command.' } },
    keys: { admin: ADMIN_KEY, assistant: 'svc_dsc_key0123456789' },
    // The platform's links hold whole milliseconds; the clock's own sleeps may end between two.
    clock: { now: () => Math.floor(clock.now()) },
    ...options,
  });
  const github = await startGitHubEmulator({
    tokens: { [SECRET_TOKEN]: { permissions: { secrets: 'write', actions_variables: 'write' } } },
    repositories: [{ fullName: 'acme/docs', id: 11 }],
  });
  const root = await realpath(await mkdtemp(join(tmpdir(), 'export-')));
  await Promise.all([mkdir(join(root, 'workspace')), mkdir(join(root, 'temp'))]);
  return {
    platform,
    github,
    clock,
    root,
    async [Symbol.asyncDispose]() {
      await Promise.all([platform.close(), github.close(), rm(root, { recursive: true, force: true })]);
    },
  };
}

export interface RunOptions {
  readonly run?: Partial<RunContext> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<ExchangeLimits> | undefined;
  readonly random?: (() => number) | undefined;
  readonly onRecord?: ((facts: Partial<ExportFacts>) => void) | undefined;
}

export interface Outcome {
  /** What the run gave, undefined when it failed. */
  readonly facts: (Partial<ExportFacts> & RunFacts) | undefined;
  readonly error: CourierError | undefined;
  readonly told: Partial<ExportFacts>;
  readonly log: RecordingLog;
}

/** Runs the mode through the real transport. Throws only what is not a CourierError. */
export async function exportSite(
  world: World,
  inputs: Partial<ExportInputs> = {},
  options: RunOptions = {},
): Promise<Outcome> {
  const { clock } = world;
  const log = recordingLog();
  const told: Partial<ExportFacts> = {};
  const signal = options.signal ?? new AbortController().signal;
  const full = makeExportInputs({ baseUrl: world.platform.url, domain: DOMAIN, ...inputs });
  const transport = createTransport({
    baseUrl: full.baseUrl,
    keys: { admin: ADMIN_KEY },
    clock,
    log,
    signal,
    random: options.random ?? Math.random,
    limits: { ...EXCHANGE_LIMITS, ...options.limits },
  });
  const github = createGitHub({ run: runOf(world, options.run), clock, log, signal });
  const record = (facts: Partial<ExportFacts>) => {
    Object.assign(told, facts);
    options.onRecord?.(facts);
  };
  try {
    const run = makeRun(github.run);
    const http = new Http({ clock, log, signal });
    const surroundings = { run, platform: createPlatformClient(transport), github, http, log, clock, signal };
    const ending = await runExport(full, { ...surroundings, record });
    return { facts: { ...told, ...ending }, error: undefined, told, log };
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    return { facts: undefined, error, told, log };
  }
}

function runOf({ github, root }: World, overrides: Partial<RunContext> = {}): RunContext {
  const folders = { workspace: join(root, 'workspace'), runnerTemp: join(root, 'temp') };
  return makeRunContext({ apiUrl: github.url, ...folders, ...overrides });
}

/** Requests to the platform of one kind, in order. */
export function callsOf(world: World, { method, path }: { method: string; path: RegExp | string }) {
  return world.platform.requests.filter(
    (one) => one.method === method && (typeof path === 'string' ? one.path.includes(path) : path.test(one.path)),
  );
}

/** Everything below the folders that a run could have written to, relative. */
export async function filesOf(world: World): Promise<string[]> {
  const entries = await readdir(world.root, { recursive: true });
  return entries.filter((entry) => entry !== 'workspace' && entry !== 'temp').sort();
}

export function bundleInputs(overrides: Partial<ExportInputs['bundle']>): ExportInputs['bundle'] {
  return { bundlePath: undefined, extractTo: undefined, clean: false, verify: 'report', ...overrides };
}
