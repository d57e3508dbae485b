import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type CourierError, configError } from '../../../ground/errors.ts';
import { copyText } from '../../../ground/text/pieces.ts';
import type { AddedFile } from '../file.ts';
import {
  encodePosting,
  FORMAT_VERSION,
  lengthLevel,
  MAX_WEIGHT,
  type PackedPage,
  SEARCH_FOLDER,
  scriptOf,
} from './format.ts';
import { WordReader } from './words.ts';

/** A page as it is indexed. */
export interface IndexedPage {
  /** The path below the root of the site. */
  readonly path: string;
  readonly title: string;
  /** The value of `<html lang>`; empty if the page has none. */
  readonly language: string;
  /** The first may have no heading. */
  readonly sections: readonly IndexedSection[];
}

export interface IndexedSection {
  readonly heading: string;
  readonly id: string;
  readonly text: string;
}

/** With at most this many postings, about 1 MB, all terms are in one file. */
const WHOLE_POSTINGS = 400_000;
/** The size of a file if there are several. */
const PART_BYTES = 192 * 1024;
/**
 * How much of a section the results can show. The excerpt for a word behind it is from the start.
 */
const MAX_TEXT = 64 * 1024;

/**
 * How often a term would have to be in the text of a section to count as much as once in its
 * heading, and in the title of its page.
 */
const HEADING_WEIGHT = 6;
const TITLE_WEIGHT = 10;
const MAX_TEXT_WEIGHT = 8;

/** The number of a later section does not fit into a posting. */
const MAX_SECTIONS = 2 ** 26;
const MAX_KNOWN = 200_000;
/** Longer chunks are text without spaces. They hardly come twice, and are not kept. */
const MAX_CHUNK = 64;
const SPACE = 0x20;

/**
 * The sections that a term is in, in their order. A posting is one number, the section, and its
 * weight in the low bits: objects would take many times the memory.
 */
type Postings = number[];

const WEIGHT_BITS = 5;
const WEIGHT_MASK = 2 ** WEIGHT_BITS - 1;

/** The terms of one language. Each chunk, the text between two spaces, is divided only once. */
class Language {
  readonly reader: WordReader;
  /** The postings of the terms of each chunk so far. */
  readonly known = new Map<string, readonly Postings[]>();
  pages = 0;

  constructor(name: string) {
    this.reader = new WordReader(name);
  }
}

/**
 * Makes the index of one page after the other. The same pages in the same order give the same
 * bytes.
 */
export class IndexWriter {
  readonly #languages = new Map<string, Language>();
  readonly #terms = new Map<string, Postings>();
  readonly #texts = new TextFiles();
  readonly #pages: number[] = [];
  readonly #maxSections: number;
  #lengths = '';

  constructor(maxSections = MAX_SECTIONS) {
    this.#maxSections = maxSections;
  }

  /** Throws `config` if the site has more headings than an index can have. */
  add(page: IndexedPage): void {
    const language = this.#languageOf(page.language);
    language.pages += 1;
    // A word of the title leads to the beginning of the page.
    for (const [at, section] of page.sections.entries())
      this.#addSection(language, section, at === 0 ? page.title : '');
    this.#texts.add(page);
    this.#pages.push(page.sections.length);
  }

  /** The files of the index. */
  finish(): AddedFile[] {
    const termFiles = termFilesOf(this.#terms);
    const textFiles = this.#texts.finish();
    const index = jsonOf({
      version: FORMAT_VERSION,
      language: this.#mainLanguage(),
      pages: this.#pages,
      lengths: this.#lengths,
      terms: termFiles.map((file) => file.first),
      texts: textFiles.map((file) => file.first),
    });
    const files = [{ name: 'index', json: index }];
    for (const [at, file] of termFiles.entries())
      files.push({ name: `terms-${at}`, json: file.json });
    for (const [at, file] of textFiles.entries())
      files.push({ name: `texts-${at}`, json: file.json });
    // The id is made of all files, so that files of another index do not fit.
    const sum = createHash('sha256');
    for (const file of files) sum.update(file.json);
    const id = sum.digest('hex').slice(0, 16);
    return files.map((file) => ({
      path: `${SEARCH_FOLDER}/${file.name}.js`,
      content: scriptOf(file.json, id),
    }));
  }

  /** The language of most pages. */
  #mainLanguage(): string {
    let main = '';
    let most = 0;
    for (const [name, { pages }] of this.#languages) {
      // Of equal numbers the first name, so that the order of the pages does not matter.
      if (pages < most || (pages === most && name > main)) continue;
      main = name;
      most = pages;
    }
    return main;
  }

  /** `title`: that of the page, for its first section; else empty. */
  #addSection(language: Language, section: IndexedSection, title: string): void {
    const number = this.#lengths.length;
    if (number >= this.#maxSections) throw tooManySections(this.#maxSections);
    const ofText = this.#termsOf(language, section.text);
    for (const postings of ofText) addPosting(postings, number, 1, MAX_TEXT_WEIGHT);
    // A term counts once in a heading or title, however often it is there.
    for (const postings of new Set(this.#termsOf(language, section.heading)))
      addPosting(postings, number, HEADING_WEIGHT, MAX_WEIGHT);
    for (const postings of new Set(this.#termsOf(language, title)))
      addPosting(postings, number, TITLE_WEIGHT, MAX_WEIGHT);
    this.#lengths += lengthLevel(ofText.length);
  }

  /**
   * The postings of the terms in a text. It is divided without `split`, whose many small texts cost
   * time and memory.
   */
  #termsOf(language: Language, text: string): Postings[] {
    const terms: Postings[] = [];
    let start = 0;
    for (let at = 0; at <= text.length; at += 1) {
      // A chunk ends at a space, tab or line end, and at the end of the text.
      if (at < text.length && text.charCodeAt(at) > SPACE) continue;
      if (at > start)
        for (const term of this.#termsOfChunk(language, text.slice(start, at))) terms.push(term);
      start = at + 1;
    }
    return terms;
  }

  /**
   * The postings of the terms in a text without spaces. They are kept for the next time; the copy of
   * the text keeps the text of the whole page out of memory.
   */
  #termsOfChunk(language: Language, chunk: string): readonly Postings[] {
    const known = language.known;
    const knownTerms = known.get(chunk);
    if (knownTerms !== undefined) return knownTerms;
    const terms = Array.from(language.reader.terms(chunk), (term) => this.#postingsOf(term));
    if (known.size >= MAX_KNOWN) known.clear();
    if (chunk.length <= MAX_CHUNK) known.set(copyText(chunk), terms);
    return terms;
  }

  #postingsOf(term: string): Postings {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const postings: Postings = [];
    this.#terms.set(copyText(term), postings);
    return postings;
  }

  #languageOf(name: string): Language {
    const language = this.#languages.get(name) ?? new Language(name);
    this.#languages.set(name, language);
    return language;
  }
}

interface TextFile {
  /** The number of its first section. */
  readonly first: number;
  readonly json: Uint8Array;
}

/**
 * The texts for the results, in files. A full file is kept as bytes: its strings would take several
 * times the memory.
 */
class TextFiles {
  readonly #files: TextFile[] = [];
  /** The pages of the file that is not full yet, and the number of its first section. */
  #open: PackedPage[] = [];
  #first = 0;
  /** The number of the next section. */
  #section = 0;
  /** About how many bytes the open file has: its characters, of which most take one byte. */
  #size = 0;

  /** A page is in several files if one is full before its end. */
  add(page: IndexedPage): void {
    let sections: [string, string, string][] | undefined;
    for (const section of page.sections) {
      if (this.#size >= PART_BYTES) {
        this.#close();
        // The next file begins with the rest of this page.
        sections = undefined;
      }
      if (sections === undefined) {
        sections = [];
        this.#open.push([page.path, page.title, page.language, sections]);
        this.#size += page.path.length + page.title.length;
      }
      const text = section.text.slice(0, MAX_TEXT);
      sections.push([section.heading, section.id, text]);
      this.#section += 1;
      this.#size += section.heading.length + section.id.length + text.length;
    }
  }

  finish(): readonly TextFile[] {
    if (this.#open.length > 0) this.#close();
    return this.#files;
  }

  #close(): void {
    this.#files.push({ first: this.#first, json: jsonOf({ pages: this.#open }) });
    this.#open = [];
    this.#first = this.#section;
    this.#size = 0;
  }
}

interface TermFile {
  readonly first: string;
  readonly json: Uint8Array;
}

/** Adds to the weight of a term in a section, up to `most`. Sections come in their order. */
function addPosting(postings: Postings, section: number, weight: number, most: number): void {
  // -1 is the posting of no section.
  const last = postings.at(-1) ?? -1;
  if (last >> WEIGHT_BITS !== section) {
    postings.push((section << WEIGHT_BITS) | weight);
    return;
  }
  const weightSoFar = last & WEIGHT_MASK;
  // A weight above `most` is from another part of the section, such as its heading, and stays.
  const sum = Math.min(weightSoFar + weight, Math.max(most, weightSoFar));
  postings[postings.length - 1] = (section << WEIGHT_BITS) | sum;
}

/**
 * The files with `TERM,POSTINGS;` of each term, sorted, each with its first term. A full file is
 * kept as bytes, as by `TextFiles`.
 */
function termFilesOf(terms: ReadonlyMap<string, Postings>): TermFile[] {
  const files: TermFile[] = [];
  let count = 0;
  for (const postings of terms.values()) count += postings.length;
  const maxBytes = count <= WHOLE_POSTINGS ? Infinity : PART_BYTES;
  let entries: string[] = [];
  let first = '';
  let size = 0;
  const close = () => {
    files.push({ first, json: jsonOf({ terms: entries.join(';') }) });
    entries = [];
    size = 0;
  };
  for (const term of [...terms.keys()].sort()) {
    if (size >= maxBytes) close();
    if (size === 0) first = term;
    const entry = `${term},${encodePostings(terms.get(term) ?? [])}`;
    entries.push(entry);
    // With the semicolon after it.
    size += Buffer.byteLength(entry) + 1;
  }
  if (size > 0) close();
  return files;
}

function encodePostings(postings: Postings): string {
  let encoded = '';
  // So that each distance is 1 or more, also that of section 0.
  let previousSection = -1;
  for (const posting of postings) {
    const section = posting >> WEIGHT_BITS;
    encoded += encodePosting(section - previousSection, posting & WEIGHT_MASK);
    previousSection = section;
  }
  return encoded;
}

function tooManySections(most: number): CourierError {
  return configError(
    `add: the site has more than ${most} headings, and a search cannot have more.`,
    'Remove search from add, or look for the pages that repeat the same heading.',
  );
}

function jsonOf(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
