import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { protocolError } from '../../ground/errors.ts';
import { ExchangeError, openReply } from '../../http/exchange.ts';
import { literalRefusal, publicLookup } from '../../http/hosts.ts';
import { agentFor } from '../../http/proxy.ts';
import { checkBundleUrl, type LinkPolicy } from '../../platform/link.ts';

interface StorageRequest {
  readonly url: string;
  /** Sent only when there is something to continue from. */
  readonly range: { readonly from: number; readonly etag: string } | undefined;
  readonly policy: LinkPolicy;
  readonly limits: TransferLimits;
  readonly signal: AbortSignal;
  /** Resolves names if `policy` forbids private addresses; tests replace it. */
  readonly lookup?: LookupFunction | undefined;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const CONNECT_MS = 10_000;

/**
 * Asks the storage for the archive and returns the reply with its body unread. No key and no cookie
 * is ever sent: the link is its own permission. Redirects are followed a few times, each link
 * checked like the first one.
 */
export async function requestArchive(request: StorageRequest): Promise<IncomingMessage> {
  let url = request.url;
  for (let hops = 0; ; hops += 1) {
    const reply = await send(url, request);
    const location = reply.headers.location;
    if (!REDIRECTS.has(reply.statusCode ?? 0) || location === undefined) return reply;
    // The body of a redirect is not read; how it ends does not matter.
    reply.on('error', () => {});
    reply.destroy();
    if (hops >= request.limits.redirects) {
      throw protocolError(
        `The bundle link was redirected more than ${hops} times; the download was stopped.`,
        'Report it to the platform: a presigned link leads to the archive itself, at most through another region.',
      );
    }
    url = nextHop(location, url, request.policy);
  }
}

/** The address that a redirect leads to. Throws if the policy does not allow it. */
function nextHop(location: string, from: string, policy: LinkPolicy): string {
  // A URL parser silently drops some characters. A location that contains such is checked as it is,
  // and so refused.
  const isPlain = /^[\x21-\x7e]+$/.test(location) && URL.canParse(location, from);
  return checkBundleUrl(isPlain ? new URL(location, from).href : location, policy);
}

async function send(href: string, request: StorageRequest): Promise<IncomingMessage> {
  const { range, limits, signal, policy } = request;
  const url = new URL(href);
  // A host that is written as an address is never looked up, so it is checked here, and refused as
  // the look-up would.
  const refusal = policy.allowPrivateHosts ? undefined : literalRefusal(url);
  if (refusal !== undefined)
    throw new ExchangeError({ fault: 'broken', sent: false, cause: refusal });
  const headers: Record<string, string> = {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'docs-courier',
  };
  if (range !== undefined) {
    headers['range'] = `bytes=${range.from}-`;
    // The rest of this archive and of no other: a storage that has another one answers 412.
    headers['if-match'] = range.etag;
  }
  // A kept connection may have been made without the check of its address.
  const agent = await agentFor(url, { keep: false });
  const lookup = policy.allowPrivateHosts ? undefined : (request.lookup ?? publicLookup());
  return openReply(
    { method: 'GET', url, headers, body: undefined, agent, lookup },
    { connectMs: CONNECT_MS, headersMs: limits.headersMs },
    signal,
  );
}

/** How a download is paced. Tests hand in shorter ones. */
export interface TransferLimits {
  /** From the request to the reply's headers. */
  readonly headersMs: number;
  /** Between two pieces of the body. */
  readonly idleMs: number;
  /** A transfer slower than `slowBytesPerSecond` over this long is cut and resumed. */
  readonly slowWindowMs: number;
  readonly slowBytesPerSecond: number;
  /** Attempts in a row that bring no new byte. */
  readonly failuresInARow: number;
  /** Attempts of one download in all. */
  readonly attempts: number;
  readonly redirects: number;
}

export const TRANSFER_LIMITS: TransferLimits = {
  headersMs: 30_000,
  idleMs: 30_000,
  slowWindowMs: 60_000,
  slowBytesPerSecond: 64 * 1024,
  failuresInARow: 5,
  attempts: 21,
  redirects: 3,
};
