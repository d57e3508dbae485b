import type { Buffer } from 'node:buffer';
import { countOf } from '../../text/amounts.ts';
import { copyText, sumOf } from '../../text/pieces.ts';
import { isHtml, isOfMac } from '../page-names.ts';
import { followRedirects, type RedirectRules, RULES_FILE } from '../redirects/rules.ts';
import { fixedRule, redirectsFrom, type SafeRule } from '../redirects/server-redirects.ts';
import type { Finding, FindingList } from './finding.ts';
import { textOfPage } from './page-bytes.ts';
import { ContentReader, type PageContent } from './page-content.ts';
import { scanPage } from './page-scan.ts';
import { type Reference, scanCss, scanScript, scanWebManifest } from './references.ts';
import { decode, SiteIndex, type Target } from './site-index.ts';

/** How a file is read; undefined: not at all. */
type FileKind = 'page' | 'image' | 'style' | 'script' | 'manifest';

const KINDS: readonly (readonly [RegExp, FileKind])[] = [
  [/\.svg$/i, 'image'],
  [/\.css$/i, 'style'],
  [/\.m?js$/i, 'script'],
  [/\.webmanifest$|(^|\/)manifest\.json$/i, 'manifest'],
];

export function kindOfFile(path: string): FileKind | undefined {
  if (isOfMac(path)) return undefined;
  return isHtml(path) ? 'page' : KINDS.find(([pattern]) => pattern.test(path))?.[1];
}

// Far more than any site has; a bundle made to exhaust the memory is checked up to there.
const MOST_FRAGMENTS = 100_000;
const MOST_IDS = 5_000_000;

interface Wanted {
  readonly page: string;
  readonly raw: string;
  readonly fileLength: number;
}

/**
 * Takes part in the one pass over the pages of a site, which come in the order of their paths.
 * Paths are those of files in the site.
 */
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
  /** Links that lack the base path are an error there. */
  readonly isStrict?: boolean | undefined;
  /** The redirects of the site that servers follow. */
  readonly rules?: readonly SafeRule[] | undefined;
  readonly findings: FindingList;
  readonly readers?: readonly PageReader[] | undefined;
}

/**
 * Checks one file after the other; what needs all of them (fragments in other pages) comes at the
 * end.
 */
export class SiteCheck {
  readonly #index: SiteIndex;
  readonly #basePath: string;
  readonly #isAirGapped: boolean;
  readonly #isStrict: boolean;
  readonly #rules: readonly SafeRule[];
  readonly #redirects: RedirectRules;
  readonly #findings: FindingList;
  readonly #readers: readonly PageReader[];
  readonly #linkReaders: readonly PageReader[];
  readonly #ids = new PageIds();
  /** By file and fragment: those in pages that come later. */
  readonly #wanted = new Map<string, Wanted>();
  #references = 0;
  /** References that begin with a slash, and without the base path; the first of them. */
  readonly #withoutBase = { count: 0, page: '', target: '' };

  constructor({
    files,
    basePath,
    isAirGapped,
    isStrict = false,
    rules = [],
    findings,
    readers = [],
  }: SiteCheckInit) {
    this.#index = new SiteIndex(files, basePath);
    this.#basePath = basePath;
    this.#isAirGapped = isAirGapped;
    this.#isStrict = isStrict;
    this.#rules = rules;
    this.#redirects = redirectsFrom(rules, basePath);
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
    else
      for (const reference of scan(kind, bytes.toString())) this.#judge(path, reference, undefined);
  }

  finish(): void {
    this.#judgeRules();
    this.#judgeBasePath();
    for (const [key, { page, raw, fileLength }] of this.#wanted) {
      const file = key.slice(0, fileLength);
      if (this.#ids.has(file, sumOfFragment(key.slice(fileLength + 1))) !== false) continue;
      const reason = `${file} has no such id`;
      this.#findings.add({ level: 'warning', kind: 'missing-fragment', page, target: raw, reason });
    }
  }

  /**
   * A rule for one address, to an address of the site, has to lead to something. Below a path, it
   * may lead to another site.
   */
  #judgeRules(): void {
    if (this.#basePath !== '') return;
    for (const rule of this.#rules) {
      const fixed = rule.origin === '' ? fixedRule(rule) : undefined;
      if (
        fixed === undefined ||
        this.#index.has(fixed.from.slice(1)) ||
        this.#isRedirected(fixed.from)
      )
        continue;
      this.#findings.add({ ...deadRule(fixed.from), page: RULES_FILE, target: fixed.to });
    }
  }

  #isRedirected(address: string): boolean {
    const isThere = (target: string) => this.#index.has(target.slice(1));
    return followRedirects(address, this.#redirects, isThere) !== undefined;
  }

  #judgeBasePath(): void {
    const { count, page, target } = this.#withoutBase;
    if (count === 0) return;
    const reason = `${countOf(count, 'link begins', 'links begin')} with / and not with ${this.#basePath}, below which the site is published: export with that base-path, or publish at the top of a host`;
    this.#findings.add({
      level: this.#isStrict ? 'error' : 'warning',
      kind: 'broken-link',
      page,
      target,
      reason,
    });
  }

  #page(path: string, bytes: Buffer, kind: 'page' | 'image'): void {
    const readers =
      kind === 'page' ? this.#readers.filter((reader) => reader.wants(path, bytes)) : [];
    const content = readers.length > 0 ? new ContentReader() : undefined;
    const text = kind === 'page' ? textOfPage(bytes) : bytes.toString();
    const { base, references, ids } = scanPage(text, kind === 'image', content);
    if (content !== undefined) this.#giveContent(readers, path, content.end(), base);
    if (kind === 'page') this.#ids.add(path, ids);
    if (base !== undefined) this.#judge(path, { raw: base, use: 'link', what: 'base' }, undefined);
    for (const reference of references) this.#judge(path, reference, base);
  }

  #giveContent(
    readers: readonly PageReader[],
    path: string,
    content: PageContent,
    base: string | undefined,
  ): void {
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
    const lacksBase =
      target.kind === 'outside-base' &&
      target.file !== undefined &&
      reference.raw.trim().startsWith('/');
    if (lacksBase) this.#countWithoutBase(page, reference.raw);
    else this.#addFinding(this.#findingOf(page, target, reference), page, reference.raw);
  }

  #findingOf(page: string, target: Target, reference: Reference): Judged | undefined {
    if (target.kind !== 'inside') return findingOf(target, reference, this.#isAirGapped);
    const { file, path } = target;
    if (file !== undefined) {
      this.#wantFragment(page, reference, file, target.fragment);
      return target.isOtherForm ? otherForm(file) : undefined;
    }
    // What a connection or a form leads to may be made by the host, and a folder without a page is
    // a fine base.
    if (mayBeMissing(reference)) return undefined;
    if (this.#redirects(`/${path}`) === undefined)
      return insideFinding(reference, this.#index.similar(path), path);
    return this.#isRedirected(`/${path}`) ? undefined : deadRule(`/${path}`);
  }

  #addFinding(finding: Judged | undefined, page: string, target: string): void {
    if (finding !== undefined) this.#findings.add({ ...finding, page, target });
  }

  #countWithoutBase(page: string, raw: string): void {
    const all = this.#withoutBase;
    all.count += 1;
    if (all.count > 1) return;
    all.page = page;
    all.target = copyText(raw);
  }

  #wantFragment(page: string, { raw, use }: Reference, file: string, encoded: string): void {
    // Text fragments and the routes of scripts are not ids.
    const fragment = encoded.split(':~:')[0] ?? '';
    if (use !== 'link' || fragment === '' || fragment === 'top' || /^[!/]/.test(fragment)) return;
    if (kindOfFile(file) !== 'page' || this.#ids.has(file, sumOfFragment(fragment)) === true)
      return;
    const key = `${file}#${fragment}`;
    if (this.#wanted.has(key) || this.#wanted.size >= MOST_FRAGMENTS) return;
    this.#wanted.set(copyText(key), { page, raw: copyText(raw), fileLength: file.length });
  }
}

function sumOfFragment(fragment: string): number {
  return sumOf(decode(fragment) ?? fragment);
}

/**
 * The ids of all pages as 32-bit sums, those of a page sorted and after their number, in one array:
 * the ids of 200,000 pages stay small in memory, and a page full of links to its own ids takes no
 * long search.
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

function mayBeMissing({ use, what }: Reference): boolean {
  return what === 'base' || use === 'connect' || use === 'form';
}

function deadRule(address: string): Judged {
  return error(
    'broken-link',
    `the rule for ${address} in ${RULES_FILE} leads to nothing in the bundle`,
  );
}

function otherForm(file: string): Judged {
  const reason = `the name of ${file} has the same letters in another Unicode form (NFC and NFD), which most hosts distinguish`;
  return { level: 'warning', kind: 'other-form', reason };
}

function findingOf(
  target: Exclude<Target, { kind: 'inside' }>,
  reference: Reference,
  isAirGapped: boolean,
): Judged | undefined {
  const { use, what } = reference;
  if (use === 'unread')
    return error('bad-address', `this ${what} contains too many others to be read`);
  switch (target.kind) {
    case 'none':
      return undefined;
    case 'bad':
      return error('bad-address', `the address of this ${what} cannot be read`);
    case 'local': {
      const level = use === 'link' ? 'warning' : 'error';
      return {
        level,
        kind: 'local-address',
        reason: `this ${what} leads to the reader's own disk`,
      };
    }
    case 'outside':
      return outsideFinding(reference, target.host, isAirGapped);
    case 'outside-base':
      return mayBeMissing(reference) ? undefined : outsideBaseFinding(reference, target.file);
  }
}

function error(kind: Judged['kind'], reason: string): Judged {
  return { level: 'error', kind, reason };
}

// Another part of the same host may be linked to, as another host may; what is loaded has to be in
// the bundle.
function outsideBaseFinding(
  { use, what }: Reference,
  file: string | undefined,
): Judged | undefined {
  if (file === undefined && use !== 'load') return undefined;
  const where =
    file === undefined
      ? 'outside of the base path of the site'
      : `to ${file} without the base path`;
  return error(use === 'load' ? 'missing-asset' : 'broken-link', `this ${what} leads ${where}`);
}

function outsideFinding(
  { use, what }: Reference,
  host: string,
  isAirGapped: boolean,
): Judged | undefined {
  // `<base>` to another host sends every relative address there.
  if (what === 'base') return error('external-load', `every relative address leads to ${host}`);
  if (use === 'link') return undefined;
  if (use === 'form')
    return { level: 'warning', kind: 'external-form', reason: `this form sends to ${host}` };
  const reason = `this ${what} ${use === 'load' ? 'loads from' : 'opens a connection to'} ${host}`;
  return { level: isAirGapped ? 'error' : 'warning', kind: 'external-load', reason };
}

function insideFinding(
  { use, what }: Reference,
  similar: string | undefined,
  path: string,
): Judged {
  if (similar !== undefined)
    return error('wrong-case', `the file is named ${similar}, and most hosts distinguish case`);
  if (use === 'load') return error('missing-asset', `this ${what} is not in the bundle`);
  const hint = path.endsWith('/') ? `: ${path}index.html would be needed` : '';
  return error('broken-link', `this ${what} leads to no page of the bundle${hint}`);
}
