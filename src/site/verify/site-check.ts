import type { Buffer } from 'node:buffer';
import { unescape as decodePercent } from 'node:querystring';
import { countOf } from '../../ground/text/amounts.ts';
import { copyText, sumOf } from '../../ground/text/pieces.ts';
import { isHtml, isOfMac, isPage } from '../page-names.ts';
import { followRedirects, isOutside, type RedirectRules, RULES_FILE } from '../redirects/rules.ts';
import { fixedRule, redirectsFrom, type SafeRule } from '../redirects/server-redirects.ts';
import { hasContent } from './certain-content.ts';
import type { Finding, FindingList, Judged } from './finding.ts';
import { decodePage } from './page-bytes.ts';
import { ContentReader, type PageContent } from './page-content.ts';
import { PageIds } from './page-ids.ts';
import { endContent, type ScriptScan, scanPage } from './page-scan.ts';
import { type Reference, scanCss, scanWebManifest } from './references.ts';
import { SiteIndex, type Target } from './site-index.ts';
import {
  deadRule,
  error,
  findingOfUnread,
  mayBeMissing,
  missingFinding,
  otherForm,
  outsideBaseFinding,
  outsideFinding,
  warning,
} from './verdicts.ts';

type FileKind = 'page' | 'image' | 'style' | 'script' | 'manifest';

/** How a file is read for the addresses in it; undefined: not at all, as it can have none. */
export function kindOfFile(path: string): FileKind | undefined {
  // The attributes of a file, which a Mac adds to archives under a similar name.
  if (isOfMac(path)) return undefined;
  if (isHtml(path)) return 'page';
  if (/\.svg$/i.test(path)) return 'image';
  if (/\.css$/i.test(path)) return 'style';
  if (/\.m?js$/i.test(path)) return 'script';
  if (/\.webmanifest$|(^|\/)manifest\.json$/i.test(path)) return 'manifest';
  return undefined;
}

// Far more than any site has; a bundle made to exhaust the memory is checked up to there.
const MOST_FRAGMENTS = 100_000;

/** A fragment (`#…`) that a link leads to in a page that may be read later. */
interface WantedFragment {
  /** The page with the link, and the address as it gives it. */
  readonly page: string;
  readonly raw: string;
  /** The page that must have the id, and the sums as `PageIds` keeps them of what it may be. */
  readonly file: string;
  readonly sums: readonly number[];
}

/**
 * Takes part in the one pass over the pages of a site, which come in the order of their paths.
 * Paths are those of files in the site.
 */
export interface PageReader {
  /** Whether `readPages` must read this page at all: it passes over pages that no reader needs. */
  reads(path: string): boolean;
  /**
   * Whether the content of this page must be read. Called once for each page, with its file. Without
   * it, `reads` decides. `hasContent`: whether the page certainly has content.
   */
  wants?(path: string, page: Buffer, hasContent: () => boolean): boolean;
  /** `redirect`: where the page sends its readers, if it does. */
  page(path: string, content: PageContent, redirect: Target | undefined): void;
  /** The page that it adds to the site later: links may lead there already. */
  readonly adds?: string;
  /** Whether `link` is called at all: a site has hundreds of thousands of links. */
  readonly watchesLinks?: boolean;
  /** `target`: a path in the site, decoded and as the link gives it; a file may be there or not. */
  link?(path: string, target: string): void;
  /** Whether `readPages` reads all files, so that `broken` is called as by the verification. */
  readonly watchesFiles?: boolean;
  /** Called for each address that leads to nothing in the site; `target` as of `link`. */
  broken?(path: string, target: string): void;
  /** What it found wrong, once it has seen all pages. */
  findings?(): readonly Finding[];
}

/** What is said of a target that is not there, to references of one kind. */
interface Absence extends Omit<Reference, 'raw'> {
  readonly finding: Judged | undefined;
}

interface SiteCheckInit {
  readonly files: readonly string[];
  /** Where the site is published, such as `/docs`; empty for the top of its host. */
  readonly basePath: string;
  /** The address at which the site is published, if it is known. */
  readonly liveUrl?: string | undefined;
  /** The base path is that of the links, and not the one that the inputs name. */
  readonly isPathGuessed?: boolean | undefined;
  /** Whether loading from another host is an error: no such host can be reached. */
  readonly isAirGapped: boolean;
  /** Whether links that lack the base path are an error, and not a warning. */
  readonly isStrict?: boolean | undefined;
  /** The redirects of the site that servers follow. */
  readonly rules?: readonly SafeRule[] | undefined;
  readonly findings: FindingList;
  /** undefined: scripts are not read. */
  readonly scan?: ScriptScan | undefined;
  readonly readers?: readonly PageReader[] | undefined;
}

/**
 * Checks one file after the other: where each address in it (a reference) leads. What needs all
 * files (fragments in other pages) comes at the end.
 */
export class SiteCheck {
  /** How many references were checked. */
  references = 0;
  readonly #init: SiteCheckInit;
  readonly #index: SiteIndex;
  readonly #rules: readonly SafeRule[];
  readonly #redirects: RedirectRules;
  readonly #readers: readonly PageReader[];
  readonly #linkReaders: readonly PageReader[];
  readonly #ids = new PageIds();
  /** What was said last of a target that is not there: every page has the same menu. */
  readonly #absent = new WeakMap<Target, Absence>();
  /** The fragments that links lead to, by file and fragment. */
  readonly #wanted = new Map<string, WantedFragment>();
  /** References that begin with a slash, and without the base path; the first of them. */
  readonly #withoutBase = new LinkCount();
  /** References below a base path that no input names. */
  readonly #withGuess = new LinkCount();
  /** Pages whose text only scripts bring. */
  readonly #unjudged = new LinkCount();

  constructor(init: SiteCheckInit) {
    this.#init = init;
    this.#readers = init.readers ?? [];
    const added = this.#readers.flatMap((reader) => reader.adds ?? []);
    this.#index = new SiteIndex([...init.files, ...added], init.basePath, init.liveUrl);
    this.#rules = init.rules ?? [];
    this.#redirects = redirectsFrom(this.#rules, init.basePath);
    this.#linkReaders = this.#readers.filter((reader) => reader.watchesLinks === true);
  }

  checkFile(path: string, bytes: Buffer): void {
    const kind = kindOfFile(path);
    if (kind === 'page') this.#checkPage(path, bytes);
    if (kind === 'image') this.#checkImage(path, bytes);
    if (kind === 'style') this.#checkAll(path, scanCss(bytes.toString()));
    if (kind === 'script') this.#checkAll(path, this.#init.scan?.(bytes.toString(), {}) ?? []);
    if (kind === 'manifest') this.#checkAll(path, scanWebManifest(bytes.toString()));
  }

  /** Checks what could not be checked before all files were read. */
  finish(): void {
    this.#checkRules();
    this.#reportWithoutBase();
    this.#reportUnjudged();
    for (const { page, raw, file, sums } of this.#wanted.values()) {
      // It is undefined if the ids of the page are not known: it could not be read.
      if (sums.every((sum) => this.#ids.has(file, sum) === false))
        this.#addFinding(warning('missing-fragment', `${file} has no such id`), page, raw);
    }
  }

  /**
   * Finds redirect rules for one fixed address whose target in the site does not exist. Below a
   * base path, the target may belong to another site.
   */
  #checkRules(): void {
    if (this.#init.basePath !== '') return;
    for (const rule of this.#rules) {
      const fixed = fixedRule(rule);
      // A rule with an origin leads to another host; where one that is not fixed leads depends on
      // the address that a reader asks for.
      if (rule.origin !== '' || fixed === undefined) continue;
      // If a file is at the address, servers do not use the rule.
      if (this.#index.has(fixed.from.slice(1))) continue;
      if (this.#endOf(fixed.from) === undefined)
        this.#addFinding(deadRule(fixed.from), RULES_FILE, fixed.to);
    }
  }

  /** Where the redirects from an address end: at a file of the site, or on another host. */
  #endOf(address: string): string | undefined {
    const isThere = (target: string) => this.#index.has(target.slice(1));
    return followRedirects(address, this.#redirects, isThere);
  }

  /** Whether redirects lead from the top of the site to one of its files. */
  redirectsTop(): boolean {
    const end = this.#endOf('/');
    return end !== undefined && !isOutside(end);
  }

  /** One finding for all links without the base path: usually the whole site has none. */
  #reportWithoutBase(): void {
    const { isStrict, basePath } = this.#init;
    const { count, page, target } = this.#withoutBase;
    const judge = isStrict ? error : warning;
    const withoutBase = `${countOf(count, 'link begins', 'links begin')} with / and not with ${basePath}, below which the site is published: correct them, or export the site with its base-path or served-at`;
    if (count > 0) this.#addFinding(judge('broken-link', withoutBase), page, target);
    const guess = this.#withGuess;
    const unnamed = `${countOf(guess.count, 'link begins', 'links begin')} with ${basePath}, a path that no input names: if the site is published below it, name its address with served-at`;
    if (guess.count > 0) this.#addFinding(error('broken-link', unnamed), guess.page, guess.target);
  }

  /** One finding for all pages that scripts fill. */
  #reportUnjudged(): void {
    const { count, page } = this.#unjudged;
    if (count === 0) return;
    const reason = `${countOf(count, 'page has', 'pages have')} no text before scripts run, so what readers see there was not checked`;
    this.#addFinding({ level: 'note', kind: 'no-text', reason }, page, '');
  }

  #checkPage(path: string, bytes: Buffer): void {
    let known: boolean | undefined;
    const isFilled = () => {
      known ??= hasContent(bytes);
      return known;
    };
    const readers = this.#readers.filter(
      (reader) => reader.wants?.(path, bytes, isFilled) ?? reader.reads(path),
    );
    // Read only for a reader or if it may be empty, since that takes time.
    const isRead = readers.length > 0 || (isPage(path) && !isFilled());
    const { text, unreadable } = decodePage(bytes);
    const reader = isRead ? new ContentReader() : undefined;
    if (unreadable !== undefined) {
      const reason = `the page is ${unreadable} and cannot be decoded`;
      this.#addFinding(error('unreadable', reason), path, '');
    }
    const scan = scanPage(text, { content: reader, scan: this.#init.scan });
    if (reader !== undefined) {
      const content = endContent(text, reader);
      if (content.isFilledLater && isPage(path)) this.#unjudged.add(path, '');
      this.#giveContent(readers, path, content, scan.base);
    }
    this.#ids.add(path, scan.ids);
    this.#checkAll(path, scan.references, scan);
  }

  #checkImage(path: string, bytes: Buffer): void {
    const scan = scanPage(bytes.toString(), { isXml: true, scan: this.#init.scan });
    this.#checkAll(path, scan.references, scan);
  }

  /** Tells the readers what a page contains, and where it sends the person who opens it. */
  #giveContent(
    readers: readonly PageReader[],
    path: string,
    content: PageContent,
    base: string | undefined,
  ): void {
    let redirect: Target | undefined;
    if (content.redirect !== undefined)
      redirect = this.#index.resolve(content.redirect, path, base);
    for (const reader of readers) reader.page(path, content, redirect);
  }

  #checkAll(
    path: string,
    references: readonly Reference[],
    { base, beforeBase }: { base?: string | undefined; beforeBase: number } = NO_BASE,
  ): void {
    // The base itself is relative to the file.
    if (base !== undefined) this.#check(path, { raw: base, use: 'link', what: 'base' }, undefined);
    for (const [index, reference] of references.entries()) {
      // What was loaded before the base came is not loaded again; a link is followed later.
      const isBefore = index < beforeBase && reference.use !== 'link' && reference.use !== 'form';
      this.#check(path, reference, isBefore ? undefined : base);
    }
  }

  #check(page: string, reference: Reference, base: string | undefined): void {
    this.references += 1;
    const notRead = findingOfUnread(reference, this.#init.isAirGapped);
    if (notRead === undefined) this.#checkAddress(page, reference, base);
    else this.#addFinding(notRead, page, reference.raw);
  }

  #checkAddress(page: string, reference: Reference, base: string | undefined): void {
    const { raw, use } = reference;
    const target = this.#index.resolve(raw, page, base);
    if (target.kind === 'inside' && use === 'link') {
      for (const reader of this.#linkReaders) reader.link?.(page, target.path);
      // Most links have no fragment.
      if (target.file !== undefined && target.fragment !== '')
        this.#wantFragment(page, raw, target.file, target.fragment);
    }
    if (this.#init.isPathGuessed && target.kind === 'inside' && startsAtTop(raw))
      this.#withGuess.add(page, raw);
    // With the base path, it would lead to a file.
    const lacksBase = target.kind === 'outside-base' && target.file !== undefined;
    // Counted, since a site may have very many of these. Relative ones (`../x`) are named one by
    // one.
    if (lacksBase && startsAtTop(raw)) this.#withoutBase.add(page, raw);
    else this.#judge(page, reference, target);
  }

  #judge(page: string, reference: Reference, target: Target): void {
    const finding = this.#findingOf(target, reference);
    if (finding === undefined) return;
    // In each folder, another relative address leads to the same file.
    const identity = target.kind === 'inside' ? target.path : reference.raw;
    this.#addFinding(finding, page, reference.raw, identity);
    if (target.kind !== 'inside' || target.file !== undefined) return;
    for (const reader of this.#readers) reader.broken?.(page, target.path);
  }

  #findingOf(target: Target, reference: Reference): Judged | undefined {
    const { use, what } = reference;
    switch (target.kind) {
      case 'none':
        return undefined;
      case 'bad':
        return error('bad-address', `the address of this ${what} cannot be read`);
      // Of a link, only those who follow it notice anything.
      case 'local': {
        const judge = use === 'link' ? warning : error;
        return judge('local-address', `this ${what} leads to the reader's own disk`);
      }
      case 'outside':
        return outsideFinding(reference, target.host, this.#init.isAirGapped);
      case 'outside-base':
        return outsideBaseFinding(reference, target.file);
      case 'inside':
        if (target.file === undefined) return this.#findingOfAbsent(reference, target);
        if (!target.isOtherForm) return undefined;
        return otherForm(target.file);
    }
  }

  #findingOfAbsent(
    reference: Reference,
    target: Target & { readonly kind: 'inside' },
  ): Judged | undefined {
    const { use, what } = reference;
    const last = this.#absent.get(target);
    if (last?.use === use && last.what === what) return last.finding;
    const finding = this.#judgeAbsent(reference, target.path);
    this.#absent.set(target, { use, what, finding });
    return finding;
  }

  /** For a reference to a path without a file: a redirect rule may still lead to one. */
  #judgeAbsent(reference: Reference, path: string): Judged | undefined {
    if (mayBeMissing(reference)) return undefined;
    const address = `/${path}`;
    if (this.#redirects(address) === undefined)
      return missingFinding(reference, this.#index.similar(path), path);
    if (this.#endOf(address) !== undefined) return undefined;
    return deadRule(address);
  }

  #addFinding(finding: Judged | undefined, page: string, target: string, identity?: string): void {
    if (finding !== undefined) this.#init.findings.add({ ...finding, page, target }, identity);
  }

  /**
   * Remembers a fragment whose id was not seen yet, to look for it when all pages are read.
   * `encoded`: the fragment as the address has it, without its `#`.
   */
  #wantFragment(page: string, raw: string, file: string, encoded: string): void {
    // A text to search for in the page (`:~:text=…`) is not an id.
    const fragment = encoded.replace(/:~:.*/s, '');
    // Nor are the top of the page, for which browsers need none, and the routes of scripts.
    const decoded = decodePercent(fragment);
    if (/^(?:top)?$/i.test(decoded) || /^[!/]/.test(fragment)) return;
    if (kindOfFile(file) !== 'page') return;
    // Browsers look for the id as it is written first.
    const sums = [...new Set([fragment, decoded])].map(sumOf);
    const key = `${file}#${fragment}`;
    if (this.#wanted.has(key) || sums.some((sum) => this.#ids.has(file, sum) === true)) return;
    if (this.#wanted.size < MOST_FRAGMENTS)
      this.#wanted.set(copyText(key), { page, raw: copyText(raw), file, sums });
  }
}

function startsAtTop(raw: string): boolean {
  return raw.trim().startsWith('/');
}

const NO_BASE = { base: undefined, beforeBase: 0 };

/** How many links are wrong in the same way, and the first of them. */
class LinkCount {
  count = 0;
  page = '';
  target = '';

  add(page: string, target: string): void {
    this.count += 1;
    if (this.count > 1) return;
    this.page = page;
    this.target = copyText(target);
  }
}
