import { type Buffer, isUtf8 } from 'node:buffer';
import { unsafe } from './errors.ts';

/** The records of an extended header that change what the next entry is. All others are of no use here. */
interface PaxOverrides {
  readonly path: string | undefined;
  readonly sizeBytes: number | undefined;
}

/**
 * Reads the records `LENGTH KEY=VALUE\n` of POSIX.1-2017, pax, "pax Extended Header". Tolerant readers differ in what
 * they make of a malformed record, and an archive that says different things to different readers is refused.
 */
export function readPax(data: Buffer): PaxOverrides {
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
export function refuseGlobalOverrides(overrides: PaxOverrides): void {
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
  if (!/^\d{1,15}$/.test(value)) throw unsafe('an extended header gives a size that is no number');
  return Number(value);
}
