import { describe, expect, test } from 'vitest';
import { cancelled } from '../../src/clock.ts';
import { type DeliveredJob, Delivery } from '../../src/delivery/delivery.ts';
import type { BundleLink } from '../../src/platform/link.ts';
import type { LinkStore } from '../../src/store/port.ts';
import type { FakeClock } from './fake-clock.ts';
import { ADMIN_KEY } from './make-inputs.ts';
import { type RecordingLog, recordingLog } from './recording-log.ts';

/** One place of a store for links, as scenarios need it. */
export interface StorePlace extends AsyncDisposable {
  readonly clock: FakeClock;
  /** A store as another run makes it, for the same place each time. */
  makeStore(): LinkStore;
  readLink(): Promise<string | undefined>;
  readState(): Promise<string | undefined>;
  /** As somebody who has the right to write the state and no key. */
  setState(text: string): Promise<void>;
  /** As somebody who edits the link by hand. */
  setLink(link: string): Promise<void>;
  /** Where that is known only once the store is open; else it follows from what the store is able to do. */
  readonly showsNothing?: boolean | undefined;
  /** Former versions of the link can be read there. */
  readonly keepsVersions?: boolean | undefined;
  /** The next write of a link takes effect, and its reply is lost; undefined: no such thing can happen there. */
  readonly loseReply?: (() => void) | undefined;
  /** The next write of a link is refused; undefined: no such thing can be brought about. */
  readonly refuse?: (() => void) | undefined;
}

const BASE_URL = 'https://api.docs.example.com';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface RunOptions {
  readonly by?: 'export' | 'refresh' | 'rollback';
  readonly runId?: string;
  readonly runAttempt?: number;
  readonly domain?: string;
  readonly log?: RecordingLog;
}

export async function openRun(
  place: Pick<StorePlace, 'clock' | 'makeStore'>,
  options: RunOptions & { readonly stores?: readonly LinkStore[] } = {},
): Promise<Delivery> {
  // Whatever a store dates, two runs are not at the same second.
  place.clock.advance(2000);
  const { by = 'export', runId = '1', runAttempt = 1, domain, log = recordingLog() } = options;
  return Delivery.open({
    stores: options.stores ?? [place.makeStore()],
    baseUrl: BASE_URL,
    adminApiKey: ADMIN_KEY,
    domain: by === 'export' ? (domain ?? 'docs.example.com') : undefined,
    needsState: by !== 'export',
    by,
    run: { runId, runAttempt, job: 'docs' },
    log,
    clock: place.clock,
    record: () => {},
  });
}

function linkTo(place: StorePlace, name: string): BundleLink {
  const expiresAt = new Date(place.clock.now() + DAY_MS);
  return { url: `https://bundles.example.com/${name}.tar.gz?sig=${name.repeat(12)}`, expiresAt, sizeBytes: undefined };
}

async function deliver(place: StorePlace, run: Delivery, jobId: string, more: Partial<DeliveredJob> = {}) {
  const link = linkTo(place, jobId);
  await run.deliver({ jobId, link, requestedAtMs: run.requestNow(), isExplicit: false, ...more });
  return link.url;
}

async function exportOf(place: StorePlace, jobId: string, options: RunOptions = {}) {
  const run = await openRun(place, options);
  await run.markStarting();
  await markStarted(run, jobId);
  return deliver(place, run, jobId);
}

function markStarted(run: Delivery, jobId: string): Promise<void> {
  const { signal } = new AbortController();
  return run.markStarted(jobId, { cancelled: signal, lastWrite: signal });
}

/** Neither a date nor a value: an earlier state and a link by hand cannot be noticed there. */
function showsNothing(place: StorePlace): boolean {
  return place.showsNothing ?? place.makeStore().can.verify === 'none';
}

/** Link and state are two writes in some stores: here the run is cancelled between them. */
function cancelledAfterLink(store: LinkStore): LinkStore {
  let isWritten = false;
  return {
    names: store.names,
    get signed() {
      return store.signed;
    },
    get can() {
      return store.can;
    },
    open: () => store.open(),
    check: () => store.check(),
    async write(change, seen, signal) {
      if (isWritten) throw cancelled();
      const after = await store.write(change, seen, signal);
      isWritten = change.link !== undefined;
      return after;
    },
  };
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
}

/** What holds for every store, whatever it is able to do. */
export function describeStore(name: string, start: () => Promise<StorePlace>): void {
  describe(`a link in ${name}`, () => {
    test('is written with a state that names its job, and neither shows in a log', async () => {
      await using place = await start();
      const log = recordingLog();
      const url = await exportOf(place, 'job-1', { log });
      expect(await place.readLink()).toBe(url);
      expect(JSON.parse((await place.readState()) ?? '')).toMatchObject({
        version: 2,
        jobId: 'job-1',
        written: { at: expect.any(String) },
        run: { state: 'done', jobId: 'job-1' },
      });
      expect(await place.readState()).not.toContain('sig=');
      expect(log.text()).not.toContain('sig=');
    });

    test('is live in the history as soon as it is written, also where the same run writes again', async () => {
      await using place = await start();
      await exportOf(place, 'job-1');
      const log = recordingLog();
      const run = await openRun(place, { runId: '2', log });
      await deliver(place, run, 'job-2');
      expect(run.exports).toMatchObject([{ job: 'job-2', live: true }, { job: 'job-1' }]);
      await deliver(place, run, 'job-3');
      expect(run.exports).toMatchObject([{ job: 'job-3', live: true }, { job: 'job-2' }, { job: 'job-1' }]);
      expect(log.text('warning')).not.toContain('Another run');
    });

    test('is refreshed by the job of its state, once it is due', async () => {
      await using place = await start();
      await exportOf(place, 'job-1');
      const run = await openRun(place, { by: 'refresh', runId: '2' });
      const job = run.storedJob();
      expect(job.jobId).toBe('job-1');
      expect(run.goodUntil('job-1', HOUR_MS)).toBeInstanceOf(Date);
      expect(run.goodUntil('job-1', 2 * DAY_MS)).toBeUndefined();
      const link = linkTo(place, 'fresh');
      await run.deliver({ ...job, link, isExplicit: false });
      expect(await place.readLink()).toBe(link.url);
      const later = await openRun(place, { by: 'refresh', runId: '3' });
      expect(later.storedJob().state).toMatchObject({ jobId: 'job-1', run: { id: '1' } });
    });

    test('is rolled back to the export before it, which refreshes then renew until the next export', async () => {
      await using place = await start();
      for (const [index, jobId] of ['job-1', 'job-2', 'job-3'].entries()) {
        await exportOf(place, jobId, { runId: String(index) });
      }
      const late = await openRun(place, { runId: '5' });
      const requestedAtMs = late.requestNow();
      const back = await openRun(place, { by: 'rollback', runId: '6' });
      const earlier = back.earlierExport({ jobId: undefined, steps: 1 });
      expect(earlier).toMatchObject({ export: { job: 'job-2' }, from: 'job-3', isRepeated: false });
      const url = await deliver(place, back, 'job-2', { isExplicit: true });
      expect(await place.readLink()).toBe(url);
      const refresh = await openRun(place, { by: 'refresh', runId: '7' });
      expect(refresh.storedJob()).toMatchObject({ jobId: 'job-2', state: { count: 4, rollback: { from: 'job-3' } } });
      expect(refresh.exports?.map(({ job, live, withdrawn }) => [job, live === true, withdrawn !== undefined])).toEqual(
        [
          ['job-3', false, true],
          ['job-2', true, false],
          ['job-1', false, false],
        ],
      );
      await expect(deliver(place, late, 'job-late', { requestedAtMs })).rejects.toMatchObject({ code: 'conflict' });
      await exportOf(place, 'job-4', { runId: '8' });
      const next = await openRun(place, { by: 'rollback', runId: '9' });
      expect(next.earlierExport({ jobId: undefined, steps: 1 }).export.job).toBe('job-2');
      expect(() => next.earlierExport({ jobId: undefined, steps: 3 })).toThrow(/2 exports before the live one/);
    });

    test('keeps a history of 20 exports, or of as many as there is room for', async () => {
      await using place = await start();
      const name = 'x'.repeat(100);
      for (let index = 1; index <= 24; index += 1) {
        const run = await openRun(place, { runId: String(index) });
        await deliver(place, run, `${name}-${index}`, { details: { pages: index, manifest: 'f'.repeat(64) } });
      }
      const run = await openRun(place, { by: 'refresh', runId: '99' });
      const jobs = run.exports?.map(({ job }) => job) ?? [];
      expect(jobs[0]).toBe(`${name}-24`);
      expect(jobs.length).toBeLessThanOrEqual(20);
      // Parameter Store takes 4 KB.
      expect(jobs.length).toBeGreaterThanOrEqual(10);
      expect(run.storedJob().jobId).toBe(`${name}-24`);
    });

    test('is resumed by a later attempt of the same run, and by no other run', async () => {
      await using place = await start();
      const run = await openRun(place);
      await run.markStarting();
      await markStarted(run, 'job-1');
      const attach = { kind: 'attach', jobId: 'job-1' };
      expect((await openRun(place, { runAttempt: 2 })).resume()).toMatchObject(attach);
      expect((await openRun(place, { runAttempt: 2, runId: '9' })).resume()).toEqual({ kind: 'start' });
    });

    test('whose state was put back to an earlier one is not refreshed with the earlier export', async (context) => {
      await using place = await start();
      if (showsNothing(place)) return context.skip();
      await exportOf(place, 'job-1');
      const earlier = (await place.readState()) ?? '';
      const newest = await exportOf(place, 'job-2', { runId: '2' });
      place.clock.advance(HOUR_MS);
      await place.setState(earlier);
      const run = await openRun(place, { by: 'refresh', runId: '3' });
      expect(() => run.storedJob()).toThrow(
        expect.objectContaining({ code: 'integrity', message: expect.stringContaining('job-1') }),
      );
      expect(await place.readLink()).toBe(newest);
      // A person may say that this is the right job, and an export replaces both.
      const explicit = await openRun(place, { by: 'refresh', runId: '4' });
      const url = await deliver(place, explicit, 'job-1', { isExplicit: true });
      expect(await place.readLink()).toBe(url);
      await exportOf(place, 'job-3', { runId: '5' });
      expect((await openRun(place, { by: 'refresh', runId: '6' })).storedJob().jobId).toBe('job-3');
    });

    test('whose state was put back is not resumed from it by a re-run of the earlier export', async (context) => {
      await using place = await start();
      if (showsNothing(place)) return context.skip();
      await exportOf(place, 'job-1');
      const earlier = (await place.readState()) ?? '';
      await exportOf(place, 'job-2', { runId: '2' });
      place.clock.advance(HOUR_MS);
      await place.setState(earlier);
      const rerun = await openRun(place, { runAttempt: 2 });
      expect(rerun.resume()).toMatchObject({ kind: 'start', warning: expect.stringContaining('job-1') });
    });

    test('that was edited by hand is left alone by a refresh, and replaced by an export with a warning', async (context) => {
      await using place = await start();
      if (showsNothing(place)) return context.skip();
      await exportOf(place, 'job-1');
      place.clock.advance(HOUR_MS);
      await place.setLink('https://bundles.example.com/by-hand.tar.gz');
      const run = await openRun(place, { by: 'refresh', runId: '2' });
      expect(() => run.storedJob()).toThrow(
        expect.objectContaining({ code: 'integrity', message: expect.stringContaining('manually') }),
      );
      expect(await place.readLink()).toContain('by-hand');
      const log = recordingLog();
      const url = await exportOf(place, 'job-2', { runId: '3', log });
      expect(log.text('warning')).toContain('manually');
      expect(await place.readLink()).toBe(url);
    });

    test('that its store shows nothing of is refreshed by the job of its state, whatever happened to it', async (context) => {
      await using place = await start();
      if (!showsNothing(place)) return context.skip();
      await exportOf(place, 'job-1');
      const earlier = (await place.readState()) ?? '';
      await exportOf(place, 'job-2', { runId: '2' });
      await place.setLink('https://bundles.example.com/by-hand.tar.gz');
      await place.setState(earlier);
      const run = await openRun(place, { by: 'refresh', runId: '3' });
      expect(run.storedJob().jobId).toBe('job-1');
      const url = await deliver(place, run, 'job-1');
      expect(await place.readLink()).toBe(url);
    });

    test('is not replaced by an older export that ends later', async () => {
      await using place = await start();
      const older = await openRun(place, { runId: '1' });
      await older.markStarting();
      await markStarted(older, 'job-old');
      const newest = await exportOf(place, 'job-new', { runId: '2' });
      expect(await failureOf(deliver(place, older, 'job-old'))).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('job-new'),
      });
      expect(await place.readLink()).toBe(newest);
      expect((await openRun(place, { by: 'refresh' })).storedJob().jobId).toBe('job-new');
    });

    test('is not replaced by a refresh that began before a new export came', async () => {
      await using place = await start();
      await exportOf(place, 'job-1');
      const refresh = await openRun(place, { by: 'refresh', runId: '2' });
      const job = refresh.storedJob();
      const newest = await exportOf(place, 'job-2', { runId: '3' });
      const link = linkTo(place, 'stale');
      expect(await failureOf(refresh.deliver({ ...job, link, isExplicit: false }))).toMatchObject({ code: 'conflict' });
      expect(await place.readLink()).toBe(newest);
    });

    test('names its version, and that of the link before, where the store keeps versions', async () => {
      await using place = await start();
      await exportOf(place, 'job-1');
      const run = await openRun(place, { runId: '2' });
      const job = { jobId: 'job-2', link: linkTo(place, 'job-2'), requestedAtMs: run.requestNow(), isExplicit: false };
      const { version, formerVersion } = (await run.deliver(job)).places?.[0] ?? {};
      if (!place.keepsVersions) return expect([version, formerVersion]).toEqual([undefined, undefined]);
      expect(version).toBe((await place.makeStore().open()).link?.version);
      expect(formerVersion).toMatch(/^[0-9a-f]+$/);
      expect(formerVersion).not.toBe(version);
    });

    test('without its state is not refreshed, and an export starts the state anew', async () => {
      await using place = await start();
      await exportOf(place, 'job-1');
      await place.setState('');
      const run = await openRun(place, { by: 'refresh', runId: '2' });
      expect(() => run.storedJob()).toThrow(expect.objectContaining({ code: 'not-found' }));
      await exportOf(place, 'job-2', { runId: '3' });
      expect((await openRun(place, { by: 'refresh' })).storedJob().jobId).toBe('job-2');
    });

    test('with the state of another site, or with a changed one, is not refreshed', async () => {
      await using place = await start();
      await exportOf(place, 'job-1', { domain: 'other.example.com' });
      const log = recordingLog();
      expect((await openRun(place, { log })).state).toBeUndefined();
      expect(log.text('warning')).toContain('other.example.com');
      await place.setState(((await place.readState()) ?? '').replaceAll('job-1', 'job-evil'));
      const run = await openRun(place, { by: 'refresh' });
      expect(() => run.storedJob()).toThrow(expect.objectContaining({ message: expect.stringContaining('signature') }));
    });

    test('whose reply was lost counts as unknown: the state names the newer job', async (context) => {
      await using place = await start();
      if (place.loseReply === undefined) return context.skip();
      await exportOf(place, 'job-1');
      const run = await openRun(place, { runId: '2' });
      await run.markStarting();
      place.loseReply();
      expect(await failureOf(deliver(place, run, 'job-2'))).toMatchObject({ mayHaveStarted: true });
      expect(JSON.parse((await place.readState()) ?? '')).toMatchObject({ jobId: 'job-2' });
      expect((await openRun(place, { by: 'refresh', runId: '3' })).storedJob().jobId).toBe('job-2');
    });

    test('whose run was cancelled right after it wrote the link is refreshed by the job of that run', async () => {
      await using place = await start();
      await exportOf(place, 'job-1');
      const run = await openRun(place, { runId: '2', stores: [cancelledAfterLink(place.makeStore())] });
      await run.markStarting();
      const ended = await failureOf(deliver(place, run, 'job-2'));
      if (!place.makeStore().can.atomic) expect(ended).toMatchObject({ code: 'cancelled' });
      expect(await place.readLink()).toContain('job-2');
      const refresh = await openRun(place, { by: 'refresh', runId: '3' });
      expect(refresh.storedJob().jobId).toBe('job-2');
      const url = await deliver(place, refresh, 'job-2');
      expect(await place.readLink()).toBe(url);
      expect((await openRun(place, { by: 'refresh', runId: '4' })).goodUntil('job-2', HOUR_MS)).toBeInstanceOf(Date);
    });

    test('whose write was refused keeps the earlier link and its state', async (context) => {
      await using place = await start();
      if (place.refuse === undefined) return context.skip();
      const url = await exportOf(place, 'job-1');
      const state = await place.readState();
      const run = await openRun(place, { runId: '2' });
      place.refuse();
      const error = await failureOf(deliver(place, run, 'job-2'));
      expect(error).toMatchObject({
        mayHaveStarted: false,
        message: expect.stringContaining('still holds what it held'),
      });
      expect([await place.readLink(), await place.readState()]).toEqual([url, state]);
    });

    test('says what could be wrong with it, and writes nothing for that', async () => {
      await using place = await start();
      const results = await place.makeStore().check();
      expect(results.length).toBeGreaterThan(0);
      expect(results.filter(({ outcome }) => outcome === 'error')).toEqual([]);
      expect([await place.readLink(), await place.readState()]).toEqual([undefined, undefined]);
    });
  });
}
