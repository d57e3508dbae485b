import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { createRedact, type Redact, replaceSpans, type Span } from '../text/redact.ts';

/**
 * Formats of credentials that Secretlint's rules do not know or know too narrowly. From the services' own documentation of
 * their prefixes. Each pattern is one run over the text: bounded, and without two ways to match the same.
 */

// A prefix and how many letters of what follow it; what is before the prefix must not belong to it.
const PREFIXES: readonly (readonly [prefix: string, rest: string])[] = [
  // GitHub: personal, OAuth, user, server and refresh tokens, the long app tokens among them.
  ['gh[a-z]_', '[A-Za-z0-9._-]{20,}'],
  ['github_pat_', '[A-Za-z0-9_]{20,}'],
  // GitLab: personal, deploy, runner, trigger, feed, agent and session tokens.
  ['gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-', '[A-Za-z0-9_.=-]{20,}'],
  ['(?:AKIA|ASIA|ABIA|ACCA)', '[A-Z2-7]{16}(?![A-Za-z0-9])'],
  // Model providers.
  ['sk-', '(?=[A-Za-z_-]*\\d)[A-Za-z0-9_-]{16,}'],
  ['hf_', '[A-Za-z0-9]{30,}'],
  ['gsk_', '[A-Za-z0-9]{40,}'],
  // Slack.
  ['xox[a-z]-', '[A-Za-z0-9-]{10,}'],
  ['xapp-', '\\d-[A-Za-z0-9-]{20,}'],
  // Google: API keys, OAuth clients and tokens.
  ['AIza', '[A-Za-z0-9_-]{35}'],
  ['GOCSPX-', '[A-Za-z0-9_-]{20,}'],
  ['ya29\\.', '[A-Za-z0-9_-]{20,}'],
  ['1//0', '[A-Za-z0-9_-]{30,}'],
  // Package registries.
  ['npm_', '[A-Za-z0-9]{30,}'],
  ['pypi-', 'AgE[A-Za-z0-9_-]{20,}'],
  ['rubygems_', '[0-9a-f]{40,}'],
  ['dckr_(?:pat|oat)_', '[A-Za-z0-9_-]{20,}'],
  ['cio', '[A-Za-z0-9]{32}(?![A-Za-z0-9])'],
  // Payments and shops.
  ['[srp]k_(?:live|test)_', '[A-Za-z0-9]{16,}'],
  ['whsec_', '[A-Za-z0-9+/=]{24,}'],
  ['sq0(?:atp|csp|idp)-', '[A-Za-z0-9_-]{22,}'],
  ['shp(?:at|ca|pa|ss|tka)_', '[A-Fa-f0-9]{32}'],
  // Infrastructure.
  ['hv[sbr]\\.', '[A-Za-z0-9_-]{20,}'],
  ['do[opr]_v1_', '[a-f0-9]{40,}'],
  ['dapi', '[a-f0-9]{32}'],
  ['[A-Za-z0-9]{14}\\.atlasv1\\.', '[A-Za-z0-9_-]{40,}'],
  ['AGE-SECRET-KEY-1', '[A-Z0-9]{50,}'],
  ['HRKU-', '[A-Za-z0-9_-]{30,}'],
  ['pul-', '[a-f0-9]{40}'],
  ['pscale_(?:tkn|pw|oauth)_', '[A-Za-z0-9_.=-]{32,}'],
  ['sbp_', '[a-f0-9]{40}'],
  ['dp\\.(?:pt|st|ct|sa|scim|audit)\\.', '[A-Za-z0-9._-]{40,}'],
  ['fly_?[A-Za-z0-9]{0,4}_|FlyV1 fm\\d_', '[A-Za-z0-9+/=_-]{40,}'],
  ['tskey-', '[a-z]{1,12}-[A-Za-z0-9-]{20,}'],
  ['NRAK-', '[A-Z0-9]{27}'],
  ['sntry[su]_', '[A-Za-z0-9+/=_-]{40,}'],
  ['glc_', '[A-Za-z0-9+/=]{32,}'],
  ['glsa_', '[A-Za-z0-9_]{32,}'],
  // Tools for teams.
  ['ATATT3', '[A-Za-z0-9_=-]{100,}'],
  ['pat[A-Za-z0-9]{14}\\.', '[a-f0-9]{64}'],
  ['lin_(?:api|oauth)_', '[A-Za-z0-9]{32,}'],
  ['(?:ntn_|secret_)', '[A-Za-z0-9]{40,}'],
  ['ops_eyJ', '[A-Za-z0-9+/=_-]{100,}'],
  ['PMAK-', '[a-f0-9]{24}-[a-f0-9]{34}'],
  ['figd_', '[A-Za-z0-9_-]{36,}'],
  // Mail and messages.
  ['SG\\.', '[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,}'],
  ['key-', '[a-f0-9]{32}(?![a-f0-9])'],
  ['SK', '[a-f0-9]{32}(?![A-Za-z0-9])'],
  ['\\d{8,10}:AA', '[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])'],
  // JSON Web Tokens: two parts that begin with `{"`, and a signature.
  ['eyJ', '[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*'],
];

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
  ...PREFIXES.map(([prefix, rest]) => new RegExp(`(?<![A-Za-z0-9_-])(?:${prefix})${rest}`, 'dg')),
  ...WEBHOOKS.map((address) => new RegExp(`(?<![A-Za-z0-9.-])${address}`, 'dg')),
];

/** Patterns whose group is a credential where it looks like one: what it is can only be seen by the words before it. */
const NAMED_VALUES: readonly RegExp[] = [
  // `https://user:password@host`, and the addresses of databases.
  /(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s/:@<>"']{0,100}:([^\s/@<>"']{6,200})@/dg,
  // Signatures and tokens in the query of an address.
  /[?&;](?:X-(?:Amz|Goog)-(?:Signature|Security-Token|Credential)|sig(?:nature)?|token|access_token|id_token|refresh_token|auth|hdnts|hdnea|code|password|verify|api_?key|key|client_secret|secret)=([^&\s"'<>)\]]{16,2000})/dgi,
  // Headers.
  /(?:authorization|x-api-key|x-auth-token|private-token|job-token|x-vault-token)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:(?:bearer|basic|token|apikey)[ \t]{1,4})?([A-Za-z0-9._~+/=-]{16,2000})/dgi,
  // AWS, Azure and other keys that have no form of their own.
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
  const prefix = /^([A-Za-z0-9]{2,20})_/.exec(adminApiKey)?.[1];
  const platform = prefix === undefined ? [] : [new RegExp(`(?<![A-Za-z0-9])${prefix}_[A-Za-z0-9_-]{16,}`, 'dg')];
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
