import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldName } from '../archive/admission.ts';
import type { ComparedSite } from '../compare/compared-site.ts';
import { NO_HOST } from '../move/host-exchange.ts';
import { addressOfPage, isHtml } from '../page-names.ts';
import type { Finding } from '../verify/finding.ts';
import type { PageReader } from '../verify/site-check.ts';

/** What sites have at their top and no page names: `__next.` is of the router of Next.js. */
const USUAL =
  /^(?:robots|humans|ads|security|llms[\w-]*)\.txt$|^(?:browserconfig\.xml|cname|\.nojekyll|_headers|_redirects|objects\.inv|\.buildinfo)$|^(?:__next\.|favicon|icon|apple-touch-icon|android-chrome|mstile)|sitemap|(?:rss|atom|feed)(?:\.xml|\.json)?$|(?:\.web|[-.]|^)manifest(?:\.json)?$/;
/** Of scripts with more bytes in all, none is read: then it is not certain that a file is loose. */
const MOST_SCRIPT_BYTES = 128 * 1024 * 1024;
/** A text is searched once for each ending. Files with further endings are not reported. */
const MOST_ENDINGS = 50;
/** What stands instead of the host in pages that were built without an address. */
const NO_HOST_BYTES = Buffer.from(NO_HOST);
const NO_ADDRESS =
  /<(?:link|meta)\b[^>]*\b(?:canonical|og:url)\b[^>]*?["'](https?:\/\/undefined\.[^"']*)|<(?:link|meta)\b[^>]*?["'](https?:\/\/undefined\.[^"']*)["'][^>]*\b(?:canonical|og:url)\b/i;

/**
 * Looks for what copies of a folder have and exports of the platform have not: loose files, which
 * a tool has copied with the site, and addresses without a host.
 */
export class GivenReader implements PageReader {
  readonly watchesLinks = false;
  readonly #site: ComparedSite;
  /** Files at the top that no page or script has named so far. */
  readonly #loose = new Set<string>();
  /** The same files, by each form of their names in a text that is read as Latin-1. */
  readonly #fileByForm = new Map<string, string>();
  /** How long the forms with an ending are, so that one pass over a text finds all of them. */
  readonly #lengthsByEnding = new Map<string, Set<number>>();
  /** The first page without an address, and that address. */
  #unaddressed: { readonly page: string; readonly target: string } | undefined;

  constructor(site: ComparedSite) {
    this.#site = site;
    const pages = new Set(site.paths.filter(isHtml).map(addressOfPage));
    for (const path of site.paths) {
      if (isCandidate(path, pages) && formsOf(path).every((form) => this.#addForm(form, path)))
        this.#loose.add(path);
    }
  }

  /** False: there are too many endings. */
  #addForm(form: string, path: string): boolean {
    const ending = form.slice(Math.max(0, form.lastIndexOf('.')));
    const lengths = this.#lengthsByEnding.get(ending) ?? new Set();
    if (lengths.size === 0 && this.#lengthsByEnding.size === MOST_ENDINGS) return false;
    this.#lengthsByEnding.set(ending, lengths.add(form.length));
    this.#fileByForm.set(form, path);
    return true;
  }

  reads(): boolean {
    return true;
  }

  /** Looks at the bytes alone, so that no page is parsed for it. */
  wants(path: string, page: Buffer): boolean {
    this.#findNames(path, page);
    if (this.#unaddressed === undefined && page.includes(NO_HOST_BYTES)) {
      const [, first, second] = NO_ADDRESS.exec(page.toString()) ?? [];
      const target = first ?? second;
      if (target !== undefined) this.#unaddressed = { page: path, target };
    }
    return false;
  }

  page(): void {}

  link(): void {}

  findings(): readonly Finding[] {
    this.#readScripts();
    const found: Finding[] = [...this.#loose].map((target) => ({
      level: 'warning',
      kind: 'loose-file',
      page: '',
      target,
      reason:
        'no page or script names this file at the top of the site, and it is delivered with it',
    }));
    if (this.#unaddressed !== undefined) {
      const reason =
        'the address of the page, for search engines, has no host: it was built without one';
      found.push({ level: 'warning', kind: 'no-address', reason, ...this.#unaddressed });
    }
    return found;
  }

  /** Scripts load files that no page names, such as the index of a search. */
  #readScripts(): void {
    const { root, files } = this.#site;
    if (root === undefined || this.#loose.size === 0) return;
    const scripts = files.filter(({ path }) => /\.m?js$/i.test(path));
    const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0);
    if (bytes > MOST_SCRIPT_BYTES) {
      this.#loose.clear();
      return;
    }
    for (const { path } of scripts) this.#findNames(path, readFileSync(join(root, path)));
  }

  /** No file is named by itself. */
  #findNames(path: string, bytes: Buffer): void {
    if (this.#loose.size === 0) return;
    const text = bytes.toString('latin1');
    for (const [ending, lengths] of this.#lengthsByEnding) {
      for (const end of endsOf(text, ending)) {
        for (const length of lengths) {
          const file = this.#fileByForm.get(text.slice(Math.max(0, end - length), end));
          if (file !== undefined && file !== path) this.#loose.delete(file);
        }
      }
    }
  }
}

/** A name as its bytes, and escaped as in an address. */
function formsOf(path: string): readonly string[] {
  return [Buffer.from(path).toString('latin1'), encodeURI(path)];
}

/** Where each ending in a text ends. */
function* endsOf(text: string, ending: string): Generator<number> {
  for (let at = text.indexOf(ending); at !== -1; at = text.indexOf(ending, at + 1))
    yield at + ending.length;
}

/** A file at the top that is neither a page, nor its twin, such as `guide.md`, nor usual there. */
function isCandidate(path: string, pages: ReadonlySet<string>): boolean {
  if (path.includes('/') || isHtml(path) || USUAL.test(foldName(path))) return false;
  return !pages.has(addressOfPage(`${path.replace(/\.[^.]*$/, '')}.html`));
}
