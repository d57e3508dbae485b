import { CREDENTIAL_FORMATS } from './credentials.ts';

/** Addresses of which the group is a credential, whatever it looks like. */
const ADDRESSES = [
  'hooks\\.slack\\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,})',
  '(?:ptb\\.|canary\\.)?discord(?:app)?\\.com/api/webhooks/(\\d{10,20}/[A-Za-z0-9_-]{40,})',
  '[a-z0-9-]{1,63}\\.webhook\\.office\\.com/(webhookb2/[A-Za-z0-9@/-]{60,})',
  // With this address, anyone can unsubscribe the person who got the mail.
  'github\\.com/notifications/unsubscribe(?:-auth)?/([A-Za-z0-9_=-]{8,})',
  // GitHub's images: for some minutes, anyone can see a private one with this query.
  '(?:(?:private-user-images|user-images|camo|media|raw)\\.githubusercontent\\.com|github\\.com/user-attachments)/[^\\s?#"\'<>)\\]]{1,2000}(\\?[^\\s"\'<>)\\]]+)',
];

const PRIVATE_KEY = 'PRIVATE KEY(?: BLOCK)?-----';

/** Patterns of credentials. With the flag `d`, a match says where its group is. */
const FORMATS: readonly RegExp[] = [
  // If the end of a private key is missing, all that follows its beginning is hidden.
  new RegExp(
    `-----BEGIN [A-Z0-9 ]{0,40}${PRIVATE_KEY}[^]*?(?:-----END [A-Z0-9 ]{0,40}${PRIVATE_KEY}|$)`,
    'dg',
  ),
  ...CREDENTIAL_FORMATS.map(
    ([, prefix, rest]) => new RegExp(`(?<![A-Za-z0-9_-])(?:${prefix})${rest}`, 'dg'),
  ),
  ...ADDRESSES.map((address) => new RegExp(`(?<![A-Za-z0-9.-])${address}`, 'dg')),
];

const LOGIN = '(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://';
// Digits before `/`, `?` or `#` are a port. A password may contain an at sign or a slash.
const PASSWORD = '(?!\\d{1,5}[/?#])([^\\s/<>"\']{1,300}|[^\\s@<>"\']{1,300})';
/** `https://user:password@host`, as git prints it, and the addresses of databases. */
const LOGIN_PASSWORD = new RegExp(`${LOGIN}[^\\s/:@<>"']{0,300}:${PASSWORD}@`, 'dg');

/**
 * Patterns whose group is a credential if it also looks random: only the words before it say that
 * it may be one.
 */
const NAMED_VALUES: readonly RegExp[] = [
  // A token instead of a user name.
  new RegExp(`${LOGIN}([^\\s/:@<>"']{16,300})(?::[^\\s/@]{0,300})?@`, 'dg'),
  // Signatures and tokens in the query of an address.
  /[?&;](?:X-(?:Amz|Goog)-(?:Signature|Security-Token|Credential)|sig(?:nature)?|(?:[a-z]{1,20}[_-])?token|auth|hdnts|hdnea|code|password|verify|api_?key|key|client_secret|secret)=([^&\s"'<>)\]]{16,2000})/dgi,
  // Of package registries.
  /_auth(?:Token)?=([^$\s"']{8,2000})/dg,
  // Headers.
  /(?:authorization|x-api-key|x-auth-token|private-token|job-token|x-vault-token)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:(?:bearer|basic|token|apikey)[ \t]{1,4})?([A-Za-z0-9._~+/=-]{16,2000})/dgi,
  // AWS, Azure and other keys without a form that identifies them.
  /(?:aws.{0,20}(?:secret|key)|secret_?access_?key).{0,20}[:=][ \t"']{0,4}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dgi,
  /(?:Account|Shared(?:Access)?|Primary|Secondary)Key=([A-Za-z0-9+/]{40,100}={0,2})/dg,
  /(?<![A-Za-z0-9])[A-Za-z0-9_-]{0,40}(?:api[_-]?key|api[_-]?token|access[_-]?token|auth[_-]?token|client[_-]?secret|secret[_-]?key|private[_-]?key)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?([A-Za-z0-9_.+/=-]{24,200})/dgi,
];

// What documentation writes where a credential belongs.
const PLACEHOLDER =
  /your|example|sample|placeholder|changeme|password|passwd|secret|dummy|redacted|xxx|\*\*\*|\.\.\.|[${}<>[\]]|1234567|abcdef|process\.env|secrets\./i;

/** So many different characters are enough, whatever the length: hexadecimal keys have 16. */
const ENOUGH_DIFFERENT = 10;

/** True for letters and digits without a pattern, as a machine makes them. */
function looksRandom(value: string): boolean {
  if (PLACEHOLDER.test(value)) return false;
  // A name of a setting has no digits, and a number no letters.
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  // A short value cannot have so many different characters: half of its length is enough then.
  return new Set(value).size >= Math.min(ENOUGH_DIFFERENT, value.length / 2);
}

/** Texts that documentation writes for a password, and passwords that everyone knows. */
const NO_PASSWORD =
  /^(?:pass(?:word|wd)?|pw|secret|token|your\S*|[A-Z_]+|x+|\*+|\.+|…|x-oauth-basic|postgres|root|admin|guest|user|test|[$<{[%]\S*)$/;

/** Only a text with a long word or an address is searched for each format: few lines have one. */
const MAY_HAVE_CREDENTIAL = /[\w.+/=-]{16}|:\/\/|PRIVATE KEY/;

export const HIDDEN = '[credential removed]';

/** A part of a text: from the first offset up to but without the second. */
export type Span = readonly [start: number, end: number];

/** The text with `mask` instead of each of these parts; parts that overlap are one. */
export function replaceSpans(text: string, spans: readonly Span[], mask: string): string {
  const parts: string[] = [];
  let maskedUpTo = 0;
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    // A part that begins before the end of the last one has its mask already.
    if (start >= maskedUpTo && end > start) parts.push(text.slice(maskedUpTo, start), mask);
    maskedUpTo = Math.max(maskedUpTo, end);
  }
  return parts.join('') + text.slice(maskedUpTo);
}

/**
 * The text without credentials of any person or service, by their format or the words before them.
 */
export function hideCredentials(text: string): string {
  if (!MAY_HAVE_CREDENTIAL.test(text)) return text;
  const textAt = (span: Span) => text.slice(...span);
  const certain = FORMATS.flatMap((format) => spansOf(text, format));
  // The words before a value say only that it may be a credential.
  const named = NAMED_VALUES.flatMap((pattern) => spansOf(text, pattern));
  const likely = named.filter((span) => looksRandom(textAt(span)));
  const passwords = spansOf(text, LOGIN_PASSWORD).filter((span) => !NO_PASSWORD.test(textAt(span)));
  return replaceSpans(text, [...certain, ...likely, ...passwords], HIDDEN);
}

// With exec and not matchAll, which copies the pattern for each text.
function spansOf(text: string, pattern: RegExp): Span[] {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    // The group is the credential or, without a group, the whole match.
    const span = match.indices?.[1] ?? match.indices?.[0];
    if (span !== undefined) spans.push(span);
  }
  return spans;
}

/**
 * JSON for a log or a file, without credentials. `##`, with which commands of CI systems begin, is
 * escaped, which does not change the meaning of the JSON.
 */
export function printedJson(value: unknown, indent = 2): string {
  const shown = (_name: string, part: unknown) =>
    typeof part === 'string' ? hideCredentials(part) : part;
  return JSON.stringify(value, shown, indent).replaceAll('##', '\\u0023\\u0023');
}
