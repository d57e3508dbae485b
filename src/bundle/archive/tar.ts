import { Buffer, isUtf8 } from 'node:buffer';
import { Header } from 'tar/header';
import { type Admission, type ArchiveLimits, damaged, unsafe } from './admission.ts';
import type { EntrySink } from './sink.ts';

/** Bytes in a block of a tar. */
const BLOCK = 512;

// Tars are padded with zeros to whole records; GNU's default record is 10 KiB, tapes used up to 1 MiB.
const LONGEST_PADDING = 1024 * 1024;

/** What the bytes that come next are. */
type State =
  | { readonly in: 'header' | 'file' | 'padding' | 'end' }
  | { readonly in: 'meta'; readonly kind: MetaKind; readonly parts: Buffer[] };

/**
 * Takes a tar in pieces of any size and throws at the first thing that is wrong. node-tar decodes each header; the walk from
 * block to block is our own, since that library's parser passes over unknown kinds, large extended headers and whatever
 * follows the end, and unpacks a gzip that it finds inside.
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
    this.#sink.begin(path);
    if (this.#left > 0) this.#state = { in: 'file' };
    // Nothing comes of an empty file: it must not wait for more input to be done.
    else this.#sink.append(Buffer.alloc(0), true);
  }

  #readContent(chunk: Buffer, at: number, reading: State): number {
    const piece = chunk.subarray(at, at + this.#left);
    this.#left -= piece.length;
    if (reading.in === 'meta') this.#takeMeta(piece, reading);
    else this.#sink.append(piece, this.#left === 0);
    if (this.#left === 0) this.#state = { in: this.#padding === 0 ? 'header' : 'padding' };
    return at + piece.length;
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
    if (this.#trailingBytes > LONGEST_PADDING) throw unsafe('it continues long after its end');
    if (chunk.subarray(at).some((byte) => byte !== 0)) throw damaged('something follows the end of the archive');
    return chunk.length;
  }
}

const ZERO_BLOCK = Buffer.alloc(BLOCK);

/** One header, with what the extended headers before it said. `meta`: its content is about the next entry. */
type TarHeader =
  | { readonly is: 'entry'; readonly kind: 'file' | 'directory'; readonly name: string; readonly sizeBytes: number }
  | { readonly is: 'meta'; readonly kind: MetaKind; readonly sizeBytes: number };

/** Reads the headers of one tar. Throws at the first one that two programs could read in two ways. */
class TarHeaderReader {
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
    checkPrefix(block);
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

const NAME_BYTES = 100;

type MetaKind = 'pax' | 'global-pax' | 'long-name';

function kindOf(code: number, name: string): MetaKind | 'file' | 'directory' {
  switch (String.fromCharCode(code)) {
    case '\0':
    case '0':
      // Before POSIX, a folder was a file whose name ends in a slash.
      return name.endsWith('/') ? 'directory' : 'file';
    case '5':
      return 'directory';
    case 'x':
      return 'pax';
    case 'g':
      return 'global-pax';
    case 'L':
      return 'long-name';
    case '1':
    case '2':
    case 'K':
      throw unsafe('it holds a link', name);
    default:
      throw unsafe('it holds something that is neither file nor folder', name);
  }
}

function paddingOf(sizeBytes: number): number {
  return (BLOCK - (sizeBytes % BLOCK)) % BLOCK;
}

// Mode, owner, group and the numbers of devices are not used. A program that cannot read them may still take the header for
// the end of the archive (Python does) or stop (GNU tar does), so that it sees other files.
const UNUSED_NUMBERS = [
  [100, 8],
  [108, 8],
  [116, 8],
  [329, 8],
  [337, 8],
] as const;
const MOST_UNUSED = 0xffffffff;

function readSizeField(block: Buffer): number {
  return readNumber(block, 124, 12, 'a file has an impossible size');
}

function checkUnusedNumbers(block: Buffer): void {
  const reason = 'a number in a tar header is malformed';
  // The time of change.
  readNumber(block, 136, 12, reason);
  for (const [at, length] of UNUSED_NUMBERS) {
    if (readNumber(block, at, length, reason) > MOST_UNUSED) throw unsafe(reason);
  }
}

// Octal digits between blanks, or, with the top bit set, a positive binary number (GNU). Everything else is read
// differently by different programs.
function readNumber(block: Buffer, at: number, length: number, reason: string): number {
  if (block[at] === 0x80) {
    let value = 0;
    for (let index = at + 1; index < at + length; index += 1) value = value * 256 + (block[index] ?? 0);
    if (!Number.isSafeInteger(value)) throw unsafe(reason);
    return value;
  }
  const digits = /^ *([0-7]*)[ \0]*$/.exec(block.toString('latin1', at, at + length))?.[1];
  if (digits === undefined) throw unsafe(reason);
  return Number.parseInt(digits || '0', 8);
}

const POSIX = Buffer.from('ustar\x0000', 'latin1');
/** Of POSIX, of GNU, and of tars from before both. */
const FORMATS = [POSIX, Buffer.from('ustar  \0', 'latin1'), Buffer.alloc(8)];

// Some programs put the prefix before the name in every format, some only in that of POSIX, and each has an own list of what
// else that is. So it is used only where all do, and a header of a format that none writes is refused.
function checkPrefix(block: Buffer): void {
  const magic = block.subarray(257, 265);
  const prefix = block.subarray(345, 500);
  if (!FORMATS.some((format) => format.equals(magic))) throw unsafe('a tar header has an unknown format');
  const end = prefix.indexOf(0);
  const rest = magic.equals(POSIX) ? prefix.subarray(end === -1 ? prefix.length : end) : prefix;
  if (rest.some((byte) => byte !== 0)) throw unsafe('programs read the prefix of a name differently');
}

// What follows a NUL is not part of the name to us; to another program it may be.
function refuseHiddenName(block: Buffer, name: string): void {
  let isEnded = false;
  for (let at = 0; at < NAME_BYTES; at += 1) {
    if (block[at] === 0) isEnded = true;
    else if (isEnded) throw unsafe('a name holds a NUL character', name);
  }
}

/** The content of a GNU long name. Without its NUL, some programs read on into whatever follows it. */
function readLongName(data: Buffer): string {
  const end = data.indexOf(0);
  if (end === -1) throw unsafe('a long name does not end in a NUL character');
  if (data.subarray(end).some((byte) => byte !== 0)) throw unsafe('a name holds a NUL character');
  return data.toString('utf8', 0, end);
}

/** The records of an extended header that change what the next entry is. All others are of no use here. */
interface PaxOverrides {
  readonly path: string | undefined;
  readonly sizeBytes: number | undefined;
}

/** Reads the records `LENGTH KEY=VALUE\n` of POSIX.1-2017, pax. Readers differ about malformed ones: these are refused. */
function readPax(data: Buffer): PaxOverrides {
  const seen = new Set<string>();
  let path: string | undefined;
  let sizeBytes: number | undefined;
  for (let at = 0; at < data.length; ) {
    const record = readRecord(data, at);
    at = record.end;
    if (seen.has(record.key)) throw unsafe(`an extended header names ${record.key} twice`);
    seen.add(record.key);
    refuseLinksAndHoles(record.key, record.value);
    if (record.key === 'path') path = record.value;
    if (record.key === 'size') sizeBytes = readSize(record.value);
  }
  return { path, sizeBytes };
}

/** Headers for all entries may carry remarks (`git archive` writes a commit id), but rename nothing. */
function refuseGlobalOverrides(overrides: PaxOverrides): void {
  if (overrides.path !== undefined || overrides.sizeBytes !== undefined) {
    throw unsafe('a global header renames or resizes every entry');
  }
}

function readRecord(data: Buffer, start: number): { key: string; value: string; end: number } {
  const space = data.indexOf(0x20, start);
  const digits = space === -1 || space - start > 8 ? '' : data.toString('latin1', start, space);
  if (!/^[1-9]\d*$/.test(digits)) throw unsafe('an extended header is malformed');
  const end = start + Number(digits);
  const equals = data.indexOf(0x3d, space);
  if (end > data.length || data[end - 1] !== 0x0a || equals === -1 || equals >= end || equals === space + 1) {
    throw unsafe('an extended header is malformed');
  }
  const value = data.subarray(equals + 1, end - 1);
  const key = data.toString('utf8', space + 1, equals);
  if (data.subarray(space, end).includes(0)) throw unsafe('an extended header holds a NUL character');
  // Extended attributes are bytes; they are not used, so what they hold does not matter.
  if (!isUtf8(value) && !key.includes('.')) throw unsafe('an extended header is not UTF-8');
  return { key, value: value.toString('utf8'), end };
}

function refuseLinksAndHoles(key: string, value: string): void {
  if (key === 'linkpath') throw unsafe('it holds a link', value);
  if (key.startsWith('GNU.sparse')) throw unsafe('it holds a sparse file');
  if (key === 'hdrcharset' && !/^ISO-IR 10646 2000 UTF-8$/.test(value)) throw unsafe('its names are not in UTF-8');
}

function readSize(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw unsafe('an extended header gives a size that is not a number');
  return Number(value);
}
