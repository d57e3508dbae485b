import { unreachable } from '../errors.ts';
import type { SearchFilter, SearchResult } from '../platform/contract.ts';
import { sections } from '../run/report.ts';
import { countOf } from '../text/amounts.ts';
import { codeSpan, cut, escapeMarkdown, link, plainLine } from '../text/escape.ts';
import { table } from '../text/markdown.ts';
import type { BaselineComparison, QueryChange } from './baseline.ts';
import type { AskedQuery, QueryOutcome, RankedVerdict, Shortfall } from './verdict.ts';

export const MAX_QUERY = 120;
const MAX_PATH = 160;
const MAX_FOUND = 3;
const MAX_SNIPPET = 240;
const MAX_METADATA = 4;
const MAX_VALUE = 60;
// Metadata is not in the contract: what a reader would know a page by comes first, the rest by its
// name.
const KNOWN_METADATA = ['title', 'heading', 'section', 'version', 'language', 'tag', 'tags'];

/** A table that shows only its first rows. */
interface FirstRows<T> {
  readonly head: readonly string[];
  readonly items: readonly T[];
  readonly row: (item: T) => readonly string[];
  readonly most: number;
  /** Where all of it is; ends a sentence. */
  readonly place: string;
}

/** A path as code, or as a link if it is an https address. */
export function pathCell(path: string): string {
  return path.startsWith('https://')
    ? link(codeSpan(path, MAX_PATH), path)
    : codeSpan(path, MAX_PATH);
}

/** A query with its filter. */
export function queryCell({ query, filter }: AskedQuery): string {
  return `${escapeMarkdown(query, MAX_QUERY)}${filterText(filter)}`;
}

function filterText(filter: SearchFilter | undefined): string {
  const parts = Object.entries(filter ?? {}).flatMap(([key, value]) =>
    value === undefined ? [] : `${key} ${value}`,
  );
  return parts.length === 0 ? '' : ` (${escapeMarkdown(parts.join(', '), MAX_QUERY)})`;
}

function termsOf(query: string): string[] {
  return query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
}

/** A snippet as Markdown with the query's words, and longer words that begin with them, in bold. */
export function markSnippet(content: string, query: string): string {
  const terms = termsOf(query);
  const isTerm = (word: string) => {
    const letters = termsOf(word)[0];
    return letters !== undefined && terms.some((term) => letters.startsWith(term));
  };
  // Word by word, so that the stars are always next to a space, where Markdown takes them for bold.
  return plainLine(content, MAX_SNIPPET)
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) =>
      isTerm(word) ? `**${escapeMarkdown(word, MAX_SNIPPET)}**` : escapeMarkdown(word, MAX_SNIPPET),
    )
    .join(' ');
}

function metadataValue(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'))
    return value.join(', ');
  return undefined;
}

function knownRank(key: string): number {
  const index = KNOWN_METADATA.indexOf(key.toLowerCase());
  return index < 0 ? KNOWN_METADATA.length : index;
}

/** The few values of a result's metadata that are short and plain, the well-known ones first. */
export function metadataCell(metadata: SearchResult['metadata']): string {
  return Object.entries(metadata ?? {})
    .flatMap(([key, value]) => {
      const text = metadataValue(value);
      return text === undefined || text === '' ? [] : [{ key, text }];
    })
    .toSorted((a, b) => knownRank(a.key) - knownRank(b.key) || (a.key < b.key ? -1 : 1))
    .slice(0, MAX_METADATA)
    .map(({ key, text }) => `${escapeMarkdown(key, MAX_VALUE)}: ${escapeMarkdown(text, MAX_VALUE)}`)
    .join('<br>');
}

/** A shortfall as one plain sentence, for logs and annotations, which are made inert by the log. */
export function shortfallText(shortfall: Shortfall): string {
  switch (shortfall.kind) {
    case 'path-missing': {
      const reach =
        shortfall.within === undefined
          ? 'among the results'
          : `among the first ${shortfall.within}`;
      const instead =
        shortfall.rank === undefined ? 'not found' : `found at rank ${shortfall.rank}`;
      return `${cut(shortfall.path, { chars: MAX_PATH })} was expected ${reach}: ${instead}`;
    }
    case 'path-present':
      return `${cut(shortfall.path, { chars: MAX_PATH })} must not appear: found at rank ${shortfall.rank}`;
    case 'too-few':
      return `at least ${countOf(shortfall.wanted, 'result')} expected, ${shortfall.found} found`;
    case 'snippet-missing':
      return `no snippet contains the text “${cut(shortfall.text, { chars: MAX_PATH })}”`;
    default:
      return unreachable(shortfall);
  }
}

/** The comparison in numbers. */
export function comparisonText({
  better,
  worse,
  same,
  added,
  newMisses,
  gone,
  notComparable,
}: BaselineComparison): string {
  const fresh = `${added.length} new${newMisses.length === 0 ? '' : ` (${newMisses.length} of them missed)`}`;
  const skipped = notComparable === 0 ? '' : `, ${notComparable} not comparable because of errors`;
  return `${better.length} better, ${worse.length} worse, ${same} the same, ${fresh}, ${gone.length} gone${skipped}`;
}

/** A verdict with the rank of the first expected page. */
export function resultText({ verdict, rank }: RankedVerdict): string {
  return rank === undefined ? verdict : `${verdict}, rank ${rank}`;
}

/** What became of a query that did not pass, in a sentence. */
export function outcomeText({ query, error, shortfalls, paths }: QueryOutcome): string {
  if (error !== undefined) return `“${query}” could not be run: ${error.message}`;
  const instead = paths[0] === undefined ? 'Nothing was found.' : `First result: ${paths[0]}`;
  return `“${query}” missed: ${shortfalls.map(shortfallText).join('; ')}. ${instead}`;
}

/** The first pages that were found, each as `cell` shows it. */
export function foundCell({ paths }: QueryOutcome, cell: (path: string) => string): string {
  if (paths.length === 0) return 'nothing';
  const first = paths.slice(0, MAX_FOUND).map((path, index) => `${index + 1}. ${cell(path)}`);
  const rest = paths.length - first.length;
  return [...first, ...(rest > 0 ? [`and ${rest} more`] : [])].join('<br>');
}

export function firstRows<T>({ head, items, row, most, place }: FirstRows<T>): string {
  const left = items.length - most;
  const rest = left > 0 ? `And ${countOf(left, 'more', 'more')}: see ${place}.` : '';
  return sections([table(head, items.slice(0, most).map(row)), rest]);
}

export function changesTable(
  items: readonly QueryChange[],
  shown: Pick<FirstRows<QueryChange>, 'most' | 'place'>,
): string {
  const row = (change: QueryChange) => [
    queryCell(change),
    resultText(change.before),
    resultText(change.now),
  ];
  return firstRows({ head: ['Query', 'Before', 'Now'], items, row, ...shown });
}
