import type { SiteIndex } from '../verify/site-index.ts';
import type { Exchange, TextKind } from './exchange.ts';
import type { Patch } from './patch.ts';

/** An address that begins with one slash, up to its query or fragment. */
const ADDRESS = /(?<=^\s{0,8}|["'(,]|url=)\/(?![/\\])([^\s"'()?#,;&\\]*)/gi;
/**
 * An address of a rule, or in a header `Link`. What begins with a dot is the host's own, such as
 * `/.netlify/functions`.
 */
const RULE = /(?<=^|<|^\/.{0,2000}\s|^(?:dis)?allow:\s*)\/(?![/\\.])/gim;

/**
 * Puts a base path before the addresses of a site that was built for the top of a host: those of its
 * rules, and in pages those of files that the site has, since others may belong to another part of
 * the host.
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
    if (kind === 'rules') return this.#patches(text.matchAll(RULE));
    // Scripts and data do not count: such a site has no script that reads them.
    if (kind !== 'value') return [];
    return this.#patches([...text.matchAll(ADDRESS)].filter(([address]) => this.#hasFile(address)));
  }

  #patches(found: Iterable<RegExpExecArray>): Patch[] {
    return Array.from(found, ({ index }) => ({ start: index, end: index, text: this.#path }));
  }

  #hasFile(address: string): boolean {
    const target = this.#index.resolve(address, '', undefined);
    return target.kind === 'inside' && target.file !== undefined;
  }
}
