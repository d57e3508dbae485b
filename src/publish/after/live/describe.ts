import { plainLine } from '../../../text/escape.ts';
import type { LivePage } from './facts.ts';

/** What is wrong with a page, in one line: inert, but not escaped for Markdown. */
export function describePage({ detail = '', missing = [], extra = [], cache = {} }: LivePage): string {
  const parts = [
    detail,
    missing.length > 0 ? `missing: ${quoted(missing)}` : '',
    // Where words are missing, the others are mostly those that they replaced.
    extra.length > 0 ? `not in the export: ${quoted(extra)}` : '',
    cacheText(cache),
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function quoted(parts: readonly string[]): string {
  return parts.map((part) => `"${plainLine(part, 100)}"`).join(', ');
}

function cacheText(cache: Readonly<Record<string, string>>): string {
  return Object.entries(cache)
    .map(([name, value]) => `${name}: ${plainLine(value, 100)}`)
    .join(', ');
}
