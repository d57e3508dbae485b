import { Buffer } from 'node:buffer';
import type { Header } from 'tar/header';
import { damaged, unsafe } from './fault.ts';
import { readPax, refuseGlobalOverrides } from './pax.ts';
import { BLOCK, kindOf, type MetaKind, readLongName, readSizeField, refuseHiddenName } from './tar-fields.ts';

const ZERO_BLOCK = Buffer.alloc(BLOCK);

/** One header, with what the extended headers before it said. `meta`: its content is about the next entry. */
export type TarHeader =
  | { readonly is: 'entry'; readonly kind: 'file' | 'directory'; readonly name: string; readonly sizeBytes: number }
  | { readonly is: 'meta'; readonly kind: MetaKind; readonly sizeBytes: number };

/** Reads the headers of one tar in their order. Throws at the first that two programs could read in two ways. */
export interface TarHeaderReader {
  /** Takes a block; undefined for one of zeros, as they stand at the end. */
  read(block: Buffer): TarHeader | undefined;
  /** Takes the content that follows a header that is `meta`. */
  override(kind: MetaKind, content: Buffer): void;
}

/** What node-tar's header decoder is used for: fields, prefix, checksum. */
export type HeaderDecoder = (block: Buffer) => Header;

export async function loadHeaderDecoder(): Promise<HeaderDecoder> {
  const { Header: Decoder } = await import('tar/header');
  return (block) => new Decoder(block, 0);
}

export function createTarHeaderReader(decode: HeaderDecoder, { metaBytes }: { metaBytes: number }): TarHeaderReader {
  let path: string | undefined;
  let paxSizeBytes: number | undefined;
  let awaitsEntry = false;

  function readMeta(kind: MetaKind, sizeBytes: number): TarHeader {
    if (sizeBytes > metaBytes) throw unsafe(`an extended header is larger than ${metaBytes} bytes`);
    if (awaitsEntry && kind !== 'global-pax') throw unsafe('two extended headers stand before one entry');
    if (sizeBytes === 0) throw unsafe('an extended header is empty');
    return { is: 'meta', kind, sizeBytes };
  }

  return {
    read(block) {
      if (block.equals(ZERO_BLOCK)) {
        if (awaitsEntry) throw damaged('an extended header belongs to no entry');
        return undefined;
      }
      const sizeBytes = readSizeField(block);
      const header = decodeSafely(decode, block);
      if (!header.cksumValid) throw damaged('the checksum of a tar header is wrong');
      const name = path ?? header.path ?? '';
      if (path === undefined) refuseHiddenName(block, name);
      const kind = kindOf(block[156] ?? 0, name);
      if (kind !== 'file' && kind !== 'directory') return readMeta(kind, sizeBytes);
      if ((paxSizeBytes ?? sizeBytes) !== sizeBytes) throw unsafe('it gives two sizes for one file', name);
      path = undefined;
      paxSizeBytes = undefined;
      awaitsEntry = false;
      return { is: 'entry', kind, name, sizeBytes };
    },
    override(kind, content) {
      if (kind === 'global-pax') {
        refuseGlobalOverrides(readPax(content));
        return;
      }
      if (kind === 'long-name') path = readLongName(content);
      else ({ path, sizeBytes: paxSizeBytes } = readPax(content));
      awaitsEntry = true;
    },
  };
}

// The library throws on some numbers; that they are malformed is all there is to know.
function decodeSafely(decode: HeaderDecoder, block: Buffer): Header {
  try {
    return decode(block);
  } catch (cause) {
    throw damaged('a tar header is malformed', cause);
  }
}
