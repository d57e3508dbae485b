/** A part of a text: from the first offset up to but without the second. */
export type Span = readonly [start: number, end: number];

/** The text with `mask` instead of each of these parts; parts that overlap are one. */
export function replaceSpans(text: string, spans: readonly Span[], mask: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    if (start >= at && end > start) parts.push(text.slice(at, start), mask);
    at = Math.max(at, end);
  }
  return parts.join('') + text.slice(at);
}
