import type { SiteIndex } from '../verify/site-index.ts';
import type { Exchange, TextKind } from './exchange.ts';
import type { Patch } from './patch.ts';

/** An address that begins with one slash, up to its query or fragment. */
const ADDRESS = /(?<=^\s{0,8}|["'(,]|url=)\/(?![/\\])([^\s"'()?#,;&\\]*)/gi;

/**
 * Puts a base path before the addresses of a site that was built for the top of a host: only those
 * of files that the site has, since others may belong to another part of the host.
 */
export class RootExchange implements Exchange {
  readonly name = '/';
  readonly #path: string;
  readonly #index: SiteIndex;

  constructor(path: string, index: SiteIndex) {
    this.#path = path;
    this.#index = index;
  }

  find(text: string, kind: TextKind): Patch[] {
    const patches: Patch[] = [];
    // Scripts and data do not count: such a site has no script that reads them.
    if (kind !== 'value') return patches;
    for (const { index, 1: address = '' } of text.matchAll(ADDRESS)) {
      const target = this.#index.resolve(`/${address}`, '', undefined);
      const isInSite = target.kind === 'inside' && target.file !== undefined;
      if (isInSite) patches.push({ start: index, end: index, text: this.#path });
    }
    return patches;
  }
}
