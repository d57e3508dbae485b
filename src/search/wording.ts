import { countOf, firstLines } from '../ground/text/amounts.ts';
import { codeSpan, cut, escapeMarkdown, link, plainLine } from '../ground/text/escape.ts';
import { table } from '../ground/text/markdown.ts';
import type { SearchResult } from '../platform/contract.ts';
import type { BaselineComparison, QueryChange } from './baseline.ts';
import type { AskedQuery, QueryOutcome, RankedVerdict, Shortfall } from './verdict.ts';

export const MAX_QUERY = 120;
const MAX_PATH = 160;
const MAX_FOUND = 3;
const MAX_SNIPPET = 240;
const MAX_METADATA = 4;
const MAX_METADATA_CHARS = 60;
// Which metadata there is, the contract of the platform leaves open. Keys by which a reader knows a
// page come first, the others by their name.
const KNOWN_METADATA = ['title', 'heading', 'section', 'version', 'language', 'tag', 'tags'];

/** A path as code, or as a link if it is an https address. */
export function pathCell(path: string): string {
  const code = codeSpan(path, MAX_PATH);
  if (path.startsWith('https://')) return link(code, path);
  return code;
}

/** A query with its filter. */
export function queryCell(asked: AskedQuery): string {
  const query = escapeMarkdown(asked.query, MAX_QUERY);
  const conditions = conditionsOf(asked);
  if (conditions === '') return query;
  return `${query} (${escapeMarkdown(conditions, MAX_QUERY)})`;
}

/** The same as plain text, whole, which is the name of the query in other tools. */
export function queryName(asked: AskedQuery): string {
  const conditions = conditionsOf(asked);
  if (conditions === '') return asked.query;
  return `${asked.query} (${conditions})`;
}

/** `language en, version 2`; empty for a query without a filter. */
function conditionsOf({ filter = {} }: AskedQuery): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return given.map(([key, value]) => `${key} ${value}`).join(', ');
}

/** The words of a query that are marked in a snippet: a single letter would mark too many. */
function termsOf(query: string): string[] {
  return query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
}

/** A snippet as Markdown with the query's words, and longer words that begin with them, in bold. */
export function markSnippet(content: string, query: string): string {
  const terms = termsOf(query);
  const marked: string[] = [];
  // Word by word, so that the stars are always next to a space, where Markdown takes them for bold.
  for (const word of plainLine(content, MAX_SNIPPET).split(/\s+/)) {
    const shown = escapeMarkdown(word, MAX_SNIPPET);
    // Without the brackets or quotes around it; undefined for a sign or a single letter.
    const letters = termsOf(word)[0];
    const isTerm = terms.some((term) => letters?.startsWith(term));
    marked.push(isTerm ? `**${shown}**` : shown);
  }
  return marked.join(' ').trim();
}

/** A plain value as text, which the caller cuts; empty for any other value, such as an object. */
function metadataValue(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(', ');
  return '';
}

/** Where a key stands among the metadata: unknown ones come after all known ones. */
function knownRank(key: string): number {
  const index = KNOWN_METADATA.indexOf(key.toLowerCase());
  if (index < 0) return KNOWN_METADATA.length;
  return index;
}

/** The first few plain values of a result's metadata, each cut, the well-known ones first. */
export function metadataCell(metadata: SearchResult['metadata']): string {
  const shown = (text: string) => escapeMarkdown(text, MAX_METADATA_CHARS);
  return Object.entries(metadata ?? {})
    .map(([key, value]) => ({ key, text: metadataValue(value) }))
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => knownRank(a.key) - knownRank(b.key) || (a.key < b.key ? -1 : 1))
    .slice(0, MAX_METADATA)
    .map(({ key, text }) => `${shown(key)}: ${shown(text)}`)
    .join('<br>');
}

/** A shortfall as one plain sentence, for logs and annotations; the log makes it harmless. */
export function shortfallText(shortfall: Shortfall): string {
  switch (shortfall.kind) {
    case 'path-missing': {
      const { within, rank } = shortfall;
      const reach = within === undefined ? 'among the results' : `among the first ${within}`;
      const instead = rank === undefined ? 'not found' : `found at rank ${rank}`;
      return `${cut(shortfall.path, { chars: MAX_PATH })} was expected ${reach}: ${instead}`;
    }
    case 'path-present':
      return `${cut(shortfall.path, { chars: MAX_PATH })} must not appear: found at rank ${shortfall.rank}`;
    case 'too-few':
      return `at least ${countOf(shortfall.wanted, 'result')} expected, ${shortfall.found} found`;
    case 'snippet-missing':
      return `no snippet contains the text “${cut(shortfall.text, { chars: MAX_PATH })}”`;
  }
}

/** The comparison in numbers. */
export function comparisonText(comparison: BaselineComparison): string {
  const { better, worse, same, added, newMisses, gone, notComparable } = comparison;
  const missed = newMisses.length === 0 ? '' : ` (${newMisses.length} of them missed)`;
  const skipped = notComparable === 0 ? '' : `, ${notComparable} not comparable because of errors`;
  return `${better.length} better, ${worse.length} worse, ${same} the same, ${added.length} new${missed}, ${gone.length} gone${skipped}`;
}

/** A verdict with the rank of the first expected page. */
export function resultText(result: RankedVerdict): string {
  if (result.rank === undefined) return result.verdict;
  return `${result.verdict}, rank ${result.rank}`;
}

/** What became of a query that did not pass, in a sentence. */
export function outcomeText(outcome: QueryOutcome): string {
  const { query, error, paths } = outcome;
  if (error !== undefined) return `“${query}” could not be run: ${error.message}`;
  const instead = paths[0] === undefined ? 'Nothing was found.' : `First result: ${paths[0]}`;
  return `“${query}” missed: ${outcome.shortfalls.map(shortfallText).join('; ')}. ${instead}`;
}

/** The first pages that were found, each as `cell` shows it. */
export function foundCell(outcome: QueryOutcome, cell: (path: string) => string): string {
  if (outcome.paths.length === 0) return 'nothing';
  const found = outcome.paths.map((path, index) => `${index + 1}. ${cell(path)}`);
  return firstLines(found, MAX_FOUND, '').join('<br>');
}

/** A table of the first `most` items. `place`: where all are, as the end of a sentence. */
export function firstRows<T>(
  head: readonly string[],
  items: readonly T[],
  row: (item: T) => readonly string[],
  most: number,
  place: string,
): string {
  const notShown = items.length - most;
  const shown = table(head, items.slice(0, most).map(row));
  if (notShown <= 0) return shown;
  // `more` has no plural.
  return `${shown}\n\nAnd ${countOf(notShown, 'more', 'more')}: see ${place}.`;
}

export function changesTable(changes: readonly QueryChange[], most: number, place: string): string {
  return firstRows(['Query', 'Before', 'Now'], changes, changeRow, most, place);
}

function changeRow(change: QueryChange): string[] {
  return [queryCell(change), resultText(change.before), resultText(change.now)];
}
