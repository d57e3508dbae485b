import { resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import { credentialKind, isAssistantKey } from '../ground/text/credentials.ts';
import { didYouMean, isLoopback, isPathId, parseUrl, withoutSlash } from '../ground/text/names.ts';
import { whyNoPath, whyNotInContainer } from '../ground/text/paths.ts';

/**
 * Gives the value for the text of an input. For a text that does not fit, it throws a `Misfit`,
 * which `attempt` catches.
 */
export type Parser<T> = (text: string) => T;

/** Says what a text must be that does not fit. */
export class Misfit extends Error {
  readonly ok = false;
  /** Completes "it must be …". */
  readonly allowed: string;
  /** The same value in a form that fits, if that is certain. */
  readonly instead: string | undefined;

  constructor(allowed: string, instead?: string) {
    super(allowed);
    this.allowed = allowed;
    this.instead = instead;
  }
}

/** Throws a `Misfit`. `allowed` completes "it must be …"; `instead` as there. */
export function reject(allowed: string, instead?: string): never {
  throw new Misfit(allowed, instead);
}

/** The value of a text, or the `Misfit`. */
export function attempt<T>(
  parser: Parser<T>,
  text: string,
): { readonly ok: true; readonly value: T } | Misfit {
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

/** `90s`, `30m`, `2h`, in milliseconds. */
export const duration: Parser<number> = (text) => {
  if (!/^\d{1,6}[smh]$/.test(text)) return reject('a duration such as 90s, 30m or 2h');
  return Number.parseInt(text, 10) * (UNIT_MS[text.slice(-1)] ?? 0);
};

const UNIT_BYTES: Readonly<Record<string, number>> = {
  B: 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** `200MiB`, in bytes: 1 KiB to 4 GiB. */
export const size: Parser<number> = (text) => {
  const [, number, unit = ''] = /^(\d{1,9})(B|KiB|MiB|GiB)$/.exec(text) ?? [];
  // Not a number, and so in no range, if the text has another form.
  const bytes = Number(number) * (UNIT_BYTES[unit] ?? 0);
  if (bytes >= 1024 && bytes <= 4 * 1024 ** 3) return bytes;
  return reject('a size such as 200MiB, 1KiB to 4GiB');
};

/** The YAML 1.2 core set, as the toolkit's getBooleanInput takes it. */
export const boolean: Parser<boolean> = (text) => {
  if (['true', 'True', 'TRUE'].includes(text)) return true;
  if (['false', 'False', 'FALSE'].includes(text)) return false;
  return reject('true or false');
};

/** A boolean, or `titles` for more than `true`. */
export const booleanOrTitles: Parser<boolean | 'titles'> = (text) => {
  if (text === 'titles') return text;
  if (fits(boolean, text)) return boolean(text);
  return reject('true, false or titles');
};

/** Decimal digits only: no sign, exponent, hexadecimal or white space. */
export function integer(min: number, max: number): Parser<number> {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,10}$/.test(text) && value >= min && value <= max) return value;
    return reject(`a whole number, ${min} to ${max}`);
  };
}

export function oneOf<const T extends string>(values: readonly T[]): Parser<T> {
  return (text) => {
    const value = values.find((candidate) => candidate === text);
    return value ?? reject(`${values.join(', ')}${didYouMean(text, values)}`);
  };
}

/** What can be added to the site of an export. */
export const ADDED_PARTS = ['search', 'stamp', 'manifest'] as const;
export type AddedPart = (typeof ADDED_PARTS)[number];

/** What GitHub lets a person do, from the least. */
export const PERMISSIONS = ['read', 'triage', 'write', 'maintain', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const text: Parser<string> = (value) => value;

/** Takes the texts that fit. */
export function textThat(isFit: (value: string) => boolean, allowed: string): Parser<string> {
  return (value) => {
    if (isFit(value)) return value;
    return reject(allowed);
  };
}

export function matching(pattern: RegExp, allowed: string): Parser<string> {
  return textThat((value) => pattern.test(value), allowed);
}

/** One line without control characters, at most 255 characters. */
export const line = matching(
  /^[^\p{Cc}\p{Zl}\p{Zp}]{1,255}$/u,
  'one line of at most 255 characters',
);

/** A parser of entries between separators, without empty ones. `form` begins "it must be …". */
function entries<T>(parser: Parser<T>, separator: RegExp, form: string): Parser<readonly T[]> {
  return (value) => {
    const parts = value.split(separator).map((part) => part.trim());
    return parts.filter(Boolean).map((part) => {
      const parsed = attempt(parser, part);
      if (parsed.ok) return parsed.value;
      return reject(`${form} ${parsed.allowed}`);
    });
  };
}

/**
 * Entries between commas or line ends. If one of them does not fit, spaces separate entries too.
 */
export function list<T>(parser: Parser<T>): Parser<readonly T[]> {
  const form = 'a list, each entry';
  const read = entries(parser, /[,\r\n]/, form);
  const readWords = entries(parser, /[,\s]/, form);
  return (value) => {
    const parsed = attempt(read, value);
    if (parsed.ok) return parsed.value;
    const words = attempt(readWords, value);
    if (words.ok) return words.value;
    // The fault of the usual form: that entries are words was only tried.
    throw parsed;
  };
}

/** One entry a line; a comma belongs to its entry. */
export function lines<T>(parser: Parser<T>): Parser<readonly T[]> {
  return entries(parser, /[\r\n]/, 'one entry a line, each');
}

/** A page of a site as the platform names it: `guides/getting-started`. */
export const pagePath = textThat((value) => {
  const isPath = /^[^\s\p{Cc}?#\\]{1,1000}$/u.test(value) && !value.includes('://');
  return isPath && value.split('/').every((part) => !['', '.', '..'].includes(part));
}, 'a page path without a leading slash, such as guides/getting-started');

/** The path of a file from the root of a repository. No shell replaces variables in it. */
export const repositoryPath = textThat(
  // No part of it is empty, `.` or `..`.
  (value) =>
    /^(?!.*(^|\/)(\.{0,2})(\/|$))[^\p{Cc}\\]{1,500}$/u.test(value) &&
    whyNoPath(value) === undefined,
  'a path from the root of the repository, without quotes and variables, such as .github/docs-agent.md',
);

/** A branch as git allows it: https://git-scm.com/docs/git-check-ref-format. */
export const branch = matching(
  /^(?!refs\/|[-/.])(?!.*(?:\.\.|\/[/.]|@\{|[/.]$))[^\s\p{Cc}~^:?*[\\]{1,255}$/u,
  'the name of a branch such as docs/new-page, without refs/heads/',
);

/** An id that goes into a path of the platform. */
export const pathId = textThat(
  isPathId,
  'an id of 1 to 128 letters, digits, dots, underscores, tildes or hyphens',
);

/**
 * An http or https address without user name and password. `form` and `withoutLogin` complete "it
 * must be …".
 */
export function webAddress(
  value: string,
  form: string,
  withoutLogin = 'an address without user name and password',
): URL {
  const url = /^https?:\/\/[^\s\\]+$/i.test(value) ? parseUrl(value) : undefined;
  if (url === undefined) return reject(form);
  if (url.username !== '' || url.password !== '') return reject(withoutLogin);
  return url;
}

export function isPlainHttp(url: URL): boolean {
  return url.protocol === 'http:' && !isLoopback(url.hostname);
}

/**
 * https with a host, or http to a loopback host; a path prefix stays, trailing slashes are removed.
 * `excess`: paths that people copy together with the address, which are refused.
 */
export function serverAddress(example: string, excess: RegExp): Parser<string> {
  return (value) => {
    const url = webAddress(value, `an https address such as ${example}`);
    if (/[?#]/.test(value)) return reject('an address without query and fragment');
    const excessPath = excess.exec(url.pathname)?.[0];
    if (excessPath !== undefined)
      return reject(`the address that all paths of the API begin with, without ${excessPath}`);
    if (isPlainHttp(url)) return reject('https (http is for a loopback host only)');
    return withoutSlash(url.href);
  };
}

/** The base address of the platform. */
export const baseUrl = serverAddress('https://api.docs.example.com', /\/(v\d+|discovery)(\/.*)?$/s);

const HOST =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

// Anything but letters and digits of any script, hyphens, and dots, East Asian ones among them.
// IDNA would accept some of these characters, and drop others.
const NO_HOST_CHARACTER = /[^\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61]/u;

/**
 * The GitHub App of the platform, and one of its sites in this repository: reads
 * `SLUG/ENVIRONMENT`, or `SLUG` if the App has one site there. The name of an environment may have
 * slashes.
 */
export function publisherOf(text: string) {
  const [, slug = '', environment] = /^([^/]*)(?:\/(.*))?$/s.exec(text) ?? [];
  return { slug, environment } as const;
}

/**
 * The slug of a GitHub App, with an environment or without. `github-actions` is refused, since
 * every workflow acts as that App.
 */
export const publisher: Parser<string> = (text) => {
  const { slug, environment } = publisherOf(text);
  if (slug === 'github-actions') {
    return reject(
      "the slug of the platform's GitHub App; every workflow acts as github-actions, so it shows nothing",
    );
  }
  if (!/^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/.test(slug))
    return reject('the slug of a GitHub App, the last part of its address, such as acme-docs');
  if (environment === undefined || /^[^\p{Cc}]{1,255}$/u.test(environment)) return text;
  return reject('SLUG/ENVIRONMENT, such as acme-docs/production');
};

/** A host name; capitals and Unicode are brought to the ASCII form (IDNA). */
export const hostName: Parser<string> = (value) => {
  const example = 'a host name such as docs.example.com';
  const [, protocol] = /^(https?:\/\/)/i.exec(value) ?? [];
  if (protocol !== undefined)
    return reject(`${example}, without ${protocol} and a path`, parseUrl(value)?.hostname);
  const wrong = NO_HOST_CHARACTER.exec(value)?.[0];
  if (wrong !== undefined) return reject(`${example}, without ${nameOf(wrong)}`);
  const host = domainToASCII(value);
  // `12345` is an address too, which IDNA writes with four numbers.
  if (/^[\d.]+$/.test(host)) return reject(`${example}, not an IP address`);
  if (HOST.test(host)) return host;
  return reject(example);
};

/** A character in words, such as `“ (U+201C)`; only the number of one that cannot be seen. */
function nameOf(character: string): string {
  if (character === ' ') return 'spaces';
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (/[\p{C}\p{Z}]/u.test(character)) return `the invisible character ${code}`;
  return `${character} (${code})`;
}

/**
 * The identifier that search wants: the last segment of an address of the dashboard, and the
 * leading label of the hosted site.
 */
export const siteId = textThat(
  (value) => isPathId(value) && !value.includes('.'),
  "the site's identifier without a dot, the last part of its address in the dashboard, such as acme",
);

/** `owner/name`. GitHub's own rules for both halves. */
export const repository = matching(
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/,
  'owner/name',
);

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

/**
 * The word with which a command in a comment begins. Printable ASCII: no other word may look the
 * same.
 */
export const commandWord = matching(
  /^[!-~]{2,50}$/,
  'one word of 2 to 50 printable ASCII characters, such as /docs-agent',
);

/**
 * Gives an absolute path; a relative path starts at the workspace. Whether the run may use the path
 * is checked when it is used.
 */
export function pathBelow(workspace: string): Parser<string> {
  return (value) => {
    if (/\p{Cc}/u.test(value)) return reject('one path, without control characters');
    // In a container, a path of the machine around it would name another folder.
    const mustBe = whyNoPath(value) ?? whyNotInContainer(value, workspace);
    if (mustBe !== undefined) return reject(mustBe);
    return resolve(workspace, value);
  };
}

/**
 * The address of a page in the site, or a pattern of addresses: `/guide/start`, `/api/*`,
 * `/guide/**`.
 */
export const pageAddress = textThat((value) => {
  const isPath = /^\/[^\s\p{Cc}?#\\]{0,999}$/u.test(value);
  return isPath && !/(^|\/)\.{1,2}(\/|$)|\/\//.test(value);
}, 'the address of a page in the site, such as /guide/start or /guide/**');

export const SHORTEST_KEY = 8;

// No key contains quotes, or the signs of variables and expressions (`$`, `{`), of placeholders
// (`<`) and of masked texts (`*`).
const KEY = /^[!-~]{1,4096}$/;
const NO_KEY = /["'`$*<>{}\\]/;
const KEY_RULE =
  'one line of printable ASCII characters, without spaces, quotes and $ * < > { } \\';

const BEARER = /^Bearer\s/i;
const WITHOUT_BEARER = 'without the word Bearer, which each request adds';

/** An API key of the wanted kind. */
export function apiKey(kind: 'admin' | 'assistant'): Parser<string> {
  const { wanted, other } = KEY_TEXTS[kind];
  return (value) => {
    if (BEARER.test(value)) return reject(`${wanted}, ${WITHOUT_BEARER}`);
    if (!KEY.test(value) || NO_KEY.test(value)) return reject(`${wanted}: ${KEY_RULE}`);
    if (value.length < SHORTEST_KEY)
      return reject(`${wanted}: at least ${SHORTEST_KEY} characters; copy all of it`);
    const foreign = credentialKind(value);
    if (foreign !== undefined) return reject(`${wanted}; this one looks like ${foreign}`);
    const kindOfKey = isAssistantKey(value) ? 'assistant' : 'admin';
    if (kindOfKey === kind) return value;
    return reject(`${wanted}; this one is ${other}`);
  };
}

const KEY_TEXTS = {
  admin: { wanted: 'an admin API key', other: 'an assistant key, which may not start jobs' },
  assistant: {
    wanted: 'an assistant API key (its second word is dsc)',
    other: 'not: an admin key must not be sent where a search key is',
  },
} as const;

/** A token of any service: one line that can be sent in a header. Its form is not checked. */
export function token(shortest: number): Parser<string> {
  return (value) => {
    if (BEARER.test(value)) return reject(`a token, ${WITHOUT_BEARER}`);
    if (KEY.test(value) && !NO_KEY.test(value) && value.length >= shortest) return value;
    return reject(`a token of at least ${shortest} characters: ${KEY_RULE}`);
  };
}

export const apiToken = token(SHORTEST_KEY);
