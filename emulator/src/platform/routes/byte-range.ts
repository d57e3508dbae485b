export type ByteRange =
  | { readonly first: number; readonly last: number }
  | 'whole'
  | 'unsatisfiable';

/**
 * One range of bytes (RFC 9110, 14.1.2). Several ranges, or an invalid range, return the whole, as
 * in object storage.
 */
export function readRange(header: string | null, size: number): ByteRange {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return 'whole';
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < Number(from)) return 'whole';
  return Number(from) >= size ? 'unsatisfiable' : { first: Number(from), last };
}
