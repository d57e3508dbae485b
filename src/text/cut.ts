/** How much of a text may stay, the note included: UTF-16 units, or bytes of UTF-8. */
type CutLimit = { readonly chars: number } | { readonly bytes: number };

/**
 * The beginning of a text that fits, cut at a code point, followed by a note that it was cut. The only place that cuts text from
 * outside: a cut can halve a secret so that no redaction finds it, and `createRedact` knows the ellipsis that this leaves.
 */
export function cut(text: string, limit: CutLimit, note = '…'): string {
  if ('chars' in limit) {
    return text.length <= limit.chars ? text : beginning(text, limit.chars - note.length) + note;
  }
  if (Buffer.byteLength(text) <= limit.bytes) return text;
  return beginningInBytes(text, limit.bytes - Buffer.byteLength(note)) + note;
}

/** The part of a text around a place in it, with an ellipsis at each end where something was left out. */
export function cutAround(text: string, at: number, chars: number): string {
  if (text.length <= chars) return text;
  const before = Math.floor(chars / 4);
  const from = Math.max(0, Math.min(at - before, text.length - chars));
  if (from === 0) return cut(text, { chars });
  // The second half of a pair goes with its first.
  const first = text.charCodeAt(from);
  const start = first >= 0xdc00 && first <= 0xdfff ? from + 1 : from;
  return cut(`…${text.slice(start)}`, { chars });
}

function beginning(text: string, chars: number): string {
  const end = Math.max(0, chars);
  const last = text.charCodeAt(end - 1);
  // The first half of a pair stays with its second.
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
}

function beginningInBytes(text: string, bytes: number): string {
  // No character takes less than a byte: what lies behind is not worth encoding.
  const encoded = Buffer.from(text.slice(0, Math.max(0, bytes) + 1));
  let end = Math.min(encoded.length, Math.max(0, bytes));
  // Bytes 10xxxxxx continue a code point.
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return encoded.subarray(0, end).toString();
}
