import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { CREDENTIAL_FORMATS, keyPrefix } from '../text/credentials.ts';
import { createRedact, type Redact, replaceSpans, type Span } from '../text/redact.ts';

const WEBHOOKS = [
  'hooks\\.slack\\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,})',
  '(?:ptb\\.|canary\\.)?discord(?:app)?\\.com/api/webhooks/(\\d{10,20}/[A-Za-z0-9_-]{40,})',
  '[a-z0-9-]{1,63}\\.webhook\\.office\\.com/(webhookb2/[A-Za-z0-9@/-]{60,})',
];

const PRIVATE_KEY = 'PRIVATE KEY(?: BLOCK)?-----';

/** Patterns of which all, or their one group, is the credential. */
const FORMATS: readonly RegExp[] = [
  // A key whose end is missing goes to the end of the text: its beginning alone is half a secret.
  new RegExp(`-----BEGIN [A-Z0-9 ]{0,40}${PRIVATE_KEY}[^]*?(?:-----END [A-Z0-9 ]{0,40}${PRIVATE_KEY}|$)`, 'dg'),
  ...CREDENTIAL_FORMATS.map(({ prefix, rest }) => new RegExp(`(?<![A-Za-z0-9_-])(?:${prefix})${rest}`, 'dg')),
  ...WEBHOOKS.map((address) => new RegExp(`(?<![A-Za-z0-9.-])${address}`, 'dg')),
];

/** Patterns whose group is a credential if it looks like one: what it is can only be seen by the words before it. */
const NAMED_VALUES: readonly RegExp[] = [
  // `https://user:password@host`, and the addresses of databases.
  /(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s/:@<>"']{0,100}:([^\s/@<>"']{6,200})@/dg,
  // Signatures and tokens in the query of an address.
  /[?&;](?:X-(?:Amz|Goog)-(?:Signature|Security-Token|Credential)|sig(?:nature)?|token|access_token|id_token|refresh_token|auth|hdnts|hdnea|code|password|verify|api_?key|key|client_secret|secret)=([^&\s"'<>)\]]{16,2000})/dgi,
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

/** True for letters and digits without a pattern, as a machine makes them. */
function looksRandom(value: string): boolean {
  if (PLACEHOLDER.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return new Set(value).size >= Math.min(10, value.length / 2);
}

const HIDDEN = '[credential removed]';

/** Takes out the given credentials, the platform's keys by their prefix, and all that Secretlint or the formats here know. */
export function createCredentialRedact(adminApiKey: string, others: readonly string[]): Redact {
  const own = createRedact([adminApiKey, ...others]);
  const prefix = keyPrefix(adminApiKey);
  const platform = prefix === undefined ? [] : [new RegExp(`(?<![A-Za-z0-9])${prefix}[A-Za-z0-9_-]{16,}`, 'dg')];
  return (text) => {
    const redacted = own(text);
    return replaceSpans(redacted, findCredentials(redacted, platform), HIDDEN);
  };
}

function findCredentials(text: string, platform: readonly RegExp[]): Span[] {
  return [
    ...[...FORMATS, ...platform].flatMap((format) => spansOf(text, format)),
    ...NAMED_VALUES.flatMap((format) =>
      spansOf(text, format).filter(([start, end]) => looksRandom(text.slice(start, end))),
    ),
    ...bySecretlint(text),
  ];
}

// With exec and not matchAll, which copies the pattern for each text.
function spansOf(text: string, pattern: RegExp): Span[] {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const span = found.indices?.[1] ?? found.indices?.[0];
    if (span !== undefined) spans.push(span);
  }
  return spans;
}

// Some rules look at the name of a file.
const FILE = 'comment.md';
const NOWHERE: Span = [0, 0];

// The rules as they are, without Secretlint's core, which adds reading of files, configuration and a logger. They report while
// they are called, although some are declared as asynchronous; a test has one credential for each of them.
function bySecretlint(text: string): Span[] {
  const spans: Span[] = [];
  const source = {
    content: text,
    filePath: FILE,
    physicalFilePath: FILE,
    getFilePath: () => FILE,
    getPhysicalFilePath: () => FILE,
    ext: '.md',
    contentType: 'text',
    hasBOM: false,
    locationToRange: () => NOWHERE,
    rangeToLocation: () => ({ start: { line: 1, column: 0 }, end: { line: 1, column: 0 } }),
    positionToIndex: () => 0,
    indexToPosition: () => ({ line: 1, column: 0 }),
  } as const;
  for (const rule of rules) {
    const context = {
      sharedOptions: {},
      createTranslator: () => () => ({ messageId: '', message: '', data: undefined }),
      report({ range }: { readonly range: Span }) {
        spans.push(range);
      },
      ignore() {},
    };
    rule.create(context, {}).file?.(source);
  }
  return spans;
}
