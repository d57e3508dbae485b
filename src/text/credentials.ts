/**
 * Formats of credentials of many services, from their own documentation of their prefixes. A text
 * that may have one is redacted (prompt/credentials.ts), and a value that has one is not sent to
 * another service (values/values.ts). Each pattern is one run over the text: bounded, and without
 * two ways to match the same.
 */

/** A prefix, and what follows it. */
interface CredentialFormat {
  /** Completes "this looks like …". */
  readonly kind: string;
  readonly prefix: string;
  readonly rest: string;
  /** Names also begin like this, so that only a value with the whole format is a credential. */
  readonly isCommon?: true;
}

export const CREDENTIAL_FORMATS: readonly CredentialFormat[] = [
  // Personal, OAuth, user, server and refresh tokens, the long app tokens among them.
  { kind: 'a GitHub token', prefix: 'gh[oprsu]_', rest: '[A-Za-z0-9._-]{20,}' },
  { kind: 'a GitHub token', prefix: 'github_pat_', rest: '[A-Za-z0-9_]{20,}' },
  // Personal, deploy, runner, trigger, feed, agent and session tokens.
  {
    kind: 'a GitLab token',
    prefix: 'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-',
    rest: '[A-Za-z0-9_.=-]{20,}',
  },
  {
    kind: 'an AWS access key',
    prefix: '(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|A3T[A-Z0-9])',
    rest: '[A-Z0-9]{16}(?![A-Za-z0-9])',
  },
  // Model providers.
  { kind: 'an Anthropic key', prefix: 'sk-ant-', rest: '[A-Za-z0-9_-]{16,}' },
  {
    kind: 'an OpenAI key',
    prefix: 'sk-',
    rest: '(?=[A-Za-z_-]*\\d)[A-Za-z0-9_-]{16,}',
    isCommon: true,
  },
  { kind: 'a Hugging Face token', prefix: 'hf_', rest: '[A-Za-z0-9]{30,}', isCommon: true },
  { kind: 'a Groq key', prefix: 'gsk_', rest: '[A-Za-z0-9]{40,}', isCommon: true },
  { kind: 'a Slack token', prefix: 'xox[a-z]-', rest: '[A-Za-z0-9-]{10,}' },
  { kind: 'a Slack token', prefix: 'xapp-', rest: '\\d-[A-Za-z0-9-]{20,}', isCommon: true },
  { kind: 'a Google API key', prefix: 'AIza', rest: '[A-Za-z0-9_-]{35}' },
  { kind: 'a Google client secret', prefix: 'GOCSPX-', rest: '[A-Za-z0-9_-]{20,}' },
  { kind: 'a Google access token', prefix: 'ya29\\.', rest: '[A-Za-z0-9_-]{20,}' },
  { kind: 'a Google refresh token', prefix: '1//0', rest: '[A-Za-z0-9_-]{30,}', isCommon: true },
  // Package registries.
  { kind: 'an npm token', prefix: 'npm_', rest: '[A-Za-z0-9]{30,}', isCommon: true },
  { kind: 'a PyPI token', prefix: 'pypi-', rest: 'AgE[A-Za-z0-9_-]{20,}', isCommon: true },
  { kind: 'a RubyGems key', prefix: 'rubygems_', rest: '[0-9a-f]{40,}', isCommon: true },
  { kind: 'a Docker token', prefix: 'dckr_(?:pat|oat)_', rest: '[A-Za-z0-9_-]{20,}' },
  {
    kind: 'a crates.io token',
    prefix: 'cio',
    rest: '[A-Za-z0-9]{32}(?![A-Za-z0-9])',
    isCommon: true,
  },
  // Payments and shops.
  { kind: 'a Stripe key', prefix: '[srp]k_(?:live|test)_', rest: '[A-Za-z0-9]{16,}' },
  { kind: 'a Stripe webhook secret', prefix: 'whsec_', rest: '[A-Za-z0-9+/=]{24,}' },
  { kind: 'a Square token', prefix: 'sq0(?:atp|csp|idp)-', rest: '[A-Za-z0-9_-]{22,}' },
  { kind: 'a Shopify token', prefix: 'shp(?:at|ca|pa|ss|tka)_', rest: '[A-Fa-f0-9]{32}' },
  // Infrastructure.
  { kind: 'a Vault token', prefix: 'hv[sbr]\\.', rest: '[A-Za-z0-9_-]{20,}' },
  { kind: 'a DigitalOcean token', prefix: 'do[opr]_v1_', rest: '[a-f0-9]{40,}' },
  { kind: 'a Databricks token', prefix: 'dapi', rest: '[a-f0-9]{32}', isCommon: true },
  {
    kind: 'a Terraform token',
    prefix: '[A-Za-z0-9]{14}\\.atlasv1\\.',
    rest: '[A-Za-z0-9_-]{40,}',
    isCommon: true,
  },
  { kind: 'an age key', prefix: 'AGE-SECRET-KEY-1', rest: '[A-Z0-9]{50,}' },
  { kind: 'a Vercel token', prefix: 'vc[acikpr]_', rest: '[A-Za-z0-9]{20,}', isCommon: true },
  { kind: 'a Cloudflare token', prefix: 'cf(?:k|ut|at)_', rest: '[A-Za-z0-9]{40,}' },
  { kind: 'a Heroku key', prefix: 'HRKU-', rest: '[A-Za-z0-9_-]{30,}' },
  { kind: 'a Pulumi token', prefix: 'pul-', rest: '[a-f0-9]{40}', isCommon: true },
  { kind: 'a PlanetScale token', prefix: 'pscale_(?:tkn|pw|oauth)_', rest: '[A-Za-z0-9_.=-]{32,}' },
  { kind: 'a Supabase token', prefix: 'sbp_', rest: '[a-f0-9]{40}', isCommon: true },
  {
    kind: 'a Doppler token',
    prefix: 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.',
    rest: '[A-Za-z0-9._-]{40,}',
    isCommon: true,
  },
  {
    kind: 'a Fly.io token',
    prefix: 'fly_?[A-Za-z0-9]{0,4}_|FlyV1 fm\\d_',
    rest: '[A-Za-z0-9+/=_-]{40,}',
    isCommon: true,
  },
  { kind: 'a Tailscale key', prefix: 'tskey-', rest: '[a-z]{1,12}-[A-Za-z0-9-]{20,}' },
  { kind: 'a New Relic key', prefix: 'NRAK-', rest: '[A-Z0-9]{27}' },
  { kind: 'a Sentry token', prefix: 'sntry[su]_', rest: '[A-Za-z0-9+/=_-]{40,}' },
  { kind: 'a Grafana token', prefix: 'glc_', rest: '[A-Za-z0-9+/=]{32,}', isCommon: true },
  { kind: 'a Grafana token', prefix: 'glsa_', rest: '[A-Za-z0-9_]{32,}', isCommon: true },
  // Tools for teams.
  { kind: 'an Atlassian token', prefix: 'ATATT3', rest: '[A-Za-z0-9_=-]{100,}' },
  {
    kind: 'an Airtable token',
    prefix: 'pat[A-Za-z0-9]{14}\\.',
    rest: '[a-f0-9]{64}',
    isCommon: true,
  },
  { kind: 'a Linear key', prefix: 'lin_(?:api|oauth)_', rest: '[A-Za-z0-9]{32,}' },
  { kind: 'a Notion token', prefix: '(?:ntn_|secret_)', rest: '[A-Za-z0-9]{40,}', isCommon: true },
  { kind: 'a 1Password token', prefix: 'ops_eyJ', rest: '[A-Za-z0-9+/=_-]{100,}' },
  { kind: 'a Postman key', prefix: 'PMAK-', rest: '[a-f0-9]{24}-[a-f0-9]{34}' },
  { kind: 'a Figma token', prefix: 'figd_', rest: '[A-Za-z0-9_-]{36,}', isCommon: true },
  // Mail and messages.
  {
    kind: 'a SendGrid key',
    prefix: 'SG\\.',
    rest: '[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,}',
    isCommon: true,
  },
  { kind: 'a Mailgun key', prefix: 'key-', rest: '[a-f0-9]{32}(?![a-f0-9])', isCommon: true },
  { kind: 'a Twilio key', prefix: 'SK', rest: '[a-f0-9]{32}(?![A-Za-z0-9])', isCommon: true },
  {
    kind: 'a Telegram token',
    prefix: '\\d{8,10}:AA',
    rest: '[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])',
    isCommon: true,
  },
  // Two parts that begin with `{"`, and a signature.
  {
    kind: 'a JSON Web Token',
    prefix: 'eyJ',
    rest: '[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*',
    isCommon: true,
  },
];

const KINDS = CREDENTIAL_FORMATS.map(({ kind, prefix, rest, isCommon = false }) => ({
  kind,
  isCommon,
  // Nothing else begins with a prefix that is not common: then a key that was cut is recognized
  // too.
  pattern: new RegExp(isCommon ? `^(?:${prefix})${rest}$` : `^(?:${prefix})(?=\\S{6})`),
}));

/**
 * What a key or token of a service looks like, such as `a GitHub token`; undefined: it looks like
 * none that is known.
 */
export function credentialKind(value: string): string | undefined {
  return KINDS.find(({ pattern }) => pattern.test(value))?.kind;
}

/** True for a text that begins as only a key or token of a service does. */
export function beginsLikeCredential(text: string): boolean {
  return KINDS.some(({ isCommon, pattern }) => !isCommon && pattern.test(text));
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
  return /^\.{0,2}\/[^/\s]/.test(path) && !isBase64Key(path) && !/[?@]|\s/.test(path);
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
