import { decodePart, type Query, type QueryName } from '../stores/address-parts.ts';
import { FORMS, type PlainAddress, SCHEMES, type Scheme } from '../stores/kinds.ts';
import { isKeyShaped } from '../text/credentials.ts';
import { guess } from '../text/names.ts';
import { attempt, type Parser, reject } from '../values/values.ts';

/** What has another input, or is written by another program. */
const NOT_A_KIND: ReadonlyMap<string, string> = new Map([
  ['image', 'the address of a link; an image has an input with its name: write image: REGISTRY/REPOSITORY:TAG'],
  ['docker', 'the address of a link; an image has the input image: write image: REGISTRY/REPOSITORY:TAG'],
  [
    's3',
    `an address of a kind that is known: ${SCHEMES.join(', ')}; for a bucket give bundle-path or extract-to, and copy the result with aws s3 cp`,
  ],
  [
    'env',
    'the place where the link is kept; a variable ends with its step: write file:link.txt, or read the output bundle-url in a later step',
  ],
  ...['stdout', '-'].map((name) => [name, 'an address; to print the link, give --print-link instead of to'] as const),
  [
    'https',
    'the place where the link is written, such as file:link.txt; for the server of a forge write gitlab:project/ID/NAME?server=https://HOST',
  ],
]);

export function parseAddress(text: string) {
  return attempt(address, text);
}

/** What it must be never repeats the text: that may hold a password. */
const address: Parser<PlainAddress> = (text) => {
  const [, scheme, rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(text) ?? [];
  const instead = NOT_A_KIND.get(text.toLowerCase());
  if (instead !== undefined) return reject(instead);
  if (scheme === undefined) return reject(`an address such as github:secret/NAME; the kinds are ${SCHEMES.join(', ')}`);
  const known = SCHEMES.find((candidate) => candidate === scheme);
  if (known === undefined) return reject(insteadOfKind(scheme));
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return reject('an address in one line, without control characters');
  if (/[,;]$/.test(text)) return reject('an address without a comma or semicolon behind it');
  if (/^\s/.test(rest)) return reject(`an address without a blank behind ${known}:`);
  const kind = FORMS[known];
  const [, path = '', queryText, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(rest) ?? [];
  if (holdsPassword(path)) return reject('an address without a user name and password: credentials have own inputs');
  if (holdsValue(rest)) {
    return reject(
      'an address with the name of the secret; a part of this one looks like the value of one: a link or a token',
    );
  }
  if (kind.hasKey !== true && fragment !== undefined) return reject(kind.forms);
  const query = readQuery(queryText, known);
  const key = fragment === undefined || fragment.includes('#') ? undefined : decodePart(fragment);
  return kind.parse({ path, parts: splitParts(path), query, key }, kind.forms);
};

/** What to write instead of an address of a kind that is not known; it completes "it must be …". */
function insteadOfKind(scheme: string): string {
  const elsewhere = NOT_A_KIND.get(scheme.toLowerCase());
  if (elsewhere !== undefined) return elsewhere;
  const meant = guess(scheme.toLowerCase(), SCHEMES);
  const hint = meant === undefined ? '' : `; did you mean ${meant}:?`;
  return `an address of a kind that is known: ${SCHEMES.join(', ')}${hint}`;
}

/** The first form of an address of this kind, with placeholders; undefined: the kind is not known. */
export function formOf(text: string): string | undefined {
  const scheme = SCHEMES.find((one) => text.startsWith(`${one}:`));
  return scheme && FORMS[scheme].forms.split(/[,;]| or /)[0];
}

/** A link or a token before or behind the query, as an expression leaves it that stands where a name belongs. */
function holdsValue(text: string): boolean {
  const names = text.replace(/\?[^#]*/, '');
  return /https?:\/\//i.test(names) || names.split(/[/:#\s]/).some(isKeyShaped);
}

/** Each value decoded. */
function readQuery(text: string | undefined, scheme: Scheme): Query {
  const { queries } = FORMS[scheme];
  const known = queries.map((name) => `?${name}=`).join(' and ') || 'no query';
  const query: Partial<Record<QueryName, string>> = {};
  for (const pair of text?.split('&') ?? []) {
    const [, name = '', encoded = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const found = queries.find((one) => one === name);
    if (found === undefined) {
      const meant = guess(name, queries);
      const shown = /^[a-z][a-z-]{0,19}$/.test(name) ? `; ?${name}= is not known` : '';
      const advice = meant === undefined ? '' : `, did you mean ?${meant}=?`;
      return reject(`a ${scheme}: address, which takes ${known}${shown}${advice}`);
    }
    const value = decodePart(encoded);
    if (value === undefined || query[found] !== undefined) reject(`an address with one value for ?${name}=`);
    query[found] = value;
  }
  return query;
}

// `user:password@` after a slash or at the beginning. An ARN has colons too, and no credentials.
function holdsPassword(path: string): boolean {
  return !path.startsWith('arn:') && /(^|\/)[^/@:]+:[^/@]+@/.test(path);
}

function splitParts(path: string): readonly string[] {
  const parts = path.split('/').map(decodePart);
  return parts.every((part) => part !== undefined) ? parts : [];
}
