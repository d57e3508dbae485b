import { describe, expect, type TestContext, test } from 'vitest';
import type { DeliveredJob } from '../../src/delivery/delivered-job.ts';
import { Delivery } from '../../src/delivery/delivery.ts';
import { cancelled } from '../../src/ground/clock.ts';
import { CourierError } from '../../src/ground/errors.ts';
import type { BundleLink } from '../../src/platform/link.ts';
import type { LinkStore } from '../../src/stores/port.ts';
import { describeClaims } from './claim-scenarios.ts';
import { expectError } from './failure.ts';
import type { FakeClock } from './fake-clock.ts';
import type { Disturbance } from './fault-front.ts';
import { ADMIN_KEY } from './make-inputs.ts';
import { openStore } from './open-store.ts';
import { type RecordingLog, recordingLog } from './recording-log.ts';

/** One destination of a store for links, as scenarios need it. */
export interface StorePlace extends AsyncDisposable {
  readonly clock: FakeClock;
  /** A store as another run opens it, always for the same destination. */
  makeStore(): LinkStore;
  readLink(): Promise<string | undefined>;
  readState(): Promise<string | undefined>;
  /** As a person who may write the state but has no key. */
  setState(text: string): Promise<void>;
  /** As a person who edits the link manually. */
  setLink(link: string): Promise<void>;
  /**
   * Set if it is known only after the store is opened; otherwise it follows from the store's
   * abilities.
   */
  readonly showsNothing?: boolean | undefined;
  /** Previous versions of the link can be read there. */
  readonly keepsVersions?: boolean | undefined;
  /** A claim cannot be removed there. */
  readonly keepsClaims?: boolean | undefined;
  /** The requests so far, in few words each; undefined: the store sends none. */
  readonly requests?: (() => readonly string[]) | undefined;
  /** What the parts of a run send to the store, request by request. */
  readonly parts?: RequestParts | undefined;
  /**
   * The next write of a link takes effect, and its reply is lost; undefined: no such thing can
   * happen there.
   */
  readonly loseReply?: (() => void) | undefined;
  /** Happens to the next requests that change something; undefined: tests cannot cause that. */
  readonly disturb?: ((fault: Disturbance) => void) | undefined;
  /** The next write of a link is refused; undefined: tests cannot cause that. */
  readonly refuse?: (() => void) | undefined;
}

interface RequestParts {
  /** Before anything starts; `first`: while the link is new. */
  readonly open: { readonly first?: readonly string[]; readonly later: readonly string[] };
  /** That an export starts, and that it has started. */
  readonly marks: readonly string[];
  readonly deliver: { readonly first?: readonly string[]; readonly later: readonly string[] };
}

const BASE_URL = 'https://api.docs.example.com';
/** After so long, the link of a run that has ended does not arrive any more. */
const LATE_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface RunOptions {
  readonly by?: 'export' | 'refresh' | 'rollback';
  readonly runId?: string;
  readonly runAttempt?: number;
  readonly domain?: string;
  readonly log?: RecordingLog;
  readonly takeOver?: boolean;
}

export async function openRun(
  destination: Pick<StorePlace, 'clock' | 'makeStore'>,
  options: RunOptions & { readonly stores?: readonly LinkStore[] } = {},
): Promise<Delivery> {
  // Two runs are never in the same second, since some stores have dates.
  destination.clock.advance(2000);
  const {
    by = 'export',
    runId = '1',
    runAttempt = 1,
    domain,
    log = recordingLog(),
    takeOver,
  } = options;
  return Delivery.open({
    stores: options.stores ?? [destination.makeStore()],
    baseUrl: BASE_URL,
    adminApiKey: ADMIN_KEY,
    domain: by === 'export' ? (domain ?? 'docs.example.com') : undefined,
    needsState: by !== 'export',
    takeOver,
    by,
    run: { runId, runAttempt, job: 'docs' },
    log,
    clock: destination.clock,
    signal: new AbortController().signal,
    record: () => {},
  });
}

function linkTo(destination: StorePlace, name: string): BundleLink {
  const expiresAt = new Date(destination.clock.now() + DAY_MS);
  return {
    url: `https://bundles.example.com/${name}.tar.gz?sig=${name.repeat(12)}`,
    expiresAt,
    sizeBytes: undefined,
  };
}

async function deliver(
  destination: StorePlace,
  run: Delivery,
  jobId: string,
  more: Partial<DeliveredJob> = {},
) {
  const link = linkTo(destination, jobId);
  await run.deliver({ jobId, link, intent: { kind: 'export' }, ...more });
  return link.url;
}

async function exportOf(destination: StorePlace, jobId: string, options: RunOptions = {}) {
  const run = await openRun(destination, options);
  await startExport(run, jobId);
  return deliver(destination, run, jobId);
}

async function startExport(run: Delivery, jobId: string): Promise<void> {
  await run.start(async () => ({ jobId }));
}

function openRefresh(destination: StorePlace, runId: string): Promise<Delivery> {
  return openRun(destination, { by: 'refresh', runId });
}

async function deliverStored(
  destination: StorePlace,
  run: Delivery,
  link = linkTo(destination, 'fresh'),
) {
  const { jobId, jobOrder: order } = run.storedJob();
  await run.deliver({ jobId, link, intent: { kind: 'refresh', order } });
  return link.url;
}

async function expectLink(destination: StorePlace, link: string | undefined): Promise<void> {
  expect(await destination.readLink()).toBe(link);
}

/** The job that a refresh would use. */
async function expectStored(destination: StorePlace, jobId: string): Promise<void> {
  expect((await openRefresh(destination, '99')).storedJob().jobId).toBe(jobId);
}

const NAMED = { intent: { kind: 'named' } } as const;

/**
 * Neither a date nor a value: an older state and a manually edited link cannot be detected there.
 */
function showsNothing(destination: StorePlace): boolean {
  return destination.showsNothing ?? destination.makeStore().can.shows === 'nothing';
}

/** What the state misses is in the claims, which stay until they are answered. */
function hasClaims(destination: StorePlace): boolean {
  return destination.makeStore().can.guard === 'claims';
}

/** Link and state are two writes in some stores: here the run is cancelled between them. */
function cancelledAfterLink(store: LinkStore): LinkStore {
  let isWritten = false;
  return withWrite(store, async (change, seen, signal) => {
    if (isWritten) throw cancelled();
    const after = await store.write(change, seen, signal);
    isWritten = change.link !== undefined;
    return after;
  });
}

function withWrite(store: LinkStore, write: LinkStore['write']): LinkStore {
  return {
    names: store.names,
    get signedAddress() {
      return store.signedAddress;
    },
    get can() {
      return store.can;
    },
    claims: store.claims,
    preflight: () => store.preflight(),
    read: (...known) => store.read(...known),
    write,
  };
}

type Write = (store: LinkStore, destination: StorePlace) => Promise<unknown> | undefined;

/** All that a section writes, over what a run before has left. */
const WRITES: readonly { readonly what: string; readonly write: Write }[] = [
  { what: 'claim', write: (store) => store.claims?.create(2, '{"token":"b"}') },
  { what: 'removal of a claim', write: (store) => store.claims?.remove(1) },
  {
    what: 'link',
    write: async (store, destination) =>
      store.write({ link: linkTo(destination, 'job-2').url }, await store.read()),
  },
  {
    what: 'state',
    write: async (store) => store.write({ state: '{"version":2}' }, await store.read()),
  },
];

const LATER = { 'retry-after': '2' };
const FAULTS: readonly {
  readonly how: string;
  readonly fault: Disturbance;
  readonly error: object;
}[] = [
  {
    how: 'is answered 503 with Retry-After',
    fault: { kind: 'reply', status: 503, headers: LATER },
    error: { httpStatus: 503, retryAfterMs: 2000, mayHaveActed: false },
  },
  {
    how: 'is answered 429 with Retry-After',
    fault: { kind: 'reply', status: 429, headers: LATER },
    error: { code: 'rate-limited', retryAfterMs: 2000, mayHaveActed: false },
  },
  {
    how: 'is answered 500',
    fault: { kind: 'reply', status: 500 },
    error: { httpStatus: 500, mayHaveActed: true },
  },
  {
    how: 'takes effect without a reply',
    fault: { kind: 'lose' },
    error: { code: 'network', mayHaveActed: true },
  },
];

/** Of the requests of a store, in its words. */
function isRead(request: string): boolean {
  return /^(?:get|describe)/i.test(request);
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
}

/** What is true for every store, whatever its abilities. */
export function describeStore(name: string, start: () => Promise<StorePlace>): void {
  describeClaims(name, start);
  const scenario = (
    what: string,
    body: (destination: StorePlace, context: TestContext) => Promise<void>,
  ) =>
    test(what, async (context) => {
      await using destination = await start();
      await body(destination, context);
    });
  describe(`a link in ${name}`, () => {
    scenario(
      'A link is written with a state that contains its job, and neither is in a log',
      async (destination) => {
        const log = recordingLog();
        const url = await exportOf(destination, 'job-1', { log });
        await expectLink(destination, url);
        expect(JSON.parse((await destination.readState()) ?? '')).toMatchObject({
          version: 2,
          jobId: 'job-1',
          written: { at: expect.any(String) },
          runs: [{ state: 'done', jobId: 'job-1' }],
        });
        expect(await destination.readState()).not.toContain('sig=');
        expect(log.text()).not.toContain('sig=');
      },
    );

    scenario(
      'A link is live in the history as soon as it is written, even if the same run writes again',
      async (destination) => {
        await exportOf(destination, 'job-1');
        const log = recordingLog();
        const run = await openRun(destination, { runId: '2', log });
        await deliver(destination, run, 'job-2');
        expect(run.exports).toMatchObject([{ job: 'job-2', live: true }, { job: 'job-1' }]);
        await deliver(destination, run, 'job-3');
        expect(run.exports).toMatchObject([
          { job: 'job-3', live: true },
          { job: 'job-2' },
          { job: 'job-1' },
        ]);
        expect(log.text('warning')).not.toContain('Another run');
      },
    );

    scenario(
      'A link is refreshed with the job of its state once it is due',
      async (destination) => {
        await exportOf(destination, 'job-1');
        const run = await openRefresh(destination, '2');
        expect(run.storedJob().jobId).toBe('job-1');
        expect(run.goodUntil('job-1', HOUR_MS)).toBeInstanceOf(Date);
        expect(run.goodUntil('job-1', 2 * DAY_MS)).toBeUndefined();
        const url = await deliverStored(destination, run);
        await expectLink(destination, url);
        const later = await openRefresh(destination, '3');
        expect(later.storedJob()).toMatchObject({ jobId: 'job-1', runs: [{ id: '1' }] });
      },
    );

    scenario(
      'A link is rolled back to the previous export, which refreshes then renew until the next export',
      async (destination) => {
        for (const [index, jobId] of ['job-1', 'job-2', 'job-3'].entries()) {
          await exportOf(destination, jobId, { runId: String(index) });
        }
        const late = await openRun(destination, { runId: '5' });
        await startExport(late, 'job-late');
        const back = await openRun(destination, { by: 'rollback', runId: '6' });
        const earlier = back.rollbackTo(undefined);
        expect(earlier).toMatchObject({
          export: { job: 'job-2' },
          from: 'job-3',
          isContinued: false,
        });
        const url = await deliver(destination, back, 'job-2', {
          intent: { kind: 'rollback', from: 'job-3' },
        });
        await expectLink(destination, url);
        const refresh = await openRefresh(destination, '7');
        expect(refresh.storedJob()).toMatchObject({ jobId: 'job-2', rollback: { from: 'job-3' } });
        expect(
          refresh.exports?.map(({ job, live, withdrawn }) => [
            job,
            live === true,
            withdrawn !== undefined,
          ]),
        ).toEqual([
          ['job-3', false, true],
          ['job-2', true, false],
          ['job-1', false, false],
        ]);
        expectError(await failureOf(deliver(destination, late, 'job-late')), {
          code: 'conflict',
          message: 'was rolled back to job job-2',
        });
        await exportOf(destination, 'job-4', { runId: '8' });
        const next = await openRun(destination, { by: 'rollback', runId: '9' });
        expect(next.rollbackTo(undefined).export.job).toBe('job-2');
        expect(() => next.rollbackTo('job-9')).toThrow(/not among the last 4 exports/);
      },
    );

    scenario(
      'The history contains 20 exports, or as many as there is room for',
      async (destination) => {
        const name = 'x'.repeat(100);
        for (let index = 1; index <= 22; index += 1) {
          const run = await openRun(destination, { runId: String(index) });
          await deliver(destination, run, `${name}-${index}`, {
            details: { pages: index, manifest: 'f'.repeat(64) },
          });
        }
        const run = await openRefresh(destination, '99');
        const jobs = run.exports?.map(({ job }) => job) ?? [];
        expect(jobs[0]).toBe(`${name}-22`);
        expect(jobs.length).toBeLessThanOrEqual(20);
        // Parameter Store accepts 4 KB.
        expect(jobs.length).toBeGreaterThanOrEqual(10);
        expect(run.storedJob().jobId).toBe(`${name}-22`);
      },
    );

    scenario(
      'Only a later attempt of the same run resumes the delivery of a link',
      async (destination) => {
        const run = await openRun(destination);
        await startExport(run, 'job-1');
        const attach = { kind: 'attach', jobId: 'job-1', order: 1 };
        expect((await openRun(destination, { runAttempt: 2 })).resume()).toMatchObject(attach);
        expect((await openRun(destination, { runAttempt: 2, runId: '9' })).resume()).toEqual({
          kind: 'start',
        });
      },
    );

    scenario(
      'A link with an older state is not refreshed with the older export',
      async (destination, context) => {
        if (showsNothing(destination) || hasClaims(destination)) return context.skip();
        await exportOf(destination, 'job-1');
        const earlier = (await destination.readState()) ?? '';
        const newest = await exportOf(destination, 'job-2', { runId: '2' });
        destination.clock.advance(HOUR_MS);
        await destination.setState(earlier);
        const run = await openRefresh(destination, '3');
        expect(() => run.storedJob()).toThrow(
          expect.objectContaining({ code: 'integrity', message: expect.stringContaining('job-1') }),
        );
        await expectLink(destination, newest);
        // A person may say that this is the right job, and an export replaces both.
        const explicit = await openRefresh(destination, '4');
        const url = await deliver(destination, explicit, 'job-1', NAMED);
        await expectLink(destination, url);
        await exportOf(destination, 'job-3', { runId: '5' });
        await expectStored(destination, 'job-3');
      },
    );

    scenario(
      'After an older state was put back, the claim of the link says which export a refresh renews',
      async (destination, context) => {
        if (!hasClaims(destination)) return context.skip();
        await exportOf(destination, 'job-1');
        const earlier = (await destination.readState()) ?? '';
        await exportOf(destination, 'job-2', { runId: '2' });
        destination.clock.advance(HOUR_MS);
        await destination.setState(earlier);
        const run = await openRefresh(destination, '3');
        expect(run.storedJob().jobId).toBe('job-2');
        const url = await deliverStored(destination, run);
        await expectLink(destination, url);
        const later = await openRun(destination, { by: 'rollback', runId: '4' });
        expect(later.rollbackTo(undefined)).toMatchObject({
          export: { job: 'job-1' },
          from: 'job-2',
        });
      },
    );

    scenario(
      'A re-run of an older export does not replace the newer one, even if its own state was put back',
      async (destination) => {
        if (showsNothing(destination) && !hasClaims(destination)) return;
        await exportOf(destination, 'job-1');
        const earlier = (await destination.readState()) ?? '';
        const newest = await exportOf(destination, 'job-2', { runId: '2' });
        destination.clock.advance(HOUR_MS);
        await destination.setState(earlier);
        const rerun = await openRun(destination, { runAttempt: 2 });
        const resume = rerun.resume();
        // Without claims, nothing says whose link it is: a new export is started.
        if (resume.kind === 'start') return expect(resume.warning).toContain('job-1');
        const { order } = resume;
        const again = deliver(destination, rerun, 'job-1', { intent: { kind: 'export', order } });
        expectError(await failureOf(again), { code: 'conflict', message: 'job-2' });
        await expectLink(destination, newest);
      },
    );

    scenario(
      'A refresh keeps a manually edited link, and an export replaces it with a warning',
      async (destination, context) => {
        if (showsNothing(destination)) return context.skip();
        await exportOf(destination, 'job-1');
        destination.clock.advance(HOUR_MS);
        await destination.setLink('https://bundles.example.com/by-hand.tar.gz');
        const run = await openRefresh(destination, '2');
        expect(() => run.storedJob()).toThrow(
          expect.objectContaining({
            code: 'integrity',
            message: expect.stringContaining('manually'),
          }),
        );
        expect(await destination.readLink()).toContain('by-hand');
        const log = recordingLog();
        const url = await exportOf(destination, 'job-2', { runId: '3', log });
        expect(log.text('warning')).toContain('manually');
        await expectLink(destination, url);
      },
    );

    scenario('An older export that ends later does not replace a link', async (destination) => {
      const older = await openRun(destination, { runId: '1' });
      await startExport(older, 'job-old');
      const newest = await exportOf(destination, 'job-new', { runId: '2' });
      expectError(await failureOf(deliver(destination, older, 'job-old')), {
        code: 'conflict',
        message: 'belongs to a newer export: job job-new',
        hint: { inputs: { 'export-job-id': 'job-old' } },
      });
      await expectLink(destination, newest);
      await expectStored(destination, 'job-new');
    });

    scenario(
      'A refresh that began before a new export does not replace its link',
      async (destination) => {
        await exportOf(destination, 'job-1');
        const refresh = await openRefresh(destination, '2');
        refresh.storedJob();
        const newest = await exportOf(destination, 'job-2', { runId: '3' });
        expect(await failureOf(deliverStored(destination, refresh))).toMatchObject({
          code: 'conflict',
        });
        await expectLink(destination, newest);
      },
    );

    scenario(
      'An earlier state that is put back while an export runs keeps that export from being written',
      async (destination) => {
        await exportOf(destination, 'job-1');
        const earlier = (await destination.readState()) ?? '';
        const live = await exportOf(destination, 'job-2', { runId: '2' });
        const run = await openRun(destination, { runId: '3' });
        await startExport(run, 'job-3');
        await destination.setState(earlier);
        expectError(await failureOf(deliver(destination, run, 'job-3')), {
          code: 'conflict',
          message: 'an earlier state was put back',
        });
        await expectLink(destination, live);
      },
    );

    scenario(
      'The link of the export before is not written back over that of another run',
      async (destination) => {
        await exportOf(destination, 'job-1');
        const run = await openRun(destination, { runId: '2' });
        await deliver(destination, run, 'job-2');
        const newest = await exportOf(destination, 'job-3', { runId: '3' });
        const link = linkTo(destination, 'job-1');
        const { restored, failure } = await run.putBack({
          jobId: 'job-1',
          link,
          replaces: 'job-2',
        });
        expect([restored, failure?.code]).toEqual([[], 'conflict']);
        await expectLink(destination, newest);
      },
    );

    scenario(
      'An export that is refused by the platform leaves nothing, and what another run has written stays',
      async (destination) => {
        await exportOf(destination, 'job-1');
        const run = await openRun(destination, { runId: '2' });
        let newest: string | undefined;
        const refused = run.start(async () => {
          newest = await exportOf(destination, 'job-2', { runId: '3' });
          throw new CourierError({ code: 'config', message: 'The domain is not known.' });
        });
        expect(await failureOf(refused)).toMatchObject({ code: 'config' });
        await expectLink(destination, newest);
        const later = await openRefresh(destination, '4');
        expect(later.storedJob()).toMatchObject({
          jobId: 'job-2',
          runs: [{ id: '3' }, { id: '1' }],
        });
      },
    );

    scenario(
      'A write reports the new and the previous version if the store keeps versions',
      async (destination) => {
        await exportOf(destination, 'job-1');
        const run = await openRun(destination, { runId: '2' });
        const job = {
          jobId: 'job-2',
          link: linkTo(destination, 'job-2'),
          intent: { kind: 'export' },
        } as const;
        const { version, formerVersion } = (await run.deliver(job)).destinations?.[0] ?? {};
        if (!destination.keepsVersions)
          return expect([version, formerVersion]).toEqual([undefined, undefined]);
        expect(version).toBe((await openStore(destination.makeStore())).link?.version);
        expect(formerVersion).toMatch(/^[0-9a-f]+$/);
        expect(formerVersion).not.toBe(version);
      },
    );

    scenario(
      'A link without its state is refreshed only if a claim says whose it is, and an export creates a new state',
      async (destination) => {
        await exportOf(destination, 'job-1');
        await destination.setState('');
        const run = await openRefresh(destination, '2');
        if (hasClaims(destination)) expect(run.storedJob().jobId).toBe('job-1');
        else expect(() => run.storedJob()).toThrow(expect.objectContaining({ code: 'not-found' }));
        await exportOf(destination, 'job-2', { runId: '3' });
        await expectStored(destination, 'job-2');
      },
    );

    scenario(
      'A link with the state of another site, or with a changed state, is not refreshed',
      async (destination) => {
        await exportOf(destination, 'job-1', { domain: 'other.example.com' });
        const log = recordingLog();
        expect((await openRun(destination, { log, takeOver: true })).state).toBeUndefined();
        expect(log.text('warning')).toContain('other.example.com');
        await destination.setState(
          ((await destination.readState()) ?? '').replaceAll('job-1', 'job-evil'),
        );
        const run = await openRun(destination, { by: 'refresh' });
        expect(() => run.storedJob()).toThrow(
          expect.objectContaining({ message: expect.stringContaining('signature') }),
        );
      },
    );

    scenario(
      'A link of another site is replaced only if a person takes the destination over',
      async (destination) => {
        const url = await exportOf(destination, 'job-1', { domain: 'other.example.com' });
        expectError(await failureOf(openRun(destination, { runId: '2' })), {
          code: 'config',
          message: 'the link of the site other.example.com',
          hint: { inputs: { 'take-over': 'true' } },
        });
        await expectLink(destination, url);
        const next = await exportOf(destination, 'job-2', { runId: '3', takeOver: true });
        await expectLink(destination, next);
        await expectStored(destination, 'job-2');
      },
    );

    test.each([
      ['one line\n\nand a third', 'text of 3 lines'],
      ['{"password":"canary"}', 'a JSON object'],
      ['canary-password', 'text of 1 line'],
      ['https://user:canary@db.example.com/', 'an address that cannot be a link to a bundle'],
      ['https://a.example.com/1 https://a.example.com/canary', 'text of 1 line'],
      ['8080', 'a number'],
    ])(
      'Content %j is not replaced by a link, unless a person takes the destination over',
      async (content, kind) => {
        await using destination = await start();
        await destination.setLink(content);
        const log = recordingLog();
        // A value that is not shown may not have another form than a link in every store.
        if (destination.showsNothing && content !== 'canary-password') return;
        if (showsNothing(destination) || destination.makeStore().can.shows === 'date') {
          await openRun(destination, { log });
          expect(log.text('warning')).toContain('content that cannot be read is replaced');
          const quiet = recordingLog();
          await openRun(destination, { log: quiet, takeOver: true });
          return expect(quiet.text('warning')).toBe('');
        }
        const error = await failureOf(openRun(destination, { log }));
        expectError(error, { code: 'config', message: `contains ${kind}, which` });
        expect(`${error} ${log.text()}`).not.toMatch(/canary|8080/);
        await expectLink(destination, content);
        const url = await exportOf(destination, 'job-1', { takeOver: true, log });
        expect(log.text('warning')).toContain(`contains ${kind}. The link replaces it`);
        await expectLink(destination, url);
      },
    );

    scenario(
      'Content that replaced a link of an export is not replaced, unless a person takes it over',
      async (destination) => {
        await exportOf(destination, 'job-1');
        // A store that does not show its content shows at most that it was changed.
        if (showsNothing(destination) || destination.makeStore().can.shows === 'date') return;
        await destination.setLink('canary-password');
        const message = expect.stringContaining('contains text of 1 line, ');
        for (const by of ['export', 'refresh', 'rollback'] as const) {
          expect(await failureOf(openRun(destination, { by, runId: '2' }))).toMatchObject({
            code: 'config',
            message,
          });
        }
        expect(await destination.readLink()).toBe('canary-password');
        const url = await exportOf(destination, 'job-2', { runId: '3', takeOver: true });
        await expectLink(destination, url);
        await expectStored(destination, 'job-2');
      },
    );

    test.each([
      ['canary = true\n\n', 'text of 1 line'],
      ['{"version":"1.2.3","password":"canary"}', 'a JSON object'],
      ['https://bundles.example.com/site.tar.gz?sig=canary', 'a link'],
    ])(
      'Content %j instead of the state is not replaced, unless a person takes it over',
      async (content, kind) => {
        await using destination = await start();
        await exportOf(destination, 'job-0');
        await destination.setState(content);
        const stored = await destination.readState();
        const log = recordingLog();
        const error = await failureOf(openRun(destination, { log }));
        expectError(error, {
          code: 'config',
          message: `contains ${kind}, which the state would replace`,
          hint: { inputs: { 'take-over': 'true' } },
        });
        expect(`${error} ${log.text()}`).not.toContain('canary');
        expect(await destination.readState()).toBe(stored);
        await exportOf(destination, 'job-1', { takeOver: true, log });
        expect(log.text('warning')).toContain(`contains ${kind}. The state replaces it`);
        await expectStored(destination, 'job-1');
      },
    );

    scenario(
      'A link that another program wrote is replaced without a question',
      async (destination) => {
        await destination.setLink('https://bundles.example.com/site.tar.gz?X-Amz-Signature=0123\n');
        const url = await exportOf(destination, 'job-1');
        await expectLink(destination, url);
      },
    );

    scenario(
      'After a write with a lost reply, the run finds out what is there and completes',
      async (destination, context) => {
        if (destination.loseReply === undefined) return context.skip();
        await exportOf(destination, 'job-1');
        const run = await openRun(destination, { runId: '2' });
        await startExport(run, 'job-2');
        destination.loseReply();
        const url = await deliver(destination, run, 'job-2');
        await expectLink(destination, url);
        await expectStored(destination, 'job-2');
      },
    );

    test.for(WRITES.flatMap((write) => FAULTS.map((fault) => ({ ...write, ...fault }))))(
      'A $what that $how is sent once, and the error says what the caller needs',
      async ({ write, fault, error }, context) => {
        await using destination = await start();
        const { requests, disturb } = destination;
        if (requests === undefined || disturb === undefined) return context.skip();
        const store = destination.makeStore();
        const first = await store.write(
          { link: linkTo(destination, 'job-1').url },
          await openStore(store),
        );
        await store.write({ state: '{}' }, first);
        await store.claims?.create(1, '{"token":"a"}');
        const before = requests().length;
        disturb(fault);
        const ended = await failureOf(Promise.resolve(write(store, destination)));
        const sent = requests().slice(before);
        // Nothing is sent for a claim of a store without claims, or with claims that stay.
        if (sent.every(isRead)) return expect(ended).toBe('it succeeded');
        expect(ended).toMatchObject(error);
        expect(sent.filter((one) => !isRead(one))).toHaveLength(1);
      },
    );

    scenario('Each reading shows what is there at that time', async (destination) => {
      await exportOf(destination, 'job-1');
      const store = destination.makeStore();
      await openStore(store);
      for (const name of ['a', 'b']) {
        const text = `{"version":2,"by":"${name}"}`;
        await destination.setLink(linkTo(destination, name).url);
        await destination.setState(text);
        const { link, state } = await store.read();
        const other = await openStore(destination.makeStore());
        expect([link, state]).toEqual([other.link, text]);
        expect(link).toBeDefined();
        expect((await store.read({ link, state })).state).toBe(text);
      }
    });

    scenario(
      'If a run is cancelled right after it wrote the link, a refresh uses the job of that run',
      async (destination) => {
        await exportOf(destination, 'job-1');
        const run = await openRun(destination, {
          runId: '2',
          stores: [cancelledAfterLink(destination.makeStore())],
        });
        await startExport(run, 'job-2');
        const ended = await failureOf(deliver(destination, run, 'job-2'));
        if (destination.makeStore().can.guard !== 'versions')
          expect(ended).toMatchObject({ code: 'cancelled' });
        expect(await destination.readLink()).toContain('job-2');
        destination.clock.advance(LATE_MS);
        const refresh = await openRefresh(destination, '3');
        expect(refresh.storedJob().jobId).toBe('job-2');
        const url = await deliverStored(destination, refresh);
        await expectLink(destination, url);
        expect((await openRefresh(destination, '4')).goodUntil('job-2', HOUR_MS)).toBeInstanceOf(
          Date,
        );
      },
    );

    scenario(
      'A refused write keeps the previous link and its state',
      async (destination, context) => {
        if (destination.refuse === undefined) return context.skip();
        const url = await exportOf(destination, 'job-1');
        const run = await openRun(destination, { runId: '2' });
        destination.refuse();
        expectError(await failureOf(deliver(destination, run, 'job-2')), {
          message: 'still has its previous value',
          mayHaveActed: false,
        });
        await expectLink(destination, url);
        const later = await openRefresh(destination, '3');
        expect(later.goodUntil('job-1', HOUR_MS)).toBeInstanceOf(Date);
      },
    );

    scenario(
      'A run that was killed while it started an export leaves a state that refreshes use, and a warning for its re-run',
      async (destination) => {
        await exportOf(destination, 'job-1');
        const run = await openRun(destination, { runId: '2' });
        // The run ends here: no reply reaches it.
        await new Promise<void>((resolve) => {
          void run.start(() => {
            resolve();
            return new Promise<{ jobId: string }>(() => {});
          });
        });
        await expectStored(destination, 'job-1');
        const url = await deliverStored(destination, await openRefresh(destination, '3'));
        await expectLink(destination, url);
        const again = (await openRun(destination, { runId: '2', runAttempt: 2 })).resume();
        expect(again).toMatchObject({
          kind: 'start',
          warning: expect.stringContaining('stored no job id'),
        });
      },
    );

    scenario(
      'A link that is edited manually while an export runs is kept, and the state too',
      async (destination, context) => {
        if (showsNothing(destination)) return context.skip();
        await exportOf(destination, 'job-1');
        const run = await openRun(destination, { runId: '2' });
        await startExport(run, 'job-2');
        destination.clock.advance(HOUR_MS);
        await destination.setLink('https://bundles.example.com/by-hand.tar.gz');
        expectError(await failureOf(deliver(destination, run, 'job-2')), {
          code: 'conflict',
          message: 'It changed during this run',
        });
        expect(await destination.readLink()).toContain('by-hand');
        const later = await openRefresh(destination, '3');
        expect(() => later.storedJob()).toThrow(expect.objectContaining({ code: 'integrity' }));
      },
    );

    scenario('A run sends exactly these requests to the store', async (destination, context) => {
      const { requests, parts } = destination;
      if (requests === undefined || parts === undefined) return context.skip();
      const { open, marks, deliver: delivery } = parts;
      const sentBy = async (body: () => Promise<unknown>) => {
        const before = requests().length;
        await body();
        return requests().slice(before);
      };
      const refresh = async (isDue: boolean) => {
        const run = await openRun(destination, { by: 'refresh', runId: isDue ? '2' : '3' });
        if (isDue) await deliverStored(destination, run);
        else expect(run.goodUntil(run.storedJob().jobId, HOUR_MS)).toBeInstanceOf(Date);
      };
      const sent = {
        firstExport: await sentBy(() => exportOf(destination, 'job-1')),
        refreshDue: await sentBy(() => refresh(true)),
        refreshNotDue: await sentBy(() => refresh(false)),
      };
      expect(sent).toEqual({
        firstExport: [
          ...(open.first ?? open.later),
          ...marks,
          ...(delivery.first ?? delivery.later),
        ],
        refreshDue: [...open.later, ...delivery.later],
        refreshNotDue: open.later,
      });
    });

    scenario(
      'The check of a link says what could be wrong, without a write',
      async (destination) => {
        const results = await destination.makeStore().preflight();
        expect(results.length).toBeGreaterThan(0);
        expect(results.filter(({ outcome }) => outcome === 'error')).toEqual([]);
        expect([await destination.readLink(), await destination.readState()]).toEqual([
          undefined,
          undefined,
        ]);
      },
    );
  });
}
