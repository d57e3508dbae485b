import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type { AddedFile } from '../file.ts';
import { encodePosting, FORMAT_VERSION, lengthLevel, type PageText, SEARCH_FOLDER, scriptOf } from './format.ts';
import { WordReader } from './words.ts';

/** A page as it is indexed. */
export interface IndexedPage {
  /** Below the root of the site. */
  readonly path: string;
  readonly title: string;
  /** As in `<html lang>`; empty if the page has none. */
  readonly language: string;
  /** The first may have no heading. */
  readonly sections: readonly IndexedSection[];
}

export interface IndexedSection {
  readonly heading: string;
  readonly id: string;
  readonly text: string;
}

/** Up to here, the index is one file of terms and one of texts. */
const WHOLE_BYTES = 2 * 1024 * 1024;
/** Of a file of a larger index. */
const PART_BYTES = 192 * 1024;
/** What the results can show of a section: an excerpt of what comes later begins at the start. */
const MAX_TEXT = 64 * 1024;

/** How often a term would have to be in the text of a section to count as much as once in its heading, and in the title of its page. */
const HEADING_WEIGHT = 6;
const TITLE_WEIGHT = 10;
const MAX_TEXT_WEIGHT = 8;

interface Term {
  last: number;
  readonly postings: string[];
}

/** Makes the index of one page after the other. The same pages in the same order give the same bytes. */
export class IndexWriter {
  readonly #readers = new Map<string, WordReader>();
  readonly #languages = new Map<string, number>();
  readonly #terms = new Map<string, Term>();
  readonly #pages: PageText[] = [];
  #lengths = '';

  add(page: IndexedPage): void {
    const { path, title, language, sections } = page;
    const reader = this.#readerOf(language);
    this.#languages.set(language, (this.#languages.get(language) ?? 0) + 1);
    const texts = sections.map((section, at) => {
      this.#addSection(reader, section, at === 0 ? title : '');
      return [section.heading, section.id, beginningOf(section.text)] as const;
    });
    this.#pages.push([path, title, language, texts]);
  }

  /** The files of the index. */
  finish(): AddedFile[] {
    const terms = [...this.#terms]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([term, { postings }]) => `${term},${postings.join('')}`);
    const size =
      terms.reduce((sum, entry) => sum + entry.length, 0) + this.#pages.reduce((sum, page) => sum + bytesOf(page), 0);
    const most = size <= WHOLE_BYTES ? Number.POSITIVE_INFINITY : PART_BYTES;
    const termParts = groups(terms, (entry) => entry.length + 1, most);
    const textParts = this.#textParts(most);
    const content = {
      language: [...this.#languages].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0] ?? '',
      pages: this.#pages.map(([, , , sections]) => sections.length),
      lengths: this.#lengths,
      terms: termParts.map(([first = '']) => first.split(',')[0] ?? ''),
      texts: textParts.map(({ first }) => first),
    };
    const id = hash('sha256', JSON.stringify([content, terms, this.#pages]), 'hex').slice(0, 16);
    const file = (name: string, value: object) => ({
      path: `${SEARCH_FOLDER}/${name}.js`,
      content: Buffer.from(scriptOf(value)),
    });
    return [
      file('index', { version: FORMAT_VERSION, id, ...content }),
      ...termParts.map((part, at) => file(`terms-${at}`, { id, terms: part.join(';') })),
      ...textParts.map(({ pages }, at) => file(`texts-${at}`, { id, pages })),
    ];
  }

  #addSection(reader: WordReader, { heading, text }: IndexedSection, title: string): void {
    const section = this.#lengths.length;
    const weights = new Map<string, number>();
    let length = 0;
    for (const term of reader.terms(text)) {
      length += 1;
      weights.set(term, Math.min((weights.get(term) ?? 0) + 1, MAX_TEXT_WEIGHT));
    }
    for (const term of new Set(reader.terms(heading))) weights.set(term, (weights.get(term) ?? 0) + HEADING_WEIGHT);
    for (const term of new Set(reader.terms(title))) weights.set(term, (weights.get(term) ?? 0) + TITLE_WEIGHT);
    this.#lengths += lengthLevel(length);
    for (const [term, weight] of weights) {
      const known = this.#terms.get(term) ?? { last: -1, postings: [] };
      known.postings.push(encodePosting(section - known.last, weight));
      known.last = section;
      this.#terms.set(term, known);
    }
  }

  /** A long page is in several files. */
  #textParts(most: number): { first: number; pages: PageText[] }[] {
    const parts: { first: number; pages: PageText[] }[] = [];
    let section = 0;
    let size = 0;
    for (const [path, title, language, sections] of this.#pages) {
      for (const group of groups(sections, bytesOf, most)) {
        const page = [path, title, language, group] as const;
        if (parts.length === 0 || size >= most) {
          parts.push({ first: section, pages: [] });
          size = 0;
        }
        parts.at(-1)?.pages.push(page);
        size += bytesOf(page);
        section += group.length;
      }
    }
    return parts;
  }

  #readerOf(language: string): WordReader {
    const reader = this.#readers.get(language) ?? new WordReader(language);
    this.#readers.set(language, reader);
    return reader;
  }
}

function beginningOf(text: string): string {
  return text.length <= MAX_TEXT ? text : text.slice(0, MAX_TEXT);
}

/** About as many as are in the file. */
function bytesOf(value: PageText | PageText[3][number]): number {
  return JSON.stringify(value).length;
}

/** Items in their order, in groups that are at least of this size, without the last. */
function groups<T>(items: readonly T[], sizeOf: (item: T) => number, most: number): T[][] {
  const found: T[][] = [];
  let size = 0;
  for (const item of items) {
    if (found.length === 0 || size >= most) {
      found.push([]);
      size = 0;
    }
    found.at(-1)?.push(item);
    size += sizeOf(item);
  }
  return found;
}
