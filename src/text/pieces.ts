import { Buffer } from 'node:buffer';

// What a part leaves behind is small enough to be collected at once.
const PART_CHARS = 8 * 1024;

/** The parts of a text: each begins with a space, if there is one, so that words stay whole. */
export function* partsOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const part = text.slice(at, at + PART_CHARS);
    let { length } = part;
    if (at + length < text.length) length = wholeWords(part);
    yield part.slice(0, length);
    at += length;
  }
}

/**
 * The length of the words in a part that are whole; of one that is a single word, that of its whole
 * characters.
 */
function wholeWords(part: string): number {
  const blank = part.lastIndexOf(' ');
  if (blank > 0) return blank;
  // Half of a character would be taken for an invalid one.
  return part.replace(/[\ud800-\udbff]$/, '').length;
}

const MOST_PIECES = 4096;

/**
 * A text that is put together: added up one by one, millions of small pieces would take 32 bytes
 * each.
 */
export class Pieces {
  readonly #pieces: string[] = [];
  #text = '';

  add(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length >= MOST_PIECES) this.#join();
  }

  get text(): string {
    this.#join();
    return this.#text;
  }

  #join(): void {
    this.#text += this.#pieces.join('');
    this.#pieces.length = 0;
  }
}

/** FNV-1a, 32 bits. */
export function sumOf(text: string): number {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return sum | 0;
}

/**
 * A copy of a text that was cut out of a larger one: V8 would keep the whole page for each link
 * that is remembered.
 */
export function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
