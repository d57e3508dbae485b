import type { Buffer } from 'node:buffer';
import type { PageContent } from '../verify/page-content.ts';
import { readContent } from '../verify/page-scan.ts';
import { WholeFile } from '../verify/verify-site.ts';
import { contentOfAsset } from './asset-content.ts';
import { type BuildIds, buildIdsOf } from './build-ids.ts';
import type { ComparedSite } from './compared-site.ts';
import { contentOfEmptyPage } from './same-content.ts';

/** What the files of a site say, by the same rules for a comparison and for the fingerprint. */
export class SiteContent {
  readonly site: ComparedSite;
  readonly #file = new WholeFile();

  constructor(site: ComparedSite) {
    this.site = site;
  }

  get ids(): BuildIds {
    return buildIdsOf(this.site);
  }

  /**
   * A file, valid until the next call; undefined if it does not exist, was not unpacked, or cannot
   * be read.
   */
  read(path: string | undefined): Buffer | undefined {
    const { root } = this.site;
    if (root === undefined || path === undefined) return undefined;
    return this.#file.readIfPossible(`${root}/${path}`);
  }

  /** The file of the page at an address. */
  fileAt(address: string): Buffer | undefined {
    return this.read(this.site.pages.get(address)?.path);
  }

  /** What a reader sees of the page at an address; undefined if it cannot be read. */
  page(address: string): PageContent | undefined {
    const html = this.fileAt(address);
    return html && readContent(html);
  }

  /** What counts of a page without a text, such as one that a script fills; undefined as `page`. */
  emptyPage(address: string): string | undefined {
    const html = this.fileAt(address);
    return html && contentOfEmptyPage(html, this.ids);
  }

  /** What counts of another file: its hash alone if it cannot be read. */
  asset(path: string, sha256: string): string {
    const bytes = this.read(path);
    if (bytes === undefined) return sha256;
    return contentOfAsset(bytes, sha256, this.ids);
  }
}
