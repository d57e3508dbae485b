import { Buffer } from 'node:buffer';
import type { Header } from 'tar/header';
import { damaged, unsafe } from './fault.ts';
import type { ArchiveLimits } from './limits.ts';
import { readPax, refuseGlobalOverrides } from './pax.ts';
import type { Admission } from './policy.ts';
import type { EntrySink } from './sink.ts';
import {
  BLOCK,
  kindOf,
  type MetaKind,
  paddingOf,
  readLongName,
  readSizeField,
  refuseHiddenName,
} from './tar-fields.ts';

const ZERO_BLOCK = Buffer.alloc(BLOCK);
// Tars are padded with zeros to whole records; GNU's default record is 10 KiB, tapes used up to 1 MiB.
const LONGEST_PADDING = 1024 * 1024;

/** Takes a tar in pieces of any size. Throws at the first thing that is wrong. */
export interface TarReader {
  push(chunk: Buffer): void;
  /** The input is over: throws when the archive is not. */
  end(): void;
}

export interface TarReaderInit {
  readonly admission: Admission;
  readonly sink: EntrySink;
  readonly limits: ArchiveLimits;
}

/** What node-tar's header decoder is used for: fields, prefix, checksum. */
export type HeaderDecoder = (block: Buffer, offset: number) => Header;

export async function loadHeaderDecoder(): Promise<HeaderDecoder> {
  const { Header: Decoder } = await import('tar/header');
  return (block, offset) => new Decoder(block, offset);
}

/**
 * node-tar decodes each header; the walk from block to block is our own, since that library's parser passes over unknown
 * kinds, large extended headers and whatever follows the end, and unpacks a gzip it finds inside by itself.
 */
export function createTarReader(decode: HeaderDecoder, init: TarReaderInit): TarReader {
  const { admission, sink, limits } = init;
  let state: 'header' | 'body' | 'meta' | 'padding' | 'end' = 'header';
  let carry: Buffer | undefined;
  let left = 0;
  let skip = 0;
  let zeroBlocks = 0;
  let paddingBytes = 0;
  let meta: { kind: MetaKind; parts: Buffer[] } | undefined;
  let path: string | undefined;
  let paxSizeBytes: number | undefined;
  let expectsEntry = false;

  function readHeader(block: Buffer, offset: number): void {
    if (block.compare(ZERO_BLOCK, 0, BLOCK, offset, offset + BLOCK) === 0) {
      readZeroBlock();
      return;
    }
    if (zeroBlocks > 0) throw damaged('something follows the end of the archive');
    const raw = block.subarray(offset, offset + BLOCK);
    const sizeBytes = readSizeField(raw);
    const header = decodeSafely(decode, raw);
    if (!header.cksumValid) throw damaged('the checksum of a tar header is wrong');
    const name = path ?? header.path ?? '';
    if (path === undefined) refuseHiddenName(raw, name);
    const kind = kindOf(raw[156] ?? 0, name);
    if (kind !== 'file' && kind !== 'directory') {
      startMeta(kind, sizeBytes);
      return;
    }
    if (paxSizeBytes !== undefined && paxSizeBytes !== sizeBytes) throw unsafe('it gives two sizes for one file', name);
    startEntry({ name, kind, sizeBytes });
  }

  function readZeroBlock(): void {
    zeroBlocks += 1;
    if (expectsEntry) throw damaged('an extended header belongs to no entry');
    if (zeroBlocks === 2) state = 'end';
  }

  function startMeta(kind: MetaKind, sizeBytes: number): void {
    if (sizeBytes > limits.metaBytes) throw unsafe(`an extended header is larger than ${limits.metaBytes} bytes`);
    if (expectsEntry && kind !== 'global-pax') throw unsafe('two extended headers stand before one entry');
    if (sizeBytes === 0) throw unsafe('an extended header is empty');
    meta = { kind, parts: [] };
    left = sizeBytes;
    skip = paddingOf(sizeBytes);
    state = 'meta';
  }

  function finishMeta(): void {
    if (meta === undefined) return;
    const data = Buffer.concat(meta.parts);
    if (meta.kind === 'long-name') path = readLongName(data);
    else {
      const overrides = readPax(data);
      if (meta.kind === 'global-pax') refuseGlobalOverrides(overrides);
      else ({ path, sizeBytes: paxSizeBytes } = overrides);
    }
    expectsEntry ||= meta.kind !== 'global-pax';
    meta = undefined;
  }

  function startEntry(entry: { name: string; kind: 'file' | 'directory'; sizeBytes: number }): void {
    const target = admission.admit(entry);
    path = undefined;
    paxSizeBytes = undefined;
    expectsEntry = false;
    if (entry.kind === 'directory') {
      if (target !== undefined) sink.directory(target);
      return;
    }
    if (target === undefined) throw unsafe('a file has no name', entry.name);
    left = entry.sizeBytes;
    skip = paddingOf(left);
    current = target;
    begun = false;
    state = 'body';
  }

  let current = '';
  let begun = false;

  // A file that lies whole in this piece of input, as most do, is written in one go.
  function readBody(chunk: Buffer, at: number): number {
    const piece = chunk.subarray(at, at + left);
    left -= piece.length;
    if (!begun && left === 0) sink.file(current, piece);
    else {
      if (!begun) sink.begin(current);
      begun = true;
      sink.append(piece);
      if (left === 0) sink.finish();
    }
    if (left === 0) state = 'padding';
    return at + piece.length;
  }

  function readMeta(chunk: Buffer, at: number): number {
    const piece = chunk.subarray(at, at + left);
    left -= piece.length;
    // A copy: the chunk's memory is used again for the next one.
    meta?.parts.push(Buffer.from(piece));
    if (left === 0) {
      finishMeta();
      state = 'padding';
    }
    return at + piece.length;
  }

  function readPadding(chunk: Buffer, at: number): number {
    const passed = Math.min(skip, chunk.length - at);
    skip -= passed;
    if (skip === 0) state = 'header';
    return at + passed;
  }

  function readRest(chunk: Buffer, at: number): number {
    paddingBytes += chunk.length - at;
    if (paddingBytes > LONGEST_PADDING) throw unsafe('it goes on long after its end');
    for (let index = at; index < chunk.length; index += 1) {
      if (chunk[index] !== 0) throw damaged('something follows the end of the archive');
    }
    return chunk.length;
  }

  function readHeaderAt(chunk: Buffer, at: number): number {
    if (carry === undefined && chunk.length - at >= BLOCK) {
      readHeader(chunk, at);
      return at + BLOCK;
    }
    const needed = BLOCK - (carry?.length ?? 0);
    const piece = Buffer.from(chunk.subarray(at, at + needed));
    const block: Buffer = carry === undefined ? piece : Buffer.concat([carry, piece]);
    carry = block.length < BLOCK ? block : undefined;
    if (carry === undefined) readHeader(block, 0);
    return at + piece.length;
  }

  const steps = { header: readHeaderAt, body: readBody, meta: readMeta, padding: readPadding, end: readRest };
  return {
    push(chunk) {
      for (let at = 0; at < chunk.length; ) at = steps[state](chunk, at);
      // An empty file, or one without padding, must not wait for more input to be done.
      if (state === 'body' && left === 0) readBody(chunk, chunk.length);
    },
    end() {
      if (state !== 'end') throw damaged('the archive ends too early');
    },
  };
}

// The library throws on some numbers; that they are malformed is all there is to know.
function decodeSafely(decode: HeaderDecoder, block: Buffer): Header {
  try {
    return decode(block, 0);
  } catch (cause) {
    throw damaged('a tar header is malformed', cause);
  }
}
