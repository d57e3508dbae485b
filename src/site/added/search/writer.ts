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
/** How many postings the arrays have room for before they grow. */
const FIRST_POSTINGS = 64 * 1024;
const MAX_KNOWN = 200_000;
/** Longer chunks are text without spaces. They hardly come twice, and are not kept. */
const MAX_CHUNK = 64;
const SPACE = 0x20;

/** The terms of one language. Each chunk, the text between two spaces, is divided only once. */
class Language {
  readonly reader: WordReader;
  /** The numbers of the terms of each chunk so far. */
  readonly known = new Map<string, readonly number[]>();
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
  readonly #terms = new Map<string, number>();
  readonly #postings = new Postings();
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
    const termFiles = this.#postings.files(this.#terms);
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
    const postings = this.#postings;
    for (const term of ofText) postings.add(term, number, 1, MAX_TEXT_WEIGHT);
    // A term counts once in a heading or title, however often it is there.
    for (const term of new Set(this.#termsOf(language, section.heading)))
      postings.add(term, number, HEADING_WEIGHT, MAX_WEIGHT);
    for (const term of new Set(this.#termsOf(language, title)))
      postings.add(term, number, TITLE_WEIGHT, MAX_WEIGHT);
    this.#lengths += lengthLevel(ofText.length);
  }

  /**
   * The numbers of the terms in a text. It is divided without `split`, whose many small texts cost
   * time and memory.
   */
  #termsOf(language: Language, text: string): number[] {
    const numbers: number[] = [];
    let start = 0;
    for (let at = 0; at <= text.length; at += 1) {
      // A chunk ends at a space, tab or line end, and at the end of the text.
      if (at < text.length && text.charCodeAt(at) > SPACE) continue;
      if (at > start)
        for (const term of this.#termsOfChunk(language, text.slice(start, at))) numbers.push(term);
      start = at + 1;
    }
    return numbers;
  }

  /**
   * The numbers of the terms in a text without spaces. They are kept for the next time; the copy of
   * the text keeps the text of the whole page out of memory.
   */
  #termsOfChunk(language: Language, chunk: string): readonly number[] {
    const known = language.known;
    const knownTerms = known.get(chunk);
    if (knownTerms !== undefined) return knownTerms;
    const terms = Array.from(language.reader.terms(chunk), (term) => this.#numberOf(term));
    if (known.size >= MAX_KNOWN) known.clear();
    if (chunk.length <= MAX_CHUNK) known.set(copyText(chunk), terms);
    return terms;
  }

  /** The number of a term; a new term gets the next number. */
  #numberOf(term: string): number {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    this.#terms.set(copyText(term), this.#terms.size);
    return this.#terms.size - 1;
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

/** The terms with their postings, in files. A full file is kept as bytes, as by `TextFiles`. */
class TermFiles {
  readonly #files: TermFile[] = [];
  readonly #maxBytes: number;
  /** The terms of the file that is not full yet, and the first of them. */
  #open: string[] = [];
  #first = '';
  #size = 0;

  /** `postingCount`: how many postings all terms have. */
  constructor(postingCount: number) {
    this.#maxBytes = postingCount <= WHOLE_POSTINGS ? Infinity : PART_BYTES;
  }

  add(term: string, postings: string): void {
    if (this.#size >= this.#maxBytes) this.#close();
    if (this.#size === 0) this.#first = term;
    this.#open.push(`${term},${postings}`);
    // With the comma before the postings, and the semicolon after them.
    this.#size += Buffer.byteLength(term) + postings.length + 2;
  }

  finish(): TermFile[] {
    if (this.#size > 0) this.#close();
    return this.#files;
  }

  #close(): void {
    this.#files.push({ first: this.#first, json: jsonOf({ terms: this.#open.join(';') }) });
    this.#open = [];
    this.#size = 0;
  }
}

/** A posting, a term in a section, is one number: the section, and the weight in its low bits. */
const WEIGHT_BITS = 5;
const WEIGHT_MASK = 2 ** WEIGHT_BITS - 1;

/**
 * Which terms are in which sections, in arrays: hundreds of thousands of small objects would take
 * many times their memory. Where no comment says more, `?? 0` is for the compiler.
 */
class Postings {
  #terms = new Int32Array(FIRST_POSTINGS);
  #postings = new Int32Array(FIRST_POSTINGS);
  #length = 0;
  /** The index after the last posting of each term, by the number of the term; 0 if it has none. */
  #ends = new Int32Array(FIRST_POSTINGS);

  /** Adds to the weight of a term in a section, up to `most`. Sections come in their order. */
  add(term: number, section: number, weight: number, most: number): void {
    if (term >= this.#ends.length) this.#ends = largerCopy(this.#ends, term + 1);
    const lastAt = (this.#ends[term] ?? 0) - 1;
    // A new term has no posting: nothing is at the index -1, and -1 is the posting of no section.
    const lastPosting = this.#postings[lastAt] ?? -1;
    const isInSection = lastPosting >> WEIGHT_BITS === section;
    if (isInSection) {
      const weightSoFar = lastPosting & WEIGHT_MASK;
      // A weight above `most` is from another part of the section, such as its heading, and stays.
      const sum = Math.min(weightSoFar + weight, Math.max(most, weightSoFar));
      this.#postings[lastAt] = (section << WEIGHT_BITS) | sum;
      return;
    }
    if (this.#length === this.#terms.length) this.#grow();
    this.#terms[this.#length] = term;
    this.#postings[this.#length] = (section << WEIGHT_BITS) | weight;
    this.#length += 1;
    this.#ends[term] = this.#length;
  }

  /** The files with `TERM,POSTINGS;` of each term, sorted, each with its first term. */
  files(numbers: ReadonlyMap<string, number>): TermFile[] {
    const names = [...numbers.keys()].sort();
    /** The place of each term in this order, by its number. */
    const ranks = new Int32Array(names.length);
    for (const [rank, name] of names.entries()) ranks[numbers.get(name) ?? 0] = rank;
    const { sorted, ends } = this.#byRank(ranks);
    const files = new TermFiles(this.#length);
    for (const [rank, name] of names.entries()) {
      let postings = '';
      // So that each distance is 1 or more, also that of section 0.
      let previousSection = -1;
      // A term begins where the one before it ends, and the first one at 0.
      for (let at = ends[rank - 1] ?? 0; at < (ends[rank] ?? 0); at += 1) {
        const posting = sorted[at] ?? 0;
        const section = posting >> WEIGHT_BITS;
        postings += encodePosting(section - previousSection, posting & WEIGHT_MASK);
        previousSection = section;
      }
      files.add(name, postings);
    }
    return files.finish();
  }

  /**
   * Sorts the postings by their term and then by their section. `ends`: where the postings of each
   * term end.
   */
  #byRank(ranks: Int32Array): { sorted: Int32Array; ends: Int32Array } {
    // A counting sort: how many postings each term has, then the sums of these numbers, which are
    // the ends. The postings are put in place from the last one, so that their order stays.
    const ends = new Int32Array(ranks.length);
    const rankOf = (at: number) => ranks[this.#terms[at] ?? 0] ?? 0;
    for (let at = 0; at < this.#length; at += 1) ends[rankOf(at)] = (ends[rankOf(at)] ?? 0) + 1;
    for (let rank = 1; rank < ends.length; rank += 1)
      ends[rank] = (ends[rank] ?? 0) + (ends[rank - 1] ?? 0);
    const sorted = new Int32Array(this.#length);
    const next = ends.slice();
    for (let at = this.#length - 1; at >= 0; at -= 1) {
      const rank = rankOf(at);
      const place = (next[rank] ?? 0) - 1;
      sorted[place] = this.#postings[at] ?? 0;
      next[rank] = place;
    }
    return { sorted, ends };
  }

  #grow(): void {
    this.#terms = largerCopy(this.#terms, this.#length + 1);
    this.#postings = largerCopy(this.#postings, this.#length + 1);
  }
}

function tooManySections(most: number): CourierError {
  return configError(
    `add: the site has more than ${most} headings, and a search cannot have more.`,
    'Remove search from add, or look for the pages that repeat the same heading.',
  );
}

function largerCopy(array: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(least, array.length * 2));
  larger.set(array);
  return larger;
}

function jsonOf(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
