import { percentDecoded } from '../ground/text/names.ts';
import { attempt, reject, serverAddress } from '../values/values.ts';

// What addresses of several kinds have in common.

/** An address without the name of its kind, taken apart. */
export interface Parts {
  readonly path: string;
  /** The parts of `path` between slashes, decoded; an empty list if a part is empty or wrong. */
  readonly parts: readonly string[];
  readonly query: Query;
  /** The text after `#`, decoded; undefined: there is none, or it is wrong. */
  readonly key: string | undefined;
}

export type Query = Readonly<Partial<Record<QueryName, string>>>;
export type QueryName =
  | 'server'
  | 'environment'
  | 'region'
  | 'context'
  | 'visibility'
  | 'repositories';

/**
 * A server other than that of the run, without a trailing slash; undefined: the server of the run.
 */
export interface OnServer {
  readonly server?: string | undefined;
}

/**
 * The part, percent-decoded. undefined: it cannot be decoded, is empty, `.` or `..`, or has a
 * control character or line separator, with which it could lead to another destination.
 */
export function decodePart(part: string): string | undefined {
  const text = percentDecoded(part) ?? '';
  const isEmptyOrDots = /^\.{0,2}$/.test(text);
  if (isEmptyOrDots || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return undefined;
  return text;
}

/**
 * The values as a query, such as `?server=https://gitlab.example.com`; empty if none is given. The
 * same values always give the same text, which is compared with that of another address.
 */
export function formatQuery(values: Readonly<Record<string, string | undefined>>): string {
  let query = '';
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    // An address of a server is easier to read with its colon and slashes.
    const text = encodeURIComponent(value).replace(/%(3A|2F)/g, decodeURIComponent);
    query += `${query === '' ? '?' : '&'}${name}=${text}`;
  }
  return query;
}

/**
 * The server that a query names, without a trailing slash. `example` is the address of such a
 * server.
 */
export function readServer(query: Query, example: string): string | undefined {
  if (query.server === undefined) return undefined;
  // An address that ends like that of the API is refused: the stores add `/api/v4` themselves.
  const apiPath = /\/api\/v\d+\/*$/;
  const parsed = attempt(serverAddress(example, apiPath), query.server);
  if (parsed.ok) return parsed.value;
  const mustBe = parsed.allowed;
  return reject(`an address whose ?server= is ${mustBe}`);
}

/**
 * GitHub's rules for the names of secrets and variables:
 * https://docs.github.com/actions/reference/security/secrets.
 */
export function isSettingName(name: string): boolean {
  return /^[A-Z_][A-Z0-9_]{0,199}$/.test(name) && !name.startsWith('GITHUB_');
}

/** Completes "an address whose …". */
export const NAME_RULE =
  'NAME has capital letters, digits and underscores, and begins with neither a digit nor GITHUB_';
