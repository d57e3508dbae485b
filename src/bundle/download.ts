import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Clock, cancelled } from '../clock.ts';
import { CourierError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { BundleLink, LinkMaker, LinkPolicy } from '../platform/link.ts';
import { afterRetryAfterMs, backoffMs, LONGEST_WAIT_MS, readRetryAfter } from '../retry.ts';
import {
  comeBack,
  gaveUp,
  isHopeless,
  refused,
  type Setback,
  tooLarge,
  tooLong,
  unreachableStorage,
} from './download-fault.ts';
import { damaged } from './fault.ts';
import type { GrowingFile } from './growing-file.ts';
import type { ArchiveLimits, TransferLimits } from './limits.ts';
import { createDownloadProgress, createPace } from './pace.ts';
import { eachChunk, readErrorCode, readLength } from './reply.ts';
import { requestArchive } from './request.ts';

export interface DownloadInit {
  readonly link: BundleLink;
  readonly links: LinkMaker;
  readonly policy: LinkPolicy;
  readonly file: GrowingFile;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly transfer: TransferLimits;
  readonly archive: ArchiveLimits;
  /** Called once the size is known, before the first byte is taken: throws when the disk cannot hold it. */
  readonly onSize: (bytes: number) => void;
}

export interface Downloaded {
  readonly bytes: number;
  readonly sha256: string;
  /** How often the download was taken up again after a cut. */
  readonly resumed: number;
  /** The link that the last byte came from. */
  readonly link: BundleLink;
}

interface Progress {
  link: BundleLink;
  etag: string | undefined;
  totalBytes: number | undefined;
  hash: Hash;
  resumed: number;
  restarts: number;
  renewals: number;
}

const MAX_RENEWALS = 2;
const MAX_RESTARTS = 1;
// S3 answers an expired token with 400 (ExpiredToken), everything else that is wrong with a link with 403.
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);

/** Brings the archive into the file, whatever it takes within the limits. Throws a CourierError, and only that. */
export async function downloadArchive(init: DownloadInit): Promise<Downloaded> {
  const { file, clock, signal, transfer } = init;
  const state: Progress = {
    link: init.link,
    etag: undefined,
    totalBytes: init.link.sizeBytes,
    hash: createHash('sha256'),
    resumed: 0,
    restarts: 0,
    renewals: 0,
  };
  const report = createDownloadProgress(clock, init.log);
  for (let attempt = 1, barren = 1; ; attempt += 1) {
    if (signal.aborted) throw cancelled(signal.reason);
    const before = file.sizeBytes;
    const setback = await attemptDownload(init, state, report);
    if (setback === undefined) {
      file.finish();
      return { bytes: file.sizeBytes, sha256: state.hash.digest('hex'), resumed: state.resumed, link: state.link };
    }
    if (signal.aborted) throw cancelled(signal.reason);
    barren = file.sizeBytes > before ? 1 : barren + 1;
    if (attempt >= transfer.attempts || barren > transfer.barrenAttempts) throw gaveUp(setback, attempt);
    await recover(init, state, { setback, barren });
  }
}

async function recover(
  init: DownloadInit,
  state: Progress,
  { setback, barren }: { setback: Setback; barren: number },
): Promise<void> {
  const { log, clock, signal, random, links } = init;
  if (setback.kind === 'changed') {
    log.info('The archive at the link changed during the download; starting it over.');
    restart(init, state);
    return;
  }
  if (setback.kind === 'refused') {
    if (state.renewals >= MAX_RENEWALS) throw refused(setback);
    state.renewals += 1;
    log.info(`The storage refused the link (${setback.status}); making another one.`);
    state.link = await links.fresh();
    return;
  }
  const told = setback.retryAfterMs;
  const waitMs = told === undefined ? backoffMs({ attempt: barren, random }) : afterRetryAfterMs(told, random);
  log.info(
    `The download was interrupted at ${init.file.sizeBytes} bytes; going on in ${(waitMs / 1000).toFixed(1)} s.`,
  );
  await clock.sleep(waitMs, signal);
}

// Two archives under one link must never be joined. Once may be a new export; twice is a storage that cannot be relied on.
function restart({ file, link }: DownloadInit, state: Progress): void {
  state.restarts += 1;
  if (state.restarts > MAX_RESTARTS) throw damaged('the archive at the link changed twice while it was downloaded');
  startOver(file, state);
  state.totalBytes = link.sizeBytes;
}

function startOver(file: GrowingFile, state: Progress): void {
  if (file.sizeBytes > 0) file.restart();
  state.hash = createHash('sha256');
  state.etag = undefined;
}

type Report = ReturnType<typeof createDownloadProgress>;

async function attemptDownload(init: DownloadInit, state: Progress, report: Report): Promise<Setback | undefined> {
  const { file, policy, transfer: limits } = init;
  const attempt = new AbortController();
  const signal = AbortSignal.any([init.signal, attempt.signal]);
  // Without a strong validator nobody can tell whether the rest belongs to what is here already.
  if (file.sizeBytes > 0 && state.etag === undefined) startOver(file, state);
  const range = file.sizeBytes > 0 && state.etag !== undefined ? { from: file.sizeBytes, etag: state.etag } : undefined;
  try {
    const reply = await requestArchive({ url: state.link.url, range, policy, limits, signal });
    // No waiting between headers and body: what has come by then is lost when the connection breaks meanwhile.
    const isFailure = ![200, 206, 412, 416].includes(reply.statusCode ?? 0);
    const setback = isFailure ? await judgeFailure(init, reply) : judgeReply(init, state, reply);
    if (setback !== undefined) return setback;
    if (range !== undefined) state.resumed += 1;
    await takeBody(init, state, { reply, report, attempt });
    return endOfBody(file, state, reply);
  } catch (cause) {
    if (cause instanceof CourierError) throw cause;
    if (isHopeless(cause)) throw unreachableStorage(cause);
    return { kind: 'broken', cause };
  } finally {
    attempt.abort();
  }
}

/** Looks at status and headers; undefined: the body may be taken. */
function judgeReply(init: DownloadInit, state: Progress, reply: IncomingMessage): Setback | undefined {
  const { file } = init;
  const status = reply.statusCode ?? 0;
  const etag = reply.headers.etag?.startsWith('"') ? reply.headers.etag : undefined;
  if (status === 412 || status === 416) return { kind: 'changed' };
  if (status === 206) return judgeRest(file, state, { reply, etag });
  // The storage took no notice of the range: everything comes again.
  if (file.sizeBytes > 0) startOver(file, state);
  state.etag = etag;
  const length = readLength(reply.headers['content-length']);
  const promised = init.link.sizeBytes;
  if (length !== undefined && promised !== undefined && length !== promised) {
    throw damaged(`it has ${length} bytes, and the platform said ${promised}`);
  }
  state.totalBytes = length ?? promised;
  checkSize(init, state.totalBytes);
  return undefined;
}

function checkSize({ archive, onSize }: DownloadInit, totalBytes: number | undefined): void {
  if (totalBytes === undefined) return;
  if (totalBytes > archive.archiveBytes) throw tooLarge(archive.archiveBytes);
  onSize(totalBytes);
}

function judgeRest(
  file: GrowingFile,
  state: Progress,
  { reply, etag }: { reply: IncomingMessage; etag: string | undefined },
): Setback | undefined {
  const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(reply.headers['content-range'] ?? '');
  const [from, to, total] = [Number(range?.[1]), Number(range?.[2]), Number(range?.[3])];
  const fits = range !== null && from === file.sizeBytes && to === total - 1 && total === (state.totalBytes ?? total);
  if (!fits || file.sizeBytes === 0 || (etag !== undefined && etag !== state.etag)) return { kind: 'changed' };
  state.totalBytes = total;
  return undefined;
}

async function judgeFailure(init: DownloadInit, reply: IncomingMessage): Promise<Setback> {
  const status = reply.statusCode ?? 0;
  const text = await readErrorCode(reply);
  if (REFUSALS.has(status)) return { kind: 'refused', status, text };
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const retryAfterMs = readRetryAfter(reply.headers['retry-after'], init.clock.now());
    if (retryAfterMs !== undefined && retryAfterMs > LONGEST_WAIT_MS) throw comeBack(status, retryAfterMs);
    return { kind: 'broken', cause: new Error(`status ${status}`), retryAfterMs };
  }
  throw new CourierError({
    code: 'protocol',
    message: `The storage answered the bundle link with status ${status}.`,
    httpStatus: status,
  });
}

interface Taking {
  readonly reply: IncomingMessage;
  readonly report: Report;
  readonly attempt: AbortController;
}

async function takeBody(init: DownloadInit, state: Progress, { reply, report, attempt }: Taking): Promise<void> {
  const { file, clock, transfer, archive } = init;
  const start = file.sizeBytes;
  const pace = createPace(clock.monotonicMs(), transfer);
  const idle = setTimeout(() => attempt.abort(), transfer.idleMs);
  const most = Math.min(state.totalBytes ?? Number.POSITIVE_INFINITY, archive.archiveBytes);
  try {
    await eachChunk(reply, (chunk) => {
      idle.refresh();
      if (file.sizeBytes + chunk.length > most) throw tooLong(state.totalBytes, archive.archiveBytes);
      file.append(chunk);
      state.hash.update(chunk);
      report(file.sizeBytes, state.totalBytes);
      if (!pace.isFastEnough(clock.monotonicMs(), file.sizeBytes - start)) throw new Error('too slow');
    });
  } finally {
    clearTimeout(idle);
    reply.destroy();
  }
}

function endOfBody(file: GrowingFile, state: Progress, reply: IncomingMessage): Setback | undefined {
  if (!reply.complete) return { kind: 'broken', cause: new Error('cut off') };
  if (state.totalBytes === undefined || file.sizeBytes === state.totalBytes) return undefined;
  throw damaged(`it has ${file.sizeBytes} bytes, and ${state.totalBytes} were promised`);
}
