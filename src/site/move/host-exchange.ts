import type { ServedAt } from '../../inputs/read-served-at.ts';
import type { Exchange, Patch, TextKind } from './exchange.ts';

/** What stands before the host in pages that were built without an address. */
export const NO_HOST = '://undefined.';
const ADDRESS = /https?:\/\/undefined\.[\w.-]+(\/[^\s"'<>&\\]*)?/gi;

/** Gives pages that were built without an address that of `served-at`. */
export class HostExchange implements Exchange {
  readonly name = NO_HOST;
  readonly #basePath: string;
  readonly #to: ServedAt;

  /** `basePath`: that of the site, which its addresses may have. */
  constructor(basePath: string, to: ServedAt) {
    this.#basePath = basePath;
    this.#to = to;
  }

  find(text: string, kind: TextKind): Patch[] {
    if (kind === 'prose') return [];
    return Array.from(text.matchAll(ADDRESS), (match) => {
      const [whole, path = '/'] = match;
      return { start: match.index, end: match.index + whole.length, text: this.#moved(path) };
    });
  }

  #moved(path: string): string {
    let rest = path;
    if (`${path}/`.startsWith(`${this.#basePath}/`)) rest = path.slice(this.#basePath.length);
    return `${this.#to.url}${rest.replace(/^\//, '')}`;
  }
}
