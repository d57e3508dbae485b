import http from 'node:http';
import https from 'node:https';
import { HttpClient } from '@actions/http-client';
import { checkBundleUrl, type LinkPolicy } from '../../platform/link.ts';
import { tooManyRedirects } from './errors.ts';
import type { TransferLimits } from './limits.ts';

export interface StorageRequest {
  readonly url: string;
  /** Sent only when there is something to go on from. */
  readonly range: { readonly from: number; readonly etag: string } | undefined;
  readonly policy: LinkPolicy;
  readonly limits: TransferLimits;
  readonly signal: AbortSignal;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
// Of the library only its choice of agent is used: proxies and NO_PROXY, as for every call to the platform.
const agents = new HttpClient('docs-courier', [], { keepAlive: false });

/**
 * Asks the storage for the archive and returns the reply with its body unread. No key and no cookie is ever sent: the link
 * is its own permission. Redirects are followed a few times, each link checked like the first one.
 */
export async function requestArchive(request: StorageRequest): Promise<http.IncomingMessage> {
  let url = request.url;
  for (let hops = 0; ; hops += 1) {
    const reply = await send(url, request);
    const location = reply.headers.location;
    if (!REDIRECTS.has(reply.statusCode ?? 0) || location === undefined) return reply;
    reply.on('error', () => {});
    reply.destroy();
    if (hops >= request.limits.redirects) throw tooManyRedirects(request.limits.redirects);
    url = nextHop(location, url, request.policy);
  }
}

function nextHop(location: string, from: string, policy: LinkPolicy): string {
  // A URL parser drops some characters without a word; only what passes as it came is resolved.
  const isPlain = /^[\x21-\x7e]+$/.test(location) && URL.canParse(location, from);
  const { href } = new URL(isPlain ? location : '\\', from);
  return checkBundleUrl(isPlain ? href : location, policy);
}

function send(url: string, { range, limits, signal }: StorageRequest): Promise<http.IncomingMessage> {
  const { protocol } = new URL(url);
  const open = protocol === 'https:' ? https.request : http.request;
  const headers = {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'docs-courier',
    ...(range !== undefined && { range: `bytes=${range.from}-`, 'if-match': range.etag }),
  };
  return new Promise((resolve, reject) => {
    const sent = open(url, { method: 'GET', headers, agent: agents.getAgent(url), signal });
    const give = (reason: unknown) => {
      reject(reason);
      sent.destroy();
    };
    // Not left to the request: one that waits for a proxy's tunnel has no socket, and does not report that it ended.
    signal.addEventListener('abort', () => give(signal.reason), { once: true });
    const wait = setTimeout(() => give(new Error('no reply in time')), limits.headersMs);
    sent.on('response', (reply) => {
      clearTimeout(wait);
      resolve(reply);
    });
    sent.on('error', (error) => {
      clearTimeout(wait);
      reject(error);
    });
    sent.end();
  });
}
