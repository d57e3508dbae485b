/**
 * Formats of credentials of many services, from their own documentation of their prefixes. A text
 * that may have one is redacted (prompt/credentials.ts), and a value that has one is not sent to
 * another service (values/values.ts). Each pattern is one run over the text: bounded, and without
 * two ways to match the same.
 */

/** `kind` completes "this looks like …"; `rest` is what follows the prefix. */
type Format = readonly [kind: string, prefix: string, rest: string];

/** Nothing else begins with these prefixes: a key that was cut is recognized too. */
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

/** Names also begin like this, so that only a value with the whole format is a credential. */
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

const BEGINNINGS = UNMISTAKABLE.map(([kind, prefix]) => ({
  kind,
  pattern: new RegExp(`^(?:${prefix})(?=\\S{6})`),
}));
const WHOLE = COMMON.map(([kind, prefix, rest]) => ({
  kind,
  pattern: new RegExp(`^(?:${prefix})${rest}$`),
}));

/**
 * What a key or token of a service looks like, such as `a GitHub token`; undefined: it looks like
 * none that is known.
 */
export function credentialKind(value: string): string | undefined {
  return [...BEGINNINGS, ...WHOLE].find((one) => one.pattern.test(value))?.kind;
}

/** True for a text that begins as only a key or token of a service does. */
export function beginsLikeCredential(text: string): boolean {
  return BEGINNINGS.some((one) => one.pattern.test(text));
}

/**
 * The first word of a platform's key with its `_`, such as `svc_`, which all of its keys have;
 * undefined: it has none.
 */
export function keyPrefix(key: string): string | undefined {
  return /^[A-Za-z0-9]{2,20}_/.exec(key)?.[0];
}

/** True for a key that the platform's assistant takes: its second word is dsc. */
export function isAssistantKey(value: string): boolean {
  return /^[A-Za-z0-9]+_dsc_/.test(value);
}

/**
 * True for what is a key or token of some service rather than a name: by its prefix, or by a word,
 * `_`, and random letters.
 */
export function isKeyShaped(value: string): boolean {
  if (/\s/.test(value)) return false;
  if (/^[A-Za-z0-9]+_dsc_\S{4}/.test(value)) return true;
  if (beginsLikeCredential(value) && /\d/.test(value)) return true;
  return (
    (hasKeyForm(value) || credentialKind(value) !== undefined) && value.split(/[_.-]/).some(isMixed)
  );
}

/** A word, `_`, and more. */
function hasKeyForm(value: string): boolean {
  return /^[A-Za-z0-9]{2,20}_[A-Za-z0-9_.-]{16,}$/.test(value);
}

// Words, dates and numbers change less often between letters, capitals and digits than what a
// machine makes, such as `20261123T091500Z` or `docsBundleUrl2026`. The id of a commit is not a
// secret.
function isMixed(word: string): boolean {
  const changes = word.match(/(?<=\d)[A-Za-z]|(?<=[A-Za-z])\d|(?<=[a-z])[A-Z]/g)?.length ?? 0;
  return word.length >= 16 && changes >= 5 && !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(word);
}

const SECRET_REFERENCE =
  /^\$?\{{0,2} ?((?:(?:secrets|vars|env)\.)?[A-Za-z_]\w*|github\.token) ?\}{0,2}$/;
const SECRET_NAME = /^(?=.*_)(?=(?:.*_)?(?:KEY|TOKEN|SECRET)(?:_|$))[A-Z][A-Z0-9_]*$/;

/**
 * `secrets.NAME`, or what else an expression names, for a text that says where a secret is;
 * undefined: it may be the secret.
 */
export function secretReference(text: string): string | undefined {
  const named = SECRET_REFERENCE.exec(text)?.[1] ?? '';
  if (looksSecret(named)) return undefined;
  if (named.includes('.')) return named;
  return SECRET_NAME.test(named) ? `secrets.${named}` : undefined;
}

/**
 * True if a text may contain a secret: a link with a query or a password, a key, or random letters.
 * No message repeats it.
 */
export function looksSecret(text: string): boolean {
  if (text.split(/\s+/).some(hasPrivatePart)) return true;
  const words = text.split(/[\s:#?&=,;|@"'`()[\]{}]+/);
  if (words.some(isBase64Key)) return true;
  return words.flatMap((word) => word.split('/')).some((word) => mayBeKey(word) || isRandom(word));
}

/** Such as a secret key of AWS: base64 may have slashes, and changes far more often than a path. */
function isBase64Key(word: string): boolean {
  const changes = word.split(/(?<=\d)(?=[A-Za-z])|(?<=[A-Za-z])(?=\d)|(?<=[a-z])(?=[A-Z])/);
  return /^[A-Za-z0-9+/]{40,}$/.test(word) && changes.length * 6 > word.length;
}

/** Also true for some names, which are then not repeated; nothing is refused because of it. */
function mayBeKey(word: string): boolean {
  const digits = word.match(/\d/g)?.length ?? 0;
  return isKeyShaped(word) || (digits >= 4 && hasKeyForm(word));
}

/** Has a user name, or a query or fragment of at least 8 characters. */
function hasPrivatePart(word: string): boolean {
  const start = word.indexOf('//');
  if (start < 0) return false;
  const query = word.slice(start).search(/[?#]/);
  return /\/\/[^/]*@/.test(word) || (query >= 0 && word.length - start - query > 8);
}

/**
 * The name of a file or folder as a message repeats it: what was given for it may be a key. In a
 * path from a root, random letters are those of a temporary folder.
 */
export function shownName(path: string): string {
  const isSecret = isRooted(path) ? path.split('/').some(mayBeKey) : looksSecret(path);
  return isSecret ? '***' : path;
}

/** Such as `/tmp/site`, `./site` and `../site`: no key begins so, but base64 may. */
function isRooted(path: string): boolean {
  const hasKey = path.split(/[^A-Za-z0-9+/]/).some(isBase64Key);
  return /^\.{0,2}\/[^/\s]/.test(path) && !hasKey && !/[?@]|\s/.test(path);
}

/** The text without the words that may be a secret. */
export function hideSecrets(text: string): string {
  return text.replace(/\S+/g, (word) => (looksSecret(word) ? '***' : word));
}

function isRandom(word: string): boolean {
  if (word.length < 20 || word.length > 10_000 || new Set(word).size < 10) return false;
  const changes = (pattern: RegExp) => word.match(pattern)?.length ?? 0;
  return changes(/\d[A-Za-z]|[A-Za-z]\d/g) >= 3 || changes(/[a-z][A-Z]/g) >= 5;
}
