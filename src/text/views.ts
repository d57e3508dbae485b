/**
 * A text as someone reads it who undoes encodings, with the place that each character comes from. Places are offsets of the
 * original text; without them each character is its own.
 */
export interface View {
  readonly text: string;
  readonly starts?: Int32Array;
  readonly ends?: Int32Array;
}

export function viewOf(text: string): View {
  return { text };
}

// Whatever can be encoded: a percent sign, an entity, a backslash; and what is left out: blanks and characters without a shape.
const READ_ON = /[%&\\\s\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/u;
const PERCENT = /%([0-7][0-9a-f])/iy;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp|Tab|NewLine));?/iy;
const ESCAPE = /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([nrtbf])|([!-/:-@[-`{-~]))/iy;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const IGNORED = /[\s\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** The text with one layer of encodings undone and without blanks; undefined where that changes nothing. */
export function decoded({ text, starts, ends }: View): View | undefined {
  if (!READ_ON.test(text)) return undefined;
  const characters: string[] = [];
  const from = new Int32Array(text.length);
  const to = new Int32Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const { character, length } = readOne(text, at);
    if (isPlain(character.charCodeAt(0)) || !IGNORED.test(character)) {
      characters.push(character);
      from[count] = starts?.[at] ?? at;
      to[count] = ends?.[at + length - 1] ?? at + length;
      count += 1;
    }
    at += length;
  }
  return { text: characters.join(''), starts: from, ends: to };
}

/** Printable ASCII, which most texts are made of. */
function isPlain(unit: number): boolean {
  return unit > 0x20 && unit < 0x7f;
}

function readOne(text: string, at: number): { character: string; length: number } {
  const character = text.charAt(at);
  const isMarker = character === '%' || character === '&' || character === '\\';
  return (isMarker ? readEncoded(text, at, character) : undefined) ?? { character, length: 1 };
}

function readEncoded(text: string, at: number, marker: string): { character: string; length: number } | undefined {
  const pattern = marker === '%' ? PERCENT : marker === '&' ? ENTITY : ESCAPE;
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const length = found[0].length;
  if (marker === '%') return { character: unitOf(found[1], 16), length };
  if (marker === '&') {
    const [, decimal, hex, name = ''] = found;
    if (decimal !== undefined) return { character: unitOf(decimal, 10), length };
    if (hex !== undefined) return { character: unitOf(hex, 16), length };
    return { character: NAMED[name.toLowerCase()] ?? ' ', length };
  }
  const [, unicode, byte, , punctuation] = found;
  if (punctuation !== undefined) return { character: punctuation, length };
  const code = unicode ?? byte;
  return { character: code === undefined ? ' ' : unitOf(code, 16), length };
}

// One UTF-16 unit, so that one character of a view is one place. No secret is made of others.
function unitOf(digits: string | undefined, base: number): string {
  const code = Number.parseInt(digits ?? '', base);
  return code <= 0xffff ? String.fromCharCode(code) : '\ufffd';
}
