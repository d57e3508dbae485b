import { Hono } from 'hono';
import { STORAGE_PREFIX, type StoredBundle } from '../bundle-store.ts';
import { judgeLink, type LinkVerdict } from '../link-signature.ts';
import type { Store } from '../store.ts';
import { type ByteRange, readRange } from './byte-range.ts';

/**
 * The object storage behind the links; it does not check keys, only signatures. Hono answers HEAD
 * from GET.
 */
export function storageRoutes(store: Store): Hono {
  const routes = new Hono();
  routes.get('/*', (context) => {
    const url = new URL(context.req.url);
    const verdict = judgeLink(store.storage.secret, url, store.clock.now());
    if (verdict !== 'valid') return refusal(verdict);
    const bundle = store.storage.get(url.pathname.slice(STORAGE_PREFIX.length));
    if (!bundle) return xmlError(404, 'NoSuchKey', 'The specified key does not exist.');
    return answer(bundle, context.req.raw.headers);
  });
  routes.all('/*', () => xmlError(405, 'MethodNotAllowed', 'Only GET and HEAD are allowed here.'));
  return routes;
}

function refusal(verdict: Exclude<LinkVerdict, 'valid'>): Response {
  if (verdict === 'expired') return xmlError(403, 'AccessDenied', 'Request has expired');
  if (verdict === 'unsigned') return xmlError(403, 'AccessDenied', 'Access Denied');
  return xmlError(
    403,
    'SignatureDoesNotMatch',
    'The request signature does not match the one that was calculated.',
  );
}

function xmlError(status: number, code: string, message: string): Response {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>\n`;
  return new Response(xml, { status, headers: { 'content-type': 'application/xml' } });
}

function answer({ bytes, etag }: StoredBundle, headers: Headers): Response {
  const wanted = headers.get('if-match');
  if (wanted !== null && wanted !== '*' && !listsTag(wanted, etag)) {
    return xmlError(412, 'PreconditionFailed', 'At least one of the preconditions did not hold.');
  }
  const common = { etag, 'accept-ranges': 'bytes', 'content-type': 'application/gzip' };
  const unchanged = headers.get('if-none-match');
  if (unchanged !== null && listsTag(unchanged, etag))
    return new Response(null, { status: 304, headers: common });
  const ifRange = headers.get('if-range');
  const range =
    ifRange === null || ifRange === etag ? readRange(headers.get('range'), bytes.length) : 'whole';
  return rangeReply(bytes, range, common);
}

function listsTag(list: string, etag: string): boolean {
  return list.split(',').some((tag) => tag.trim() === etag);
}

function rangeReply(bytes: Uint8Array, range: ByteRange, common: Record<string, string>): Response {
  if (range === 'whole') return bytesReply(bytes, 200, common);
  if (range === 'unsatisfiable') {
    const refused = xmlError(416, 'InvalidRange', 'The requested range is not satisfiable');
    refused.headers.set('content-range', `bytes */${bytes.length}`);
    return refused;
  }
  const headers = {
    ...common,
    'content-range': `bytes ${range.first}-${range.last}/${bytes.length}`,
  };
  return bytesReply(bytes.subarray(range.first, range.last + 1), 206, headers);
}

function bytesReply(bytes: Uint8Array, status: number, headers: Record<string, string>): Response {
  return new Response(new Uint8Array(bytes), {
    status,
    headers: { ...headers, 'content-length': String(bytes.length) },
  });
}
