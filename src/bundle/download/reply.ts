import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { releasePiece } from '../archive/pieces.ts';

/** The error code in the XML of an object storage; empty when there is none. */
export async function readErrorCode(reply: IncomingMessage, timeoutMs: number): Promise<string> {
  let text = '';
  const wait = setTimeout(() => reply.destroy(new Error('too slow')), timeoutMs);
  try {
    for await (const chunk of reply) {
      text += String(chunk);
      if (text.length > 2000) break;
    }
  } catch {
    // Only for the message: what came of it is enough.
  } finally {
    clearTimeout(wait);
  }
  return /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1] ?? '';
}

/**
 * Hands on every piece of a body as it comes; it is good until `take` returns. An iterator would drop what it had not yet
 * given when the connection breaks, and that would have to be downloaded again.
 */
export function eachChunk(reply: IncomingMessage, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    // After Node's own listener: by then the packet is parsed, and its content was taken or still waits in the reply.
    reply.socket.on('data', (packet: Buffer) => {
      if (reply.readableLength === 0) releasePiece(packet);
    });
    reply.on('end', resolve);
    reply.on('error', reject);
    reply.on('close', () => reject(new Error('cut off')));
    reply.on('data', (chunk: Buffer) => {
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
