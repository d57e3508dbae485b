import type { Buffer } from 'node:buffer';
import { copyText, sumOf } from '../../text/pieces.ts';
import type { Finding, FindingList } from './finding.ts';
import { ContentReader, type PageContent } from './page-content.ts';
import { scanPage } from './page-scan.ts';
import { type Reference, scanCss, scanScript, scanWebManifest } from './references.ts';
import { decode, SiteIndex, type Target } from './site-index.ts';

/** How a file is read; undefined: not at all. */
type FileKind = 'page' | 'image' | 'style' | 'script' | 'manifest';

const KINDS: readonly (readonly [RegExp, FileKind])[] = [
  [/\.x?html?$/i, 'page'],
  [/\.svg$/i, 'image'],
  [/\.css$/i, 'style'],
  [/\.m?js$/i, 'script'],
  [/\.webmanifest$|(^|\/)manifest\.json$/i, 'manifest'],
];

export function kindOfFile(path: string): FileKind | undefined {
  return KINDS.find(([pattern]) => pattern.test(path))?.[1];
}

// Far more than any site has; a bundle made to exhaust the memory is checked up to there.
const MOST_FRAGMENTS = 100_000;
const MOST_IDS = 5_000_000;

interface Wanted {
  readonly page: string;
  readonly raw: string;
  readonly fileLength: number;
}

/** Takes part in the one pass over the pages of a site, which come in the order of their paths. Paths are those of files in the site. */
export interface PageReader {
  /** Whether this page must be read at all, if only the pages that differ are. */
  reads(path: string): boolean;
  /** Whether the content of this page must be read. Called once for each page, with its file. */
  wants(path: string, page: Buffer): boolean;
  /** `redirect`: where the page sends its readers, if it does. */
  page(path: string, content: PageContent, redirect: Target | undefined): void;
  /** Whether `link` is called at all: a site has hundreds of thousands of links. */
  readonly watchesLinks: boolean;
  /** `target`: a path in the site, decoded and as the link gives it; a file may be there or not. */
  link(path: string, target: string): void;
}

interface SiteCheckInit {
  readonly files: readonly string[];
  /** Where the site is published, such as `/docs`; empty for the top of its host. */
  readonly basePath: string;
  /** Loading from another host is an error there: no such host can be reached. */
  readonly isAirGapped: boolean;
  readonly findings: FindingList;
  readonly readers?: readonly PageReader[] | undefined;
}

/** Checks one file after the other; what needs all of them (fragments in other pages) comes at the end. */
export class SiteCheck {
  readonly #index: SiteIndex;
  readonly #isAirGapped: boolean;
  readonly #findings: FindingList;
  readonly #readers: readonly PageReader[];
  readonly #linkReaders: readonly PageReader[];
  readonly #ids = new PageIds();
  /** By file and fragment: those in pages that come later. */
  readonly #wanted = new Map<string, Wanted>();
  #references = 0;

  constructor({ files, basePath, isAirGapped, findings, readers = [] }: SiteCheckInit) {
    this.#index = new SiteIndex(files, basePath);
    this.#isAirGapped = isAirGapped;
    this.#findings = findings;
    this.#readers = readers;
    this.#linkReaders = readers.filter(({ watchesLinks }) => watchesLinks);
  }

  /** How many were checked. */
  get references(): number {
    return this.#references;
  }

  file(path: string, bytes: Buffer): void {
    const kind = kindOfFile(path);
    if (kind === 'page' || kind === 'image') this.#page(path, bytes, kind);
    else for (const reference of scan(kind, bytes.toString())) this.#judge(path, reference, undefined);
  }

  finish(): void {
    for (const [key, { page, raw, fileLength }] of this.#wanted) {
      const file = key.slice(0, fileLength);
      if (this.#ids.has(file, sumOfFragment(key.slice(fileLength + 1))) !== false) continue;
      const reason = `${file} has no such id`;
      this.#findings.add({ level: 'warning', kind: 'missing-fragment', page, target: raw, reason });
    }
  }

  #page(path: string, bytes: Buffer, kind: 'page' | 'image'): void {
    const readers = kind === 'page' ? this.#readers.filter((reader) => reader.wants(path, bytes)) : [];
    const content = readers.length > 0 ? new ContentReader() : undefined;
    const { base, references, ids } = scanPage(bytes.toString(), kind === 'image', content);
    if (content !== undefined) this.#giveContent(readers, path, content.end(), base);
    if (kind === 'page') this.#ids.add(path, ids);
    if (base !== undefined) this.#judge(path, { raw: base, use: 'link', what: 'base' }, undefined);
    for (const reference of references) this.#judge(path, reference, base);
  }

  #giveContent(readers: readonly PageReader[], path: string, content: PageContent, base: string | undefined): void {
    const { redirect } = content;
    const target = redirect === undefined ? undefined : this.#index.resolve(redirect, path, base);
    for (const reader of readers) reader.page(path, content, target);
  }

  #judge(page: string, reference: Reference, base: string | undefined): void {
    this.#references += 1;
    const target = this.#index.resolve(reference.raw, page, base);
    if (target.kind === 'inside' && reference.use === 'link') {
      for (const reader of this.#linkReaders) reader.link(page, target.path);
    }
    if (target.kind === 'inside' && target.file !== undefined) {
      this.#wantFragment(page, reference, target.file, target.fragment);
      return;
    }
    const finding = findingOf(target, reference, this.#isAirGapped, this.#index);
    if (finding !== undefined) this.#findings.add({ ...finding, page, target: reference.raw });
  }

  #wantFragment(page: string, { raw, use }: Reference, file: string, encoded: string): void {
    // Text fragments and the routes of scripts are not ids.
    const fragment = encoded.split(':~:')[0] ?? '';
    if (use !== 'link' || fragment === '' || fragment === 'top' || /^[!/]/.test(fragment)) return;
    if (kindOfFile(file) !== 'page' || this.#ids.has(file, sumOfFragment(fragment)) === true) return;
    const key = `${file}#${fragment}`;
    if (this.#wanted.has(key) || this.#wanted.size >= MOST_FRAGMENTS) return;
    this.#wanted.set(copyText(key), { page, raw: copyText(raw), fileLength: file.length });
  }
}

function sumOfFragment(fragment: string): number {
  return sumOf(decode(fragment) ?? fragment);
}

/**
 * The ids of all pages as 32-bit sums, those of a page sorted and after their number, in one array: the ids of 200,000 pages
 * stay small in memory, and a page full of links to its own ids takes no long search.
 */
class PageIds {
  readonly #starts = new Map<string, number>();
  #sums = new Int32Array(1024);
  #length = 0;

  add(page: string, ids: readonly string[]): void {
    const start = this.#length + 1;
    const end = start + ids.length;
    if (end > MOST_IDS) return;
    if (end > this.#sums.length) {
      const larger = new Int32Array(end * 2);
      larger.set(this.#sums);
      this.#sums = larger;
    }
    this.#sums[this.#length] = ids.length;
    for (const [index, id] of ids.entries()) this.#sums[start + index] = sumOf(id);
    this.#sums.subarray(start, end).sort();
    this.#starts.set(page, this.#length);
    this.#length = end;
  }

  /** Undefined if the ids of the page are not known. */
  has(page: string, sum: number): boolean | undefined {
    const at = this.#starts.get(page);
    if (at === undefined) return undefined;
    let [low, high] = [at + 1, at + (this.#sums[at] ?? 0)];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sums[middle] ?? 0) < sum) low = middle + 1;
      else high = middle;
    }
    return low <= at + (this.#sums[at] ?? 0) && this.#sums[low] === sum;
  }
}

function scan(kind: FileKind | undefined, text: string): readonly Reference[] {
  switch (kind) {
    case 'style':
      return scanCss(text);
    case 'script':
      return scanScript(text);
    case 'manifest':
      return scanWebManifest(text);
    default:
      return [];
  }
}

type Judged = Omit<Finding, 'page' | 'target'>;

function findingOf(target: Target, reference: Reference, isAirGapped: boolean, index: SiteIndex): Judged | undefined {
  const { use, what } = reference;
  if (use === 'unread') return error('bad-address', `this ${what} contains too many others to be read`);
  // What a connection or a form leads to may be made by the host, and a folder without a page is a fine base.
  const mayBeMissing = what === 'base' || use === 'connect' || use === 'form';
  switch (target.kind) {
    case 'none':
      return undefined;
    case 'bad':
      return error('bad-address', `the address of this ${what} cannot be read`);
    case 'local': {
      const level = use === 'link' ? 'warning' : 'error';
      return { level, kind: 'local-address', reason: `this ${what} leads to the reader's own disk` };
    }
    case 'outside':
      return outsideFinding(reference, target.host, isAirGapped);
    case 'outside-base':
      return mayBeMissing ? undefined : outsideBaseFinding(reference, target.file);
    case 'inside':
      return mayBeMissing ? undefined : insideFinding(reference, index.similar(target.path), target.path);
  }
}

function error(kind: Judged['kind'], reason: string): Judged {
  return { level: 'error', kind, reason };
}

// Another part of the same host may be linked to, as another host may; what is loaded has to be in the bundle.
function outsideBaseFinding({ use, what }: Reference, file: string | undefined): Judged | undefined {
  if (file === undefined && use !== 'load') return undefined;
  const where = file === undefined ? 'outside of the base path of the site' : `to ${file} without the base path`;
  return error(use === 'load' ? 'missing-asset' : 'broken-link', `this ${what} leads ${where}`);
}

function outsideFinding({ use, what }: Reference, host: string, isAirGapped: boolean): Judged | undefined {
  // `<base>` to another host sends every relative address there.
  if (what === 'base') return error('external-load', `every relative address leads to ${host}`);
  if (use === 'link') return undefined;
  if (use === 'form') return { level: 'warning', kind: 'external-form', reason: `this form sends to ${host}` };
  const reason = `this ${what} ${use === 'load' ? 'loads from' : 'opens a connection to'} ${host}`;
  return { level: isAirGapped ? 'error' : 'warning', kind: 'external-load', reason };
}

function insideFinding({ use, what }: Reference, similar: string | undefined, path: string): Judged {
  if (similar !== undefined)
    return error('wrong-case', `the file is named ${similar}, and most hosts distinguish case`);
  if (use === 'load') return error('missing-asset', `this ${what} is not in the bundle`);
  const hint = path.endsWith('/') ? `: ${path}index.html would be needed` : '';
  return error('broken-link', `this ${what} leads to no page of the bundle${hint}`);
}
