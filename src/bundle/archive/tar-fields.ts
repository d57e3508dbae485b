import type { Buffer } from 'node:buffer';
import { unsafe } from './errors.ts';

/** Bytes in a block of a tar. */
export const BLOCK = 512;

const NAME_BYTES = 100;

export type MetaKind = 'pax' | 'global-pax' | 'long-name';

export function kindOf(code: number, name: string): MetaKind | 'file' | 'directory' {
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

export function paddingOf(sizeBytes: number): number {
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

export function readSizeField(block: Buffer): number {
  return readNumber(block, 124, 12, 'a file has an impossible size');
}

export function checkUnusedNumbers(block: Buffer): void {
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

// What follows a NUL is no part of the name to us; to another program it may be.
export function refuseHiddenName(block: Buffer, name: string): void {
  let isEnded = false;
  for (let at = 0; at < NAME_BYTES; at += 1) {
    if (block[at] === 0) isEnded = true;
    else if (isEnded) throw unsafe('a name holds a NUL character', name);
  }
}

/** The content of a GNU long name. Without its NUL, some programs read on into whatever follows it. */
export function readLongName(data: Buffer): string {
  const end = data.indexOf(0);
  if (end === -1) throw unsafe('a long name does not end in a NUL character');
  if (data.subarray(end).some((byte) => byte !== 0)) throw unsafe('a name holds a NUL character');
  return data.toString('utf8', 0, end);
}
