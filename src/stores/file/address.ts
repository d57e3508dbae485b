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
export function claimSuffix(number: number | string): string {
  return `.state.${number}.json`;
}

// No destination is written so often.
const LONGEST_SUFFIX = claimSuffix(999_999_999);

export function parseFile({ path: text }: Parts, forms: string): FileAddress {
  const no = whyNoPath(text);
  if (no !== undefined) return reject(`file:PATH; PATH is ${no}`);
  const path = decodePart(text.replace(/^\/\/(?=\/)/, ''));
  if (path === undefined || path.startsWith('//') || /[/\\]$/.test(path)) return reject(forms);
  const isTooLong = `${path}${LONGEST_SUFFIX}`
    .split('/')
    .some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES);
  if (!isTooLong) return { scheme: 'file', path };
  const most = MAX_NAME_BYTES - LONGEST_SUFFIX.length;
  return reject(
    `file:PATH; the name of the file has at most ${most} bytes, since files such as NAME${claimSuffix(7)} are next to it, and that of a folder at most ${MAX_NAME_BYTES}`,
  );
}

export function formatAddress({ path }: FileAddress): string {
  return `file:${path.replace(/[%?#]/g, encodeURIComponent)}`;
}
