import { Buffer } from 'node:buffer';
import type { Redact } from '../../text/redact.ts';
import type { BundleFile } from '../archive/sink.ts';
import { addressOfPage, isPage } from '../page-names.ts';
import { type RedirectRules, RULES_FILE } from '../redirects/rules.ts';
import { readSafeRules, redirectsFrom } from '../redirects/server-redirects.ts';
import type { PageContent } from '../verify/page-content.ts';
import { readContent } from '../verify/page-scan.ts';
import type { PageReader } from '../verify/site-check.ts';
import type { Target } from '../verify/site-index.ts';
import { inTurns, WholeFile } from '../verify/verify-site.ts';
import { contentOfAsset } from './asset-content.ts';
import {
  type AssetEntry,
  compareExports,
  findSections,
  LostLinks,
  type PageEntry,
  type SiteEntries,
} from './compare.ts';
import type { ComparedSite } from './compared-site.ts';
import type { ChangedPage, Comparison } from './comparison.ts';
import {
  compareHeadings,
  compareWords,
  contentOfEmptyPage,
  findExcerpts,
  hasSameContent,
  withoutPair,
} from './same-content.ts';
import { MOST_SKETCHED, sketchOf } from './similar.ts';

interface SiteComparisonInit {
  readonly from: ComparedSite;
  /** Its root is known. */
  readonly to: ComparedSite;
  /** What links of the site begin with, if it is known. */
  readonly basePath?: string | undefined;
  /** For the pieces of pages that the comparison keeps. */
  readonly redact: Redact;
}

type OtherFiles = Pick<SiteEntries, 'assets' | 'redirectPages'>;
type Details = Omit<ChangedPage, 'path' | 'title'>;

// Far more than a person reads; beyond it, pages have numbers and no excerpts.
const MOST_EXCERPT_CHARS = 8 * 1024 * 1024;

/**
 * Compares two exports. A page whose file is the same is never read; `finish` reads those that are
 * gone.
 */
export class SiteComparison implements PageReader {
  readonly watchesLinks: boolean;
  readonly #from: ComparedSite;
  readonly #to: ComparedSite;
  readonly #basePath: string | undefined;
  readonly #redact: Redact;
  readonly #links: LostLinks;
  readonly #file = new WholeFile();
  /**
   * The addresses of the pages whose file is not the same, by path; without those that turned out
   * to have the same content.
   */
  readonly #differing = new Map<string, string>();
  /** What was read, by address; undefined: the page only sends its readers on. */
  readonly #before = new Map<string, PageEntry | undefined>();
  readonly #after = new Map<string, PageEntry | undefined>();
  /**
   * Where pages of the new export send their readers at once, by address; empty: to nothing that is
   * known.
   */
  readonly #redirects = new Map<string, string>();
  /** Where pages of each export only send their readers on, as they give it, by address. */
  readonly #redirectPages = { before: new Map<string, string>(), after: new Map<string, string>() };
  readonly #details = new Map<string, Details>();
  readonly #gone: (readonly [address: string, file: BundleFile])[] = [];
  /** Pages that are gone are looked for at other addresses. */
  readonly #findsMoves: boolean;
  #excerptChars = 0;

  constructor({ from, to, basePath, redact }: SiteComparisonInit) {
    this.#basePath = basePath;
    this.#from = from;
    this.#to = to;
    this.#redact = redact;
    for (const [address, { path, sha256 }] of to.pages) {
      if (sha256 === undefined || sha256 !== from.pages.get(address)?.sha256)
        this.#differing.set(path, address);
    }
    for (const page of from.pages) if (!to.pages.has(page[0])) this.#gone.push(page);
    this.#links = new LostLinks(this.#gone);
    this.watchesLinks = this.#gone.length > 0;
    const freshCount = to.pages.size - (from.pages.size - this.#gone.length);
    this.#findsMoves =
      this.watchesLinks && Math.max(this.#gone.length, freshCount) <= MOST_SKETCHED;
  }

  reads(path: string): boolean {
    return this.#differing.has(path);
  }

  wants(path: string, page: Buffer): boolean {
    const address = this.#differing.get(path);
    if (address === undefined) return false;
    const before = this.#read(this.#from, this.#from.pages.get(address)?.path);
    if (before === undefined || !hasSameContent(before, page)) return true;
    this.#differing.delete(path);
    return false;
  }

  page(path: string, content: PageContent, redirect: Target | undefined): void {
    const address = this.#differing.get(path) ?? '';
    const known = this.#from.root === undefined ? { ...content, fingerprint: undefined } : content;
    const now = this.#take(this.#after, {
      address,
      site: this.#to,
      content: known,
      other: this.#from,
    });
    if (content.redirect !== undefined)
      this.#redirects.set(address, addressOfTarget(redirect, content.redirect));
    const before = this.#contentAt(this.#from, address);
    const was =
      before &&
      this.#take(this.#before, { address, site: this.#from, content: before, other: this.#to });
    if (before !== undefined && was?.fingerprint !== now?.fingerprint) {
      this.#details.set(address, this.#compare(before, content));
    }
  }

  link(path: string, target: string): void {
    const address = addressOfPage(path);
    this.#links.add(this.#to.pages.get(address)?.path === path ? address : `/${path}`, target);
  }

  /** Once the pass is over. Throws `cancelled` only. */
  async finish(signal: AbortSignal): Promise<Comparison> {
    const [from, to] = [this.#from, this.#to];
    await inTurns(this.#gone, signal, ([address]) => {
      const content = this.#contentAt(from, address);
      if (content !== undefined)
        this.#take(this.#before, { address, site: from, content, other: to });
    });
    const differing = [...this.#differing.values()];
    const gone = this.#gone.map(([address]) => address);
    const [assetsBefore, assetsAfter] = await this.#readAssets(signal);
    const changes = await compareExports({
      from: { pages: pagesOf(from, [...differing, ...gone], this.#before), ...assetsBefore },
      to: { pages: pagesOf(to, differing, this.#after), ...assetsAfter, redirects: this.#rules() },
      same: { size: to.pages.size - differing.length, has: (address) => this.#isSame(address) },
      signal,
    });
    const changed: ChangedPage[] = [];
    await inTurns(changes.changed, signal, (page) => {
      const { path, movedFrom } = page;
      const details =
        movedFrom === undefined ? this.#details.get(path) : this.#compareMoved(movedFrom, path);
      changed.push({ ...page, ...details });
    });
    return {
      ...changes,
      from: sizesOf(from),
      to: sizesOf(to),
      basis: from.root === undefined ? 'hashes' : 'content',
      changed,
      lost: changes.lost.map((address) => ({ ...address, ...this.#links.to(address.path) })),
      sections: findSections([...to.pages.keys()], changes),
    };
  }

  /** The other files of both. Throws `cancelled` only. */
  async #readAssets(
    signal: AbortSignal,
  ): Promise<readonly [before: OtherFiles, after: OtherFiles]> {
    const [before, after] = [assetsOf(this.#from), assetsOf(this.#to)];
    if (this.#from.root === undefined)
      return [{ assets: before.map(unread) }, { assets: after.map(unread) }];
    const { before: redirectsBefore, after: redirectsAfter } = this.#redirectPages;
    const gone = await this.#readDiffering(this.#from, before, after, signal);
    const fresh = await this.#readDiffering(this.#to, after, before, signal);
    return [
      { assets: gone, redirectPages: redirectEntries(redirectsBefore) },
      { assets: fresh, redirectPages: redirectEntries(redirectsAfter) },
    ];
  }

  /** Reads the files that the other export does not have byte for byte. */
  async #readDiffering(
    site: ComparedSite,
    files: readonly BundleFile[],
    others: readonly BundleFile[],
    signal: AbortSignal,
  ): Promise<readonly AssetEntry[]> {
    const differing = new Set(withoutPair(files, others, hashOf));
    const assets: AssetEntry[] = [];
    await inTurns(files, signal, (file) => {
      const bytes = differing.has(file) ? this.#read(site, file.path) : undefined;
      assets.push(
        bytes === undefined
          ? unread(file)
          : { path: file.path, content: contentOfAsset(bytes, hashOf(file)) },
      );
    });
    return assets;
  }

  #isSame(address: string): boolean {
    const file = this.#to.pages.get(address);
    return file !== undefined && !this.#differing.has(file.path);
  }

  #take(
    read: Map<string, PageEntry | undefined>,
    {
      address,
      site,
      content,
      other,
    }: Record<'site' | 'other', ComparedSite> & { address: string; content: PageContent },
  ): PageEntry | undefined {
    const entry =
      content.redirect === undefined ? this.#entryOf(address, site, content) : undefined;
    const isMoved = this.#findsMoves && this.#from.root !== undefined && !other.pages.has(address);
    if (content.redirect !== undefined) {
      const pages = site === this.#to ? this.#redirectPages.after : this.#redirectPages.before;
      pages.set(address, content.redirect);
    }
    read.set(address, entry && isMoved ? { ...entry, sketch: sketchOf(content.blocks) } : entry);
    return entry;
  }

  /** A page without text, such as one that a script fills, is known by its file alone. */
  #entryOf(address: string, site: ComparedSite, content: PageContent): PageEntry {
    const file = site.pages.get(address);
    const entry = entryOf(address, file, content);
    if (content.fingerprint !== undefined || this.#from.root === undefined) return entry;
    const page = this.#read(site, file?.path);
    return page === undefined ? entry : { ...entry, fingerprint: contentOfEmptyPage(page) };
  }

  #compare(before: PageContent, after: PageContent): Details {
    const words = compareWords(before.blocks, after.blocks);
    const headings = compareHeadings(before.headings, after.headings, this.#redact);
    if (this.#excerptChars >= MOST_EXCERPT_CHARS) return { ...words, headings, excerpts: [] };
    const excerpts = findExcerpts(before.blocks, after.blocks, this.#redact);
    for (const excerpt of excerpts)
      this.#excerptChars += excerpt.before.length + excerpt.after.length;
    return { ...words, headings, excerpts };
  }

  /** Both are read once more: which pages belong together is known only at the end. */
  #compareMoved(from: string, to: string): Details | undefined {
    const [before, after] = [this.#contentAt(this.#from, from), this.#contentAt(this.#to, to)];
    return before && after && this.#compare(before, after);
  }

  #contentAt(site: ComparedSite, address: string): PageContent | undefined {
    const html = this.#read(site, site.pages.get(address)?.path);
    return html && readContent(html);
  }

  /**
   * Valid until the next call; undefined if there is no such file, or only its name is known, or it
   * cannot be read.
   */
  #read({ root }: ComparedSite, path: string | undefined): Buffer | undefined {
    const bytes =
      root === undefined || path === undefined ? undefined : this.#file.read(`${root}/${path}`);
    return Buffer.isBuffer(bytes) ? bytes : undefined;
  }

  #rules(): RedirectRules {
    const text = this.#to.paths.includes(RULES_FILE) ? this.#read(this.#to, RULES_FILE) : undefined;
    const rules = redirectsFrom(readSafeRules(text?.toString() ?? '').rules, this.#basePath);
    return (address) => this.#redirects.get(address) ?? rules(address);
  }
}

function entryOf(path: string, file: BundleFile | undefined, content?: PageContent): PageEntry {
  const fingerprint = content?.fingerprint ?? file?.sha256 ?? `file ${path}`;
  return { path, title: content?.title || path, fingerprint };
}

/** Pages that were not read are known by the hash of their file. */
function pagesOf(
  site: ComparedSite,
  addresses: readonly string[],
  read: ReadonlyMap<string, PageEntry | undefined>,
): ReadonlyMap<string, PageEntry> {
  const pages = new Map<string, PageEntry>();
  for (const address of addresses) {
    const file = site.pages.get(address);
    const entry = read.has(address) ? read.get(address) : file && entryOf(address, file);
    if (entry !== undefined) pages.set(address, entry);
  }
  return pages;
}

function assetsOf({ files }: ComparedSite): readonly BundleFile[] {
  return files.filter(({ path }) => !isPage(path));
}

function unread(file: BundleFile): AssetEntry {
  return { path: file.path, content: hashOf(file) };
}

function hashOf({ sha256 }: BundleFile): string {
  return sha256 ?? '';
}

/** The same if they lead to the same place. */
function redirectEntries(pages: ReadonlyMap<string, string>): AssetEntry[] {
  return [...pages].map(([path, target]) => ({ path, content: `redirect ${path} to ${target}` }));
}

function addressOfTarget(target: Target | undefined, raw: string): string {
  if (target?.kind === 'outside') return raw;
  return target?.kind === 'inside' ? addressOfPage(target.file ?? target.path) : '';
}

function sizesOf({ jobId, pages, files, bytes }: ComparedSite): Comparison['from'] {
  return { jobId, pages: pages.size, files: files.length, bytes };
}
