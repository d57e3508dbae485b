import { Buffer } from 'node:buffer';

const UTF_8 = /^utf-?8$/i;
/** Browsers look for the charset in the first 1024 bytes. */
const HEAD_BYTES = 1024;
const NAMED =
  /<meta\s[^<>]{0,400}?\bcharset\s*=\s*["']?\s*([\w-]{1,40})|^\s*<\?xml\s[^<>]{0,200}?\bencoding\s*=\s*["']([\w-]{1,40})/i;

/**
 * The text of a page: by the charset of the reply that brought it, by the one that the page names,
 * else as UTF-8.
 */
export function textOfPage(bytes: Uint8Array, contentType = ''): string {
  const page = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const charset = charsetOfReply(contentType) ?? charsetOfHead(page);
  if (charset === undefined || UTF_8.test(charset)) return page.toString();
  try {
    return new TextDecoder(charset).decode(page);
  } catch {
    // The name is not that of a charset.
    return page.toString();
  }
}

function charsetOfReply(contentType: string): string | undefined {
  return /charset\s*=\s*"?([\w-]{1,40})/i.exec(contentType)?.[1];
}

/**
 * The charset that a page names in its first bytes. The name UTF-16 is wrong there: such a page has
 * two bytes for each letter, so that `NAMED` would find nothing in it.
 */
function charsetOfHead(page: Buffer): string | undefined {
  const named = NAMED.exec(page.toString('latin1', 0, HEAD_BYTES));
  // Of HTML, or of XML.
  const charset = named?.[1] ?? named?.[2];
  if (charset === undefined || /^utf-?16/i.test(charset)) return undefined;
  return charset;
}
