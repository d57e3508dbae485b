import type { Buffer } from 'node:buffer';
import type { Redact } from '../../ground/text/redact.ts';
import type { BundleFile } from '../archive/sink.ts';
import { isPage } from '../page-names.ts';
import { type RedirectRules, RULES_FILE } from '../redirects/rules.ts';
import { readSafeRules, redirectsFrom } from '../redirects/server-redirects.ts';
import type { PageContent } from '../verify/page-content.ts';
import type { PageReader } from '../verify/site-check.ts';
import type { Target } from '../verify/site-index.ts';
import { inTurns, WholeFile } from '../verify/verify-site.ts';
import { type AssetEntry, compareExports, LostLinks } from './compare.ts';
import { addressOfFile, type ComparedSite } from './compared-site.ts';
import type {
  ChangedPage,
  ComparedExport,
  Comparison,
  PageDifference,
  PageEntry,
} from './comparison.ts';
import {
  compareHeadings,
  compareWords,
  differsByIdsOnly,
  findExcerpts,
  hasSameContent,
  withoutPair,
} from './same-content.ts';
import { MOST_SKETCHED, sketchOf } from './similar.ts';
import { SiteContent } from './site-content.ts';
import { addressOfTarget } from './site-pages.ts';

interface SiteComparisonInit {
  readonly from: ComparedSite;
  /** The new export, which is unpacked. */
  readonly to: ComparedSite;
  /** What links of the site begin with, if it is known. */
  readonly basePath?: string | undefined;
  /** Hides credentials in the pieces of pages that the comparison keeps. */
  readonly redact: Redact;
}

/** What is known of one of the exports. */
class Side extends SiteContent {
  /**
   * The pages that the other export does not have in the same file, by address, without those that
   * are only a redirect. At the end, with those that could not be read, by the hash of the file.
   */
  readonly pages = new Map<string, PageEntry>();
  /** Where pages that are only a redirect lead, as they give it, by address. */
  readonly redirects = new Map<string, string>();

  /** Notes the page at an address, if there is one that was not read. */
  noteFile(address: string): void {
    const file = this.site.pages.get(address);
    if (file === undefined || this.pages.has(address) || this.redirects.has(address)) return;
    const fingerprint = fingerprintOfFile(address, file);
    this.pages.set(address, { path: address, title: address, fingerprint });
  }
}

// Far more than a person reads; beyond it, pages have numbers and no excerpts.
const MOST_EXCERPT_CHARS = 8 * 1024 * 1024;

/**
 * Compares two exports. Pages whose file is the same in both are never read; `finish` reads the
 * pages that are gone.
 */
export class SiteComparison implements PageReader {
  readonly watchesLinks: boolean;
  readonly #before: Side;
  readonly #after: Side;
  /** Only a manifest is known of the earlier export. */
  readonly #isByHashes: boolean;
  readonly #basePath: string | undefined;
  readonly #redact: Redact;
  readonly #links: LostLinks;
  /** The addresses of the pages whose file is the same, or certainly has the same content. */
  readonly #same = new Set<string>();
  /** Where redirect pages of the new export lead, by address; empty if to nothing that is known. */
  readonly #redirects = new Map<string, string>();
  /** What changed in the pages that were read, by address. */
  readonly #details = new Map<string, PageDifference>();
  /** The pages at addresses where the new export has none. */
  readonly #gone: readonly (readonly [address: string, file: BundleFile])[];
  /** Whether pages that are gone are looked for at other addresses. */
  readonly #findsMoves: boolean;
  #excerptChars = 0;

  constructor(init: SiteComparisonInit) {
    const { from, to } = init;
    this.#before = new Side(from);
    this.#after = new Side(to);
    this.#isByHashes = from.root === undefined;
    this.#basePath = init.basePath;
    this.#redact = init.redact;
    for (const [address, { sha256 }] of to.pages) {
      // A new page counts as differing, and so does a file whose hash is not known.
      const isSameFile = sha256 !== undefined && sha256 === from.pages.get(address)?.sha256;
      if (isSameFile) this.#same.add(address);
    }
    this.#gone = [...from.pages].filter(([address]) => !to.pages.has(address));
    const goneCount = this.#gone.length;
    const commonCount = from.pages.size - goneCount;
    const newCount = to.pages.size - commonCount;
    this.#links = new LostLinks(this.#gone);
    // Links are of interest only if they may lead to a page that is gone.
    this.watchesLinks = goneCount > 0;
    const areFew = Math.max(goneCount, newCount) <= MOST_SKETCHED;
    this.#findsMoves = !this.#isByHashes && goneCount > 0 && areFew;
  }

  reads(path: string): boolean {
    return isPage(path) && !this.#same.has(addressOfFile(this.#after.site, path));
  }

  /**
   * Whether a page of the new export must be read. One that certainly has the same content need not
   * be, and counts as the same from now on.
   */
  wants(path: string, page: Buffer, hasContent: () => boolean): boolean {
    if (!isPage(path)) return false;
    const address = addressOfFile(this.#after.site, path);
    if (this.#same.has(address)) return false;
    // undefined for a new page, or if only the hash of the earlier one is known.
    const before = this.#before.fileAt(address);
    const ids = { before: this.#before.ids, after: this.#after.ids };
    const isSame = before !== undefined && hasSameContent(before, page, ids, hasContent);
    if (isSame) this.#same.add(address);
    return !isSame;
  }

  /**
   * Notes a page of the new export that was read, and compares it with what it was. `redirect` is
   * where it leads in the site, `content.redirect` what the page itself says.
   */
  page(path: string, content: PageContent, redirect: Target | undefined): void {
    if (!this.reads(path)) return;
    const address = addressOfFile(this.#after.site, path);
    const newEntry = this.#notePage(this.#after, this.#before, address, content);
    if (content.redirect !== undefined)
      this.#redirects.set(address, addressOfTarget(redirect, content.redirect));
    const before = this.#before.page(address);
    // The page is new, or only the hash of the earlier one is known.
    if (before === undefined) return;
    const earlierEntry = this.#notePage(this.#before, this.#after, address, before);
    // Both are undefined if it was a redirect and still is one.
    if (earlierEntry?.fingerprint !== newEntry?.fingerprint)
      this.#details.set(address, this.#compare(before, content));
  }

  /** Notes a link of the new export, in case it leads to a page that is gone. */
  link(path: string, target: string): void {
    this.#links.add(this.#after.site, path, target);
  }

  /** Gives the comparison, once the pass is over. Throws `cancelled` only. */
  async finish(signal: AbortSignal): Promise<Comparison> {
    const from = this.#before.site;
    const to = this.#after.site;
    // The pass was over the new export, which does not have these.
    await inTurns(this.#gone, signal, ([address]) => {
      const content = this.#before.page(address);
      if (content !== undefined) this.#notePage(this.#before, this.#after, address, content);
      this.#before.noteFile(address);
    });
    for (const address of to.pages.keys()) {
      if (this.#same.has(address)) continue;
      this.#before.noteFile(address);
      this.#after.noteFile(address);
    }
    const contents = await this.#readAssets(signal);
    const changes = await compareExports({
      from: { pages: this.#before.pages, assets: this.#assetsOf(this.#before, contents) },
      to: {
        pages: this.#after.pages,
        assets: this.#assetsOf(this.#after, contents),
        redirects: this.#rules(),
      },
      same: this.#same,
      links: this.#links,
      addresses: to.pages.keys(),
      signal,
    });
    const changed: ChangedPage[] = [];
    await inTurns(changes.changed, signal, (page) => {
      let details = this.#details.get(page.path);
      // `page` could not compare a moved one: from where it has moved is known only now.
      if (page.movedFrom !== undefined) details = this.#compareMoved(page.movedFrom, page.path);
      changed.push({ ...page, ...details });
    });
    return {
      ...changes,
      from: sizesOf(from),
      to: sizesOf(to),
      basis: this.#isByHashes ? 'hashes' : 'content',
      changed,
    };
  }

  /**
   * What the other files say that one export has and the other does not have byte for byte. Throws
   * `cancelled` only.
   */
  async #readAssets(signal: AbortSignal): Promise<ReadonlyMap<BundleFile, string>> {
    const contents = new Map<BundleFile, string>();
    // Only hashes are known of one export: files are compared by them.
    if (this.#isByHashes) return contents;
    const [before, after] = [filesOf(this.#before), filesOf(this.#after)];
    const earlier = new Map(withoutPair(before, after, hashOf).map((file) => [file.path, file]));
    await inTurns(withoutPair(after, before, hashOf), signal, (file) => {
      const { path } = file;
      const former = earlier.get(path);
      if (former === undefined || !this.#isSameAsset(path)) {
        contents.set(file, this.#after.asset(path, hashOf(file)));
        return;
      }
      for (const version of [former, file]) contents.set(version, `same ${path}`);
      earlier.delete(path);
    });
    await inTurns(earlier.values(), signal, (file) => {
      contents.set(file, this.#before.asset(file.path, hashOf(file)));
    });
    return contents;
  }

  /** The other files of an export, and its redirect pages. `contents`: what is known but hashes. */
  #assetsOf(side: Side, contents: ReadonlyMap<BundleFile, string>): readonly AssetEntry[] {
    const assets = filesOf(side).map((file) => ({
      path: file.path,
      content: contents.get(file) ?? hashOf(file),
    }));
    // Where the redirect pages of the other export lead is not known.
    if (this.#isByHashes) return assets;
    // They are the same if they lead to the same address.
    for (const [address, target] of side.redirects)
      assets.push({ path: address, content: `redirect ${address} to ${target}` });
    return assets;
  }

  /** Whether the files at a path differ in build ids alone, as most do that a build writes. */
  #isSameAsset(path: string): boolean {
    const [before, after] = [this.#before.read(path), this.#after.read(path)];
    if (before === undefined || after === undefined) return false;
    return differsByIdsOnly(before, after, { before: this.#before.ids, after: this.#after.ids });
  }

  /**
   * Notes what a page of one side contains, and gives it; undefined if the page is only a redirect.
   * `other` is asked only whether it has a page at this address: if not, the page may have moved.
   */
  #notePage(side: Side, other: Side, address: string, content: PageContent): PageEntry | undefined {
    if (content.redirect !== undefined) {
      side.redirects.set(address, content.redirect);
      return undefined;
    }
    const title = content.title || address;
    const fingerprint = this.#fingerprintOf(side, address, content);
    // Only for such pages: a sketch takes time.
    const mayHaveMoved = this.#findsMoves && !other.site.pages.has(address);
    const sketch = mayHaveMoved ? sketchOf(content.blocks) : undefined;
    const entry = { path: address, title, fingerprint, sketch };
    side.pages.set(address, entry);
    return entry;
  }

  /** A page without text, such as one that a script fills, is known by its file alone. */
  #fingerprintOf(side: Side, address: string, content: PageContent): string {
    const byFile = fingerprintOfFile(address, side.site.pages.get(address));
    // Nothing else is known of the other export to compare it with.
    if (this.#isByHashes) return byFile;
    // Without its file, such as if that was removed since, the hash is known.
    return content.fingerprint ?? side.emptyPage(address) ?? byFile;
  }

  /** What changed between two versions of a page. */
  #compare(before: PageContent, after: PageContent): PageDifference {
    const words = compareWords(before.blocks, after.blocks);
    const headings = compareHeadings(before.headings, after.headings, this.#redact);
    // The excerpts of all pages together would take too much memory.
    if (this.#excerptChars >= MOST_EXCERPT_CHARS) return { ...words, headings, excerpts: [] };
    const excerpts = findExcerpts(before.blocks, after.blocks, this.#redact);
    for (const excerpt of excerpts)
      this.#excerptChars += excerpt.before.length + excerpt.after.length;
    return { ...words, headings, excerpts };
  }

  /**
   * Compares a moved page. Both versions are read again: which pages belong together is known only
   * at the end. undefined if one of them cannot be read.
   */
  #compareMoved(from: string, to: string): PageDifference | undefined {
    const before = this.#before.page(from);
    const after = this.#after.page(to);
    if (before === undefined || after === undefined) return undefined;
    return this.#compare(before, after);
  }

  /** Where addresses of the new export lead: by its redirect pages, else by its file of rules. */
  #rules(): RedirectRules {
    const rules = rulesOf(this.#after.site, this.#basePath);
    return (address) => this.#redirects.get(address) ?? rules(address);
  }
}

/** The rules for redirects that an unpacked site has in its file. */
export function rulesOf({ root }: ComparedSite, basePath: string | undefined): RedirectRules {
  const text = new WholeFile().text(`${root}/${RULES_FILE}`);
  return redirectsFrom(readSafeRules(text).rules, basePath);
}

/** The hash of a page's file; without one, a text that only the page at this address has. */
function fingerprintOfFile(address: string, file: BundleFile | undefined): string {
  return file?.sha256 ?? `file ${address}`;
}

function filesOf({ site }: Side): readonly BundleFile[] {
  return site.files.filter((file) => !isPage(file.path));
}

/** The files of a comparison have hashes: they were unpacked with these, or are from a manifest. */
function hashOf(file: BundleFile): string {
  return file.sha256 ?? '';
}

export function sizesOf(site: ComparedSite): ComparedExport {
  const { jobId, bytes } = site;
  return { jobId, pages: site.pages.size, files: site.files.length, bytes };
}
