import { Buffer } from 'node:buffer';

/**
 * A copy of a text that was cut out of a larger one. What V8 cuts out goes on holding the whole of it: a link that is
 * remembered would keep its page in memory, and a site has many thousands of both.
 */
export function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
