import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { CourierError, courierError, protocolError } from '../../ground/errors.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { isTlsFailure, systemCodes } from '../../http/codes.ts';
import { PRIVATE_ADDRESS } from '../../http/hosts.ts';
import { LONGEST_WAIT_MS, readRetryAfter, serverTimeMs } from '../../http/retries.ts';
import { releasePiece } from '../archive/gzip.ts';

/** What the storage says about the archive. */
interface Announced {
  readonly etag: string | undefined;
  readonly totalBytes: number | undefined;
}

/** The archive that was begun, and how many bytes of it have come. */
interface Position extends Announced {
  readonly bytes: number;
}

/** The archive from its first byte, or the rest of it. */
interface ArchiveBody extends Announced {
  readonly kind: 'whole' | 'rest';
}

/** How one attempt ended, when the archive is not complete yet. */
export type FailedAttempt =
  | { readonly kind: 'broken'; readonly cause: unknown; readonly retryAfterMs?: number | undefined }
  /** `errorCode`: that of the storage, empty when there is none. */
  | { readonly kind: 'refused'; readonly status: number; readonly errorCode: string }
  /** It is not, or no longer, the object that was expected. */
  | Changed;

interface Changed {
  readonly kind: 'changed';
  readonly reason: string;
}

const CHANGED: Changed = {
  kind: 'changed',
  reason: 'the archive at the link changed while it was downloaded',
};

/**
 * Says what a reply brings: the whole archive, the rest of it, or another archive than the one that
 * was begun. undefined: it brings none, whatever the reason. `promisedBytes`: the size that the
 * platform gave with the link.
 */
export function judgeReply(
  reply: IncomingMessage,
  position: Position,
  promisedBytes: number | undefined,
): ArchiveBody | Changed | undefined {
  // A weak tag (`W/"…"`) may be the same for other bytes, so it counts as none.
  const etag = reply.headers.etag?.startsWith('"') ? reply.headers.etag : undefined;
  switch (reply.statusCode) {
    case 200:
      return judgeWhole(reply.headers['content-length'], etag, promisedBytes);
    case 206:
      return judgeRest(reply.headers['content-range'], etag, position);
    // The archive has another tag (412), or is shorter than what has come (416).
    case 412:
    case 416:
      return CHANGED;
    default:
      return undefined;
  }
}

/** For a reply that begins with the first byte. */
function judgeWhole(
  length: string | undefined,
  etag: string | undefined,
  promisedBytes: number | undefined,
): ArchiveBody | Changed {
  // A storage need not give the length.
  if (!/^\d{1,15}$/.test(length ?? '')) return { kind: 'whole', etag, totalBytes: promisedBytes };
  const totalBytes = Number(length);
  if (promisedBytes === undefined || totalBytes === promisedBytes)
    return { kind: 'whole', etag, totalBytes };
  // A newer export may be stored at the link by now.
  const reason = `it has ${totalBytes} bytes, and the platform gave its size as ${promisedBytes}`;
  return { kind: 'changed', reason };
}

/** For a reply with a part: it must continue exactly what has come. */
function judgeRest(
  range: string | undefined,
  etag: string | undefined,
  position: Position,
): ArchiveBody | Changed {
  const match = /^bytes \d{1,15}-\d{1,15}\/(\d{1,15})$/.exec(range ?? '');
  if (match === null) return CHANGED;
  const total = Number(match[1]);
  const isTheRest = range === `bytes ${position.bytes}-${total - 1}/${total}`;
  // Before the first byte has come, the whole archive is asked for, and not a part.
  if (position.bytes === 0 || !isTheRest) return CHANGED;
  if (position.totalBytes !== undefined && total !== position.totalBytes) return CHANGED;
  // The storage need not give the tag again.
  if (etag !== undefined && etag !== position.etag) return CHANGED;
  return { kind: 'rest', etag, totalBytes: total };
}

// S3 answers an expired token with 400 (ExpiredToken), everything else that is wrong with a link
// with 403.
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);
// Request timeout, too early, too many requests.
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429]);

/** Why a reply does not have the archive. Throws if another attempt cannot help. */
export async function failureOfReply(
  reply: IncomingMessage,
  idleMs: number,
  nowMs: number,
): Promise<FailedAttempt> {
  // Every reply to a request has a status; 0 is for the compiler.
  const status = reply.statusCode ?? 0;
  const errorCode = await readErrorCode(reply, idleMs);
  if (REFUSALS.has(status)) return { kind: 'refused', status, errorCode };
  const isTemporary = TEMPORARY.has(status) || status >= 500;
  if (!isTemporary) {
    throw protocolError(`The storage answered the bundle link with status ${status}.`, AGAIN, {
      httpStatus: status,
    });
  }
  const serverMs = serverTimeMs(reply.headers, nowMs);
  const retryAfterMs = readRetryAfter(reply.headers['retry-after'], serverMs);
  if (retryAfterMs !== undefined && retryAfterMs > LONGEST_WAIT_MS) {
    throw courierError(
      'rate-limited',
      `The storage of the bundle asks to try again in ${Math.ceil(retryAfterMs / 1000)} s (status ${status}).`,
      FINISHED,
      { httpStatus: status, retryAfterMs },
    );
  }
  return { kind: 'broken', cause: new Error(`status ${status}`), retryAfterMs };
}

/** The error code in the XML of an object storage; empty when there is none. */
async function readErrorCode(reply: IncomingMessage, timeoutMs: number): Promise<string> {
  let text = '';
  const wait = setTimeout(() => reply.destroy(new Error('too slow')), timeoutMs);
  try {
    for await (const chunk of reply) {
      text += String(chunk);
      // The code comes first.
      if (text.length > 2000) break;
    }
  } catch {
    // The code is only for the message: what has come of the text is enough.
  } finally {
    clearTimeout(wait);
  }
  return /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1] ?? '';
}

/**
 * Calls `take` with each piece of a body as it comes; a piece is valid until `take` returns. An
 * iterator would lose pieces that have come when the connection breaks.
 */
export function eachChunk(reply: IncomingMessage, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    // Runs after Node's own listener, so that the content of the packet was already taken, unless
    // it waits in the reply.
    reply.socket.on('data', (packet: Buffer) => {
      if (reply.readableLength === 0) releasePiece(packet);
    });
    // Only the first of the three settles the promise: `close` follows the others.
    reply.on('end', resolve);
    reply.on('error', reject);
    reply.on('close', () => reject(new Error('cut off')));
    reply.on('data', (chunk: Buffer) => {
      // What still comes after `take` threw.
      if (reply.destroyed) return;
      try {
        take(chunk);
        releasePiece(chunk);
      } catch (error) {
        reject(error);
        reply.destroy();
      }
    });
  });
}

/**
 * The failed attempt for an error. Throws if another attempt cannot help: after a private address
 * or a wrong certificate.
 */
export function brokenBy(cause: unknown): FailedAttempt {
  // Such as of a damaged archive, or of a full disk.
  if (cause instanceof CourierError) throw cause;
  const codes = systemCodes(cause);
  if (codes.includes(PRIVATE_ADDRESS)) {
    throw protocolError(
      'The bundle link leads to an address of a private network, although base-url is public; nothing was sent there.',
      {
        text: 'If the storage of your platform is inside your network, allow it. Otherwise report the link to the platform.',
        inputs: { 'allow-private-hosts': 'true' },
      },
      { cause },
    );
  }
  if (isTlsFailure(codes)) {
    throw courierError(
      'network',
      `The storage of the bundle cannot be reached safely (${codeOf(cause) ?? 'TLS'}).`,
      'If your proxy replaces certificates, set NODE_EXTRA_CA_CERTS to the file of its authority.',
      { cause },
    );
  }
  return { kind: 'broken', cause };
}

/** The error code of the system or of TLS; ABORT_ERR only says that we ended the attempt. */
function codeOf(error: unknown): string | undefined {
  return systemCodes(error).find((code) => code !== 'ABORT_ERR');
}

const FINISHED =
  'Run again with export-job-id: the export is finished and is not started a second time.';
const AGAIN = 'Run again with export-job-id. If it happens again, report it to the platform.';

export function tooLarge(limitBytes: number): CourierError {
  return courierError(
    'unsafe-archive',
    `The bundle is larger than ${limitBytes} bytes, the maximum.`,
    'Split a documentation site of that size, or describe your case in an issue.',
  );
}

export function refused(status: number, errorCode: string): CourierError {
  return courierError(
    status === 404 ? 'not-found' : 'forbidden',
    `The storage refused the bundle link with status ${status}${errorCode && ` (${errorCode})`}, and fresh links as well.`,
    AGAIN,
    { httpStatus: status },
  );
}

/** `network`: all attempts were used. Shows the error of the last one, if it had one. */
export function gaveUp(failed: FailedAttempt, attempts: number): CourierError {
  // A last attempt that was refused or found another archive has no error.
  const cause = failed.kind === 'broken' ? failed.cause : undefined;
  const message = cause instanceof Error ? plainLine(cause.message, 80) : 'no bytes arrived';
  return courierError(
    'network',
    `The bundle could not be downloaded in ${attempts} attempts (${codeOf(cause) ?? message}).`,
    FINISHED,
    { cause },
  );
}
