/**
 * Formats of credentials, from the documentation of the services about their prefixes. A text that
 * may contain a credential is redacted (prompt/credentials.ts), and a value that is one is not sent
 * to another service (values/values.ts). Each pattern reads a text in linear time: its repeats are
 * bounded, and it has only one way to match.
 */

/** `kind` completes "this looks like …"; `rest` is what follows the prefix. */
type Format = readonly [kind: string, prefix: string, rest: string];

/** Only credentials begin with these prefixes, so a key that was cut is recognized too. */
const UNMISTAKABLE: readonly Format[] = [
  // Personal, OAuth, user, server and refresh tokens, the long app tokens among them.
  ['a GitHub token', 'gh[oprsu]_|github_pat_', '[\\w.-]{20,}'],
  // Personal, deploy, runner, trigger, feed, agent and session tokens.
  ['a GitLab token', 'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-', '[\\w.=-]{20,}'],
  [
    'an AWS access key',
    '(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|A3T[A-Z0-9])',
    '[A-Z0-9]{16}(?![A-Za-z0-9])',
  ],
  ['an Anthropic key', 'sk-ant-', '[\\w-]{16,}'],
  ['a Slack token', 'xox[a-z]-', '[A-Za-z0-9-]{10,}'],
  ['a Google API key', 'AIza', '[\\w-]{35}'],
  ['a Google credential', 'GOCSPX-|ya29\\.', '[\\w-]{20,}'],
  ['a Docker token', 'dckr_(?:pat|oat)_', '[\\w-]{20,}'],
  ['a Stripe key', '[srp]k_(?:live|test)_', '[A-Za-z0-9]{16,}'],
  ['a Vault token', 'hv[sbr]\\.', '[\\w-]{20,}'],
  ['a DigitalOcean token', 'do[opr]_v1_', '[a-f0-9]{40,}'],
  ['a Cloudflare token', 'cf(?:k|ut|at)_', '[A-Za-z0-9]{40,}'],
  ['a Heroku key', 'HRKU-', '[\\w-]{30,}'],
  ['a Linear key', 'lin_(?:api|oauth)_', '[A-Za-z0-9]{32,}'],
  ['an Atlassian token', 'ATATT3', '[\\w=-]{100,}'],
  // Square, Shopify, Stripe's webhooks, age, PlanetScale, Tailscale, New Relic, Sentry, 1Password,
  // Postman.
  [
    'a credential of another service',
    'sq0(?:atp|csp|idp)-|shp(?:at|ca|pa|ss|tka)_|whsec_|AGE-SECRET-KEY-1|pscale_(?:tkn|pw|oauth)_|tskey-[a-z]{1,12}-|NRAK-|sntry[su]_|ops_eyJ|PMAK-',
    '[\\w.=+/-]{20,}',
  ],
];

/** Names begin with these prefixes too, so only a value in the whole format is a credential. */
const COMMON: readonly Format[] = [
  ['an OpenAI key', 'sk-', '(?=[A-Za-z_-]*\\d)[\\w-]{16,}'],
  ['a Hugging Face token', 'hf_', '[A-Za-z0-9]{30,}'],
  ['a Slack token', 'xapp-', '\\d-[A-Za-z0-9-]{20,}'],
  ['a Google refresh token', '1//0', '[\\w-]{30,}'],
  ['an npm token', 'npm_', '[A-Za-z0-9]{30,}'],
  ['a PyPI token', 'pypi-', 'AgE[\\w-]{20,}'],
  ['a Notion token', 'ntn_|secret_', '[A-Za-z0-9]{40,}'],
  ['a SendGrid key', 'SG\\.', '[\\w-]{16,32}\\.[\\w-]{32,}'],
  ['a Twilio key', 'SK', '[a-f0-9]{32}(?![A-Za-z0-9])'],
  ['a Telegram token', '\\d{8,10}:AA', '[\\w-]{33}(?![\\w-])'],
  // Two parts that begin with `{"`, and a signature.
  ['a JSON Web Token', 'eyJ', '[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]*'],
  // Databricks, Mailgun, Pulumi, Supabase, RubyGems, Airtable.
  [
    'a credential of another service',
    'dapi|key-|pul-|sbp_|rubygems_|pat[A-Za-z0-9]{14}\\.',
    '[a-f0-9]{32,}(?![A-Za-z0-9])',
  ],
  // Groq, Vercel, Figma, Grafana, Doppler, Fly.io, Terraform.
  [
    'a credential of another service',
    'gsk_|vc[acikpr]_|figd_|gl(?:c|sa)_|dp\\.(?:pt|st|ct|sa|scim|audit)\\.|FlyV1 fm\\d_|[A-Za-z0-9]{14}\\.atlasv1\\.',
    '(?=[A-Za-z+/_-]*\\d)[\\w.=+/-]{24,}',
  ],
];

export const CREDENTIAL_FORMATS = [...UNMISTAKABLE, ...COMMON];

/** With six more characters: the prefix alone, as in a text about keys, is not a key. */
const BEGINNINGS = UNMISTAKABLE.map(([kind, prefix]) => ({
  kind,
  pattern: new RegExp(`^(?:${prefix})(?=\\S{6})`),
}));
const WHOLE = COMMON.map(([kind, prefix, rest]) => ({
  kind,
  pattern: new RegExp(`^(?:${prefix})${rest}$`),
}));

/**
 * The kind of credential that a value looks like, such as `a GitHub token`; undefined: it has no
 * known format.
 */
export function credentialKind(value: string): string | undefined {
  return [...BEGINNINGS, ...WHOLE].find((one) => one.pattern.test(value))?.kind;
}

/** True for a text that begins as only a key or token of a service does. */
export function beginsLikeCredential(text: string): boolean {
  return BEGINNINGS.some((one) => one.pattern.test(text));
}

/**
 * The prefix of a key of the platform, such as `svc_`, which all keys of that platform have;
 * undefined: the key has none.
 */
export function keyPrefix(key: string): string | undefined {
  return /^[A-Za-z0-9]{2,20}_/.exec(key)?.[0];
}

/** True for a key that the platform's assistant takes: its second word is dsc. */
export function isAssistantKey(value: string): boolean {
  return /^[A-Za-z0-9]+_dsc_/.test(value);
}

/**
 * True for a value that is more likely a key or token than a name: it has a prefix that only keys
 * have, and a digit; or it has the form of another key, and a part of random letters.
 */
export function isKeyShaped(value: string): boolean {
  if (/\s/.test(value)) return false;
  // A key of the platform's assistant, also one that was cut, but not its beginning alone.
  if (/^[A-Za-z0-9]+_dsc_\S{4}/.test(value)) return true;
  // A name with such a prefix, such as `glpat-for-docs`, has no digit.
  if (beginsLikeCredential(value) && /\d/.test(value)) return true;
  const hasForm = hasKeyForm(value) || credentialKind(value) !== undefined;
  return hasForm && value.split(/[_.-]/).some(isMixed);
}

/** True for a word, `_`, and at least 16 further characters. */
function hasKeyForm(value: string): boolean {
  return /^[A-Za-z0-9]{2,20}_[A-Za-z0-9_.-]{16,}$/.test(value);
}

// True for a random word: it changes between small letters, capitals and digits at least 5 times.
// Words, dates and names, such as `20261123T091500Z` or `docsBundleUrl2026`, do so less often.
function isMixed(word: string): boolean {
  const changes = word.match(/(?<=\d)[A-Za-z]|(?<=[A-Za-z])\d|(?<=[a-z])[A-Z]/g)?.length ?? 0;
  // Mixed too, but not a secret.
  const isCommitId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(word);
  return word.length >= 16 && changes >= 5 && !isCommitId;
}

/** `NAME` and `$NAME`, `secrets.NAME` and `${{ secrets.NAME }}`. */
const SECRET_REFERENCE =
  /^\$?\{{0,2} ?((?:(?:secrets|vars|env)\.)?[A-Za-z_]\w*|github\.token) ?\}{0,2}$/;
/** Several words in capitals, one of which is KEY, TOKEN or SECRET. */
const SECRET_NAME = /^(?=.*_)(?=(?:.*_)?(?:KEY|TOKEN|SECRET)(?:_|$))[A-Z][A-Z0-9_]*$/;

/**
 * What the expression of a workflow names, such as `secrets.NAME`, for a text that is the name of a
 * secret; undefined: the text may be the secret itself.
 */
export function secretReference(text: string): string | undefined {
  const named = SECRET_REFERENCE.exec(text)?.[1];
  // A key can have the form of a name.
  if (named === undefined || looksSecret(named)) return undefined;
  if (named.includes('.')) return named;
  return SECRET_NAME.test(named) ? `secrets.${named}` : undefined;
}

/**
 * True if a text may contain a secret, so that no message repeats it: a link with a query or a
 * password, a key, or random letters.
 */
export function looksSecret(text: string): boolean {
  if (text.split(/\s+/).some(hasPrivatePart)) return true;
  // Base64 has slashes, so a word is split at its slashes only after this check.
  const words = text.split(/[\s:#?&=,;|@"'`()[\]{}]+/);
  if (words.some(isBase64Key)) return true;
  return words.flatMap((word) => word.split('/')).some((word) => mayBeKey(word) || isRandom(word));
}

/**
 * True for base64 such as a secret key of AWS. It may have slashes, as a path has, but changes far
 * more often between small letters, capitals and digits.
 */
function isBase64Key(word: string): boolean {
  const runs = word.split(/(?<=\d)(?=[A-Za-z])|(?<=[A-Za-z])(?=\d)|(?<=[a-z])(?=[A-Z])/);
  return /^[A-Za-z0-9+/]{40,}$/.test(word) && word.length / runs.length < 6;
}

/** Also true for some names, so it only decides what a message hides. */
function mayBeKey(word: string): boolean {
  // A name such as `docs_export_of_the_team` has fewer.
  const digits = word.match(/\d/g)?.length ?? 0;
  return isKeyShaped(word) || (digits >= 4 && hasKeyForm(word));
}

/**
 * True for an address with a user name, or with a query or fragment of at least 8 characters: a
 * shorter one, such as `?page=2`, has no secret.
 */
function hasPrivatePart(word: string): boolean {
  const start = word.indexOf('//');
  if (start < 0) return false;
  const address = word.slice(start);
  return /\/\/[^/]*@/.test(address) || /[?#].{8}/s.test(address);
}

/**
 * The path of a file or folder for a message; `***` if it may be a key that was given by mistake.
 * In a path such as `/tmp/…`, random letters are the name of a temporary folder.
 */
export function shownName(path: string): string {
  const isSecret = isRooted(path) ? path.split('/').some(mayBeKey) : looksSecret(path);
  return isSecret ? '***' : path;
}

/**
 * True for `/tmp/site`, `./site` and `../site`. Base64 can begin like this too, as can a text with
 * an address in it: neither counts.
 */
function isRooted(path: string): boolean {
  const hasKey = path.split(/[^A-Za-z0-9+/]/).some(isBase64Key);
  const mayHaveAddress = /[?@]|\s/.test(path);
  return /^\.{0,2}\/[^/\s]/.test(path) && !hasKey && !mayHaveAddress;
}

/** The text without the words that may be a secret. */
export function hideSecrets(text: string): string {
  return text.replace(/\S+/g, (word) => (looksSecret(word) ? '***' : word));
}

/** True for a word that often changes between letters and digits, or small letters and capitals. */
function isRandom(word: string): boolean {
  // A longer word would take time.
  if (word.length < 20 || word.length > 10_000) return false;
  // A row of dashes, or of one word again and again.
  if (new Set(word).size < 10) return false;
  const changes = (pattern: RegExp) => word.match(pattern)?.length ?? 0;
  // Words in `camelCase` have some capitals too, so more of these are needed.
  return changes(/\d[A-Za-z]|[A-Za-z]\d/g) >= 3 || changes(/[a-z][A-Z]/g) >= 5;
}
