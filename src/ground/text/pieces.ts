import { Buffer } from 'node:buffer';

// So small that the memory of each part is free again at once.
const PART_CHARS = 8 * 1024;

/** The parts of a text, cut before a space so that words stay whole; a longer word is cut too. */
export function* partsOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const part = text.slice(at, at + PART_CHARS);
    let { length } = part;
    const isLast = at + length >= text.length;
    if (!isLast) length = wholeWords(part);
    yield part.slice(0, length);
    at += length;
  }
}

/**
 * The length of a part up to its last space or, without a space, up to its last whole character.
 */
function wholeWords(part: string): number {
  const blank = part.lastIndexOf(' ');
  // With a space at 0, the part would be empty, and so each part after it.
  if (blank > 0) return blank;
  // Half of a character would be taken for an invalid one.
  return part.replace(/[\ud800-\udbff]$/, '').length;
}

const MOST_PIECES = 4096;

/**
 * A text that is put together from pieces. With `+=` alone, each of millions of small pieces would
 * take 32 bytes more.
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

/** A checksum of a text: FNV-1a, 32 bits, with the two numbers that it is defined by. */
export function sumOf(text: string): number {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  // Signed as `imul` gives it, also for an empty text.
  return sum | 0;
}

/**
 * A copy of a text that is a part of a larger text. Without a copy, V8 keeps the whole page in
 * memory for a link that is remembered.
 */
export function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
