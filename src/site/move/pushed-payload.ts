import { Buffer } from 'node:buffer';
import { parseJson } from '../../ground/text/json.ts';
import { applyPatches, type Exchange, growthOf, type Patch } from './exchange.ts';
import { patchesOfPayload } from './payload.ts';

/** How a script of Next.js begins that hands a part of React's payload on, up to the text. */
const PUSH = /__next_f(?:=self\.__next_f)?[|[\]\w.()]{0,40}\.push\(\[1,(?=")/g;

/** A text that a script of a page pushes: where it is in the page, and its bytes in Latin-1. */
export interface PushedText {
  readonly start: number;
  readonly end: number;
  readonly bytes: string;
}

/** The texts that a script pushes; none if it is another script. `at`: where it is in the page. */
export function readPushed(script: string, at: number): PushedText[] {
  return Array.from(script.matchAll(PUSH)).flatMap(({ 0: call, index }) => {
    const start = index + call.length;
    const end = endOfLiteral(script, start);
    if (!script.startsWith('])', end)) return [];
    const text = parseJson(Buffer.from(script.slice(start, end), 'latin1').toString());
    if (typeof text !== 'string') return [];
    return { start: at + start, end: at + end, bytes: Buffer.from(text).toString('latin1') };
  });
}

/**
 * Where the text that begins at this quotation mark ends; its length if it has no end. Without a
 * pattern, which would need a stack as long as the text.
 */
function endOfLiteral(script: string, start: number): number {
  for (let at = script.indexOf('"', start + 1); at >= 0; at = script.indexOf('"', at + 1)) {
    let slashes = 0;
    while (script[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return script.length;
}

/**
 * The patches of all texts that a page pushes. They are one stream: a row, and an address in it,
 * may begin in one text and end in another.
 */
export function patchesOfPushed(texts: readonly PushedText[], exchange: Exchange): Patch[] {
  const stream = texts.map(({ bytes }) => bytes).join('');
  const inStream = patchesOfPayload(stream, exchange);
  const moved = applyPatches(stream, inStream);
  const patches: Patch[] = [];
  const left = inStream.values();
  let next = left.next().value;
  // What is before the end of a text, in the stream and in the moved one.
  let [streamEnd, patchedTo, movedEnd, grown] = [0, 0, 0, 0];
  for (const { start, end, bytes } of texts) {
    streamEnd += bytes.length;
    // A patch that begins in this text is written into it as a whole.
    for (; next !== undefined && next.start < streamEnd; next = left.next().value) {
      grown += growthOf([next]);
      patchedTo = next.end;
    }
    const movedStart = movedEnd;
    movedEnd = Math.max(streamEnd, patchedTo) + grown;
    const text = moved.slice(movedStart, movedEnd);
    if (text !== bytes) patches.push({ start, end, text: encode(text) });
  }
  return patches;
}

/** A text as Next.js writes it into a page; in both, a character stands for one byte of UTF-8. */
function encode(bytes: string): string {
  const text = JSON.stringify(Buffer.from(bytes, 'latin1').toString());
  const escaped = text.replace(
    /[&<>\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return Buffer.from(escaped).toString('latin1');
}
