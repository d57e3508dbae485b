import type { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { readContent } from '../verify/page-scan.ts';
import type { BuildIds } from './build-ids.ts';
import { contentOfEmptyPage, isOtherHtml, isText } from './same-content.ts';

// Names may have a prefix, and texts be CDATA: https://www.w3.org/TR/xml-names/
const SITEMAP = /<(?:[\w-]{1,40}:)?(?:urlset|sitemapindex)[\s>]/;
const FEED = /<(?:[\w-]{1,40}:)?(?:rss|feed)[\s>]/;
const LAST_CHANGE = /<((?:[\w-]{1,40}:)?lastmod)>(?:[^<]*|\s*<!\[CDATA\[[^<\]]*\]\]>\s*)<\/\1>/g;
const BUILD_TIME =
  /<((?:[\w-]{1,40}:)?(?:lastBuildDate|pubDate|updated))>(?:[^<]*|\s*<!\[CDATA\[[^<\]]*\]\]>\s*)<\/\1>/g;
const FIRST_ENTRY = /<(?:[\w-]{1,40}:)?(?:item|entry)[\s>]/;
const XML_HEAD_CHARS = 2000;

/**
 * What a file other than a page says, as a text that is equal for two builds of the same content:
 * `sha256` (of the bytes) unless the file contains something that every build changes. The content
 * decides, not the name of the file, so that equal bytes always have an equal result in one export.
 * The rules are written down in docs/explanation/comparing-exports.md.
 */
export function contentOfAsset(bytes: Buffer, sha256: string, ids: BuildIds): string {
  if (!isText(bytes)) return sha256;
  if (isOtherHtml(bytes)) return contentOfHtml(bytes, ids);
  const text = bytes.toString();
  const stable = ids.stable(withoutBuildTimes(text));
  if (stable === text) return sha256;
  return hash('sha256', stable);
}

/** As with pages: where it leads, else what a reader sees, else, without any text, its file. */
function contentOfHtml(bytes: Buffer, ids: BuildIds): string {
  const page = readContent(bytes);
  if (page.redirect !== undefined) return `redirect to ${page.redirect}`;
  return `page ${page.fingerprint ?? contentOfEmptyPage(bytes, ids)}`;
}

/** The text without the dates that a build writes into a sitemap or the head of a feed. */
function withoutBuildTimes(text: string): string {
  const start = text.slice(0, XML_HEAD_CHARS);
  if (SITEMAP.test(start)) return text.replace(LAST_CHANGE, '');
  if (!FEED.test(start)) return text;
  const firstEntry = text.search(FIRST_ENTRY);
  if (firstEntry < 0) return text.replace(BUILD_TIME, '');
  // The dates of entries are content.
  return text.slice(0, firstEntry).replace(BUILD_TIME, '') + text.slice(firstEntry);
}
