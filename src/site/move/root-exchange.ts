import type { SiteIndex } from '../verify/site-index.ts';
import { addPatches, type Exchange, type Patch, type TextKind } from './exchange.ts';

/** An address that begins with one slash, also behind an entity, up to its query or fragment. */
const ADDRESS = /(?<=^\s{0,8}|["'(,;]|url=)\/(?![/\\])([^\s"'()?#,;&\\]*)/gi;
/** A line of a file for hosts or robots whose words are addresses. */
const RULE = /^\s*(?:\/|https?:\/\/|(?:dis)?allow\s*:)/i;
/** What begins with a dot is the host's own, such as `/.netlify/functions`. */
const IN_RULE = /(?<=^|\s|allow:)\/(?![/\\.])/gi;
/** An address in a header `Link`. */
const IN_HEADER = /(?<=<)\/(?![/\\.])/g;

/**
 * Puts a base path before the addresses of a site that was built for the top of a host: in pages
 * those of files that the site has, since others may belong to another part of the host, and in its
 * rules all of them. Whether a rule leads to a file decides nothing: its own address is a former one
 * without a file, a target may have placeholders, and the hosts that read such files serve one site.
 * A target that leads to nothing is a finding of the verification.
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
    if (kind === 'rules') return this.#patchesOfRules(text);
    // Scripts and data do not count: such a site has no script that reads them.
    if (kind !== 'value') return [];
    return this.#patches([...text.matchAll(ADDRESS)].filter(([address]) => this.#hasFile(address)));
  }

  #patchesOfRules(text: string): Patch[] {
    const patches: Patch[] = [];
    for (const { 0: line, index } of text.matchAll(/.+/g)) {
      const pattern = RULE.test(line) ? IN_RULE : IN_HEADER;
      addPatches(patches, this.#patches(line.matchAll(pattern)), index);
    }
    return patches;
  }

  #patches(found: Iterable<RegExpExecArray>): Patch[] {
    return Array.from(found, ({ index }) => ({ start: index, end: index, text: this.#path }));
  }

  #hasFile(address: string): boolean {
    const target = this.#index.resolve(address, '', undefined);
    return target.kind === 'inside' && target.file !== undefined;
  }
}
