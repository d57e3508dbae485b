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

// Octal digits between blanks, or, with the top bit set, a positive binary number (GNU). Everything else is read
// differently by different programs.
export function readSizeField(block: Buffer): number {
  const field = block.subarray(124, 136);
  if (field[0] === 0x80) {
    if (field.subarray(1, 5).some((byte) => byte !== 0)) throw unsafe('a file has an impossible size');
    const size = field.readUIntBE(5, 1) * 2 ** 48 + field.readUIntBE(6, 6);
    if (!Number.isSafeInteger(size)) throw unsafe('a file has an impossible size');
    return size;
  }
  const text = field.toString('latin1');
  if (!/^ *[0-7]*[ \0]*$/.test(text)) throw unsafe('a file has an impossible size');
  return Number.parseInt(text.replace(/[ \0]/g, '') || '0', 8);
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
