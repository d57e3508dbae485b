import { Buffer } from 'node:buffer';
import type { Admission } from './admission.ts';
import { damaged, unsafe } from './errors.ts';
import type { ArchiveLimits } from './limits.ts';
import type { EntrySink } from './sink.ts';
import { BLOCK, type MetaKind, paddingOf } from './tar-fields.ts';
import { type TarHeader, TarHeaderReader } from './tar-header.ts';

// Tars are padded with zeros to whole records; GNU's default record is 10 KiB, tapes used up to 1 MiB.
const LONGEST_PADDING = 1024 * 1024;

/** What the bytes that come next are. */
type State =
  | { readonly in: 'header' | 'padding' | 'end' }
  | { readonly in: 'file'; readonly path: string; readonly isBegun: boolean }
  | { readonly in: 'meta'; readonly kind: MetaKind; readonly parts: Buffer[] };

/**
 * Takes a tar in pieces of any size and throws at the first thing that is wrong. node-tar decodes each header; the walk from
 * block to block is our own, since that library's parser passes over unknown kinds, large extended headers and whatever
 * follows the end, and unpacks a gzip that it finds inside by itself.
 */
export class TarReader {
  readonly #admission: Admission;
  readonly #sink: EntrySink;
  readonly #headers: TarHeaderReader;
  #state: State = { in: 'header' };
  /** The beginning of a header, while the rest of it has not come. */
  #carry: Buffer | undefined;
  /** Of the content that is being read. */
  #left = 0;
  /** Of the zeros that fill its last block. */
  #padding = 0;
  #zeroBlocks = 0;
  #trailingBytes = 0;

  constructor(admission: Admission, sink: EntrySink, limits: ArchiveLimits) {
    this.#admission = admission;
    this.#sink = sink;
    this.#headers = new TarHeaderReader(limits.metaBytes);
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) at = this.#step(chunk, at);
  }

  /** The input has ended: throws when the archive has not. */
  end(): void {
    if (this.#state.in !== 'end') throw damaged('the archive ends too early');
  }

  #step(chunk: Buffer, at: number): number {
    switch (this.#state.in) {
      case 'header':
        return this.#readHeader(chunk, at);
      case 'file':
      case 'meta':
        return this.#readContent(chunk, at, this.#state);
      case 'padding':
        return this.#readPadding(chunk, at);
      case 'end':
        return this.#readTrailing(chunk, at);
    }
  }

  #readHeader(chunk: Buffer, at: number): number {
    if (this.#carry === undefined && chunk.length - at >= BLOCK) {
      this.#takeHeader(chunk.subarray(at, at + BLOCK));
      return at + BLOCK;
    }
    const piece = Buffer.from(chunk.subarray(at, at + BLOCK - (this.#carry?.length ?? 0)));
    const block: Buffer = this.#carry === undefined ? piece : Buffer.concat([this.#carry, piece]);
    this.#carry = block.length < BLOCK ? block : undefined;
    if (this.#carry === undefined) this.#takeHeader(block);
    return at + piece.length;
  }

  #takeHeader(block: Buffer): void {
    const header = this.#headers.read(block);
    if (header === undefined) {
      this.#zeroBlocks += 1;
      if (this.#zeroBlocks === 2) this.#state = { in: 'end' };
      return;
    }
    if (this.#zeroBlocks > 0) throw damaged('something follows the end of the archive');
    this.#left = header.sizeBytes;
    this.#padding = paddingOf(this.#left);
    if (header.is === 'meta') this.#state = { in: 'meta', kind: header.kind, parts: [] };
    else this.#startEntry(header);
  }

  #startEntry(header: TarHeader & { is: 'entry' }): void {
    const path = this.#admission.admit(header);
    if (header.kind === 'directory') {
      if (path !== undefined) this.#sink.directory(path);
      return;
    }
    if (path === undefined) throw unsafe('a file has no name', header.name);
    if (this.#left > 0) this.#state = { in: 'file', path, isBegun: false };
    // Nothing comes of an empty file: it must not wait for more input to be done.
    else this.#sink.file(path, Buffer.alloc(0));
  }

  #readContent(chunk: Buffer, at: number, reading: State & { in: 'file' | 'meta' }): number {
    const piece = chunk.subarray(at, at + this.#left);
    this.#left -= piece.length;
    if (reading.in === 'file') this.#takeFile(piece, reading);
    else this.#takeMeta(piece, reading);
    if (this.#left === 0) this.#state = { in: this.#padding === 0 ? 'header' : 'padding' };
    return at + piece.length;
  }

  // A file that is whole in this piece of input, as most do, is written in one go.
  #takeFile(piece: Buffer, { path, isBegun }: State & { in: 'file' }): void {
    if (!isBegun && this.#left === 0) {
      this.#sink.file(path, piece);
      return;
    }
    if (!isBegun) this.#sink.begin(path);
    this.#sink.append(piece);
    if (this.#left === 0) this.#sink.finish();
    else if (!isBegun) this.#state = { in: 'file', path, isBegun: true };
  }

  #takeMeta(piece: Buffer, { kind, parts }: State & { in: 'meta' }): void {
    // A copy: the chunk's memory is used again for the next one.
    parts.push(Buffer.from(piece));
    if (this.#left === 0) this.#headers.override(kind, Buffer.concat(parts));
  }

  #readPadding(chunk: Buffer, at: number): number {
    const passed = Math.min(this.#padding, chunk.length - at);
    this.#padding -= passed;
    if (this.#padding === 0) this.#state = { in: 'header' };
    return at + passed;
  }

  #readTrailing(chunk: Buffer, at: number): number {
    this.#trailingBytes += chunk.length - at;
    if (this.#trailingBytes > LONGEST_PADDING) throw unsafe('it goes on long after its end');
    if (chunk.subarray(at).some((byte) => byte !== 0)) throw damaged('something follows the end of the archive');
    return chunk.length;
  }
}
