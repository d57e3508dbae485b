import { type Buffer, isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import { isHtml } from '../page-names.ts';
import { RULES_FILE } from '../redirects/rules.ts';
import type { TextKind } from './exchange.ts';

/** What has no address, or is played and shown as it is. */
export const MEDIA =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|woff2?|ttf|otf|eot|mp[34]|webm|og[gv]|wasm|zip|pdf)$/i;
const TEXT = /\.(?:x?html?|svg|css|[cm]?js|json|map|txt|md|xml)$/i;
const RULES: ReadonlySet<string> = new Set([RULES_FILE, '_headers', 'robots.txt']);

/** UTF-16, an archive, an index: a path of another length would break it. */
export function isBinary(path: string, content: Buffer, text: string): boolean {
  if (content.includes(0)) return true;
  if (TEXT.test(path)) return !isUtf8(content) && !isHtml(path);
  return !isUtf8(content) || /[\x01-\x08\x0e-\x1f]/.test(text);
}

/** How the text of a file is read that is neither a page, a style nor a payload. */
export function kindOfText(path: string): TextKind {
  if (/\.webmanifest$/i.test(path)) return 'value';
  if (/\.(?:xml|rss|atom|xsl)$/i.test(path)) return 'markup';
  if (/\.(?:md|mdx|markdown)$/i.test(path)) return 'prose';
  if (RULES.has(posix.basename(path))) return 'rules';
  if (/\.txt$/i.test(path)) return 'prose';
  if (/\.[cm]?js$/i.test(path)) return 'code';
  return 'data';
}
