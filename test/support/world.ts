import {
  type CommentSeed,
  type GitHubEmulator,
  type GitHubEmulatorOptions,
  startGitHubEmulator,
} from '../../emulator/src/github/emulator.ts';
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../emulator/src/platform/emulator.ts';
import { runAgentMode } from '../../src/agent/mode.ts';
import type { AgentFacts } from '../../src/agent/summary.ts';
import type { DeliveryFacts } from '../../src/delivery/summary.ts';
import { runDoctor } from '../../src/doctor/doctor.ts';
import type { DoctorFacts } from '../../src/doctor/finding.ts';
import type { RunContext } from '../../src/github/connection.ts';
import { systemClock } from '../../src/ground/clock.ts';
import type {
  AgentInputs,
  DoctorInputs,
  ExportInputs,
  RefreshInputs,
  RollbackInputs,
  SearchInputs,
  UpdateInputs,
} from '../../src/inputs/inputs.ts';
import type { BundleLink, LinkMaker } from '../../src/platform/link.ts';
import { publish } from '../../src/publish/publish.ts';
import type { PublishFacts } from '../../src/publish/summary.ts';
import { runUpdate } from '../../src/publish/update/mode.ts';
import type { UpdateFacts } from '../../src/publish/update/summary.ts';
import { runSearch } from '../../src/search/search.ts';
import type { SearchFacts } from '../../src/search/summary.ts';
import {
  type Received,
  type ReceiveInit,
  type ReceiveInternals,
  receiveBundle,
} from '../../src/site/receive.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';
import {
  ADMIN_KEY,
  ASSISTANT_KEY,
  makeAgentInputs,
  makeExportInputs,
  makeRefreshInputs,
  makeRollbackInputs,
  makeSearchInputs,
  makeUpdateInputs,
  SECRET_TOKEN,
} from './make-inputs.ts';
import { makeRunContext } from './make-run.ts';
import { type RecordingLog, recordingLog } from './recording-log.ts';
import { runStep, type StepOptions, type StepResult } from './runner.ts';
import { account, type CommentEvent, comment, TOKEN } from './world/conversation.ts';
import { Folders } from './world/folders.ts';
import { ALL_RIGHTS, DOMAIN, NAME, REPOSITORY, STATE, TARGET } from './world/names.ts';
import {
  type Destination,
  makeDeps,
  type Outcome,
  type RunDeps,
  type RunOptions,
  runToEnd,
} from './world/run.ts';

export type { CommentEvent } from './world/conversation.ts';
export type { Outcome, RunOptions } from './world/run.ts';

export interface WorldOptions {
  /** Options of the platform; false: it is not started. */
  readonly platform?: Partial<EmulatorOptions> | false | undefined;
  /** Options of GitHub; false: it is not started. */
  readonly github?: GitHubEmulatorOptions | false | undefined;
  /**
   * Default: a fake clock that starts now; runs and both servers use it. `system` is for tests of
   * the built action.
   */
  readonly clock?: FakeClock | 'system' | undefined;
}

/** For tests that need only folders, a log and a clock. */
export const NO_SERVERS = { platform: false, github: false } as const;

/** Starts what a test needs around the code it tests. Declare it with `await using`. */
export async function startWorld({
  platform,
  github,
  clock = fakeClock({ now: Date.now() }),
}: WorldOptions = {}): Promise<World> {
  // Dates of both servers are whole milliseconds; the fake clock's sleeps may end between two.
  const time = clock === 'system' ? undefined : { now: () => Math.floor(clock.now()) };
  const [platformServer, githubServer] = await Promise.all([
    platform === false ? undefined : startEmulator({ ...PLATFORM, clock: time, ...platform }),
    github === false ? undefined : startGitHubEmulator({ ...GITHUB, clock: time, ...github }),
  ]);
  return new World(platformServer, githubServer, clock === 'system' ? undefined : clock);
}

const PLATFORM: EmulatorOptions = {
  sites: { acme: { 'index.md': '# Docs\n\nHello.', 'install.md': '# Install\n\nOne command.' } },
  keys: { admin: ADMIN_KEY, assistant: ASSISTANT_KEY },
};

const GITHUB: GitHubEmulatorOptions = {
  tokens: { [SECRET_TOKEN]: { permissions: ALL_RIGHTS } },
  repositories: [
    // The environment's name needs escaping in a path.
    { fullName: REPOSITORY, id: 11, environments: ['prod/eu west'] },
    { fullName: 'acme/site', id: 12 },
  ],
  organizations: ['acme'],
};

/** Both servers, the folders and the clock of a run; and what tests do with them. */
export class World implements AsyncDisposable {
  readonly #platform: Emulator | undefined;
  readonly #github: GitHubEmulator | undefined;
  readonly #clock: FakeClock | undefined;
  readonly #folders = new Folders();
  #agentRuns = 1000;
  /** What all runs of this world logged, in order. */
  readonly log: RecordingLog = recordingLog();
  /**
   * What refreshes and deliveries of this world recorded; a later value replaces an earlier one.
   */
  readonly recorded: Partial<PublishFacts & { delivery: DeliveryFacts }> = {};

  constructor(
    platform: Emulator | undefined,
    github: GitHubEmulator | undefined,
    clock: FakeClock | undefined,
  ) {
    this.#platform = platform;
    this.#github = github;
    this.#clock = clock;
  }

  get platform(): Emulator {
    return started(this.#platform, 'the platform');
  }

  get github(): GitHubEmulator {
    return started(this.#github, 'GitHub');
  }

  get clock(): FakeClock {
    return started(this.#clock, 'a fake clock');
  }

  /** Contains `workspace` and the runner's temporary folder. */
  get root(): string {
    return this.#folders.root;
  }

  get workspace(): string {
    return this.#folders.workspace;
  }

  get runnerTemp(): string {
    return this.#folders.runnerTemp;
  }

  /** Writes a file below the workspace and returns its absolute path. */
  write(path: string, text: string): string {
    return this.#folders.write(path, text);
  }

  /** Every path that a run left in its folders, relative to `root`. */
  files(): string[] {
    return this.#folders.list();
  }

  export(
    inputs: Partial<ExportInputs> = {},
    options: RunOptions & {
      readonly onRecord?: ((facts: Partial<PublishFacts>) => void) | undefined;
    } = {},
  ): Promise<Outcome<PublishFacts>> {
    const full = makeExportInputs({ baseUrl: this.#baseUrl(), domain: DOMAIN, ...inputs });
    return runToEnd((deps) => publish(full, deps), this.deps(options), options.onRecord);
  }

  refresh(
    inputs: Partial<RefreshInputs> = {},
    options: RunOptions = {},
  ): Promise<Outcome<PublishFacts>> {
    const full = makeRefreshInputs({ baseUrl: this.#baseUrl(), ...inputs });
    const onRecord = (facts: Partial<PublishFacts>) => void Object.assign(this.recorded, facts);
    return runToEnd(
      (deps) => publish(full, deps),
      this.deps({ ...options, run: { job: 'export', ...options.run } }),
      onRecord,
    );
  }

  rollback(
    inputs: Partial<RollbackInputs> = {},
    options: RunOptions = {},
  ): Promise<Outcome<PublishFacts>> {
    const full = makeRollbackInputs({ baseUrl: this.#baseUrl(), ...inputs });
    const run = { runId: '901', job: 'rollback', ...options.run };
    return runToEnd((deps) => publish(full, deps), this.deps({ ...options, run }));
  }

  search(
    inputs: Partial<SearchInputs> = {},
    options: RunOptions = {},
  ): Promise<Outcome<SearchFacts>> {
    const fromFile = inputs.queriesFile === undefined ? {} : { query: undefined };
    const full = makeSearchInputs({ baseUrl: this.#baseUrl(), ...fromFile, ...inputs });
    return runToEnd((deps) => runSearch(full, deps), this.deps(options));
  }

  /** A run of mode `publish`. */
  update(
    inputs: Partial<UpdateInputs> = {},
    options: RunOptions = {},
  ): Promise<Outcome<UpdateFacts>> {
    const full = makeUpdateInputs({ baseUrl: this.#baseUrl(), ...inputs });
    return runToEnd((deps) => runUpdate(full, deps), this.deps(options));
  }

  doctor(inputs: DoctorInputs, options: RunOptions = {}): Promise<Outcome<DoctorFacts>> {
    return runToEnd((deps) => runDoctor(inputs, deps), this.deps(options));
  }

  /** A run of agent mode, each with its own id; spread a `CommentEvent` into it. */
  agent({
    inputs,
    ...options
  }: RunOptions & { readonly inputs?: Partial<AgentInputs> } = {}): Promise<Outcome<AgentFacts>> {
    this.#agentRuns += 1;
    const full = makeAgentInputs({ baseUrl: this.#baseUrl(), githubToken: TOKEN, ...inputs });
    const { eventName = 'issue_comment' } = options;
    const run = {
      runId: String(this.#agentRuns),
      job: 'instruct',
      workflow: 'Docs agent',
      actor: 'maya',
      eventName,
    };
    const depsFor = this.deps<AgentFacts>({ ...options, run: { ...run, ...options.run } });
    return runToEnd((deps) => runAgentMode(full, deps), depsFor);
  }

  /**
   * Downloads, checks and places a bundle without the mode around it. `laterUrls`: the new links,
   * one per call.
   */
  receive({
    url,
    bundle,
    laterUrls = [],
    link = { url, expiresAt: undefined, sizeBytes: undefined },
    links,
    internals = {},
    ...more
  }: Receipt): Promise<Received> {
    const later = [...laterUrls];
    const init: ReceiveInit = {
      source: {
        kind: 'link',
        links: links ?? { fresh: async () => ({ ...link, url: later.shift() ?? url }) },
        link,
      },
      origin: { domain: 'docs.example.com', jobId: 'job-1', pageCount: undefined },
      policy: { allowLoopback: true, allowAddress: false, allowPrivateHosts: true },
      secret: ADMIN_KEY,
      log: this.log,
      clock: systemClock,
      signal: new AbortController().signal,
      runnerTemp: this.runnerTemp,
      workspace: this.workspace,
      ...more,
      bundle: {
        bundlePath: undefined,
        extractTo: undefined,
        servedAt: undefined,
        clean: false,
        verify: 'off',
        allowPrivateHosts: false,
        ...bundle,
      },
    };
    return receiveBundle(init, { random: () => 0, ...internals });
  }

  /** Runs the built action as a step of a job, as `stepOf` describes it. */
  step(inputs: Readonly<Record<string, string>> = {}, more: StepChange = {}): Promise<StepResult> {
    return runStep(this.stepOf(inputs, more));
  }

  /**
   * A step with the addresses and the key of this world; by default of mode export and without a
   * secret.
   */
  stepOf(inputs: Readonly<Record<string, string>> = {}, more: StepChange = {}): StepOptions {
    const { mode = 'export' } = inputs;
    return {
      // The release check runs these tests with another copy of the action.
      ...(process.env['ACTION_MAIN'] ? { main: process.env['ACTION_MAIN'] } : {}),
      ...(this.#github && { apiUrl: this.#github.url }),
      inputs: {
        mode,
        'base-url': this.platform.url,
        'admin-api-key': this.platform.keys.admin,
        ...(['export', 'doctor'].includes(mode) && { domain: DOMAIN }),
        ...inputs,
      },
      ...more,
    };
  }

  /**
   * A person writes a comment on the pull request of `startPullRequest`. Time passes before and
   * after it.
   */
  say(user: string, body: string, more: Partial<CommentSeed> = {}): CommentEvent {
    this.clock.advance(1000);
    const written = comment(this.github, { createdAt: this.clock.now(), ...more, user, body });
    this.clock.advance(1000);
    return written;
  }

  /** An account in events and replies of GitHub. */
  account(login: string): ReturnType<typeof account> {
    return account(this.github, login);
  }

  /** The visible texts of our status comments, without the record in them. */
  statusComments(): string[] {
    return this.github.comments
      .filter(({ body }) => body.startsWith('<!-- docs-courier:'))
      .map(({ body }) => body.slice(body.indexOf('\n') + 1));
  }

  /** The link as a deployment reads it from the secret; undefined without a secret. */
  secret(): string | undefined {
    return this.github.secret(TARGET, NAME)?.value;
  }

  /** The state of the export next to the secret; null without one. */
  state(): unknown {
    return JSON.parse(this.github.variable(TARGET, STATE)?.value ?? 'null');
  }

  /** The requests to the platform of one kind, in order. */
  calls({ method, path }: { readonly method: string; readonly path: RegExp | string }) {
    return this.platform.requests.filter(
      (one) =>
        one.method === method &&
        (typeof path === 'string' ? one.path.includes(path) : path.test(one.path)),
    );
  }

  /** The requests to GitHub that could change something, as `METHOD path`. */
  writes(): string[] {
    return this.github.requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);
  }

  /** What `main` would pass to a mode, for code that is tested without its mode. */
  deps<Facts>(
    options: RunOptions = {},
  ): (record: (facts: Partial<Facts>) => void) => RunDeps<Facts> {
    return (record) => makeDeps(this.#destination(options), options, record);
  }

  #destination({ run, eventName, payload, keys }: RunOptions): Destination {
    const event: Partial<RunContext> = {
      ...(eventName !== undefined && { eventName }),
      ...(payload !== undefined && { eventPath: this.#folders.writeEvent(payload) }),
    };
    const { workspace, runnerTemp } = this;
    const apiUrl = this.#github?.url;
    return {
      context: makeRunContext({
        workspace,
        runnerTemp,
        ...(apiUrl !== undefined && { apiUrl }),
        ...event,
        ...run,
      }),
      baseUrl: this.#baseUrl(),
      keys: { ...(this.#platform?.keys ?? {}), ...keys },
      clock: this.#clock ?? systemClock,
      log: this.log,
    };
  }

  #baseUrl(): string {
    // Nothing listens there: a run that needs the platform fails immediately.
    return this.#platform?.url ?? 'http://127.0.0.1:9';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#platform?.close(), this.#github?.close()]);
    this.#folders[Symbol.dispose]();
  }
}

export type StepChange = Omit<Partial<StepOptions>, 'inputs'>;

interface Receipt extends Partial<Omit<ReceiveInit, 'bundle'>> {
  readonly url: string;
  /** The first link to try, and the later ones. */
  readonly link?: BundleLink;
  readonly links?: LinkMaker;
  readonly bundle?: Partial<ReceiveInit['bundle']>;
  readonly laterUrls?: readonly string[];
  readonly internals?: ReceiveInternals;
}

function started<T>(part: T | undefined, name: string): T {
  if (part === undefined)
    throw new Error(`This test needs ${name}, and startWorld was asked not to start it.`);
  return part;
}
