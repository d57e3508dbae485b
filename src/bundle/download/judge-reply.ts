import type { IncomingHttpHeaders } from 'node:http';

/** What has come of the archive so far. */
interface Position {
  readonly bytes: number;
  /** Of the object that these bytes belong to. */
  readonly etag: string | undefined;
  readonly totalBytes: number | undefined;
  /** The size that the platform gave with the link. */
  readonly promisedBytes: number | undefined;
}

/** What the body of a reply is good for. */
export type Verdict =
  | { readonly kind: 'whole'; readonly etag: string | undefined; readonly totalBytes: number | undefined }
  | { readonly kind: 'rest'; readonly totalBytes: number }
  /** It is not, or no longer, the object that was expected. */
  | { readonly kind: 'changed'; readonly reason: string }
  /** The link is refused. */
  | { readonly kind: 'refused' }
  /** The storage cannot answer now. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'unknown' };

// S3 answers an expired token with 400 (ExpiredToken), everything else that is wrong with a link with 403.
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);

export function judgeReply(status: number, headers: IncomingHttpHeaders, position: Position): Verdict {
  const etag = headers.etag?.startsWith('"') ? headers.etag : undefined;
  if (status === 200) return judgeWhole(headers, etag, position);
  if (status === 206) return judgeRest(headers, etag, position);
  if (status === 412 || status === 416) return CHANGED;
  if (REFUSALS.has(status)) return { kind: 'refused' };
  return status === 408 || status === 425 || status === 429 || status >= 500 ? { kind: 'busy' } : { kind: 'unknown' };
}

const CHANGED = { kind: 'changed', reason: 'the archive at the link changed while it was downloaded' } as const;

function judgeWhole(headers: IncomingHttpHeaders, etag: string | undefined, { promisedBytes }: Position): Verdict {
  const length = readLength(headers['content-length']);
  if (length !== undefined && promisedBytes !== undefined && length !== promisedBytes) {
    return { kind: 'changed', reason: `it has ${length} bytes, and the platform gave its size as ${promisedBytes}` };
  }
  return { kind: 'whole', etag, totalBytes: length ?? promisedBytes };
}

function judgeRest(headers: IncomingHttpHeaders, etag: string | undefined, position: Position): Verdict {
  const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(headers['content-range'] ?? '');
  const [from, to, total] = [Number(range?.[1]), Number(range?.[2]), Number(range?.[3])];
  const { bytes, totalBytes } = position;
  const fits = range !== null && bytes > 0 && from === bytes && to === total - 1 && total === (totalBytes ?? total);
  return !fits || (etag !== undefined && etag !== position.etag) ? CHANGED : { kind: 'rest', totalBytes: total };
}

/** A Content-Length; undefined when it is missing or no number. */
function readLength(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
