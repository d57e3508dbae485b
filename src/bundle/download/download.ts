import type { IncomingMessage } from 'node:http';
import { cancelled } from '../../clock.ts';
import { CourierError } from '../../errors.ts';
import { afterRetryAfterMs, backoffMs } from '../../http/retry.ts';
import { damaged } from '../archive/fault.ts';
import type { GrowingFile } from './growing-file.ts';
import { judgeReply } from './judge-reply.ts';
import { createDownloadProgress, createPace } from './pace.ts';
import { eachChunk } from './reply.ts';
import { requestArchive } from './request.ts';
import { gaveUp, isHopeless, refused, type Setback, tooLong, unreachableStorage } from './setback.ts';
import {
  createDownloadState,
  type Downloaded,
  type DownloadInit,
  type DownloadState,
  restart,
  startOver,
} from './state.ts';

const MAX_RENEWALS = 2;

/** Brings the archive into the file, whatever it takes within the limits. Throws a CourierError, and only that. */
export async function downloadArchive(init: DownloadInit): Promise<Downloaded> {
  const { file, clock, signal, transfer } = init;
  const state = createDownloadState(init);
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
  state: DownloadState,
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

type Report = ReturnType<typeof createDownloadProgress>;

async function attemptDownload(init: DownloadInit, state: DownloadState, report: Report): Promise<Setback | undefined> {
  const { file, policy, transfer: limits } = init;
  const attempt = new AbortController();
  const signal = AbortSignal.any([init.signal, attempt.signal]);
  // Without a strong validator nobody can tell whether the rest belongs to what is here already.
  if (file.sizeBytes > 0 && state.etag === undefined) startOver(file, state);
  const range = file.sizeBytes > 0 && state.etag !== undefined ? { from: file.sizeBytes, etag: state.etag } : undefined;
  try {
    const reply = await requestArchive({ url: state.link.url, range, policy, limits, signal });
    const verdict = judgeReply(init, state, reply);
    // No waiting between headers and body, as `judgeReply` tells why.
    if (verdict !== undefined) return await verdict;
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

interface Taking {
  readonly reply: IncomingMessage;
  readonly report: Report;
  readonly attempt: AbortController;
}

async function takeBody(init: DownloadInit, state: DownloadState, { reply, report, attempt }: Taking): Promise<void> {
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

function endOfBody(file: GrowingFile, state: DownloadState, reply: IncomingMessage): Setback | undefined {
  if (!reply.complete) return { kind: 'broken', cause: new Error('cut off') };
  if (state.totalBytes === undefined || file.sizeBytes === state.totalBytes) return undefined;
  throw damaged(`it has ${file.sizeBytes} bytes, and ${state.totalBytes} were promised`);
}
