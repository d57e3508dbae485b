import type { ComparedSite } from '../../compare/compared-site.ts';
import { formatPageManifest, PAGE_MANIFEST } from '../../compare/page-manifest.ts';
import { SitePages } from '../../compare/site-pages.ts';
import type { AddedFile } from '../file.ts';

/** The list of the pages of a site, with which a later export is compared. */
export class PageManifest {
  #pages: SitePages | undefined;

  reader(site: ComparedSite): SitePages {
    this.#pages = new SitePages(site);
    return this.#pages;
  }

  /** Once the pages were read. */
  async files({ isVerified }: { readonly isVerified: boolean }): Promise<readonly AddedFile[]> {
    if (this.#pages === undefined) return [];
    const text = formatPageManifest(this.#pages.list({ isVerified }));
    const content = new TextEncoder().encode(text);
    return [{ path: PAGE_MANIFEST, content }];
  }
}
