import type { IncomingMessage } from 'node:http';
import { CourierError } from '../../errors.ts';
import { LONGEST_WAIT_MS, readRetryAfter } from '../../http/retry.ts';
import { damaged } from '../archive/fault.ts';
import type { GrowingFile } from './growing-file.ts';
import { readErrorCode, readLength } from './reply.ts';
import { comeBack, type Setback, tooLarge } from './setback.ts';
import { type DownloadInit, type DownloadState, startOver } from './state.ts';

// S3 answers an expired token with 400 (ExpiredToken), everything else that is wrong with a link with 403.
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);
const JUDGED_BY_HEADERS: ReadonlySet<number> = new Set([200, 206, 412, 416]);

/** Says what a reply is good for; undefined: its body may be taken, from the position at which the file ends. */
export function judgeReply(
  init: DownloadInit,
  state: DownloadState,
  reply: IncomingMessage,
): Setback | undefined | Promise<Setback> {
  // At once where it can be: what has come of the body by then would be lost when the connection breaks meanwhile.
  return JUDGED_BY_HEADERS.has(reply.statusCode ?? 0) ? judgeHeaders(init, state, reply) : judgeFailure(init, reply);
}

function judgeHeaders(init: DownloadInit, state: DownloadState, reply: IncomingMessage): Setback | undefined {
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
  state: DownloadState,
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
  const text = await readErrorCode(reply, init.transfer.idleMs);
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
