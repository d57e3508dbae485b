import { afterAll, expect, test } from 'vitest';
import { type GitHubEmulator, startGitHubEmulator } from '../../../emulator/src/github/emulator.ts';
import { CourierError } from '../../../src/errors.ts';
import { createOctokit } from '../../../src/github/client.ts';
import { Http } from '../../../src/http/http.ts';
import { Delivery } from '../../../src/publish/state/delivery.ts';
import { GitHubStore } from '../../../src/stores/github/store.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';
import { ADMIN_KEY, SECRET_TOKEN } from '../../support/make-inputs.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { checkFigures } from '../../support/soak.ts';

const TARGET = { scope: 'repository', repository: 'acme/docs' } as const;
const NAME = 'DOCS_BUNDLE_URL';
const KINDS = ['export', 'refresh', 'rollback'] as const;
type Kind = (typeof KINDS)[number];

/**
 * `asked to wait`: the request is answered with 429. `on its way`: it arrives only once the other
 * run has completed.
 */
const HOLDS = ['asked to wait', 'on its way'] as const;

interface World {
  readonly github: GitHubEmulator;
  readonly clock: FakeClock;
}

/** One run is delayed at its nth request until `meanwhile` has ended. */
interface Held {
  readonly at: number;
  readonly how: (typeof HOLDS)[number];
  readonly meanwhile: () => Promise<void>;
}

/** What became of a run: whether it was delayed, and its error. */
interface Ended {
  readonly isHeld: boolean;
  readonly error: CourierError | undefined;
}

async function run(
  { github, clock }: World,
  kind: Kind,
  name: string,
  held?: Held,
): Promise<Ended> {
  const { signal } = new AbortController();
  const log = recordingLog();
  const http = new Http({ clock, log, random: () => 0, signal });
  const octokit = await createOctokit({ token: SECRET_TOKEN, apiUrl: github.url, signal, http });
  let count = 0;
  let isHeld = false;
  octokit.hook.wrap('request', async (request, options) => {
    clock.advance(1000);
    count += 1;
    if (held === undefined || isHeld || count < held.at) return request(options);
    isHeld = true;
    await held.meanwhile();
    if (held.how === 'on its way') return request(options);
    throw new CourierError({
      code: 'rate-limited',
      message: 'Later.',
      httpStatus: 429,
      retryAfterMs: 25_000,
    });
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
  try {
    const delivery = await Delivery.open({
      stores: [store],
      baseUrl: 'https://api.docs.example.com',
      adminApiKey: ADMIN_KEY,
      domain: kind === 'export' ? 'docs.example.com' : undefined,
      needsState: kind !== 'export',
      by: kind,
      run: { runId: name, runAttempt: 1, job: 'docs' },
      log,
      clock,
      signal,
      record: () => {},
    });
    await deliver(delivery, kind, name);
    return { isHeld, error: undefined };
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    return { isHeld, error };
  }
}

async function deliver(delivery: Delivery, kind: Kind, name: string): Promise<void> {
  if (kind === 'export') {
    await delivery.start(async () => ({ jobId: name }));
    await delivery.deliver({ jobId: name, link: linkOf(name, name), intent: { kind } });
    return;
  }
  if (kind === 'refresh') {
    const { jobId, jobOrder: order } = delivery.storedJob();
    await delivery.deliver({ jobId, link: linkOf(jobId, name), intent: { kind, order } });
    return;
  }
  const { export: earlier, from, isContinued, state } = delivery.rollbackTo(undefined);
  const order = isContinued ? state.jobOrder : undefined;
  await delivery.deliver({
    jobId: earlier.job,
    link: linkOf(earlier.job, name),
    intent: { kind, from, order },
  });
}

const linkOf = (jobId: string, run: string) => ({
  url: `https://bundles.example.com/${jobId}/${run}`,
  expiresAt: new Date('2027-01-01T00:00:00Z'),
  sizeBytes: undefined,
});

/** The job whose link is there, and the order of the live job as the state says. */
function liveIn({ github }: World) {
  const job = (github.secret(TARGET, NAME)?.value ?? '').split('/').at(-2);
  const { jobId, jobOrder } = JSON.parse(github.variable(TARGET, `${NAME}_STATE`)?.value ?? '{}');
  return { job, jobId, jobOrder: Number(jobOrder) };
}

const figures = { runs: 0, held: 0, late: 0 };
const violations: string[] = [];
afterAll(() =>
  checkFigures({
    part: `one run held at each of its requests until another has completed (${figures.late} late links, which the next refresh repaired)`,
    runs: figures.runs,
    recoverable: figures.held,
    failed: [],
    violations,
  }),
);

const CASES = KINDS.flatMap((one) =>
  KINDS.flatMap((other) => HOLDS.map((how) => [one, other, how] as const)),
);

test.each(CASES)(
  'If a run (%s) is held at each of its requests in turn until another one (%s) has completed, with the request %s, nothing is lost',
  async (one, other, how) => {
    const clock = fakeClock({ now: Math.floor(Date.now() / 1000) * 1000 });
    await using github = await startHub(clock);
    const world = { github, clock };
    for (let at = 1; ; at += 1) {
      github.reset();
      for (const job of ['job-1', 'job-2', 'job-3'])
        expect((await run(world, 'export', job)).error).toBeUndefined();
      let between = liveIn(world);
      const meanwhile = async () => {
        expect((await run(world, other, 'job-b')).error).toBeUndefined();
        between = liveIn(world);
        // A run that has ended well has left its own job.
        expect(between.job).toBe(between.jobId);
      };
      const { isHeld, error } = await run(world, one, 'job-a', { at, how, meanwhile });
      figures.runs += 2;
      if (!isHeld) return;
      figures.held += 1;
      const end = liveIn(world);
      const told = `${one} held at request ${at} (${how}), ${other} completed: ${between.jobId} (${between.jobOrder}), then ${JSON.stringify(end)}; ${error?.message ?? 'ok'}`;
      const isLate = end.job !== end.jobId;
      if (isLate) figures.late += 1;
      // Only a request that was on its way may leave an older link, and its run then says that it
      // failed.
      if (isLate && (how !== 'on its way' || error === undefined)) violations.push(told);
      if (!isLate && end.jobOrder < between.jobOrder) violations.push(told);
      expect((await run(world, 'refresh', 'job-r')).error, told).toBeUndefined();
      const repaired = liveIn(world);
      expect([repaired.job, repaired.jobOrder >= between.jobOrder], told).toEqual([
        repaired.jobId,
        true,
      ]);
    }
  },
);

async function startHub(clock: FakeClock) {
  const github = await startGitHubEmulator({
    tokens: { [SECRET_TOKEN]: { permissions: { secrets: 'write', actions_variables: 'write' } } },
    repositories: [{ fullName: TARGET.repository }],
    clock,
  });
  return Object.assign(github, { [Symbol.asyncDispose]: () => github.close() });
}
