import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { foldName } from '../archive/admission.ts';
import type { ComparedSite } from '../compare/compared-site.ts';
import { NO_HOST } from '../move/host-exchange.ts';
import { addressOfPage, isHtml } from '../page-names.ts';
import type { Finding } from '../verify/finding.ts';
import type { PageReader } from '../verify/site-check.ts';
import { WholeFile } from '../verify/verify-site.ts';

/** What sites have at their top and no page names: `__next.` is of the router of Next.js. */
const USUAL =
  /^(?:robots|humans|ads|security|llms[\w-]*)\.txt$|^(?:browserconfig\.xml|cname|\.nojekyll|_headers|_redirects|objects\.inv|\.buildinfo)$|^(?:__next\.|favicon|icon|apple-touch-icon|android-chrome|mstile)|sitemap|(?:rss|atom|feed)(?:\.xml|\.json)?$|(?:\.web|[-.]|^)manifest(?:\.json)?$/;
/** Each is looked for in every page and script. */
const MOST_LOOSE = 200;
const IS_SCRIPT = /\.m?js$/i;
/** What stands instead of the host in pages that were built without an address. */
const NO_HOST_BYTES = Buffer.from(NO_HOST);
const NO_ADDRESS =
  /<(?:link|meta)\b[^>]*\b(?:canonical|og:url)\b[^>]*?["'](https?:\/\/undefined\.[^"']*)|<(?:link|meta)\b[^>]*?["'](https?:\/\/undefined\.[^"']*)["'][^>]*\b(?:canonical|og:url)\b/i;

/**
 * Looks for what copies of a folder have and exports of the platform have not: loose files, which
 * a tool has copied with the site, and addresses without a host.
 */
export class GivenReader implements PageReader {
  readonly #site: ComparedSite;
  /** Files at the top that no other file has named so far. */
  readonly #loose: Set<string>;
  /** The first page without an address, and that address. */
  #unaddressed: { readonly page: string; readonly target: string } | undefined;

  constructor(site: ComparedSite) {
    this.#site = site;
    const pages = new Set(site.paths.filter(isHtml).map(addressOfPage));
    const candidates = site.paths.filter((path) => isCandidate(path, pages));
    this.#loose = new Set(candidates.slice(0, MOST_LOOSE));
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

  findings(): readonly Finding[] {
    this.#readAssets();
    const found: Finding[] = [...this.#loose].map((target) => ({
      level: 'warning',
      kind: 'loose-file',
      page: '',
      target,
      reason:
        'no page, script or style sheet names this file at the top of the site, and it is delivered with it',
    }));
    if (this.#unaddressed !== undefined) {
      const reason =
        'the address of the page, for search engines, has no host: it was built without one';
      found.push({ level: 'warning', kind: 'no-address', reason, ...this.#unaddressed });
    }
    return found;
  }

  /** Scripts and style sheets load files that no page names, such as the index of a search. */
  #readAssets(): void {
    const { root, paths } = this.#site;
    if (root === undefined || this.#loose.size === 0) return;
    const file = new WholeFile();
    for (const path of paths.filter((name) => IS_SCRIPT.test(name) || /\.css$/i.test(name))) {
      const content = file.readIfPossible(join(root, path));
      if (content !== undefined) this.#findNames(path, content);
      // One that is too large to be read may name any of them.
      else this.#loose.clear();
    }
  }

  /** No file is named by itself. */
  #findNames(path: string, bytes: Buffer): void {
    for (const name of this.#loose) {
      const isNamed = writtenForms(name, path).some((form) => bytes.includes(form));
      if (isNamed && name !== path) this.#loose.delete(name);
    }
  }
}

/** How a file is named in another. */
function writtenForms(name: string, path: string): string[] {
  const forms = [name, encodeURI(name)];
  const stem = name.replace(/\.m?js$/, '');
  // A script may add the ending of another, as that of Doxygen does, and RequireJS to its attribute.
  if (stem !== name && IS_SCRIPT.test(path)) forms.push(`"${stem}"`, `'${stem}'`);
  else if (stem !== name) forms.push(`data-main="${stem}"`, `data-main='${stem}'`);
  return forms;
}

/** A file at the top that is neither a page, nor its twin, such as `guide.md`, nor usual there. */
function isCandidate(path: string, pages: ReadonlySet<string>): boolean {
  if (path.includes('/') || isHtml(path) || USUAL.test(foldName(path))) return false;
  return !pages.has(addressOfPage(`${path.replace(/\.[^.]*$/, '')}.html`));
}
