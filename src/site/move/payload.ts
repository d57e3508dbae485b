import { addPatches, type Exchange, growthOf, type Patch, type Range } from './exchange.ts';

// React's payload is a stream of rows. Most end with a line feed; those of these kinds (from
// react-server-dom 19) say how many bytes they have, in hex: `T` a text, the others binary data.
const COUNTED_ROW = /[0-9a-f]{0,8}:([AOSTULGMVbglmosu])([0-9a-f]{1,8}),/y;
const HAS_TEXT_ROW = /(?:^|[^0-9a-f])[0-9a-f]{1,8}:T[0-9a-f]{1,8},/;

/** Whether a file is such a stream with texts whose bytes are counted. */
export function isCountedPayload(text: string): boolean {
  return /^[0-9a-f]{0,8}:/.test(text) && HAS_TEXT_ROW.test(text);
}

/** The patches of a payload: the number of bytes of each text that gets longer is one of them. */
export function patchesOfPayload(stream: string, exchange: Exchange): Patch[] {
  const patches: Patch[] = [];
  let at = 0;
  while (at < stream.length) {
    COUNTED_ROW.lastIndex = at;
    const row = COUNTED_ROW.exec(stream);
    const { start, end } = contentOf(row, stream, at);
    if (row === null) addPatches(patches, exchange.find(stream.slice(start, end), 'code'), start);
    else if (row[1] === 'T')
      addText({ start, end, count: row[2] ?? '' }, stream, exchange, patches);
    at = end;
  }
  return patches;
}

/**
 * Where the content of a row is; of a row that is cut off, to the end of the stream. `row`: the
 * beginning of one that says how many bytes it has; null: it ends with a line feed.
 */
function contentOf(row: RegExpExecArray | null, stream: string, at: number): Range {
  if (row === null) {
    const lineEnd = stream.indexOf('\n', at);
    // The last row may have no end.
    if (lineEnd < 0) return { start: at, end: stream.length };
    return { start: at, end: lineEnd + 1 };
  }
  const start = at + row[0].length;
  return { start, end: Math.min(stream.length, start + Number.parseInt(row[2] ?? '', 16)) };
}

function addText(
  { start, end, count }: Range & { readonly count: string },
  stream: string,
  exchange: Exchange,
  to: Patch[],
): void {
  const inText = exchange.find(stream.slice(start, end), 'code');
  if (inText.length === 0) return;
  const bytes = Number.parseInt(count, 16) + growthOf(inText);
  // The count ends before the comma in front of the text.
  to.push({ start: start - 1 - count.length, end: start - 1, text: bytes.toString(16) });
  addPatches(to, inText, start);
}
