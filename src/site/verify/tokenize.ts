import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** The fields of htmlparser2's tokenizer that `fastForwardTo` uses; private in its types. */
interface Cursor {
  readonly buffer: string;
  /** Of the start of `buffer` in the whole text. */
  readonly offset: number;
  index: number;
}

/**
 * Calls `callbacks` for what a whole page consists of, in its order. Entities are not decoded: the
 * tokenizer would look at each character for one, in texts and values that are not read too.
 */
export function tokenize(text: string, isXml: boolean, callbacks: TokenizerCallbacks): void {
  const tokenizer = new Tokenizer({ xmlMode: isXml, decodeEntities: false }, callbacks);
  Object.assign(tokenizer, { fastForwardTo });
  tokenizer.write(text);
  tokenizer.end();
}

/**
 * Replaces the tokenizer's own method, which compares each character of a text, a script or a value
 * with the one that ends it: a tenth of the time of a verification. Gives whether it is there.
 */
function fastForwardTo(this: Cursor, code: number): boolean {
  const { buffer, offset } = this;
  const found = buffer.indexOf(String.fromCharCode(code), this.index + 1 - offset);
  const isFound = found !== -1;
  // The tokenizer then moves on by one character itself: from the last one, to the end.
  this.index = offset + (isFound ? found : buffer.length - 1);
  return isFound;
}
