import { Buffer, isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import { isHtml } from '../page-names.ts';
import { RULES_FILE } from '../redirects/rules.ts';
import { patchesOfCss } from './css.ts';
import type { Exchange, TextKind } from './exchange.ts';
import type { ChangedHashes } from './hashes.ts';
import { packingOf } from './packed.ts';
import { PageMove } from './page.ts';
import { addPatches, applyPatches, type Patch } from './patch.ts';
import { isCountedPayload, patchesOfPayload } from './payload.ts';

/** What has no address, or is played and shown as it is. */
export const MEDIA =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|woff2?|ttf|otf|eot|mp[34]|webm|og[gv]|wasm|zip|pdf)$/i;
const TEXT = /\.(?:x?html?|svg|css|[cm]?js|json|map|txt|md|xml)$/i;
/** A hash in a policy, in quotes or their entities. */
const POLICY_HASH = /(?:'|&#39;|&#x27;|&apos;)sha(?:256|384|512)-/;
const RULES: ReadonlySet<string> = new Set([RULES_FILE, '_headers', 'robots.txt']);

interface FileMoveInit {
  readonly exchange: Exchange;
  readonly hashes: ChangedHashes;
  /** True: a policy for all pages names their scripts by hashes. */
  readonly hasPolicy: boolean;
  /** Called for a file of which it is not certain what it contains. */
  readonly onUnsure: (reason: string) => void;
}

/** Exchanges the base path in one file after the other. */
export class FileMove {
  /** Whether a page had a script of the site. */
  hasScripts = false;
  readonly #init: FileMoveInit;

  constructor(init: FileMoveInit) {
    this.#init = init;
  }

  /** The new content of a file; the same buffer if nothing in it changes. */
  content(path: string, content: Buffer): Buffer {
    const packing = packingOf(path, content);
    if (packing === undefined) return this.#plain(path, content);
    let unpacked: Buffer;
    try {
      unpacked = packing.unpack(content);
    } catch {
      this.#init.onUnsure('it is compressed and could not be unpacked');
      return content;
    }
    const moved = this.#plain(path.replace(/\.(?:gz|br)$/i, ''), unpacked);
    if (moved === unpacked) return content;
    return packing.pack(moved);
  }

  #plain(path: string, content: Buffer): Buffer {
    const { exchange, hashes, onUnsure } = this.#init;
    const hasPath = content.includes(exchange.name);
    // A page without the path may still name scripts that have changed.
    if (!hasPath && !content.includes('sha')) return content;
    const text = content.toString('latin1');
    if (isBinary(path, content, text)) {
      const isNamed = hasPath && exchange.find(text, 'prose').length > 0;
      if (isNamed) onUnsure('it contains the base path, and is not a text');
      return content;
    }
    const moved = hashes.renew(applyPatches(text, this.#patches(path, text)));
    if (moved === text) return content;
    return Buffer.from(moved, 'latin1');
  }

  #patches(path: string, text: string): readonly Patch[] {
    const { exchange } = this.#init;
    if (isHtml(path) || /\.svg$/i.test(path)) return this.#pagePatches(path, text);
    if (/\.css$/i.test(path)) return patchesOfCss(text, exchange);
    if (/\.txt$/i.test(path) && isCountedPayload(text)) return patchesOfPayload(text, exchange);
    return exchange.find(text, kindOfText(path));
  }

  #pagePatches(path: string, text: string): readonly Patch[] {
    const { exchange, hashes, hasPolicy } = this.#init;
    const page = new PageMove(text, exchange, !isHtml(path));
    const patches = page.patches;
    this.hasScripts ||= page.hasScripts;
    if (!hasPolicy && !POLICY_HASH.test(text)) return patches;
    for (const { start, end } of page.embedded) {
      const before = text.slice(start, end);
      const inside: Patch[] = [];
      addPatches(
        inside,
        patches.filter((patch) => patch.start >= start && patch.end <= end),
        -start,
      );
      if (inside.length > 0) hashes.addText(before, applyPatches(before, inside));
    }
    return patches;
  }
}

/** UTF-16, an archive, an index: a path of another length would break it. */
function isBinary(path: string, content: Buffer, text: string): boolean {
  if (content.includes(0)) return true;
  if (TEXT.test(path)) return !isUtf8(content) && !isHtml(path);
  return !isUtf8(content) || /[\x01-\x08\x0e-\x1f]/.test(text);
}

function kindOfText(path: string): TextKind {
  if (/\.webmanifest$/i.test(path)) return 'value';
  if (/\.(?:xml|rss|atom|xsl)$/i.test(path)) return 'markup';
  if (/\.(?:md|mdx|markdown)$/i.test(path)) return 'prose';
  if (RULES.has(posix.basename(path))) return 'rules';
  if (/\.txt$/i.test(path)) return 'prose';
  if (/\.[cm]?js$/i.test(path)) return 'code';
  return 'data';
}
