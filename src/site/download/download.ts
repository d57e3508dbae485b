import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { type Clock, cancelled } from '../../ground/clock.ts';
import type { Log } from '../../ground/log.ts';
import { formatBytes } from '../../ground/text/amounts.ts';
import { proxyFor } from '../../http/proxy.ts';
import { afterRetryAfterMs, backoffMs } from '../../http/retries.ts';
import type { BundleLink, LinkMaker, LinkPolicy } from '../../platform/link.ts';
import { damaged } from '../archive/admission.ts';
import type { GrowingFile } from '../disk/growing-file.ts';
import {
  brokenBy,
  eachChunk,
  type FailedAttempt,
  failureOfReply,
  gaveUp,
  judgeReply,
  refused,
  tooLarge,
} from './reply.ts';
import { requestArchive, type TransferLimits } from './request.ts';

export interface DownloadRequest {
  readonly link: BundleLink;
  readonly links: LinkMaker;
  readonly policy: LinkPolicy;
  /** Resolves names if `policy` forbids private addresses; tests replace it. */
  readonly lookup?: LookupFunction | undefined;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly limits: TransferLimits;
  /**
   * Called once the size is known, before the first byte is taken: throws when the disk has no room
   * for it.
   */
  readonly onSize: (bytes: number) => void;
}

interface DownloadInit extends DownloadRequest {
  readonly file: GrowingFile;
  /** The largest archive that is taken. */
  readonly maxBytes: number;
}

export interface Downloaded {
  readonly bytes: number;
  readonly sha256: string;
  /** How often the download was resumed after an interruption. */
  readonly resumed: number;
  /** The link that the last byte came from. */
  readonly link: BundleLink;
}

/** Fresh links for links that the storage refused. */
const MAX_RENEWALS = 2;
/** Downloads from the first byte again, after the archive changed. */
const MAX_RESTARTS = 1;

/**
 * One archive on its way into a file, over all attempts. An attempt that is interrupted is
 * continued by the next one, if the entity tag (ETag) shows that the archive is still the same.
 */
export class Download {
  /**
   * The `Content-Encoding` that the storage announced. The content is not decoded: many storages
   * announce an encoding for an archive that has none.
   */
  encoding: string | undefined;
  readonly #init: DownloadInit;
  readonly #showProgress: ReturnType<typeof createProgress>;
  #link: BundleLink;
  #etag: string | undefined;
  #totalBytes: number | undefined;
  #hash: Hash = createHash('sha256');
  #resumed = 0;
  #restarts = 0;
  #renewals = 0;

  constructor(init: DownloadInit) {
    this.#init = init;
    this.#showProgress = createProgress(init.clock, init.log);
    this.#link = init.link;
  }

  /**
   * Brings the archive into the file, whatever it takes within the limits. Throws a CourierError,
   * and only that.
   */
  async run(): Promise<Downloaded> {
    const { file, limits, signal, policy, log } = this.#init;
    if (!policy.allowPrivateHosts && proxyFor(new URL(this.#link.url)) !== undefined) {
      log.info(
        'The bundle is downloaded through a proxy, which has to check that the link does not lead to a private address.',
      );
    }
    // The size that the platform gives can show, before the first request, that the disk has no
    // room.
    this.#expectSize(this.#link.sizeBytes);
    // Attempts in a row that brought no new byte.
    let failuresInARow = 0;
    for (let attempt = 1; ; attempt += 1) {
      const bytesBefore = file.sizeBytes;
      const failed = await this.#attempt();
      if (failed === undefined) {
        file.finish();
        return {
          bytes: file.sizeBytes,
          sha256: this.#hash.digest('hex'),
          resumed: this.#resumed,
          link: this.#link,
        };
      }
      // That the run is stopped ends an attempt too.
      if (signal.aborted) throw cancelled(signal.reason);
      failuresInARow += 1;
      if (file.sizeBytes > bytesBefore) failuresInARow = 0;
      if (attempt >= limits.attempts || failuresInARow >= limits.failuresInARow)
        throw gaveUp(failed, attempt);
      await this.#recover(failed, failuresInARow);
    }
  }

  /** Does what the next attempt needs to succeed. Throws if it would fail too. */
  async #recover(failed: FailedAttempt, failuresInARow: number): Promise<void> {
    switch (failed.kind) {
      case 'changed':
        return this.#restart(failed.reason);
      case 'refused':
        return this.#renew(failed.status, failed.errorCode);
      case 'broken':
        return this.#wait(failed.retryAfterMs, failuresInARow);
    }
  }

  // Parts of two archives must never be joined. A first change may be a new export, which has
  // another link and another size; after a second change the storage cannot be relied on.
  async #restart(reason: string): Promise<void> {
    this.#restarts += 1;
    if (this.#restarts > MAX_RESTARTS) throw damaged(`${reason}, twice in a row`);
    this.#init.log.info(`The download starts over with a fresh link: ${reason}.`);
    this.#startOver();
    this.#link = await this.#init.links.fresh();
    this.#expectSize(this.#link.sizeBytes);
  }

  /** Gets a fresh link: a link may expire while the archive is downloaded. */
  async #renew(status: number, errorCode: string): Promise<void> {
    if (this.#renewals >= MAX_RENEWALS) throw refused(status, errorCode);
    this.#renewals += 1;
    this.#init.log.info(`The storage refused the link with status ${status}; making a fresh one.`);
    // Its size is not noted: it leads to the archive that was begun, or the next reply shows that
    // it does not.
    this.#link = await this.#init.links.fresh();
  }

  async #wait(retryAfterMs: number | undefined, failuresInARow: number): Promise<void> {
    const { file, log, clock, signal, random } = this.#init;
    // Its attempts count from 1, and after new bytes there are no failures.
    let waitMs = backoffMs(failuresInARow + 1, random);
    if (retryAfterMs !== undefined) waitMs = afterRetryAfterMs(retryAfterMs, random);
    log.info(
      `The download was interrupted at ${file.sizeBytes} bytes; continuing in ${(waitMs / 1000).toFixed(1)} s.`,
    );
    await clock.sleep(waitMs, signal);
  }

  /** Asks for the archive, or the rest of it. undefined: it is complete; else why it is not. */
  async #attempt(): Promise<FailedAttempt | undefined> {
    const { file, policy, lookup, limits, clock } = this.#init;
    const attempt = new AbortController();
    const signal = AbortSignal.any([this.#init.signal, attempt.signal]);
    // Without an entity tag it is not known whether the rest belongs to the bytes that are here.
    if (this.#etag === undefined) this.#startOver();
    const bytes = file.sizeBytes;
    const etag = this.#etag;
    // There are bytes only together with their tag: that it is checked again is for the compiler.
    const range = bytes > 0 && etag !== undefined ? { from: bytes, etag } : undefined;
    try {
      const url = this.#link.url;
      const reply = await requestArchive({ url, range, policy, limits, signal, lookup });
      // Nothing is awaited between headers and body: if the connection broke meanwhile, the bytes
      // of the body that had come would be lost.
      const position = { bytes, etag, totalBytes: this.#totalBytes };
      const body = judgeReply(reply, position, this.#link.sizeBytes);
      if (body === undefined) return await failureOfReply(reply, limits.idleMs, clock.now());
      if (body.kind === 'changed') return body;
      if (body.kind === 'rest') this.#totalBytes = body.totalBytes;
      else {
        // The archive from its first byte, also if the storage ignored the range.
        this.#startOver();
        this.#etag = body.etag;
        this.encoding = reply.headers['content-encoding'];
        this.#expectSize(body.totalBytes);
      }
      // Counted also if everything comes again: the download was interrupted after some bytes.
      if (range !== undefined) this.#resumed += 1;
      await this.#takeBody(reply, attempt);
      return this.#judgeEnd(reply);
    } catch (cause) {
      return brokenBy(cause);
    } finally {
      // Closes the connection if the attempt failed while it was open.
      attempt.abort();
    }
  }

  /** Appends the body to the file. Throws if it stops, is too slow, or is too long. */
  async #takeBody(reply: IncomingMessage, attempt: AbortController): Promise<void> {
    const { file, clock, limits, maxBytes } = this.#init;
    const bytesBefore = file.sizeBytes;
    const isFastEnough = createPace(clock.monotonicMs(), limits);
    // Ends the attempt if no piece comes for this long.
    const idle = setTimeout(() => attempt.abort(), limits.idleMs);
    const announced = this.#totalBytes;
    try {
      await eachChunk(reply, (chunk) => {
        idle.refresh();
        const size = file.sizeBytes + chunk.length;
        if (announced !== undefined && size > announced)
          throw damaged(`the storage sent more than the ${announced} bytes that it announced`);
        if (size > maxBytes) throw tooLarge(maxBytes);
        file.append(chunk);
        this.#hash.update(chunk);
        this.#showProgress(size, announced);
        // The next attempt continues behind this piece, perhaps on a faster connection.
        if (!isFastEnough(clock.monotonicMs(), size - bytesBefore)) throw new Error('too slow');
      });
    } finally {
      clearTimeout(idle);
      reply.destroy();
    }
  }

  /** Whether the archive is complete at the end of a body. undefined: it is. */
  #judgeEnd(reply: IncomingMessage): FailedAttempt | undefined {
    if (!reply.complete) return { kind: 'broken', cause: new Error('cut off') };
    const size = this.#init.file.sizeBytes;
    const announced = this.#totalBytes;
    if (announced === undefined || size === announced) return undefined;
    throw damaged(`it has ${size} bytes, and ${announced} were announced`);
  }

  /** What has come is dropped: the archive begins with its first byte again. */
  #startOver(): void {
    // Readers of an empty file have nothing to read again.
    if (this.#init.file.sizeBytes > 0) this.#init.file.restart();
    this.#hash = createHash('sha256');
    this.#etag = undefined;
  }

  /** Notes the announced size. Throws if it is not allowed, or the disk has no room for it. */
  #expectSize(totalBytes: number | undefined): void {
    const { maxBytes, onSize } = this.#init;
    this.#totalBytes = totalBytes;
    // Neither the platform nor the storage has to give it.
    if (totalBytes === undefined) return;
    if (totalBytes > maxBytes) throw tooLarge(maxBytes);
    onSize(totalBytes);
  }
}

/**
 * Gives a function that says whether a transfer is fast enough to continue. It takes the time and
 * all bytes since the start, and compares once per `slowWindowMs`.
 */
function createPace(startMs: number, limits: TransferLimits) {
  let fromMs = startMs;
  let fromBytes = 0;
  return (nowMs: number, bytes: number): boolean => {
    const elapsedMs = nowMs - fromMs;
    if (elapsedMs < limits.slowWindowMs) return true;
    const rate = ((bytes - fromBytes) / elapsedMs) * 1000;
    fromMs = nowMs;
    fromBytes = bytes;
    return rate >= limits.slowBytesPerSecond;
  };
}

const PROGRESS_EVERY_MS = 60_000;

/** Gives a function that logs a line of progress at most once a minute. */
function createProgress(clock: Clock, log: Log) {
  let lastMs = clock.monotonicMs();
  return (bytes: number, totalBytes: number | undefined): void => {
    const nowMs = clock.monotonicMs();
    if (nowMs - lastMs < PROGRESS_EVERY_MS) return;
    lastMs = nowMs;
    const ofTotal = totalBytes === undefined ? '' : ` of ${formatBytes(totalBytes)}`;
    log.info(`Downloaded ${formatBytes(bytes)}${ofTotal}.`);
  };
}
