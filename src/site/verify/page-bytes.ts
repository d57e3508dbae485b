import { Buffer, isUtf8 } from 'node:buffer';
import { TextDecoder as StandardDecoder } from '@exodus/bytes/encoding-lite.js';
import sniffEncoding from 'html-encoding-sniffer';

/** Browsers look for the charset in the first 1024 bytes. */
const HEAD_BYTES = 1024;
/** Of a byte order mark. */
const LONGEST_MARK = 3;
const XML_DECLARATION = /^<\?xml\s[^<>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/i;
/** These have tables in ICU alone; for all others, old versions of Node.js have wrong ones or none. */
const WITH_TABLES: ReadonlySet<string> = new Set([
  'Big5',
  'EUC-JP',
  'EUC-KR',
  'GBK',
  'gb18030',
  'ISO-2022-JP',
  'Shift_JIS',
]);

/** The text of a page. */
interface DecodedPage {
  /** Empty if browsers show nothing of the page. */
  readonly text: string;
  /** Why, as the end of a sentence: `it is …`. */
  readonly unreadable?: string;
}

/**
 * Decodes a page as browsers do (HTML Standard, "encoding sniffing algorithm"): by its byte order
 * mark, the charset of the reply that brought it, the one that it names, and else by its bytes.
 */
export function decodePage(bytes: Uint8Array, contentType = ''): DecodedPage {
  const page = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const name = charsetOf(page, contentType);
  const hasZero = page.subarray(0, 2).includes(0);
  if (hasZero && !name.startsWith('UTF-16'))
    return { text: '', unreadable: 'in UTF-16 without a byte order mark' };
  if (name === 'UTF-8') return { text: page.toString() };
  // The charsets that were used for attacks: browsers show one sign instead of the page.
  if (name === 'replacement') return { text: '', unreadable: 'in a charset that browsers refuse' };
  const decoder = WITH_TABLES.has(name) ? new TextDecoder(name) : new StandardDecoder(name);
  return { text: decoder.decode(page) };
}

/** The text of a page; empty if it cannot be decoded. */
export function textOfPage(bytes: Uint8Array, contentType = ''): string {
  return decodePage(bytes, contentType).text;
}

/** The name of the charset in the Encoding Standard. */
function charsetOf(page: Buffer, contentType: string): string {
  const transportLayerEncodingLabel = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1];
  const head = page.toString('latin1', 0, HEAD_BYTES);
  const unnamed = '';
  // Without the word, no element names it, and looking for one takes long: only the mark counts.
  let read = page;
  if (!/charset/i.test(head)) read = page.subarray(0, LONGEST_MARK);
  const named = sniffEncoding(read, { transportLayerEncodingLabel, defaultEncoding: unnamed });
  if (named !== unnamed) return named;
  const declared = XML_DECLARATION.exec(head)?.[1];
  // As the label of a reply, it is looked up in the table of all labels.
  if (declared !== undefined && !/^utf-?16/i.test(declared))
    return sniffEncoding(page, {
      transportLayerEncodingLabel: declared,
      defaultEncoding: charsetOfBytes(page),
    });
  return charsetOfBytes(page);
}

function charsetOfBytes(page: Buffer): string {
  return isUtf8(page) ? 'UTF-8' : 'windows-1252';
}
