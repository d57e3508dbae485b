import type { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';

// Smaller pieces are cut from a pool that others use too, or are not worth the call.
const LEAST_BYTES = 16 * 1024;

/**
 * Gives memory back at once that nobody reads any more, where the piece is the last one of its buffer or all of it. The
 * collector runs when the heap grows and not when what hangs on it does: tens of megabytes of pieces would wait for it.
 *
 * Measured with `npm run bench bundle`, 195 MiB in 20,000 files: with this and `piecesOf` 1.01 of the CPU time of
 * `curl | tar xz` and 103 MiB at most, without both 1.16 and 119 MiB.
 */
export function releasePiece({ buffer, byteOffset, byteLength }: Buffer): void {
  const isLast = byteLength > 0 && byteOffset + byteLength === buffer.byteLength;
  if (!isLast || buffer.byteLength < LEAST_BYTES || !(buffer instanceof ArrayBuffer)) return;
  // Node 20 cannot do it; there the collector has to.
  if (typeof buffer.transfer === 'function') buffer.transfer(0);
}

/**
 * The pieces of a stream that fills one buffer after the other, as zlib's do. Each is good until the next one is asked for.
 * A stream's own iterator would first join what has piled up into one more buffer.
 */
export async function* piecesOf(stream: Readable): AsyncGenerator<Buffer> {
  const queue: Buffer[] = [];
  let end: { readonly error: unknown } | undefined;
  let wake = () => {};
  const finish = (error?: unknown) => {
    end ??= { error };
    wake();
  };
  stream.on('data', (piece: Buffer) => {
    queue.push(piece);
    stream.pause();
    wake();
  });
  stream.on('end', finish).on('error', finish);
  stream.on('close', () => finish(new Error('the stream was closed before its end')));
  try {
    for (;;) {
      for (let piece = queue.shift(); piece !== undefined; piece = queue.shift()) {
        yield piece;
        releasePiece(piece);
      }
      if (end?.error !== undefined) throw end.error;
      if (end !== undefined) return;
      const change = new Promise<void>((resolve) => {
        wake = resolve;
      });
      stream.resume();
      await change;
    }
  } finally {
    stream.destroy();
  }
}
