import type { Fault, FaultEffect } from '../../../emulator/src/faults.ts';

type Random = () => number;

export interface Injectable {
  inject(fault: Fault): void;
}

const MAX_REQUESTS = 60;
const HTML = { 'content-type': 'text/html' };

/** What a repeatable request recovers from. */
function passingFault(random: Random): FaultEffect {
  const upTo = (max: number) => Math.floor(random() * max);
  const kinds: (() => FaultEffect)[] = [
    () => ({ status: 500 }),
    () => ({ status: 502, body: '<html>bad gateway</html>', headers: HTML }),
    () => ({ status: 503, headers: { 'retry-after': '1' } }),
    () => ({ status: 429, headers: { 'retry-after': '1' } }),
    () => ({ status: 408 }),
    () => ({ reset: 'before' }),
    () => ({ reset: 'after' }),
    () => ({ truncateAfterBytes: upTo(3) }),
    () => ({ raw: 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-le' }),
    () => ({ drip: { bytes: 30 + upTo(200), everyMs: 1 + upTo(10) } }),
    () => ({ delayMs: upTo(1500) }),
  ];
  return kinds[upTo(kinds.length)]?.() ?? {};
}

/**
 * Any byte may be wrong, and any reply untrue. `echo`: what a hostile server would like to see in a
 * log.
 */
function hostileFault(random: Random, echo: string): FaultEffect {
  const upTo = (max: number) => Math.floor(random() * max);
  const lies: readonly unknown[] = [
    {},
    [],
    null,
    0,
    '',
    '<html><title>Sign in</title></html>',
    { status: 'completed' },
    { status: 'no such status', jobId: echo, message: echo },
    { jobId: '../../other', url: 'http://169.254.169.254/', expiresAt: '2099' },
    { message: echo, error: echo },
  ];
  const statuses = [200, 200, 200, 201, 204, 206, 302, 400, 401, 403, 404, 409, 418, 422, 429, 500];
  const kinds: (() => FaultEffect)[] = [
    () => ({ status: statuses[upTo(statuses.length)], body: lies[upTo(lies.length)] }),
    () => ({ status: 200, body: lies[upTo(lies.length)], applied: true }),
    () => ({
      status: 403,
      body: { message: 'You have exceeded a secondary rate limit.' },
      headers: { 'retry-after': '1' },
    }),
    () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/' } }),
    () => ({ closeDelimited: true, truncateAfterBytes: upTo(400) }),
    () => ({ truncateAfterBytes: upTo(4000) }),
    () => ({ raw: `HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}${echo}` }),
    () => ({ raw: `HTTP/1.1 ${echo}\r\n\r\n` }),
    () => ({ raw: Uint8Array.from({ length: 1 + upTo(200) }, () => upTo(256)) }),
    () => ({
      raw: 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    }),
    () => ({ headers: { 'content-encoding': 'gzip' } }),
    () => passingFault(random),
    () => passingFault(random),
  ];
  return kinds[upTo(kinds.length)]?.() ?? {};
}

interface Scatter {
  readonly random: Random;
  /** Share of the requests that meet a fault. */
  readonly rate: number;
  /**
   * What the faults repeat; undefined: only faults that pass, for requests that may be repeated.
   */
  readonly echo: string | undefined;
}

/** Lets each of the coming requests fail with that probability, each for itself. */
export function scatter(server: Injectable, { random, rate, echo }: Scatter): void {
  const methods = echo === undefined ? ['GET', 'PUT', 'PATCH'] : [undefined];
  for (const method of methods) {
    let met = 0;
    for (let request = 1; request <= MAX_REQUESTS; request += 1) {
      if (random() >= rate) continue;
      const effect = echo === undefined ? passingFault(random) : hostileFault(random, echo);
      // A fault does not count the requests that earlier ones have met.
      server.inject({ ...effect, match: { method, nth: request - met } });
      met += 1;
    }
  }
}
