import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeliveredJob, Delivery } from '../../../src/delivery/delivery.ts';
import type { DeliveryFacts } from '../../../src/delivery/summary.ts';
import { type GitHubEmulator, startGitHubEmulator } from '../../../src/emulator/github/emulator.ts';
import { type Emulator, startEmulator } from '../../../src/emulator/platform/emulator.ts';
import { createGitHub, type RunContext } from '../../../src/github/connection.ts';
import { Http } from '../../../src/http/http.ts';
import type { RefreshInputs } from '../../../src/inputs/inputs.ts';
import { type DestinationsInit, openDestinations } from '../../../src/modes/destinations.ts';
import { runRefresh } from '../../../src/modes/refresh/refresh.ts';
import type { RefreshFacts } from '../../../src/modes/refresh/summary.ts';
import { createPlatformClient } from '../../../src/platform/client.ts';
import type { BundleLink } from '../../../src/platform/link.ts';
import { createTransport } from '../../../src/platform/transport.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';
import {
  ADMIN_KEY,
  makeDestination,
  makeRefreshInputs,
  SECRET_TOKEN,
  type TestSecret,
  type TestTarget,
} from '../../support/make-inputs.ts';
import { makeRun, makeRunContext } from '../../support/make-run.ts';
import { type RecordingLog, recordingLog } from '../../support/recording-log.ts';

export const TOKEN = SECRET_TOKEN;
export const NAME = 'DOCS_BUNDLE_URL';
export const STATE = 'DOCS_BUNDLE_URL_STATE';
export const DOMAIN = 'acme.example.com';
export const HOUR_MS = 3_600_000;

const ORGANIZATION = { scope: 'organization', organization: 'acme' } as const;

/** One target of each scope; the environment's name needs escaping in a path. */
export const TARGETS = {
  repository: { scope: 'repository', repository: 'acme/docs' },
  environment: { scope: 'environment', repository: 'acme/docs', environment: 'prod/eu west' },
  organization: { ...ORGANIZATION, visibility: 'private', selectedRepositories: undefined },
} as const satisfies Record<string, TestTarget>;

export const ALL_RIGHTS = {
  secrets: 'write',
  actions_variables: 'write',
  environments: 'write',
  organization_secrets: 'write',
  organization_actions_variables: 'write',
} as const;

export interface World extends AsyncDisposable {
  readonly github: GitHubEmulator;
  readonly platform: Emulator;
  readonly clock: FakeClock;
  readonly log: RecordingLog;
  readonly told: Partial<RefreshFacts & { secret: DeliveryFacts }>;
}

/** `clock`: GitHub's dates then follow it too. */
export async function startWorld({ clock }: { clock?: FakeClock } = {}): Promise<World> {
  const github = await startGitHubEmulator({
    tokens: { [TOKEN]: { permissions: ALL_RIGHTS } },
    repositories: [
      { fullName: 'acme/docs', id: 11, environments: ['prod/eu west'] },
      { fullName: 'acme/site', id: 12 },
    ],
    organizations: ['acme'],
    ...(clock !== undefined && { clock }),
  });
  const platform = await startEmulator({
    sites: { acme: { 'index.md': '# Docs' } },
    keys: { admin: ADMIN_KEY, assistant: 'svc_dsc_key0123456789' },
  });
  return {
    github,
    platform,
    clock: clock ?? fakeClock({ now: Date.now() }),
    log: recordingLog(),
    told: {},
    async [Symbol.asyncDispose]() {
      await Promise.all([github.close(), platform.close()]);
    },
  };
}

export interface RunOptions {
  readonly run?: Partial<RunContext> | undefined;
  /** Payload of the event; written to a file. */
  readonly event?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Further variables of the runner. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

async function makeDeps(world: World, { run, event, signal, env }: RunOptions) {
  const folder = event === undefined ? undefined : await mkdtemp(join(tmpdir(), 'secrets-'));
  const eventPath = folder === undefined ? '' : join(folder, 'event.json');
  if (folder !== undefined) await writeFile(eventPath, JSON.stringify(event));
  const { clock, log } = world;
  const base = { clock, log, signal: signal ?? new AbortController().signal };
  const folders = { workspace: '/nonexistent/workspace', runnerTemp: '/nonexistent/temp' };
  const context = makeRunContext({ job: 'export', eventPath, apiUrl: world.github.url, ...folders, ...run });
  const record = (facts: Partial<RefreshFacts>) => void Object.assign(world.told, facts);
  const close = () => (folder === undefined ? undefined : rm(folder, { recursive: true }));
  const github = createGitHub({ run: context, ...base });
  const http = new Http(base);
  return { ...base, run: makeRun(context, env), github, http, record, close };
}

export interface OpenOptions extends RunOptions {
  readonly secret?: TestSecret | undefined;
  readonly init?: Partial<DestinationsInit> | undefined;
}

export async function open(world: World, options: OpenOptions = {}) {
  const { close, ...deps } = await makeDeps(world, options);
  const init: DestinationsInit = {
    mode: 'export',
    needsState: false,
    to: makeDestination(options.secret),
    baseUrl: world.platform.url,
    adminApiKey: ADMIN_KEY,
    domain: DOMAIN,
    ...options.init,
  };
  try {
    return inShort(await openDestinations(init, deps), deps.signal);
  } finally {
    await close();
  }
}

/** The delivery with what most tests do not care about filled in: a job that was asked for when it was first marked or delivered. */
function inShort(delivery: Delivery, signal: AbortSignal) {
  return {
    get state() {
      return delivery.state;
    },
    resume: () => delivery.resume(),
    plan: () => delivery.plan(),
    markStarting: () => delivery.markStarting(),
    markStarted: (jobId: string, lastWrite: AbortSignal = signal) =>
      delivery.markStarted(jobId, { cancelled: signal, lastWrite }),
    unmarkStarting: () => delivery.unmarkStarting(),
    deliver: (job: Pick<DeliveredJob, 'jobId' | 'link'> & Partial<DeliveredJob>) =>
      delivery.deliver({ requestedAtMs: delivery.requestNow(), isExplicit: false, ...job }),
  };
}

export async function refresh(world: World, inputs: Partial<RefreshInputs> = {}, options: RunOptions = {}) {
  const { close, ...deps } = await makeDeps(world, options);
  const { clock, log, signal } = deps;
  const full = makeRefreshInputs({ baseUrl: world.platform.url, adminApiKey: ADMIN_KEY, ...inputs });
  const transport = createTransport({
    baseUrl: full.baseUrl,
    keys: { admin: ADMIN_KEY, assistant: undefined },
    clock,
    log,
    signal,
  });
  try {
    const ending = await runRefresh(full, { ...deps, platform: createPlatformClient(transport) });
    return { ...world.told, ...ending };
  } finally {
    await close();
  }
}

/** A link as the platform would have made it, `hours` before it expires. */
export function link(world: World, hours: number | undefined, name = 'a'): BundleLink {
  const expiresAt = hours === undefined ? undefined : new Date(world.clock.now() + hours * HOUR_MS);
  return { url: `https://bundles.example.com/${name}.tar.gz?sig=${name.repeat(20)}`, expiresAt, sizeBytes: undefined };
}

/** The requests that changed something, as `METHOD path`. */
export function writes(world: World): string[] {
  return world.github.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
}

/** What a promise was rejected with; fails when it was not. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('It succeeded.');
    },
    (error: unknown) => error,
  );
}
