import { Buffer } from 'node:buffer';
import { damaged, unsafe } from './fault.ts';
import type { ArchiveLimits } from './limits.ts';
import type { Admission } from './policy.ts';
import type { EntrySink } from './sink.ts';
import { BLOCK, type MetaKind, paddingOf } from './tar-fields.ts';
import { createTarHeaderReader, type HeaderDecoder, type TarHeader } from './tar-header.ts';

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

/** What the bytes that come next are. */
type State =
  | { readonly in: 'header' | 'padding' | 'end' }
  | { readonly in: 'file'; readonly path: string; readonly isBegun: boolean }
  | { readonly in: 'meta'; readonly kind: MetaKind; readonly parts: Buffer[] };

/**
 * node-tar decodes each header; the walk from block to block is our own, since that library's parser passes over unknown
 * kinds, large extended headers and whatever follows the end, and unpacks a gzip it finds inside by itself.
 */
export function createTarReader(decode: HeaderDecoder, { admission, sink, limits }: TarReaderInit): TarReader {
  const headers = createTarHeaderReader(decode, limits);
  let state: State = { in: 'header' };
  // The beginning of a header, while the rest of it has not come.
  let carry: Buffer | undefined;
  // Of the content that is being read, and of the zeros that fill its last block.
  let left = 0;
  let padding = 0;
  let zeroBlocks = 0;
  let trailingBytes = 0;

  function takeHeader(block: Buffer): void {
    const header = headers.read(block);
    if (header === undefined) {
      zeroBlocks += 1;
      if (zeroBlocks === 2) state = { in: 'end' };
      return;
    }
    if (zeroBlocks > 0) throw damaged('something follows the end of the archive');
    left = header.sizeBytes;
    padding = paddingOf(left);
    if (header.is === 'meta') state = { in: 'meta', kind: header.kind, parts: [] };
    else startEntry(header);
  }

  function startEntry(header: TarHeader & { is: 'entry' }): void {
    const path = admission.admit(header);
    if (header.kind === 'directory') {
      if (path !== undefined) sink.directory(path);
      return;
    }
    if (path === undefined) throw unsafe('a file has no name', header.name);
    if (left > 0) state = { in: 'file', path, isBegun: false };
    // Nothing comes of an empty file: it must not wait for more input to be done.
    else sink.file(path, Buffer.alloc(0));
  }

  function readHeader(chunk: Buffer, at: number): number {
    if (carry === undefined && chunk.length - at >= BLOCK) {
      takeHeader(chunk.subarray(at, at + BLOCK));
      return at + BLOCK;
    }
    const piece = Buffer.from(chunk.subarray(at, at + BLOCK - (carry?.length ?? 0)));
    const block: Buffer = carry === undefined ? piece : Buffer.concat([carry, piece]);
    carry = block.length < BLOCK ? block : undefined;
    if (carry === undefined) takeHeader(block);
    return at + piece.length;
  }

  // A file that lies whole in this piece of input, as most do, is written in one go.
  function takeFile(piece: Buffer, { path, isBegun }: State & { in: 'file' }): void {
    if (!isBegun && left === 0) sink.file(path, piece);
    else {
      if (!isBegun) sink.begin(path);
      sink.append(piece);
      if (left === 0) sink.finish();
      else if (!isBegun) state = { in: 'file', path, isBegun: true };
    }
  }

  function takeMeta(piece: Buffer, { kind, parts }: State & { in: 'meta' }): void {
    // A copy: the chunk's memory is used again for the next one.
    parts.push(Buffer.from(piece));
    if (left === 0) headers.override(kind, Buffer.concat(parts));
  }

  function readContent(chunk: Buffer, at: number, reading: State & { in: 'file' | 'meta' }): number {
    const piece = chunk.subarray(at, at + left);
    left -= piece.length;
    if (reading.in === 'file') takeFile(piece, reading);
    else takeMeta(piece, reading);
    if (left === 0) state = { in: padding === 0 ? 'header' : 'padding' };
    return at + piece.length;
  }

  function readPadding(chunk: Buffer, at: number): number {
    const passed = Math.min(padding, chunk.length - at);
    padding -= passed;
    if (padding === 0) state = { in: 'header' };
    return at + passed;
  }

  function readTrailing(chunk: Buffer, at: number): number {
    trailingBytes += chunk.length - at;
    if (trailingBytes > LONGEST_PADDING) throw unsafe('it goes on long after its end');
    if (chunk.subarray(at).some((byte) => byte !== 0)) throw damaged('something follows the end of the archive');
    return chunk.length;
  }

  function step(chunk: Buffer, at: number): number {
    switch (state.in) {
      case 'header':
        return readHeader(chunk, at);
      case 'file':
      case 'meta':
        return readContent(chunk, at, state);
      case 'padding':
        return readPadding(chunk, at);
      case 'end':
        return readTrailing(chunk, at);
    }
  }

  return {
    push(chunk) {
      for (let at = 0; at < chunk.length; ) at = step(chunk, at);
    },
    end() {
      if (state.in !== 'end') throw damaged('the archive ends too early');
    },
  };
}
