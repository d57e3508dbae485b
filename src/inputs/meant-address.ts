import type { Rewrite } from '../stores/address-parts.ts';
import { FORMS, SCHEMES } from '../stores/kinds.ts';
import { looksSecret } from '../text/credentials.ts';
import { isOtherThanAddress, parseAddress } from './parse-address.ts';

/** What people call the kinds, in lower case. */
const SCHEME_ALIASES: ReadonlyMap<string, string> = new Map(
  SCHEMES.flatMap((scheme) => (FORMS[scheme].aliases ?? []).map((alias) => [alias, scheme])),
);

// A short word that is not itself a kind may be a folder.
const SLASH_FOR_COLON = new RegExp(
  `^(${[...SCHEMES, ...[...SCHEME_ALIASES.keys()].filter((alias) => alias.length > 4)].join('|')})/+(?=[^/])`,
  'i',
);

/** All are tried, in this order. */
const REWRITES: readonly Rewrite[] = [
  [/^["'`“”‘’]+/, ''],
  [/(?<!["'`“”‘’])["'`“”‘’]+$/, ''],
  [/^(?:to|state)[:=]\s*(?=\S)/i, ''],
  [/(?<![\s,;])[\s,;]+$/, ''],
  [/^["'`“”‘’]+/, ''],
  [/(?<!["'`“”‘’])["'`“”‘’]+$/, ''],
  [SLASH_FOR_COLON, '$1:'],
  // A single letter is a drive of Windows.
  [
    /^([A-Za-z][\w-]+):(?:\/\/(?!\/))?\s*/,
    (_, kind = '') => `${SCHEME_ALIASES.get(kind.toLowerCase()) ?? kind.toLowerCase()}:`,
  ],
  [/(\S)[ \t]#[ \t].*$/, '$1'],
  // A query has one question mark, and ends before the key.
  [/^([^?#]*\?[^?#]*)\?/, '$1&'],
  [/^([^?#]*)#([^?#]*)(\?.*)$/, '$1$3#$2'],
  ...SCHEMES.flatMap((scheme) => FORMS[scheme].rewrites ?? []),
];

/** The address that a text was most likely meant to be; undefined: none that is known, or the text may contain a secret. */
export function meantAddress(text: string): string | undefined {
  if (isOtherThanAddress(text)) return undefined;
  const meant = REWRITES.reduce((address, [pattern, by]) => {
    return typeof by === 'string' ? address.replace(pattern, by) : address.replace(pattern, by);
  }, text);
  return meant !== text && !looksSecret(meant) && parseAddress(meant).ok ? meant : undefined;
}
