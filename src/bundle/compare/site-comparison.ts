import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { cancelled } from '../../clock.ts';
import { errnoOf } from '../../errors.ts';
import { copyText } from '../../text/pieces.ts';
import type { Redact } from '../../text/redact.ts';
import type { BundleFile } from '../archive/sink.ts';
import type { PageContent } from '../verify/page-content.ts';
import { readContent } from '../verify/page-scan.ts';
import type { PageReader } from '../verify/site-check.ts';
import type { Target } from '../verify/site-index.ts';
import { MOST_BYTES, readText } from '../verify/verify-site.ts';
import {
  compareExports,
  findSections,
  LostLinks,
  lostAddresses,
  type RedirectRules,
  RULES_FILE,
  readRedirectRules,
} from './compare.ts';
import { type AssetEntry, addressOfPage, type ComparedSite, type PageEntry } from './compared-site.ts';
import type { ChangedPage, Comparison } from './comparison.ts';
import { compareHeadings, compareWords, findExcerpts, hasSameContent } from './same-content.ts';
import { MOST_SKETCHED, sketchOf } from './similar.ts';

interface SiteComparisonInit {
  readonly from: ComparedSite;
  /** Its root is known. */
  readonly to: ComparedSite;
  /** For the pieces of pages that the comparison keeps. */
  readonly redact: Redact;
}

type Details = Omit<ChangedPage, 'path' | 'title'>;

// Far more than a person reads; beyond it, pages have numbers and no excerpts.
const MOST_EXCERPT_CHARS = 8 * 1024 * 1024;
const LONGEST_TURN_MS = 20;

/** Compares two exports. A page whose file is the same is never read; `finish` reads those that are gone. */
export class SiteComparison implements PageReader {
  readonly #from: ComparedSite;
  readonly #to: ComparedSite;
  readonly #redact: Redact;
  readonly #links: LostLinks;
  /** Of pages that were read, by address. */
  readonly #before = new Map<string, PageEntry>();
  readonly #after = new Map<string, PageEntry>();
  readonly #details = new Map<string, Details>();
  /** Pages that are gone are looked for at other addresses. */
  readonly #findsMoves: boolean;
  #excerptChars = 0;

  constructor({ from, to, redact }: SiteComparisonInit) {
    this.#from = from;
    this.#to = to;
    this.#redact = redact;
    const gone = [...from.pages].filter(([address]) => !to.pages.has(address));
    this.#links = new LostLinks(gone);
    const freshCount = to.pages.size - (from.pages.size - gone.length);
    this.#findsMoves = gone.length > 0 && Math.max(gone.length, freshCount) <= MOST_SKETCHED;
  }

  get watchesLinks(): boolean {
    return this.#links.count > 0;
  }

  reads(path: string): boolean {
    const address = this.#addressOf(path);
    const file = this.#to.pages.get(address);
    return file?.path === path && !isSame(file, this.#from.pages.get(address));
  }

  wants(path: string, text: string): boolean {
    if (!this.reads(path)) return false;
    const address = this.#addressOf(path);
    const former = this.#from.pages.get(address);
    const { root } = this.#from;
    if (root === undefined || former === undefined) return true;
    const before = readFormer(root, former);
    if (before === undefined || !hasSameContent(before, text)) return true;
    // The hash of the former file stands for both.
    const entry = entryOf(address, former, undefined);
    this.#before.set(address, entry);
    this.#after.set(address, entry);
    return false;
  }

  link(path: string, target: string): void {
    this.#links.add(this.#addressOf(path), target);
  }

  page(path: string, content: PageContent, redirect: Target | undefined): void {
    const address = this.#addressOf(path);
    const file = this.#to.pages.get(address);
    if (file === undefined) return;
    const { root } = this.#from;
    const former = this.#from.pages.get(address);
    const now = entryOf(address, file, root === undefined ? { ...content, fingerprint: undefined } : content);
    this.#after.set(address, {
      ...now,
      redirect: content.redirect && addressOfTarget(redirect, content.redirect),
      sketch: former === undefined ? this.#sketchOf(content) : undefined,
    });
    if (former === undefined || root === undefined) return;
    const before = contentOf(root, former);
    if (before === undefined) return;
    const was = entryOf(address, former, before);
    this.#before.set(address, { ...was, redirect: before.redirect });
    if (was.fingerprint !== now.fingerprint) this.#details.set(address, this.#compare(before, content));
  }

  /** Once the pass is over. Throws `cancelled` only. */
  async finish(signal: AbortSignal): Promise<Comparison> {
    await this.#readGone(signal);
    const [from, to] = [this.#from, this.#to];
    const { redirectOf, ...changes } = compareExports(
      { jobId: from.jobId, pages: this.#entries(from, this.#before), assets: assetsOf(from) },
      {
        jobId: to.jobId,
        pages: this.#entries(to, this.#after),
        assets: assetsOf(to),
        redirects: this.#redirects(),
      },
    );
    const withDetails = changes.changed.map((page) => ({
      ...page,
      ...(page.movedFrom === undefined ? this.#details.get(page.path) : this.#compareMoved(page.movedFrom, page.path)),
    }));
    return {
      ...changes,
      from: sizesOf(from),
      to: sizesOf(to),
      basis: from.root === undefined ? 'hashes' : 'content',
      changed: withDetails,
      lost: lostAddresses({ ...changes, redirectOf }, this.#links, (path) => this.#titleOf(path)),
      sections: findSections([...to.pages.keys()], changes),
    };
  }

  #addressOf(path: string): string {
    const address = addressOfPage(path);
    return this.#to.pages.get(address)?.path === path ? address : `/${path}`;
  }

  #compare(before: PageContent, after: PageContent): Details {
    const words = compareWords(before.blocks, after.blocks);
    const headings = compareHeadings(before.headings, after.headings, this.#redact);
    if (this.#excerptChars >= MOST_EXCERPT_CHARS) return { ...words, headings, excerpts: [] };
    const excerpts = findExcerpts(before.blocks, after.blocks, this.#redact);
    for (const excerpt of excerpts) this.#excerptChars += excerpt.before.length + excerpt.after.length;
    return { ...words, headings, excerpts };
  }

  #sketchOf({ blocks }: PageContent): Uint32Array | undefined {
    return this.#findsMoves && this.#from.root !== undefined ? sketchOf(blocks) : undefined;
  }

  /** Both are read once more: which pages belong together is known only at the end. */
  #compareMoved(from: string, to: string): Details | undefined {
    const [before, after] = [this.#contentAt(this.#from, from), this.#contentAt(this.#to, to)];
    return before && after && this.#compare(before, after);
  }

  #contentAt({ root, pages }: ComparedSite, address: string): PageContent | undefined {
    const file = pages.get(address);
    return root === undefined || file === undefined ? undefined : contentOf(root, file);
  }

  async #readGone(signal: AbortSignal): Promise<void> {
    const { root, pages } = this.#from;
    if (root === undefined) return;
    let turnStart = performance.now();
    for (const [address, file] of pages) {
      if (this.#to.pages.has(address)) continue;
      const content = contentOf(root, file);
      if (content !== undefined) {
        const entry = entryOf(address, file, content);
        this.#before.set(address, { ...entry, redirect: content.redirect, sketch: this.#sketchOf(content) });
      }
      if (performance.now() - turnStart < LONGEST_TURN_MS) continue;
      await setImmediate();
      if (signal.aborted) throw cancelled(signal.reason);
      turnStart = performance.now();
    }
  }

  /** Pages that were not read are known by the hash of their file. */
  #entries({ pages }: ComparedSite, read: ReadonlyMap<string, PageEntry>): PageEntry[] {
    return [...pages].map(([address, file]) => read.get(address) ?? entryOf(address, file, undefined));
  }

  /** By the rules of the bundle, from addresses that are gone; also over several of them. */
  #redirects(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const rules = this.#rules();
    if (rules === undefined) return found;
    const asked = [...this.#from.pages.keys()].filter((address) => !this.#to.pages.has(address));
    for (let address = asked.pop(); address !== undefined; address = asked.pop()) {
      const target = rules(address);
      if (target === undefined || found.has(address)) continue;
      found.set(address, target);
      asked.push(target);
    }
    return found;
  }

  #rules(): RedirectRules | undefined {
    const { root, files } = this.#to;
    const text = root === undefined || !files.has(RULES_FILE) ? undefined : readText(root, RULES_FILE);
    return typeof text === 'string' ? readRedirectRules(text) : undefined;
  }

  #titleOf(path: string): string {
    return this.#before.get(path)?.title ?? path;
  }
}

function isSame(a: BundleFile, b: BundleFile | undefined): boolean {
  return b !== undefined && a.sha256 !== undefined && a.sha256 === b.sha256;
}

/** Its size is known: asking for it again would take as long as reading it. */
function readFormer(root: string, { path, bytes }: BundleFile): string | undefined {
  if (bytes > MOST_BYTES) return undefined;
  try {
    return readFileSync(`${root}/${path}`, 'utf8');
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

function contentOf(root: string, file: BundleFile): PageContent | undefined {
  const text = readFormer(root, file);
  return text === undefined ? undefined : readContent(text);
}

function entryOf(path: string, { sha256, path: file }: BundleFile, content: PageContent | undefined): PageEntry {
  // A page without text, such as one that a script fills, is known by its file alone.
  const fingerprint = content?.fingerprint ?? `file ${sha256 ?? file}`;
  return { path, title: copyText(content?.title || path), fingerprint };
}

function addressOfTarget(target: Target | undefined, raw: string): string {
  if (target?.kind === 'outside') return raw;
  return target?.kind === 'inside' ? addressOfPage(target.file ?? target.path) : '';
}

function assetsOf({ files, pages }: ComparedSite): AssetEntry[] {
  const known = new Set([...pages.values()].map(({ path }) => path));
  return [...files.values()]
    .filter(({ path }) => !known.has(path))
    .map(({ path, sha256 }) => ({ path, sha256: sha256 ?? '' }));
}

function sizesOf({ jobId, pages, files, bytes }: ComparedSite): Comparison['from'] {
  return { jobId, pages: pages.size, files: files.size, bytes };
}
