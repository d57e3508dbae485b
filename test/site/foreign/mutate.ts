import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  pax,
  streamed,
  type TarMember,
  tar,
  unicodePath,
  wideSizes,
  type ZipMember,
  zip,
} from '../archives.ts';

const BLOCK = 512;
const LONG = `${'long/'.repeat(30)}name.html`;

const FILES: readonly TarMember[] = [
  { name: 'index.html', content: '<p>hello</p>' },
  { name: 'empty.html' },
  { name: 'guide/start.html', content: 'x'.repeat(700) },
  { name: 'guide/é.html', content: 'é' },
];

/** Valid tars in the ways in which programs write them. */
const TARS: readonly Buffer[] = [
  tar(FILES),
  tar([{ name: 'guide/', type: '5' }, ...FILES]),
  tar([{ name: './', type: '5' }, ...FILES.map((file) => ({ ...file, name: `./${file.name}` }))]),
  tar(FILES.map((file) => ({ ...file, magic: 'ustar  \0' }))),
  tar(FILES.map((file) => ({ ...file, magic: '', type: '\0' }))),
  tar([{ name: 'start.html', prefix: 'guide/deep', content: 'x' }, ...FILES]),
  tar([pax({ path: LONG }), { name: 'short', content: 'x' }, ...FILES]),
  tar([
    pax({ comment: 'all' }, 'g'),
    pax({ mtime: '1700000000.5', size: '1' }),
    { name: 'a', content: 'x' },
    ...FILES,
  ]),
  tar([
    { name: '././@LongLink', type: 'L', content: `${LONG}\0`, magic: 'ustar  \0' },
    { name: 'b', content: 'x' },
    ...FILES,
  ]),
];

const ZIP_FILES: readonly ZipMember[] = [
  { name: 'index.html', content: '<p>hello</p>' },
  { name: 'empty.html', content: '', method: 0 },
  { name: 'guide/start.html', content: 'x'.repeat(700) },
  { name: 'guide/é.html', content: 'é' },
];

const ZIPS: readonly Buffer[] = [
  zip(ZIP_FILES),
  zip([{ name: 'guide/', method: 0, mode: 0o040755 }, ...ZIP_FILES]),
  zip(ZIP_FILES.map((file) => ({ ...file, mode: 0 }))),
  // Without the mark of UTF-8.
  zip(ZIP_FILES.slice(0, 3).map((file) => ({ ...file, flags: 0 }))),
  zip([{ name: 'a.html', content: 'x', extra: unicodePath('a.html') }, ...ZIP_FILES]),
  zip(ZIP_FILES.map((file) => streamed(file, 32))),
  zip(ZIP_FILES.map((file) => streamed(file, 64))),
  zip([{ name: 'b.html', content: 'xyz', method: 0, extra: wideSizes(3, 3) }, ...ZIP_FILES]),
];

export type Format = 'tar' | 'tar.gz' | 'zip';

interface Change {
  /** The position, as a share of the headers. */
  readonly at: number;
  readonly bytes: Uint8Array;
  /** Of a zip: anywhere, and not in both headers of a member. */
  readonly isAnywhere: boolean;
}

// Bytes that have a meaning in a header: digits, the letters of kinds, separators, ends, high
// bytes.
const byte = fc.oneof(
  fc.constantFrom(...Buffer.from('\0 /.0123456789xgLK5=aA\n\\-')),
  fc.constantFrom(0x80, 0xff, 0xc3, 0xa9, 0x01),
  fc.nat(255),
);
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  bytes: fc.array(byte, { minLength: 1, maxLength: 4 }).map((bytes) => Uint8Array.from(bytes)),
  isAnywhere: fc.integer({ min: 0, max: 5 }).map((kind) => kind === 0),
});

/** An archive with changed headers, and with correct checksums for them. */
export function mutated(format: Format): fc.Arbitrary<Buffer> {
  const valid = format === 'zip' ? ZIPS : TARS;
  return fc
    .record({
      base: fc.constantFrom(...valid),
      changes: fc.array(change, { minLength: 1, maxLength: 2 }),
    })
    .map(({ base, changes }) => {
      // Only one: the positions of the headers are read from an intact archive.
      if (format === 'zip') return changes.slice(0, 1).reduce(changeZip, base);
      const archive = changes.reduce(changeTar, base);
      return format === 'tar' ? archive : gzipSync(archive, { level: 1 });
    });
}

function changeTar(archive: Buffer, { at, bytes }: Change): Buffer {
  const copy = Buffer.from(archive);
  // The blocks of zeros at the end are headers too.
  const place = Math.floor(at * copy.length);
  copy.set(bytes.slice(0, copy.length - place), place);
  fixChecksum(copy, place - (place % BLOCK));
  return copy;
}

// Content that looks like a header gets a checksum too: it is then just another change of content.
function fixChecksum(archive: Buffer, start: number): void {
  const block = archive.subarray(start, start + BLOCK);
  const field = block.toString('latin1', 148, 156);
  if (!/^[0-7 ]{6}\0 $/.test(field)) return;
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, value) => total + value, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
}

// Mostly the same in both headers of a member, which then still agree.
function changeZip(archive: Buffer, { at, bytes, isAnywhere }: Change): Buffer {
  const copy = Buffer.from(archive);
  if (isAnywhere) {
    const place = Math.floor(at * copy.length);
    copy.set(bytes.slice(0, copy.length - place), place);
    return copy;
  }
  const members = membersOf(archive);
  const member = members[Math.floor(at * members.length)];
  if (member === undefined) return copy;
  const { local, central, headerBytes } = member;
  const offset = 4 + Math.floor((at * members.length * 1e4) % (headerBytes - 4));
  bytes.slice(0, headerBytes - offset).forEach((value, index) => {
    const place = offset + index;
    copy[local + place] = value;
    // The central header has two bytes more in front, and its name after 46 bytes instead of 30.
    copy[central + place + (place < LOCAL_BYTES ? 2 : CENTRAL_BYTES - LOCAL_BYTES)] = value;
  });
  return copy;
}

const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;

/** The start of the two headers of each member, and the length of the local one with its name. */
function membersOf(archive: Buffer): { local: number; central: number; headerBytes: number }[] {
  const members = [];
  let central = archive.readUInt32LE(archive.length - 6);
  while (archive.readUInt32LE(central) === 0x02014b50) {
    const nameLength = archive.readUInt16LE(central + 28);
    members.push({
      local: archive.readUInt32LE(central + 42),
      central,
      headerBytes: LOCAL_BYTES + nameLength,
    });
    central += CENTRAL_BYTES + nameLength + archive.readUInt16LE(central + 30);
  }
  return members;
}

/** Zips with names, flags and modes of every kind, the same in both headers. */
export function renamedZip(): fc.Arbitrary<Buffer> {
  const text = fc
    .string({ unit: fc.constantFrom(...'aé.-/ 日'), minLength: 1, maxLength: 8 })
    .map((name) => Buffer.from(name));
  const name = fc.oneof(
    text,
    fc.array(byte, { minLength: 1, maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  );
  const member = fc.record({
    name,
    content: fc.string({ maxLength: 20 }),
    method: fc.constantFrom(0, 8),
    flags: fc.constantFrom(0, 0x800, 0x2, 0x806, 0x8),
    mode: fc.constantFrom(0, 0o100644, 0o040755, 0o100000),
    second: fc.option(name, { freq: 2 }),
    repeats: fc.boolean(),
  });
  const withSecond = member.map(({ second, repeats, ...fields }): ZipMember => {
    return {
      ...fields,
      ...(second !== null && { extra: unicodePath(fields.name, repeats ? fields.name : second) }),
    };
  });
  return fc
    .array(withSecond, { minLength: 1, maxLength: 3 })
    .map((members) => zip([...ZIP_FILES, ...members]));
}
