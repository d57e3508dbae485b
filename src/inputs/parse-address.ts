import { isKeyShaped } from '../ground/text/credentials.ts';
import { didYouMean } from '../ground/text/names.ts';
import { NOT_UNFILLED, unfilledPart } from '../ground/text/paths.ts';
import { decodePart, type Query, type QueryName } from '../stores/address-parts.ts';
import { KINDS, type PlainAddress, SCHEMES, type Scheme } from '../stores/kinds.ts';
import { attempt, type Parser, reject } from '../values/values.ts';

export function parseAddress(text: string) {
  return attempt(address, text);
}

/** The address of a destination. An error never contains the text, which may have a password. */
const address: Parser<PlainAddress> = (text) => {
  // For the path of a file, a later check says more about variables.
  if (!text.startsWith('file:') && unfilledPart(text) !== undefined) return reject(NOT_UNFILLED);
  const [, written, rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(text) ?? [];
  if (written === undefined)
    return reject(
      `an address such as github:secret/NAME or file:PATH; the kinds are ${SCHEMES.join(', ')}`,
    );
  const scheme = SCHEMES.find((candidate) => candidate === written);
  if (scheme === undefined) {
    const other = OTHER_KINDS.get(written);
    if (other !== undefined) return reject(other);
    const question = didYouMean(written, SCHEMES, (nearest) => `${nearest}:`);
    return reject(`an address of a kind that is known: ${SCHEMES.join(', ')}${question}`);
  }
  refuseText(rest);
  const kind = KINDS[scheme];
  const [, path = '', queryText, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(rest) ?? [];
  if (hasPassword(path))
    return reject('an address without a user name and password: credentials have own inputs');
  if (hasLinkOrToken(rest)) {
    return reject(
      'an address with the name of the secret; a part of this one looks like the value of one: a link or a token',
    );
  }
  // `forms` completes "it must be …".
  if (!kind.hasKey && fragment !== undefined) return reject(kind.forms);
  const query = readQuery(queryText, scheme);
  // With two signs `#` it is not clear which text is the key: `parse` of a kind that has keys
  // refuses an address without one.
  const hasOneKey = fragment !== undefined && !fragment.includes('#');
  const key = hasOneKey ? decodePart(fragment) : undefined;
  return kind.parse({ path, parts: splitParts(path), query, key });
};

/** What does the work of a kind that does not exist. */
const OTHER_KINDS: ReadonlyMap<string, string> = new Map([
  [
    's3',
    'the destination of a link; for the site, write extract-to, and copy that folder into the bucket in a later step',
  ],
  [
    'helm',
    'the destination of a link; for a chart, write image, and give the chart the digest in a later step',
  ],
]);

/** The beginning of a further address in the same text. */
const SEVERAL = new RegExp(`[\\s,;|](?:${SCHEMES.join('|')}):`);

/** Refuses what no address of any kind may contain. `rest`: the text after the scheme. */
function refuseText(rest: string): void {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(rest))
    reject('an address in one line, without control characters');
  if (SEVERAL.test(rest)) reject('one address, each on its own line');
  if (/^\s|[\s,;]$/.test(rest))
    reject('an address without spaces, commas and semicolons around it');
}

/**
 * True for a link or a token before or after the query: an expression may have put the value of a
 * secret where its name belongs.
 */
function hasLinkOrToken(text: string): boolean {
  const names = text.replace(/\?[^#]*/, '');
  return /https?:\/\//i.test(names) || names.split(/[/:#\s]/).some(isKeyShaped);
}

/**
 * The values of a query by their names, decoded. `text`: what follows the question mark. Throws a
 * `Misfit` for a name that no address of this kind has.
 */
function readQuery(text: string | undefined, scheme: Scheme): Query {
  const query: Partial<Record<QueryName, string>> = {};
  for (const pair of text?.split('&') ?? []) {
    const [, name = '', encoded = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const queryName = KINDS[scheme].queries.find((candidate) => candidate === name);
    if (queryName === undefined) return refuseQuery(name, scheme);
    const value = decodePart(encoded);
    if (value === undefined || query[queryName] !== undefined)
      reject(`an address with one value for ?${name}=`);
    query[queryName] = value;
  }
  return query;
}

function refuseQuery(name: string, scheme: Scheme): never {
  const { queries } = KINDS[scheme];
  const accepted = queries.map((query) => `?${query}=`).join(' and ') || 'no query';
  const question = didYouMean(name, queries, (nearest) => `?${nearest}=`);
  return reject(`a ${scheme}: address, which takes ${accepted}${question}`);
}

// True for `user:password@` at the beginning or after a slash. An ARN has colons too, but no
// password.
function hasPassword(path: string): boolean {
  return !path.startsWith('arn:') && /(^|\/)[^/@:]+:[^/@]+@/.test(path);
}

/**
 * The parts of a path, decoded. Empty if one of them cannot be decoded: `parse` of each kind
 * refuses an address without parts.
 */
function splitParts(path: string): readonly string[] {
  const parts = path.split('/').map(decodePart);
  if (parts.every((part) => part !== undefined)) return parts;
  return [];
}
