import { MAX_NAME_BYTES, whyNoPath } from '../../ground/text/paths.ts';
import { reject } from '../../values/values.ts';
import { decodePart, type Parts } from '../address-parts.ts';

export interface FileAddress {
  readonly scheme: 'file';
  /** As it was given, or absolute once `shorten` has resolved it. */
  readonly path: string;
}

export const FILE_FORMS =
  'file:PATH, a path on this machine; %, ? and # in it are written %25, %3F and %23';

/** The state is in a file next to that of the link, with this after the name. */
export const STATE_SUFFIX = '.state.json';

/** What the name of a claim's file has after the name of the link's file. */
export function claimSuffix(number: number): string {
  return `.state.${number}.json`;
}

// The suffix of a claim with nine digits: no destination is written that often.
const LONGEST_SUFFIX = '.state.999999999.json';

/** Throws with `reject`. `file:///PATH` is read as `file:/PATH`. */
export function parseFile(given: Parts): FileAddress {
  const mustBe = whyNoPath(given.path);
  if (mustBe !== undefined) return reject(`file:PATH; PATH is ${mustBe}`);
  const path = decodePart(given.path.replace(/^\/\/(?=\/)/, ''));
  // `//HOST/PATH` would be a path of another machine, and one that ends with a slash a folder.
  if (path === undefined || path.startsWith('//') || /[/\\]$/.test(path)) {
    return reject(FILE_FORMS);
  }
  // Each name in the path must fit, that of the file also with what is added for state and claims.
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
