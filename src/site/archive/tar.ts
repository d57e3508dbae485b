import { Buffer, isUtf8 } from 'node:buffer';
import { type Admission, type ArchiveEntry, damaged, PACK_FILES, unsafe } from './admission.ts';
import type { EntrySink } from './sink.ts';

/** Bytes in a block of a tar. */
const BLOCK = 512;

// Two blocks of zeros end a tar; then it is padded to a whole record. GNU's default record is 10
// KiB, tapes used up to 1 MiB.
const MOST_ZERO_BLOCKS = 2 + (1024 * 1024) / BLOCK;

const NOTHING = Buffer.alloc(0);

/**
 * Kinds of extended headers: entries without a file, whose content says more about the next entry,
 * or, if global, about all that follow.
 */
type MetaKind = 'pax' | 'global-pax' | 'long-name';

/** What extended headers say about the next entry. All other records are of no use here. */
interface Overrides {
  readonly path: string | undefined;
  readonly sizeBytes: number | undefined;
}

/**
 * Takes a tar in pieces of any size. Throws at the first thing that is wrong, or that two programs
 * could read in two ways; libraries pass over unknown kinds, large extended headers and whatever
 * follows the end, and unpack a gzip that they find inside.
 */
export class TarReader {
  readonly #admission: Admission;
  readonly #sink: EntrySink;
  /** The beginning of a block, while the rest of it has not come. */
  #carry: Buffer = NOTHING;
  /** Bytes of the content that is being read, which are still to come. */
  #contentLeft = 0;
  /** Zeros still to come after it, which fill its last block. */
  #paddingLeft = 0;
  #zeroBlocks = 0;
  /** The extended header whose content or padding is being read; undefined for a file. */
  #meta: { readonly kind: MetaKind; readonly parts: Buffer[] } | undefined;
  /** What an extended header says about the next entry. */
  #next: Overrides | undefined;

  constructor(admission: Admission, sink: EntrySink) {
    this.#admission = admission;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#contentLeft > 0) at = this.#readContent(chunk, at);
      else if (this.#paddingLeft > 0) at = this.#skipPadding(chunk, at);
      else at = this.#readBlock(chunk, at);
    }
  }

  /** The input has ended: throws when the archive has not. */
  end(): void {
    if (this.#zeroBlocks < 2) throw damaged('the archive ends too early');
    // The zeros that follow the end need not be whole blocks.
    if (sumOf(this.#carry) !== 0) throw damaged('something follows the end of the archive');
  }

  #readContent(chunk: Buffer, at: number): number {
    const piece = chunk.subarray(at, at + this.#contentLeft);
    const meta = this.#meta;
    this.#contentLeft -= piece.length;
    if (meta !== undefined) {
      // Copied, since the memory of the chunk is used again for the next one.
      meta.parts.push(Buffer.from(piece));
      if (this.#contentLeft === 0) this.#applyMeta(meta.kind, Buffer.concat(meta.parts));
    } else if (this.#contentLeft > 0) this.#sink.append(piece);
    else this.#sink.appendLast(piece);
    return at + piece.length;
  }

  #skipPadding(chunk: Buffer, at: number): number {
    const skipped = Math.min(this.#paddingLeft, chunk.length - at);
    // Some programs (Python up to 3.11) read records from the padding of an extended header too.
    if (this.#meta !== undefined && sumOf(chunk, at, skipped) !== 0)
      throw unsafe('something follows an extended header');
    this.#paddingLeft -= skipped;
    return at + skipped;
  }

  /**
   * Takes a header or a block of zeros as soon as it is whole: mostly it is so in the chunk, else
   * it is put together from several.
   */
  #readBlock(chunk: Buffer, at: number): number {
    if (this.#carry.length === 0 && chunk.length - at >= BLOCK) {
      this.#takeBlock(chunk.subarray(at, at + BLOCK));
      return at + BLOCK;
    }
    const piece = chunk.subarray(at, at + BLOCK - this.#carry.length);
    const block = Buffer.concat([this.#carry, piece]);
    this.#carry = block.length < BLOCK ? block : NOTHING;
    if (block.length === BLOCK) this.#takeBlock(block);
    return at + piece.length;
  }

  #takeBlock(block: Buffer): void {
    const sum = sumOf(block);
    const isAllZeros = sum === 0;
    if (isAllZeros) {
      this.#zeroBlocks += 1;
      if (this.#next !== undefined) throw damaged('an extended header belongs to no entry');
      if (this.#zeroBlocks > MOST_ZERO_BLOCKS) throw unsafe('it continues long after its end');
      return;
    }
    if (this.#zeroBlocks > 0) throw damaged('something follows the end of the archive');
    if (!hasChecksum(block, sum)) throw damaged('the checksum of a tar header is wrong');
    const header = readHeader(block, this.#next?.path);
    this.#contentLeft = header.sizeBytes;
    // Up to the next multiple of 512.
    this.#paddingLeft = -header.sizeBytes & (BLOCK - 1);
    if (header.kind === 'file' || header.kind === 'directory')
      this.#startEntry(header.kind, header.name, header.sizeBytes);
    else this.#startMeta(header.kind);
  }

  #startEntry(kind: ArchiveEntry['kind'], name: string, sizeBytes: number): void {
    // Programs differ in which of the two sizes they take.
    const otherSize = this.#next?.sizeBytes;
    if (otherSize !== undefined && otherSize !== sizeBytes)
      throw unsafe('it gives two sizes for one file', name);
    this.#next = undefined;
    this.#meta = undefined;
    const path = this.#admission.admit({ kind, name, sizeBytes });
    // The root folder, which exists already.
    if (path === undefined) return;
    if (kind === 'directory') {
      this.#sink.directory(path);
      return;
    }
    this.#sink.begin(path);
    // No content follows for an empty file, so it ends here.
    if (sizeBytes === 0) this.#sink.appendLast(NOTHING);
  }

  #startMeta(kind: MetaKind): void {
    const metaBytes = this.#admission.limits.metaBytes;
    if (this.#contentLeft > metaBytes)
      throw unsafe(`an extended header is larger than ${metaBytes} bytes`);
    // A global one is not about the next entry, so it may come between.
    if (this.#next !== undefined && kind !== 'global-pax')
      throw unsafe('two extended headers precede one entry');
    // It ends with the last byte of its content, so it must have one.
    if (this.#contentLeft === 0) throw unsafe('an extended header is empty');
    this.#meta = { kind, parts: [] };
  }

  #applyMeta(kind: MetaKind, content: Buffer): void {
    if (kind === 'long-name') {
      this.#next = { path: readLongName(content), sizeBytes: undefined };
      return;
    }
    const overrides = readPax(content);
    if (kind === 'pax') {
      this.#next = overrides;
      return;
    }
    // A header for all entries may carry remarks (`git archive` writes a commit id), but must not
    // rename or resize anything.
    if (overrides.path !== undefined || overrides.sizeBytes !== undefined)
      throw unsafe('a global header renames or resizes every entry');
  }
}

/** A part of a header. */
interface Field {
  readonly at: number;
  readonly length: number;
  /** Why the archive is refused when the field is malformed. */
  readonly reason: string;
}

const INCOMPLETE = 'it contains a sparse file or a backup';
/** GNU's sparse files, folders of incremental backups, and continued files. */
const GNU_KINDS: ReadonlySet<string> = new Set(['S', 'D', 'M']);
const MALFORMED = 'a number in a tar header is malformed';
const NAME = { at: 0, length: 100, reason: 'a name contains a NUL character' } as const;
const SIZE = { at: 124, length: 12, reason: 'a file has an impossible size' } as const;
const CHECKSUM = { at: 148, length: 8, reason: MALFORMED } as const;
const PREFIX = {
  at: 345,
  length: 155,
  reason: 'programs read the prefix of a name differently',
} as const;
// The tar of npm, as star, ends a prefix with a NUL at the latest here, and has the times of access and
// change behind it.
const SHORT_END = 475;
const SHORT_PREFIX = { ...PREFIX, length: SHORT_END + 1 - PREFIX.at };
const PREFIX_TIMES = [476, 488].map((at) => ({ ...PREFIX, at, length: 12 }));
// Time of change, mode, owner, group and the numbers of devices are not used. A program that cannot
// read them may still take the header for the end of the archive (Python does) or stop (GNU tar
// does), so that it sees other files.
const TIME = { at: 136, length: 12, reason: MALFORMED } as const;
const UNUSED = [100, 108, 116, 329, 337].map((at) => ({ at, length: 8, reason: MALFORMED }));
const MOST_UNUSED = 0xffffffff;
// The letter for the kind of entry, and the magic word with the version.
const KIND_AT = 156;
const FORMAT_FIELD = { at: 257, end: 265 } as const;

/** The sum of bytes; 0 only if all of them are zero. */
function sumOf(data: Buffer, at = 0, length = data.length): number {
  let sum = 0;
  // By index, since the iterator of a buffer takes three times as long. `?? 0` is for the compiler,
  // here and below: every index is inside.
  for (let index = at; index < at + length; index += 1) sum += data[index] ?? 0;
  return sum;
}

/**
 * Whether a block contains the sum of its bytes, with spaces for the sum itself: so does every
 * header (POSIX.1-2017, ustar).
 */
export function hasChecksum(block: Buffer, sum = sumOf(block)): boolean {
  if (block.length !== BLOCK) return false;
  const ownSum = sumOf(block, CHECKSUM.at, CHECKSUM.length);
  const spaces = CHECKSUM.length * 0x20;
  return readOctal(block, CHECKSUM) === sum - ownSum + spaces;
}

/** `longName`: the name that an extended header gave, which counts instead of the short one. */
function readHeader(block: Buffer, longName: string | undefined) {
  const sizeBytes = readNumber(block, SIZE);
  // Read only to refuse a header in which these are malformed.
  readNumber(block, TIME);
  for (const field of UNUSED) if (readNumber(block, field) > MOST_UNUSED) throw unsafe(MALFORMED);
  const kindCode = block.toString('latin1', KIND_AT, KIND_AT + 1);
  // They have other things where the prefix is.
  if (GNU_KINDS.has(kindCode)) throw unsafe(INCOMPLETE, longName ?? readText(block, NAME));
  const prefix = readPrefix(block);
  const name = longName ?? prefix + readText(block, NAME);
  return { kind: kindOf(kindCode, name), name, sizeBytes };
}

function kindOf(code: string, name: string): MetaKind | 'file' | 'directory' {
  switch (code) {
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
    // A hard link, a symbolic link, and the long target of one.
    case '1':
    case '2':
    case 'K':
      throw unsafe('it contains a link', name, PACK_FILES);
    default:
      throw unsafe('it contains something that is neither file nor folder', name);
  }
}

// Octal digits between spaces, or, with the top bit set, a positive binary number (GNU). Everything
// else is read differently by different programs.
function readNumber(block: Buffer, field: Field): number {
  const { at, length, reason } = field;
  // More bits in this byte would make the number negative, or larger than any file.
  const isBinary = block[at] === 0x80;
  const value = isBinary
    ? Number.parseInt(block.toString('hex', at + 1, at + length), 16)
    : readOctal(block, field);
  if (value === undefined || !Number.isSafeInteger(value)) throw unsafe(reason);
  return value;
}

/**
 * Undefined for anything but octal digits, with spaces before them and spaces or NULs after them.
 */
function readOctal(block: Buffer, field: Field): number | undefined {
  const end = field.at + field.length;
  let value = 0;
  let index = field.at;
  while (index < end && block[index] === 0x20) index += 1;
  for (; index < end; index += 1) {
    const digit = (block[index] ?? 0) - 0x30;
    if (digit < 0 || digit > 7) break;
    value = value * 8 + digit;
  }
  while (index < end && (block[index] === 0x20 || block[index] === 0)) index += 1;
  // Something else is in between.
  if (index < end) return undefined;
  return value;
}

const POSIX = 'ustar\x0000';
/** The magic words of POSIX, of GNU, and of tars from before both. */
const FORMATS: ReadonlySet<string> = new Set([POSIX, 'ustar  \0', '\0'.repeat(8)]);

// Some programs put the prefix before the name in every format, others only in the POSIX format,
// and they differ in which formats they take for that. So only the POSIX format may have a prefix,
// and an unknown format is refused.
function readPrefix(block: Buffer): string {
  const format = block.toString('latin1', FORMAT_FIELD.at, FORMAT_FIELD.end);
  if (!FORMATS.has(format)) throw unsafe('a tar header has an unknown format');
  const prefix = readText(block, findPrefix(block, format));
  if (prefix === '') return '';
  if (format !== POSIX) throw unsafe(PREFIX.reason);
  return `${prefix}/`;
}

// Every program ends a prefix at its first NUL, so that none takes the times for a name.
function findPrefix(block: Buffer, format: string): Field {
  if (format !== POSIX || block[SHORT_END] !== 0) return PREFIX;
  const hasTimes = PREFIX_TIMES.every((time) => readOctal(block, time) !== undefined);
  return hasTimes ? SHORT_PREFIX : PREFIX;
}

// The text up to the first NUL. Another program may read what follows it, so only NULs may.
function readText(data: Buffer, field: Field): string {
  let end = field.at;
  const last = field.at + field.length;
  while (end < last && data[end] !== 0) end += 1;
  const text = data.toString('utf8', field.at, end);
  for (let index = end; index < last; index += 1)
    if (data[index] !== 0) throw unsafe(field.reason, text);
  return text;
}

/**
 * The content of a GNU long name. If it does not end in a NUL, some programs read on into what
 * follows it.
 */
function readLongName(data: Buffer): string {
  if (!data.includes(0)) throw unsafe('a long name does not end in a NUL character');
  return readText(data, { ...NAME, length: data.length });
}

const WHOLE = /^\d{1,15}$/;
const SECONDS = /^-?\d{1,12}(?:\.\d{1,20})?$/;
/**
 * Records with a number. Most are not used here, but some programs stop at a number that they
 * cannot read, and others pass over it.
 */
const PAX_NUMBERS: ReadonlyMap<string, RegExp> = new Map([
  ['size', WHOLE],
  ['uid', WHOLE],
  ['gid', WHOLE],
  ['mtime', SECONDS],
  ['atime', SECONDS],
  ['ctime', SECONDS],
]);

/**
 * Reads the records `LENGTH KEY=VALUE\n` of POSIX.1-2017, pax. Readers differ about malformed ones:
 * these are refused.
 */
function readPax(data: Buffer): Overrides {
  const records = new Map<string, string>();
  for (let at = 0; at < data.length; ) {
    const { key, value, end } = readRecord(data, at);
    if (records.has(key)) throw unsafe(`an extended header names ${key} twice`);
    if (key === 'linkpath') throw unsafe('it contains a link', value, PACK_FILES);
    // Records of incremental backups, of volumes, and of files with holes (star calls these
    // SCHILY.realsize).
    if (key.startsWith('GNU.') || key === 'SCHILY.realsize') throw unsafe(INCOMPLETE);
    if (PAX_NUMBERS.get(key)?.test(value) === false)
      throw unsafe(`an extended header gives a malformed ${key}`);
    if (key === 'hdrcharset' && value !== 'ISO-IR 10646 2000 UTF-8')
      throw unsafe('its names are not in UTF-8');
    records.set(key, value);
    at = end;
  }
  const size = records.get('size');
  const path = records.get('path');
  if (path === '') throw unsafe('an extended header gives an empty name');
  return { path, sizeBytes: size === undefined ? undefined : Number(size) };
}

function readRecord(data: Buffer, start: number): { key: string; value: string; end: number } {
  const space = data.indexOf(' ', start);
  // Without a space, or with more digits than any header has, `digits` is not a length and is
  // refused below.
  const digits = data.toString('latin1', start, Math.min(space, start + 9));
  // The length counts the whole record, with its digits and the line end.
  const end = start + Number(digits);
  const equals = data.indexOf('=', space);
  const isWhole = /^[1-9]\d{0,7}$/.test(digits) && end <= data.length && data[end - 1] === 0x0a;
  const hasKey = equals > space + 1 && equals < end;
  if (!isWhole || !hasKey) throw unsafe('an extended header is malformed');
  const value = data.subarray(equals + 1, end - 1);
  const key = data.toString('utf8', space + 1, equals);
  // A dot is only in the keys of single programs, such as the extended attributes of star. Their
  // values may be bytes, and none is used here.
  const isUsed = !key.includes('.');
  if (key.includes('\0') || (isUsed && value.includes(0)))
    throw unsafe('an extended header contains a NUL character');
  if (isUsed && !isUtf8(value)) throw unsafe('an extended header is not UTF-8');
  return { key, value: value.toString('utf8'), end };
}
