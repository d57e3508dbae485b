import { expect, test } from 'vitest';
import { type GitHubEmulator, startGitHubEmulator } from '../../../emulator/src/github/emulator.ts';
import { CourierError } from '../../../src/errors.ts';
import { createOctokit } from '../../../src/github/client.ts';
import { Http } from '../../../src/http/http.ts';
import { Delivery } from '../../../src/publish/state/delivery.ts';
import { GitHubStore } from '../../../src/stores/github/store.ts';
import type { LinkStore, Snapshot } from '../../../src/stores/port.ts';
import { failure } from '../../support/failure.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';
import { ADMIN_KEY, SECRET_TOKEN } from '../../support/make-inputs.ts';
import { type RecordingLog, recordingLog } from '../../support/recording-log.ts';
import { checkFigures } from '../../support/soak.ts';
import { Turns } from '../../support/turns.ts';

const TARGET = { scope: 'repository', repository: 'acme/docs' } as const;
const NAME = 'DOCS_BUNDLE_URL';
const SEEDS =
  process.env.SOAK === '1'
    ? Array.from({ length: 300 }, (_, index) => index + 1)
    : [1, 2, 3, 8, 14, 19, 34, 59, 159, 197, 287];

interface Context {
  readonly github: GitHubEmulator;
  readonly clock: FakeClock;
}

interface RunOptions {
  readonly turns?: Turns | undefined;
  /** How long each request takes. */
  readonly requestMs?: number;
  readonly onWrite?: OnWrite | undefined;
}

/** Called instead of each write; `write` does it. */
type OnWrite = (what: 'link' | 'state', write: () => Promise<Snapshot>) => Promise<Snapshot>;

function watched(store: LinkStore, onWrite: OnWrite): LinkStore {
  return {
    names: store.names,
    signedAddress: store.signedAddress,
    can: store.can,
    claims: store.claims,
    preflight: (...use) => store.preflight(...use),
    read: (...known) => store.read(...known),
    write: (change, ...rest) =>
      onWrite(change.link === undefined ? 'state' : 'link', () => store.write(change, ...rest)),
  };
}

// GitHub's dates have whole seconds.
const SECOND_MS = 1000;

async function openRun(
  { github, clock }: Context,
  by: 'export' | 'refresh',
  runId: string,
  options: RunOptions = {},
) {
  const { turns, requestMs = SECOND_MS, onWrite } = options;
  const { signal } = new AbortController();
  const log: RecordingLog = recordingLog();
  const octokit = await createOctokit({
    token: SECRET_TOKEN,
    apiUrl: github.url,
    signal,
    http: new Http({ clock, log, random: () => 0, signal }),
  });
  octokit.hook.before('request', async () => {
    await turns?.take(runId);
    clock.advance(requestMs);
  });
  const store = new GitHubStore({
    address: { scheme: 'github', scope: 'repository', repository: undefined, name: NAME },
    repository: TARGET.repository,
    serverUrl: 'https://github.com',
    token: SECRET_TOKEN,
    workflowToken: undefined,
    connect: async () => octokit,
    clock,
    signal,
  });
  const delivery = await Delivery.open({
    stores: [onWrite === undefined ? store : watched(store, onWrite)],
    baseUrl: 'https://api.docs.example.com',
    adminApiKey: ADMIN_KEY,
    domain: by === 'refresh' ? undefined : 'docs.example.com',
    needsState: by === 'refresh',
    by,
    run: { runId, runAttempt: 1, job: 'docs' },
    log,
    clock,
    signal,
    record: () => {},
  });
  return { delivery, log };
}

const linkOf = (jobId: string) => ({
  url: `https://bundles.example.com/${jobId}`,
  expiresAt: new Date('2027-01-01T00:00:00Z'),
  sizeBytes: undefined,
});

/** The error of a run: undefined if it succeeded. */
type Ending = CourierError | undefined;

async function exportRun(world: Context, turns: Turns | undefined, jobId: string): Promise<Ending> {
  try {
    const { delivery } = await openRun(world, 'export', jobId, { turns });
    await delivery.start(async () => ({ jobId }));
    await delivery.deliver({ jobId, link: linkOf(jobId), intent: { kind: 'export' } });
    return undefined;
  } catch (error) {
    if (error instanceof CourierError) return error;
    throw error;
  } finally {
    turns?.leave(jobId);
  }
}

async function refreshRun(world: Context, turns: Turns, runId: string): Promise<Ending> {
  try {
    const { delivery } = await openRun(world, 'refresh', runId, { turns });
    const { jobId, jobOrder: order } = delivery.storedJob();
    await delivery.deliver({
      jobId,
      link: linkOf(`${jobId}-fresh`),
      intent: { kind: 'refresh', order },
    });
    return undefined;
  } catch (error) {
    if (error instanceof CourierError) return error;
    throw error;
  } finally {
    turns.leave(runId);
  }
}

async function startGitHub(): Promise<Context & AsyncDisposable> {
  const clock = fakeClock({ now: Math.floor(Date.now() / 1000) * 1000 });
  const github = await startGitHubEmulator({
    tokens: { [SECRET_TOKEN]: { permissions: { secrets: 'write', actions_variables: 'write' } } },
    repositories: [{ fullName: TARGET.repository }],
    clock,
  });
  return { github, clock, [Symbol.asyncDispose]: () => github.close() };
}

/**
 * The job whose link is in the secret, and the one that the next refresh would write; undefined if
 * it would fail.
 */
async function outcome(world: Context) {
  const held = (world.github.secret(TARGET, NAME)?.value ?? '')
    .replace(/^.*\//, '')
    .replace(/-fresh$/, '');
  const { delivery } = await openRun(world, 'refresh', 'later');
  // With `if-no-state: skip`, that would be a green run until the link expires.
  expect(
    delivery.withoutExport,
    'a later refresh takes it for the time before the first export',
  ).toBeUndefined();
  try {
    return { held, next: delivery.storedJob().jobId };
  } catch (error) {
    if (error instanceof CourierError) return { held, next: undefined };
    throw error;
  }
}

test(`Of two exports without a concurrency group, in ${SEEDS.length} orders of requests, an older one never silently wins`, async () => {
  await using world = await startGitHub();
  const both: string[] = [];
  for (const seed of SEEDS) {
    world.github.reset();
    expect(await exportRun(world, undefined, 'job-0')).toBeUndefined();
    const turns = new Turns(seed, ['job-a', 'job-b']);
    const [a, b] = await Promise.all([
      exportRun(world, turns, 'job-a'),
      exportRun(world, turns, 'job-b'),
    ]);
    const { held, next } = await outcome(world);
    const told = `seed ${seed}: secret ${held}, next refresh ${next}; a: ${a?.message ?? 'ok'}; b: ${b?.message ?? 'ok'}`;
    const winners = [a === undefined ? 'job-a' : '', b === undefined ? 'job-b' : ''].filter(
      (name) => name !== '',
    );
    for (const error of [a, b]) if (error !== undefined) expect(error.code, told).toBe('conflict');
    // What a run said is so: the link is that of a run that succeeded, and the next refresh knows
    // it.
    if (winners.length > 0) expect(winners, told).toContain(held);
    if (winners.length > 0) expect(next, told).toBe(held);
    if (winners.length === 2) both.push(held);
    if (winners.length === 0) expect(next, told).toBeDefined();
  }
  // The orders are mixed enough that some runs do not touch each other.
  expect(both.length).toBeGreaterThan(0);
  const runs = SEEDS.length * 2;
  checkFigures({
    part: 'one store, two exports at once',
    runs,
    recoverable: 0,
    failed: [],
    violations: [],
  });
});

test(`After a refresh and an export at the same time, in ${SEEDS.length} orders of requests, the export stays`, async () => {
  await using world = await startGitHub();
  for (const seed of SEEDS) {
    world.github.reset();
    expect(await exportRun(world, undefined, 'job-0')).toBeUndefined();
    const turns = new Turns(seed, ['refresh', 'job-new']);
    const [r, e] = await Promise.all([
      refreshRun(world, turns, 'refresh'),
      exportRun(world, turns, 'job-new'),
    ]);
    const { held, next } = await outcome(world);
    const told = `seed ${seed}: secret ${held}, next refresh ${next}; refresh: ${r?.message ?? 'ok'}; export: ${e?.message ?? 'ok'}`;
    // The export said that it succeeded: its link is there, or the refresh said that something is
    // wrong.
    if (e === undefined && r === undefined)
      expect([held, next], told).toEqual(['job-new', 'job-new']);
    if (e === undefined) expect(next, told).toBe('job-new');
  }
  const runs = SEEDS.length * 2;
  checkFigures({
    part: 'one store, export and refresh at once',
    runs,
    recoverable: 0,
    failed: [],
    violations: [],
  });
});

test('If one of two runs is delayed at its link until the other one has completed, its late link does not stay', async () => {
  await using world = await startGitHub();
  expect(await exportRun(world, undefined, 'job-0')).toBeUndefined();
  world.clock.advance(SECOND_MS);
  const refresh = await openRun(world, 'refresh', 'refresh', {
    async onWrite(what, write) {
      if (what === 'state') return write();
      expect(await exportRun(world, undefined, 'job-new')).toBeUndefined();
      return write();
    },
  });
  const { jobId, jobOrder: order } = refresh.delivery.storedJob();
  const late = refresh.delivery.deliver({
    jobId,
    link: linkOf('job-0-fresh'),
    intent: { kind: 'refresh', order },
  });
  expect(await failure(late)).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('job-new'),
  });
  expect(await outcome(world)).toEqual({ held: 'job-0', next: 'job-new' });
  expect(await refreshRun(world, new Turns(1, ['repair']), 'repair')).toBeUndefined();
  expect(await outcome(world)).toEqual({ held: 'job-new', next: 'job-new' });
});
