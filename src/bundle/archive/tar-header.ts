import { Buffer } from 'node:buffer';
import { Header } from 'tar/header';
import { damaged, unsafe } from './errors.ts';
import { readPax, refuseGlobalOverrides } from './pax.ts';
import {
  BLOCK,
  checkUnusedNumbers,
  kindOf,
  type MetaKind,
  readLongName,
  readSizeField,
  refuseHiddenName,
} from './tar-fields.ts';

const ZERO_BLOCK = Buffer.alloc(BLOCK);

/** One header, with what the extended headers before it said. `meta`: its content is about the next entry. */
export type TarHeader =
  | { readonly is: 'entry'; readonly kind: 'file' | 'directory'; readonly name: string; readonly sizeBytes: number }
  | { readonly is: 'meta'; readonly kind: MetaKind; readonly sizeBytes: number };

/**
 * Reads the headers of one tar in their order, with node-tar's decoder for fields, prefix and checksum. Throws at the first
 * header that two programs could read in two ways.
 */
export class TarHeaderReader {
  readonly #metaBytes: number;
  #path: string | undefined;
  #paxSizeBytes: number | undefined;
  #awaitsEntry = false;

  /** `metaBytes`: how long an extended header may be. */
  constructor(metaBytes: number) {
    this.#metaBytes = metaBytes;
  }

  /** Takes a block; undefined for one of zeros, as at the end of an archive. */
  read(block: Buffer): TarHeader | undefined {
    if (block.equals(ZERO_BLOCK)) {
      if (this.#awaitsEntry) throw damaged('an extended header belongs to no entry');
      return undefined;
    }
    const sizeBytes = readSizeField(block);
    const header = decode(block);
    if (!header.cksumValid) throw damaged('the checksum of a tar header is wrong');
    checkUnusedNumbers(block);
    const name = this.#path ?? header.path ?? '';
    if (this.#path === undefined) refuseHiddenName(block, name);
    const kind = kindOf(block[156] ?? 0, name);
    return kind === 'file' || kind === 'directory' ? this.#entry(kind, name, sizeBytes) : this.#meta(kind, sizeBytes);
  }

  /** Takes the content that follows a header that is `meta`. */
  override(kind: MetaKind, content: Buffer): void {
    if (kind === 'global-pax') {
      refuseGlobalOverrides(readPax(content));
      return;
    }
    if (kind === 'long-name') this.#path = readLongName(content);
    else ({ path: this.#path, sizeBytes: this.#paxSizeBytes } = readPax(content));
    this.#awaitsEntry = true;
  }

  #entry(kind: 'file' | 'directory', name: string, sizeBytes: number): TarHeader {
    if ((this.#paxSizeBytes ?? sizeBytes) !== sizeBytes) throw unsafe('it gives two sizes for one file', name);
    this.#path = undefined;
    this.#paxSizeBytes = undefined;
    this.#awaitsEntry = false;
    return { is: 'entry', kind, name, sizeBytes };
  }

  #meta(kind: MetaKind, sizeBytes: number): TarHeader {
    if (sizeBytes > this.#metaBytes) throw unsafe(`an extended header is larger than ${this.#metaBytes} bytes`);
    if (this.#awaitsEntry && kind !== 'global-pax') throw unsafe('two extended headers precede one entry');
    if (sizeBytes === 0) throw unsafe('an extended header is empty');
    return { is: 'meta', kind, sizeBytes };
  }
}

// The library throws on some numbers; that they are malformed is all there is to know.
function decode(block: Buffer): Header {
  try {
    return new Header(block, 0);
  } catch (cause) {
    throw damaged('a tar header is malformed', cause);
  }
}
