import { resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import { credentialKind, isAssistantKey } from '../text/credentials.ts';
import { guess, isLoopback, isPathId, parseUrl } from '../text/names.ts';
import { whyNoPath } from '../text/paths.ts';

/** From the text of an input to its value. What does not fit is a `Misfit`, which `attempt` catches. */
export type Parser<T> = (text: string) => T;

/** What a text must be that does not fit. */
export class Misfit extends Error {
  readonly ok = false;
  /** Completes "it must be …". */
  readonly allowed: string;
  /** What was most likely meant, to write instead. */
  readonly write: string | undefined;
  /** `write` is one entry of several. */
  readonly isEntry: boolean;

  constructor(allowed: string, write?: string, isEntry = false) {
    super(allowed);
    this.allowed = allowed;
    this.write = write;
    this.isEntry = isEntry;
  }
}

export function reject(allowed: string, write?: string): never {
  throw new Misfit(allowed, write);
}

export function attempt<T>(parser: Parser<T>, text: string): { readonly ok: true; readonly value: T } | Misfit {
  try {
    return { ok: true, value: parser(text) };
  } catch (error) {
    if (error instanceof Misfit) return error;
    throw error;
  }
}

export function fits(parser: Parser<unknown>, text: string): boolean {
  return attempt(parser, text).ok;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** `90s`, `30m`, `2h`, in milliseconds. Minutes are what a bare number means in a workflow (`timeout-minutes`). */
export const duration = durationIn('m');

/** `usual`: what a number without a unit most likely means. */
export function durationIn(usual: 'm' | 'h'): Parser<number> {
  return (text) => {
    const [, number, unit = ''] = /^(\d{1,6})\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|)$/i.exec(text) ?? [];
    const [, hours, minutes] = /^(\d{1,3})h ?(\d{1,3})m$/i.exec(text) ?? [];
    if (text.startsWith('-')) return reject('a duration without a sign', text.slice(1));
    if (hours !== undefined) return reject('a duration with one unit', `${Number(hours) * 60 + Number(minutes)}m`);
    const days = /^(\d{1,3})\s*(?:d|days?)$/i.exec(text)?.[1];
    if (days !== undefined) return reject('a duration in seconds, minutes or hours', `${Number(days) * 24}h`);
    if (number === undefined) return reject('a duration such as 90s, 30m or 2h');
    const letter = unit.charAt(0).toLowerCase() || usual;
    const meant = `${number}${letter}`;
    return text === meant ? Number(number) * (UNIT_MS[letter] ?? 0) : reject('a duration', meant);
  };
}

const UNIT_BYTES: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

/** `200MiB`, in bytes: 1 KiB to 4 GiB. */
export const size: Parser<number> = (text) => {
  const [, number, unit = ''] = /^(\d{1,9})(B|KiB|MiB|GiB)$/.exec(text) ?? [];
  const bytes = Number(number) * (UNIT_BYTES[unit] ?? Number.NaN);
  if (bytes >= 1024 && bytes <= 4 * 1024 ** 3) return bytes;
  const [, amount = '', letter = ''] = /^(\d{1,9})\s*([kmg]?)i?b?$/i.exec(text) ?? [];
  const meant = `${amount}${letter.toUpperCase() || 'M'}iB`;
  return reject('a size such as 200MiB, 1KiB to 4GiB', meant !== text && fits(size, meant) ? meant : undefined);
};

/** The YAML 1.2 core set, as the toolkit's getBooleanInput takes it. */
export const boolean: Parser<boolean> = (text) => {
  if (['true', 'True', 'TRUE'].includes(text)) return true;
  if (['false', 'False', 'FALSE'].includes(text)) return false;
  return reject('true or false', saysYes(text)?.toString());
};

/** What people write for true and false; undefined: something else. */
function saysYes(text: string): boolean | undefined {
  if (/^(true|yes|y|on|1)$/i.test(text)) return true;
  return /^(false|no|none|never|n|off|0)$/i.test(text) ? false : undefined;
}

/** A boolean, or `titles` for more than `true`. */
export const booleanOrTitles: Parser<boolean | 'titles'> = (text) => {
  if (text === 'titles') return text;
  return fits(boolean, text) ? boolean(text) : reject('true, false or titles', saysYes(text)?.toString());
};

/** Decimal digits only: no sign, exponent, hexadecimal or white space. */
export function integer({ min, max }: { min: number; max: number }): Parser<number> {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    const plain = text.replace(/(?<=\d)[,_' ](?=\d{3}(?!\d))/g, '').replace(/^(\d+) ?[a-z]+$/i, '$1');
    const isNumber = plain !== text && fits(integer({ min, max }), plain);
    return reject(`a whole number, ${min} to ${max}`, isNumber ? plain : undefined);
  };
}

/** `meant`: the value that other words most likely mean; `true` stands for each word that says yes. */
export function oneOf<const T extends string>(
  values: readonly T[],
  meant: Readonly<Partial<Record<string, NoInfer<T>>>> = {},
): Parser<T> {
  return (text) => {
    const value = values.find((candidate) => candidate === text);
    if (value !== undefined) return value;
    const several = text.split(/[,;\s]+/).filter((word) => values.some((one) => one === word));
    if (several.length > 1) return reject(`one of ${values.join(', ')}`, several.at(-1));
    const isYes = saysYes(text);
    const off = values.find((one) => one === 'off');
    const word = isYes === true ? 'true' : text.toLowerCase();
    const known = isYes === false ? off : meant[word];
    return reject(values.join(', '), known ?? guess(text, values));
  };
}

/** What can be added to the site of an export. */
export const ADDED_PARTS = ['search', 'stamp'] as const;
export type AddedPart = (typeof ADDED_PARTS)[number];

/** What GitHub, and Gitea in its own words, let a person do, from the least. */
export const PERMISSIONS = ['read', 'triage', 'write', 'maintain', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const text: Parser<string> = (value) => value;

/** `meant` gives what was most likely meant by a text that does not match; it counts only if it matches. */
export function matching(pattern: RegExp, allowed: string, meant = (value: string) => value): Parser<string> {
  return (value) => {
    if (pattern.test(value)) return value;
    const write = meant(value);
    return reject(allowed, pattern.test(write) ? write : undefined);
  };
}

/** One line without control characters, at most 255 characters. */
export const line = matching(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,255}$/u, 'one line of at most 255 characters');

function entries<T>(parser: Parser<T>, separator: RegExp, form: string): Parser<readonly T[]> {
  return (value) => {
    const parts = value.split(separator).map((part) => part.trim());
    return parts
      .filter((part) => part !== '')
      .map((part) => {
        const parsed = attempt(parser, part);
        if (parsed.ok) return parsed.value;
        throw new Misfit(`${form} ${parsed.allowed}`, parsed.write, parts.length > 1);
      });
  };
}

/** Entries between commas or line ends; if they are single words, blanks are enough. */
export function list<T>(parser: Parser<T>): Parser<readonly T[]> {
  const form = 'a list, each entry';
  const read = entries(parser, /[,\r\n]/, form);
  const readWords = entries(parser, /[,\s]/, form);
  return (value) => {
    const parsed = attempt(read, value);
    if (parsed.ok) return parsed.value;
    const words = attempt(readWords, value);
    if (words.ok) return words.value;
    throw parsed;
  };
}

/** One entry a line; a comma belongs to its entry. */
export function lines<T>(parser: Parser<T>): Parser<readonly T[]> {
  const read = entries(parser, /[\r\n]/, 'one entry a line, each');
  return (value) => {
    const parsed = attempt(read, value);
    if (parsed.ok) return parsed.value;
    // Several on one line, as in other programs.
    const words = value.split(/[\s,;]+/).filter((word) => word !== '');
    if (words.length > 1 && words.every((word) => fits(parser, word))) reject('one entry a line', words.join('\n'));
    throw parsed;
  };
}

/** A page of a site as the platform names it: `guides/getting-started`. */
export const pagePath: Parser<string> = (value) => {
  const parts = value.split('/');
  const isPath =
    /^[^\s\p{Cc}?#\\]{1,1000}$/u.test(value) && parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (isPath && !value.includes('://')) return value;
  const several = value.split(/[\s,;]+/).filter((word) => word !== '');
  if (several.length > 1 && several.every((word) => word.startsWith('/'))) {
    return reject('one page path a line, without a leading slash', several.map((word) => word.slice(1)).join('\n'));
  }
  const plain = value.replace(/^\/+|(?<!\/)\/+$/g, '');
  const write = plain !== value && !/\s|:\/\//.test(plain) && plain !== '' ? plain : undefined;
  return reject('a page path without a leading slash, such as guides/getting-started', write);
};

/** A file of a repository, from its root. It is taken as it is: no shell replaces a part of it. */
export const repositoryPath: Parser<string> = (value) => {
  const isPath = /^(?!.*(^|\/)(\.{0,2})(\/|$))[^\p{Cc}\\]{1,500}$/u.test(value) && whyNoPath(value) === undefined;
  return isPath
    ? value
    : reject('a path from the root of the repository, without quotes and variables, such as .github/docs-agent.md');
};

/** The id of a project. A host name would be one too, and belongs in `domain`. */
export const projectId: Parser<string> = (value) => {
  if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|app|ai|co|cloud|example|test|[a-z]{2})$/i.test(value)) {
    return reject('the id of a project, from the API keys page of the dashboard; a host name belongs in domain');
  }
  return pathId(value);
};

/** An id that goes into a path of the platform. */
export const pathId: Parser<string> = (value) =>
  isPathId(value)
    ? value
    : reject('an id of 1 to 128 letters, digits, dots, underscores, tildes or hyphens', lastPart(value));

/** The id at the end of an address that was copied from the browser. */
function lastPart(value: string): string | undefined {
  const id = /^https?:\/\/[^/?#]+\/(?:[^?#]*\/)?([^/?#]+)\/?(?:[?#].*)?$/.exec(value)?.[1];
  return id !== undefined && isPathId(id) ? id : undefined;
}

/** The beginning of a host of people, not of the API. */
const DASHBOARD = /^(dashboard|app|admin|console)\./;

/** An http or https address without user name and password. `form` and `withoutLogin` complete "it must be …". */
export function webAddress(
  value: string,
  form: string,
  withoutLogin = 'an address without user name and password',
): URL {
  const url = /^https?:\/\/[^\s\\]+$/i.test(value) ? parseUrl(value) : undefined;
  if (url === undefined) {
    const isBare = /^[\w-]+(\.[\w-]+)+(:\d{1,5})?(\/[\w./-]*)?$/.test(value);
    return reject(form, isBare ? `https://${value}` : undefined);
  }
  return url.username === '' && url.password === '' ? url : reject(withoutLogin);
}

export function isPlainHttp({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !isLoopback(hostname);
}

/** https with a host, or http to a loopback host; a path prefix stays, a trailing slash goes. `excess` is what people copy with it. */
export function serverAddress(example: string, excess: RegExp): Parser<string> {
  return (value) => {
    const url = webAddress(value, `an https address such as ${example}`);
    const bare = value.replace(/[?#].*$/s, '');
    if (bare !== value) return reject('an address without query and fragment', bare);
    const found = excess.exec(url.pathname)?.[0];
    if (found !== undefined) {
      const write = value.slice(0, value.lastIndexOf(found));
      return reject(`the address that all paths of the API begin with; leave out ${found}`, write);
    }
    return isPlainHttp(url) ? reject(HTTPS_ONLY, `https${value.slice(4)}`) : url.href.replace(/(?<!\/)\/+$/, '');
  };
}

const HTTPS_ONLY = 'https (http is for a loopback host only)';

/** The base address of the platform. */
export const baseUrl: Parser<string> = (value) => {
  const url = serverAddress('https://api.docs.example.com', /\/(v\d+|discovery)(\/.*)?$/s)(value);
  if (!DASHBOARD.test(new URL(url).hostname)) return url;
  return reject("the address of the API, not of the dashboard; the dashboard's API keys page shows it");
};

const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

// What the user most likely meant: the host of an address, without port, path and white space.
function suggestHost(value: string): string | undefined {
  const bare = value
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/^[^@/]*@/, '')
    .replace(/[/?#:\s].*$/s, '');
  if (NO_HOST_CHARACTER.test(bare)) return undefined;
  const host = domainToASCII(bare).replace(/\.$/, '');
  return HOST.test(host) && !/^[\d.]+$/.test(host) ? host : undefined;
}

// Letters and digits of any script, and the dots of East Asian ones. IDNA takes others too, or drops them.
const NO_HOST_CHARACTER = /[^\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61]/u;

/** The GitHub App of the platform, and one of its sites in this repository. */
export interface Publisher {
  readonly slug: string;
  /** undefined: the App has one site there. */
  readonly environment?: string | undefined;
}

/** Reads `SLUG/ENVIRONMENT` or `SLUG`. The name of an environment may have slashes. */
export function publisherOf(text: string): Publisher {
  const slash = text.indexOf('/');
  return slash < 0 ? { slug: text } : { slug: text.slice(0, slash), environment: text.slice(slash + 1) };
}

/** Of a GitHub App, with an environment or without. `github-actions` is refused: every workflow acts as that one. */
export const publisher: Parser<string> = (text) => {
  const { slug: app, environment } = publisherOf(text);
  if (app === 'github-actions') {
    return reject("the slug of the platform's GitHub App; every workflow acts as github-actions, so it shows nothing");
  }
  const slug = /^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/;
  if (slug.test(app)) {
    if (environment === undefined || /^[^\p{Cc}]{1,255}$/u.test(environment)) return text;
    return reject('SLUG/ENVIRONMENT, such as acme-docs/production');
  }
  const meant = text
    .toLowerCase()
    .replace(/^https:\/\/github\.com\/apps\/|^@/, '')
    .replace(/\[bot\]$/, '')
    .replace(/\s+/g, '-');
  const what = 'the slug of a GitHub App, the last part of its address';
  return slug.test(meant) && meant !== 'github-actions' ? reject(what, meant) : reject(`${what}, such as acme-docs`);
};

/** A host name; capitals and Unicode are brought to the ASCII form (IDNA). */
export const hostName: Parser<string> = (value) => {
  const wrong = NO_HOST_CHARACTER.exec(value)?.[0];
  const host = wrong === undefined ? domainToASCII(value) : '';
  // `12345` is an address too, which IDNA writes with four numbers.
  if (/^[\d.]+$/.test(host)) return reject('a host name such as docs.example.com, not an IP address');
  if (HOST.test(host)) return host;
  if (/^(?:proj|project|prj)[-_]\w+$/i.test(value)) {
    return reject('a host name such as docs.example.com; the id of a project belongs in project-id, without domain');
  }
  if (/^[^\s,.]+\.[^\s,]+(?:,\s*|\s+)[^\s,.]+\./.test(value)) {
    return reject('the host name of one site; write several under sites in docs-courier.yml, each with its own name');
  }
  // A title in several words is not an address.
  const isAddress = wrong === undefined || (/^[\s/:?#@%\\]$/.test(wrong) && !/^\S+\s+\S+$/.test(value));
  const suggestion = isAddress ? suggestHost(value) : undefined;
  if (suggestion !== undefined) return reject('a host name', suggestion);
  return reject(`a host name such as docs.example.com${wrong === undefined ? '' : `, without ${nameOf(wrong)}`}`);
};

/** Such as `“ (U+201C)`; one that cannot be seen by its number alone. */
function nameOf(character: string): string {
  if (character === ' ') return 'spaces';
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return /[\p{C}\p{Z}]/u.test(character) ? code : `${character} (${code})`;
}

/** The identifier that search wants: the last segment of an address of the dashboard, and the leading label of the hosted site. */
export const siteId: Parser<string> = (value) => {
  if (isPathId(value) && !value.includes('.')) return value;
  const [label = '', ...rest] = suggestHost(value)?.split('.') ?? [];
  const isDashboard = rest.length > 0 && DASHBOARD.test(`${label}.`);
  const path = /^(?:[a-z]+:\/\/)?[^/?#]+([^?#]*)/i.exec(value)?.[1]?.split('/').findLast(Boolean);
  const id = isDashboard ? path : label;
  const isId = id !== undefined && isPathId(id) && !id.includes('.');
  // The first label of such a host says nothing about the site.
  const meant = isId && !/^(?:docs?|www|help|support|developers?|dev|api|learn|kb)$/.test(id) ? id : undefined;
  const where = "the site's identifier without a dot, the last part of its address in the dashboard";
  return reject(`${where}${meant === undefined ? ', such as acme' : ''}`, meant);
};

/** `owner/name`. GitHub's own rules for both halves. */
export const repository = matching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/, 'owner/name');

export const login = matching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, 'the login of an account');

export const botLogin = matching(
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?$/,
  'the login of a bot, such as my-app[bot]',
);

/** A repository for an organization secret: its id, its name, or `owner/name`. */
export const repositoryOrId = matching(
  /^(\d{1,15}|([A-Za-z0-9][A-Za-z0-9_-]{0,99}\/)?(?!\.{1,2}$)[A-Za-z0-9._-]{1,100})$/,
  'a repository name or id',
);

/** The word that a comment starts with. Printable ASCII, so that nothing that only looks like it can be one. */
export const commandWord = matching(
  /^[!-~]{2,50}$/,
  'one word of 2 to 50 printable ASCII characters, such as /docs-agent',
);

/** An absolute path; a relative one is taken from the workspace. Whether it may be used is checked where it is. */
export function pathBelow(workspace: string): Parser<string> {
  return (value) => {
    if (value.includes('\0')) return reject('a path');
    const no = whyNoPath(value);
    if (no !== undefined) return reject(no.why, no.write);
    return /^https?:\/\//i.test(value) ? reject('a path, not an address') : resolve(workspace, value);
  };
}

/** The address of a page in the site, or a pattern of such: `/guide/start`, `/api/*`, `/guide/**`. */
export const pageAddress: Parser<string> = (value) => {
  const isAddress = /^\/[^\s\p{Cc}?#\\]{0,999}$/u.test(value) && !/(^|\/)\.{1,2}(\/|$)|\/\//.test(value);
  if (isAddress) return value;
  const write = /^[^\s/:?#][^\s:?#]*$/.test(value) ? `/${value}` : undefined;
  return reject('the address of a page in the site, such as /guide/start or /guide/**', write);
};

export const SHORTEST_KEY = 8;

const SCHEME = /^(?:authorization:\s*)?(?:bearer|token|basic)\s+/i;
// A name in capitals, and enough after the sign: base64 ends with `=` too.
const ASSIGNMENT = /^(?:(?:export|set)\s+\w+|[A-Z][A-Z0-9_]*|(?:api[-_])?key)=(?=[^=].{6})/;

/** What was copied together with a key, without the key: the scheme of a header, the assignment of a shell, quotes. */
function copiedExcess(value: string): string | undefined {
  const before = (SCHEME.exec(value) ?? ASSIGNMENT.exec(value))?.[0] ?? '';
  const isQuoted = /^["'`]/.test(value.slice(before.length)) || /["'`]$/.test(value);
  const parts = [before === '' ? undefined : `"${before}"`, isQuoted ? 'the quotes' : undefined];
  const excess = parts.filter((part) => part !== undefined).join(' and ');
  return excess === '' ? undefined : excess;
}

const PLACEHOLDER =
  /^(<.*>|\[.*\]|\*+|\.{3}|…|(?:[a-z]+_)*x{3,}|(your|insert|enter|replace|change|paste)[-_ ].*|(admin[-_]|assistant[-_])?api[-_]key|changeme|todo|tbd|none|null|undefined)$/is;
const KEY_IN_BASE64 = /^([A-Za-z0-9]+_[\w.-]{8,}|hv[sbr]\.\S+)\s*$/;

/** What stands where a key belongs and was not replaced by it. */
const STAND_INS: readonly (readonly [RegExp, string])[] = [
  [
    /^(\$\{?\w+\}?|%\w+%|\$env:\w+|\$\(.*\))$/s,
    'this is the name of a variable, which was not replaced by its value: it is not set here, or stands in single quotes',
  ],
  [/^(?:(?!\{\{).)*\{\{.*\}\}/s, 'this is an expression, which was not replaced by its value'],
  [PLACEHOLDER, 'this is a placeholder from an example'],
  [/^op:\/\//, 'this is a reference (op://): start the program with op run --'],
  [/^[[{].*[\]}]$/s, 'this is JSON: give the text of the key in it alone'],
  [/^(?:\.{3}|…)|(?:\.{3}|…)$/, 'this one is cut short: copy all of it'],
  [/\*{4}/, 'this one is masked with asterisks: copy the key itself'],
  [/^[a-z][a-z0-9+.-]*:\/\//i, 'this is an address'],
  [
    /^(~|\.{1,2}|[A-Za-z]:)?([/\\][\w.@ -]+){2,}$/,
    'this is the path of a file, such as a variable of the type File in GitLab has',
  ],
  [
    /^-----BEGIN [A-Z ]*PRIVATE KEY-----/,
    'this is a private key: make a token with it, as actions/create-github-app-token does',
  ],
];

/** Refuses what cannot be a key, in words that repeat nothing of it. `wanted` completes "it must be …". */
function refuseStandIn(value: string, wanted: string): void {
  const excess = copiedExcess(value);
  if (excess !== undefined) reject(`${wanted} alone; leave out ${excess}`);
  const [, other] = STAND_INS.find(([pattern]) => pattern.test(value)) ?? [];
  if (other !== undefined) reject(`${wanted}; ${other}`);
  const isBase64 = /^[A-Za-z0-9+/]{12,}={0,2}$/.test(value);
  if (isBase64 && KEY_IN_BASE64.test(Buffer.from(value, 'base64').toString('latin1'))) {
    reject(`${wanted}; this is a key in base64: decode it, as base64 -d does`);
  }
}

/** An API key of the wanted kind. */
export function apiKey(kind: 'admin' | 'assistant'): Parser<string> {
  const wanted = kind === 'admin' ? 'an admin API key' : 'an assistant API key (its second word is dsc)';
  const other =
    kind === 'admin'
      ? 'an assistant key, which may not start jobs'
      : 'not: an admin key must not be sent where a search key is';
  return (value) => {
    refuseStandIn(value, wanted);
    if (!/^[!-~]+$/.test(value)) return reject(`${wanted}: one line of printable ASCII characters`);
    if (value.length < SHORTEST_KEY) return reject(`${wanted}: at least ${SHORTEST_KEY} characters; copy all of it`);
    const foreign = credentialKind(value);
    if (foreign !== undefined) return reject(`${wanted}; this one looks like ${foreign}`);
    return isAssistantKey(value) === (kind === 'assistant') ? value : reject(`${wanted}; this one is ${other}`);
  };
}

/** A token of any service: opaque, but one line that a header can carry. */
export function token(shortest: number): Parser<string> {
  return (value) => {
    refuseStandIn(value, 'a token');
    if (/^[!-~]{1,4096}$/.test(value) && value.length >= shortest) return value;
    return reject(`a token: one line of at least ${shortest} printable ASCII characters`);
  };
}

export const apiToken = token(SHORTEST_KEY);
