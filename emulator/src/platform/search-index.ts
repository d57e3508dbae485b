import MiniSearch from 'minisearch';
import type { SearchRequest, SearchResult } from '../../../src/platform/contract.ts';
import type { Page } from '../site/page.ts';
import { splitSections } from '../site/section.ts';

export interface SearchIndex {
  /** Best first, one result per page. */
  search(request: SearchRequest): SearchResult[];
}

interface Section {
  readonly id: number;
  readonly page: Page;
  readonly heading: string;
  readonly text: string;
}

// Words that are too common to identify a page.
const STOP_WORDS = new Set(
  'a an and are as at be but by can do does for from has have how i if in into is it its my not of on or so that the their then there these this to was we what when where which who why will with you your'.split(
    ' ',
  ),
);

const SNIPPET_CHARS = 400;
const DEFAULT_PAGE_SIZE = 10;

export function createSearchIndex(pages: readonly Page[]): SearchIndex {
  // The id of a section is its position, by which a hit leads back to it.
  const sections = pages
    .flatMap((page) => splitSections(page).map((section) => ({ page, ...section })))
    .map((section, id): Section => ({ id, ...section }));
  const index = new MiniSearch<Section>({
    fields: ['title', 'heading', 'tags', 'text'],
    extractField: (section, field) => fieldText(section, field),
    processTerm: (term) => (STOP_WORDS.has(term.toLowerCase()) ? null : term.toLowerCase()),
    searchOptions: {
      boost: { title: 4, heading: 3, tags: 2 },
      prefix: (term) => term.length > 3,
      fuzzy: 0.15,
    },
  });
  index.addAll(sections);

  return {
    search(request) {
      const hits = index.search(request.query).flatMap((hit) => {
        const section = sections[Number(hit.id)];
        return section ? [{ section, raw: hit.score, matched: hit.queryTerms.length }] : [];
      });
      const terms = new Set(significantTerms(request.query)).size;
      const scored = hits.map(({ section, raw, matched }) => ({
        section,
        score: scaleScore({ raw, best: hits[0]?.raw ?? raw, matched, terms }),
      }));
      return bestPerPage(scored)
        .filter(
          ({ section, score }) =>
            score >= (request.scoreThreshold ?? 0) && passes(section.page, request),
        )
        .slice(0, request.pageSize ?? DEFAULT_PAGE_SIZE)
        .map(({ section, score }) => toResult(section, score));
    },
  };
}

export function significantTerms(query: string): string[] {
  const terms = query.toLowerCase().split(/[\n\r\p{Z}\p{P}]+/u);
  return terms.filter((term) => term !== '' && !STOP_WORDS.has(term));
}

/**
 * Relevance from 0 to 1: the index's own score as a share of the best hit's, times the share of the
 * query's words that the section contains. So 1 is the best hit that contains every word, and a
 * query with only one known word in four anywhere scores 0.25 at most. Filters do not change it.
 */
export function scaleScore(hit: {
  raw: number;
  best: number;
  matched: number;
  terms: number;
}): number {
  const relative = hit.best > 0 ? hit.raw / hit.best : 0;
  const coverage = hit.terms > 0 ? Math.min(1, hit.matched / hit.terms) : 1;
  return Math.round(Math.min(1, relative * coverage) * 10_000) / 10_000;
}

interface Scored {
  readonly section: Section;
  readonly score: number;
}

function bestPerPage(scored: readonly Scored[]): Scored[] {
  const best = new Map<Page, Scored>();
  for (const hit of scored) {
    const known = best.get(hit.section.page);
    if (!known || hit.score > known.score) best.set(hit.section.page, hit);
  }
  return [...best.values()].sort((a, b) => b.score - a.score);
}

function passes({ meta }: Page, { filter = {} }: SearchRequest): boolean {
  if (filter.version !== undefined && meta.version !== filter.version) return false;
  if (filter.language !== undefined && meta.language !== filter.language) return false;
  if (filter.tag !== undefined && !meta.tags.includes(filter.tag)) return false;
  // Everyone may read a page without groups.
  const { groups } = filter;
  return (
    groups === undefined ||
    meta.groups.length === 0 ||
    meta.groups.some((group) => groups.includes(group))
  );
}

function fieldText({ id, page, heading, text }: Section, field: string): string {
  const texts: Record<string, string> = {
    id: String(id),
    title: page.title,
    heading,
    tags: page.meta.tags.join(' '),
    text,
  };
  return texts[field] ?? '';
}

function toResult({ page, heading, text }: Section, score: number): SearchResult {
  const { version, language, tags, groups } = page.meta;
  const known = Object.entries({ version, language }).filter(([, value]) => value !== undefined);
  const content =
    [...text].length > SNIPPET_CHARS
      ? `${[...text].slice(0, SNIPPET_CHARS).join('').trimEnd()}…`
      : text;
  const metadata = {
    title: page.title,
    section: heading,
    ...Object.fromEntries(known),
    tags,
    ...(groups.length > 0 && { groups }),
    score,
  };
  return { content: content === '' ? page.title : content, path: page.url, metadata };
}
