import { MAX_NAME_BYTES, whyNoPath } from '../../text/paths.ts';
import { reject } from '../../values/values.ts';
import { decodePart, type Parts } from '../address-parts.ts';

export interface FileAddress {
  readonly scheme: 'file';
  /** As given, or absolute once it was resolved. */
  readonly path: string;
}

export const FILE_FORMS =
  'file:PATH, a path on this machine; %, ? and # in it are written %25, %3F and %23';

/** The state of a link in a file is next to it. */
export const STATE_SUFFIX = '.state.json';

/** So are its claims, each with its number. */
export function claimSuffix(number: number): string {
  return `.state.${number}.json`;
}

// No destination is written so often.
const LONGEST_SUFFIX = '.state.999999999.json';

export function parseFile(given: Parts): FileAddress {
  const no = whyNoPath(given.path);
  if (no !== undefined) return reject(`file:PATH; PATH is ${no}`);
  const path = decodePart(given.path.replace(/^\/\/(?=\/)/, ''));
  if (path === undefined || path.startsWith('//') || /[/\\]$/.test(path)) {
    return reject(FILE_FORMS);
  }
  const names = `${path}${LONGEST_SUFFIX}`.split('/');
  if (names.every((name) => Buffer.byteLength(name) <= MAX_NAME_BYTES)) {
    return { scheme: 'file', path };
  }
  const most = MAX_NAME_BYTES - LONGEST_SUFFIX.length;
  return reject(
    `file:PATH; the name of the file has at most ${most} bytes, since files such as NAME${claimSuffix(7)} are next to it, and that of a folder at most ${MAX_NAME_BYTES}`,
  );
}

export function formatAddress(address: FileAddress): string {
  return `file:${address.path.replace(/[%?#]/g, encodeURIComponent)}`;
}
