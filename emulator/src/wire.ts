import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FaultEffect } from './faults.ts';

export interface WireReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export async function readReply(response: Response): Promise<WireReply> {
  const body = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body };
}

/** True if the fault has its own reply, so the request has no effect. */
export function replaces(fault: FaultEffect): boolean {
  return fault.status !== undefined || fault.body !== undefined || fault.raw !== undefined;
}

/** The emulator's reply, changed by a fault; without a reply, the scripted one. */
export function faultyReply(fault: FaultEffect, own: WireReply | undefined): WireReply {
  const headers = new Headers(
    own && !replaces(fault) ? own.headers : { 'content-type': 'application/json; charset=utf-8' },
  );
  for (const [name, value] of Object.entries(fault.headers ?? {})) headers.set(name, value);
  if (own && !replaces(fault)) return { ...own, headers };
  return { status: fault.status ?? 200, headers, body: bodyBytes(fault.body) };
}

function bodyBytes(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
}

interface Sending {
  readonly outgoing: ServerResponse;
  readonly reply: WireReply;
  readonly fault: FaultEffect;
}

/** Writes a reply to the socket, with the fault's misbehaviour. */
export async function sendReply({ outgoing, reply, fault }: Sending): Promise<void> {
  if (fault.raw !== undefined) {
    outgoing.socket?.end(fault.raw);
    return;
  }
  writeHead({ outgoing, reply, fault });
  // Head and body in one packet, where no fault comes between them.
  if (fault.truncateAfterBytes === undefined && fault.drip === undefined) {
    outgoing.end(reply.body);
    return;
  }
  outgoing.flushHeaders();
  const end = fault.truncateAfterBytes ?? reply.body.length;
  const step = Math.max(1, fault.drip?.bytes ?? end);
  for (let from = 0; from < end && !outgoing.destroyed; from += step) {
    outgoing.write(reply.body.subarray(from, Math.min(end, from + step)));
    if (fault.drip) await delay(fault.drip.everyMs);
  }
  if (fault.truncateAfterBytes === undefined || fault.closeDelimited) outgoing.end();
  // Closes the connection properly, so every written byte arrives, but fewer bytes than promised.
  else if (end === 0) outgoing.write('', () => outgoing.socket?.end());
  else outgoing.socket?.end();
}

function writeHead({ outgoing, reply, fault }: Sending): void {
  for (const [name, value] of reply.headers) outgoing.setHeader(name, value);
  if (fault.closeDelimited) {
    outgoing.removeHeader('content-length');
    outgoing.useChunkedEncodingByDefault = false;
    outgoing.shouldKeepAlive = false;
  } else if (!outgoing.hasHeader('content-length')) {
    outgoing.setHeader('content-length', reply.body.length);
  }
  outgoing.writeHead(reply.status);
}
