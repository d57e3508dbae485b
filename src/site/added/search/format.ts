/**
 * The files of the index. Each is a classic script that calls one function with one JSON value:
 * browsers load scripts from `file:` addresses too, where they fetch nothing else. What reads them
 * elsewhere parses the JSON and runs nothing.
 */
import { fieldOf, parseJson } from '../../../ground/text/json.ts';

/** Raised with every change of the format that an earlier search page cannot read. */
export const FORMAT_VERSION = 1;
/** The folder of the search in a site, and the page beside it. */
export const SEARCH_FOLDER = 'docs-courier/search';
export const SEARCH_PAGE = 'docs-courier/search.html';
/** The function that a file of the index calls. */
export const CALLED = 'docsCourierSearch';

const HEAD = `${CALLED}(`;
const TAIL = ');\n';

/** The first file that the page loads. */
export interface Base {
  /** The id of this index: files of another index do not fit. */
  readonly id: string;
  /** The language of most pages, as in `<html lang>`; empty if they have none. */
  readonly language: string;
  /** How many sections each page has. */
  readonly pages: readonly number[];
  /** A character for each section: how long it is, as `lengthLevel` gives it. */
  readonly lengths: string;
  /** The first term of each file of terms, in their order. */
  readonly terms: readonly string[];
  /** The number of the first section of each file of texts, in their order. */
  readonly texts: readonly number[];
}

/** A section as the results show it. */
export interface SectionText {
  /** Path of the page below the root of the site. */
  readonly path: string;
  readonly title: string;
  readonly language: string;
  /** Empty: the part of the page before its first heading. */
  readonly heading: string;
  /** What the address needs after `#`; empty if there is nothing. */
  readonly id: string;
  readonly text: string;
}

/** `[path, title, language, [[heading, id, text], …]]` */
export type PackedPage = readonly [
  string,
  string,
  string,
  readonly (readonly [string, string, string])[],
];

/**
 * The content of a file of the index: its value as the JSON of an object, to which the id is added.
 * All in bytes: as strings, the texts of a large site would take several times the memory.
 */
export function scriptOf(json: Uint8Array, id: string): Uint8Array {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${HEAD}{"id":"${id}",`);
  const tail = encoder.encode(TAIL);
  // The head has the opening brace of the object already.
  const fields = json.subarray(1);
  const script = new Uint8Array(head.length + fields.length + tail.length);
  script.set(head);
  script.set(fields, head.length);
  script.set(tail, script.length - tail.length);
  return script;
}

/**
 * The value in a file of the index; undefined if the file is cut or something else. Nothing is run.
 */
export function parseScript(script: string): unknown {
  if (!script.startsWith(HEAD) || !script.endsWith(TAIL)) return undefined;
  return parseJson(script.slice(HEAD.length, -TAIL.length));
}

/** Why a file of the index cannot be used. Readers see the message. */
export class IndexProblem extends Error {}

export const BROKEN = 'The search index is damaged or incomplete.';

/** Throws `IndexProblem` unless the value is the first file of an index of this version. */
export function readBase(value: unknown): Base {
  const version = fieldOf(value, 'version');
  // Another number: the site was exported by another version of this program.
  if (typeof version === 'number' && version !== FORMAT_VERSION) {
    throw new IndexProblem(
      `The search index has version ${version}, and this search reads version ${FORMAT_VERSION}.`,
    );
  }
  const base = {
    id: textOf(fieldOf(value, 'id')),
    language: textOf(fieldOf(value, 'language')),
    pages: listOf(fieldOf(value, 'pages'), wholeNumber),
    lengths: textOf(fieldOf(value, 'lengths')),
    terms: listOf(fieldOf(value, 'terms'), textOf),
    texts: listOf(fieldOf(value, 'texts'), wholeNumber),
  };
  const sections = base.pages.reduce((sum, count) => sum + count, 0);
  // Without a version, the value is not an index at all.
  const isComplete = version === FORMAT_VERSION && sections === base.lengths.length;
  // A section is looked for in the last file of texts that begins at it or before it.
  const hasFirstText = sections === 0 || base.texts[0] === 0;
  if (!isComplete || !isRising(base.texts) || !hasFirstText) throw new IndexProblem(BROKEN);
  return base;
}

/**
 * The terms of a file with what is known of each. Throws `IndexProblem` unless it belongs to this
 * index.
 */
export function readTerms(
  value: unknown,
  base: Base,
): (readonly [term: string, postings: string])[] {
  if (fieldOf(value, 'id') !== base.id) throw new IndexProblem(BROKEN);
  const entries = textOf(fieldOf(value, 'terms')).split(';');
  return entries.map((entry) => {
    const comma = entry.indexOf(',');
    if (comma < 0) throw new IndexProblem(BROKEN);
    return [entry.slice(0, comma), entry.slice(comma + 1)] as const;
  });
}

/** The sections of a file in their order. Throws `IndexProblem` unless it belongs to this index. */
export function readTexts(value: unknown, base: Base): SectionText[] {
  if (fieldOf(value, 'id') !== base.id) throw new IndexProblem(BROKEN);
  // Each page as `PackedPage`: a list of values of different types, each of which is read below.
  return listOf(fieldOf(value, 'pages'), (page) => {
    const [path, title, language, sections] = listOf(page, (part) => part);
    const ofPage = { path: textOf(path), title: textOf(title), language: textOf(language) };
    return listOf(sections, (section) => {
      const [heading, id, text] = listOf(section, textOf);
      return { ...ofPage, heading: textOf(heading), id: textOf(id), text: textOf(text) };
    });
  }).flat();
}

/** A section and how much of a term is in it, from 1 to 26. */
export interface Posting {
  readonly section: number;
  readonly weight: number;
}

const CODE_OF_A = 65;
export const MAX_WEIGHT = 26;

/**
 * A posting as text: the distance from the section before, 1 or more, in base 36, and then the
 * weight as a letter.
 */
export function encodePosting(gap: number, weight: number): string {
  return gap.toString(36) + String.fromCharCode(CODE_OF_A + Math.min(weight, MAX_WEIGHT) - 1);
}

/** Throws `IndexProblem` for a section that does not exist. */
export function decodePostings(text: string, sections: number): Posting[] {
  const postings: Posting[] = [];
  let section = -1;
  // Seven digits are more than any distance has, and few enough for an exact number.
  for (const [, gap = '', letter = ''] of text.matchAll(/([0-9a-z]{1,7})([A-Z])/g)) {
    section += Number.parseInt(gap, 36);
    // Below 0 if the first distance is 0, which is never written.
    if (section < 0 || section >= sections) throw new IndexProblem(BROKEN);
    postings.push({ section, weight: letter.charCodeAt(0) - CODE_OF_A + 1 });
  }
  return postings;
}

// Four levels for each doubling, so that a level is within 10 % of the length.
const LEVELS = 4;
const FIRST_LEVEL = 48;

/** The length of a section, in terms, as one character. */
export function lengthLevel(terms: number): string {
  return String.fromCharCode(FIRST_LEVEL + Math.round(Math.log2(1 + terms) * LEVELS));
}

/** The length of a section in terms, from its character. */
export function lengthOf(lengths: string, section: number): number {
  return 2 ** ((lengths.charCodeAt(section) - FIRST_LEVEL) / LEVELS) - 1;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new IndexProblem(BROKEN);
  return value;
}

/** 0 or more. */
function wholeNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new IndexProblem(BROKEN);
  return value;
}

function listOf<T>(value: unknown, read: (one: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new IndexProblem(BROKEN);
  return value.map((one: unknown) => read(one));
}

function isRising(numbers: readonly number[]): boolean {
  return numbers.every((number, at) => number > (numbers[at - 1] ?? -1));
}
