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
    'the destination of the link; a variable ends with its step: write file:link.txt, or read the output bundle-url in a later step',
  ],
  ...['stdout', '-'].map((name) => [name, 'an address; to print the link, give --print-link instead of to'] as const),
  ...['http', 'https'].map(
    (name) =>
      [
        name,
        'the destination of the link, such as file:link.txt; for the server of a forge write gitlab:project/ID/NAME?server=https://HOST',
      ] as const,
  ),
]);

/** True for a word that is not a destination, but has another input or way. */
export function isOtherThanAddress(text: string): boolean {
  return NOT_A_KIND.has(text.toLowerCase());
}

export function parseAddress(text: string) {
  return attempt(address, text);
}

/** What it must be never repeats the text: that may hold a password. */
const address: Parser<PlainAddress> = (text) => {
  const [, scheme, rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(text) ?? [];
  if (/^~\//.test(text))
    return reject('an address, and a shell replaces ~ only outside of quotes: write "file:$HOME/…"');
  const instead = NOT_A_KIND.get(text.toLowerCase());
  if (instead !== undefined) return reject(instead);
  if (scheme === undefined) return reject(`an address such as github:secret/NAME; the kinds are ${SCHEMES.join(', ')}`);
  const known = SCHEMES.find((candidate) => candidate === scheme);
  if (known === undefined) return reject(insteadOfKind(scheme));
  refuseText(known, rest);
  const kind = FORMS[known];
  const [, path = '', queryText, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(rest) ?? [];
  if (holdsPassword(path)) return reject('an address without a user name and password: credentials have own inputs');
  if (holdsValue(rest)) {
    return reject(
      'an address with the name of the secret; a part of this one looks like the value of one: a link or a token',
    );
  }
  if (kind.hasKey !== true && fragment !== undefined) return reject(kind.forms);
  const query = readQuery(text, queryText, known);
  const key = fragment === undefined || fragment.includes('#') ? undefined : decodePart(fragment);
  return kind.parse({ path, parts: splitParts(path), query, key }, kind.forms);
};

/** What no address may contain, whatever its kind is. `rest` is what follows the kind. */
function refuseText(kind: Scheme, rest: string): void {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(rest)) reject('an address in one line, without control characters');
  // The path of a file says more about it.
  if (kind !== 'file' && /\$\{\{|\$\{?\w/.test(rest)) {
    reject(
      'an address that is written out: ${{ … }} is replaced in a workflow only, and $NAME by a shell, outside of single quotes',
    );
  }
  if (/[,;]$/.test(rest)) reject('an address without a comma or semicolon after it');
  if (/^\s/.test(rest)) reject(`an address without a space after ${kind}:`);
}

/** What to write instead of an address of a kind that is not known; it completes "it must be …". */
function insteadOfKind(scheme: string): string {
  const elsewhere = NOT_A_KIND.get(scheme.toLowerCase());
  if (elsewhere !== undefined) return elsewhere;
  const meant = guess(scheme.toLowerCase(), SCHEMES);
  const hint =
    meant === undefined
      ? '; for any other store read the output bundle-url in a later step'
      : `; did you mean ${meant}:?`;
  return `an address of a kind that is known: ${SCHEMES.join(', ')}${hint}`;
}

/** The first form of an address of this kind, with placeholders; undefined: the kind is not known. */
export function formOf(text: string): string | undefined {
  const scheme = SCHEMES.find((one) => text.startsWith(`${one}:`));
  return scheme && FORMS[scheme].forms.split(/[,;]| or /)[0];
}

/** A link or a token before or after the query, as an expression leaves it where a name belongs. */
function holdsValue(text: string): boolean {
  const names = text.replace(/\?[^#]*/, '');
  return /https?:\/\//i.test(names) || names.split(/[/:#\s]/).some(isKeyShaped);
}

/** Each value decoded. `text` is what follows the question mark. */
function readQuery(address: string, text: string | undefined, scheme: Scheme): Query {
  const query: Partial<Record<QueryName, string>> = {};
  for (const pair of text?.split('&') ?? []) {
    const [, name = '', encoded = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const found = FORMS[scheme].queries.find((one) => one === name) ?? refuseQuery({ address, pair, name, scheme });
    const value = decodePart(encoded);
    if (encoded === '') reject(`an address with a value for ?${name}=, or without it`, withoutPair(address, pair));
    if (value === undefined || query[found] !== undefined) reject(`an address with one value for ?${name}=`);
    query[found] = value;
  }
  return query;
}

interface UnknownQuery {
  readonly address: string;
  /** `name=value`. */
  readonly pair: string;
  readonly name: string;
  readonly scheme: Scheme;
}

/** A part of a query that this kind does not take: without it, or with the name that was meant. */
function refuseQuery({ address, pair, name, scheme }: UnknownQuery): never {
  const { queries } = FORMS[scheme];
  const known = queries.map((one) => `?${one}=`).join(' and ') || 'no query';
  const shown = /^[a-z][a-z-]{0,19}$/.test(name) ? `; ?${name}= is not known` : '';
  const meant = guess(name, queries);
  if (meant === undefined) {
    return reject(`a ${scheme}: address, which takes ${known}${shown}`, withoutPair(address, pair));
  }
  const renamed = address.replace(pair, pair.replace(name, meant));
  return reject(`a ${scheme}: address, which takes ${known}${shown}, did you mean ?${meant}=?`, renamed);
}

function withoutPair(address: string, pair: string): string {
  return address.replace(`?${pair}&`, '?').replace(`?${pair}`, '').replace(`&${pair}`, '');
}

// `user:password@` after a slash or at the beginning. An ARN has colons too, and no credentials.
function holdsPassword(path: string): boolean {
  return !path.startsWith('arn:') && /(^|\/)[^/@:]+:[^/@]+@/.test(path);
}

function splitParts(path: string): readonly string[] {
  const parts = path.split('/').map(decodePart);
  return parts.every((part) => part !== undefined) ? parts : [];
}
