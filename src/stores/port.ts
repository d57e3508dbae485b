import { createHash } from 'node:crypto';
import { CourierError, type Hint, hasCode } from '../errors.ts';
import { isBundleLink } from '../platform/link.ts';
import { countOf } from '../text/amounts.ts';
import { parseJson } from '../text/json.ts';

/**
 * Where the bundle link goes. Each kind of store has a folder next to this file, loaded only when
 * an address names it.
 */

/**
 * What a store shows of the link that it contains. A store that can read neither field gives an
 * empty object.
 */
interface StoredLink {
  /** When the link was last written, epoch milliseconds, by the store's own clock. */
  readonly writtenAtMs?: number | undefined;
  /**
   * `linkDigest` of the link, in stores that can read it back. The link itself stays inside the
   * store.
   */
  readonly digest?: string | undefined;
  /**
   * The store's name of this version of the link, in stores that keep previous versions to return
   * to.
   */
  readonly version?: string | undefined;
}

/** What a store contained for the link when it was read. */
export interface LinkContent {
  /** undefined: there is no link yet. */
  readonly link: StoredLink | undefined;
  /**
   * What is there other than a link: its kind, such as `text of 3 lines`, never the value.
   * `UNSEEN`: the store does not show it.
   */
  readonly content?: string | undefined;
}

/** What a store contained when it was read. */
export interface Snapshot extends LinkContent {
  /**
   * If the key of the link is new in an object with keys: the other keys, as far as they are not
   * ours.
   */
  readonly otherKeys?: readonly string[] | undefined;
  /** The text of the state next to the link, not yet verified; undefined: there is none. */
  readonly state: string | undefined;
  /**
   * When the state was last written, epoch milliseconds, by the same clock as `link.writtenAtMs`.
   */
  readonly stateWrittenAtMs?: number | undefined;
  /**
   * The store's own version of what it contains: what a guarded write compares. undefined: the
   * store has none.
   */
  readonly version?: string | undefined;
  /**
   * Set if the credentials reach the link and not the state: `state` is then undefined. The caller
   * decides whether the run can do without.
   */
  readonly stateError?: CourierError | undefined;
}

/**
 * What one check found. `fix` is what to do about it. `unknown`: it cannot be known without
 * writing.
 */
export interface CheckResult {
  readonly what: string;
  readonly outcome: 'ok' | 'warning' | 'error' | 'unknown';
  readonly detail?: string | undefined;
  readonly fix?: string | Hint | undefined;
}

/** What a kind of store is able to do. The way of writing follows from it. */
export interface StoreAbilities {
  /**
   * How two runs are kept apart. `versions`: link and state go into one write, which is refused if
   * anything has changed since it was read. `claims`: `claims` creates each of them only once.
   * `none`: neither.
   */
  readonly guard: 'versions' | 'claims' | 'none';
  /** What the store shows of the link: its digest, the date of its last change, or nothing. */
  readonly shows: 'value' | 'date' | 'nothing';
  /**
   * Contains an image by its reference instead of a link. Others may read the state: it names no
   * person.
   */
  readonly keepsImage?: boolean | undefined;
  /**
   * The longest state that the store takes; the history in the state is cut to it. undefined:
   * longer than any history.
   */
  readonly maxStateBytes?: number | undefined;
}

/**
 * Small texts next to the state, each with a number, that only one run can create. Every method
 * throws a CourierError, and only that; the transport repeats none of the calls that create.
 */
export interface Claims {
  /**
   * False: a claim with this number exists. An error with `mayHaveStarted`: it may have been
   * created, now or later.
   */
  create(number: number, text: string, signal?: AbortSignal): Promise<boolean>;
  /**
   * undefined: there is none. `writtenAtMs`: when it was created, epoch milliseconds, in stores that
   * show the date of the link: by the same clock.
   */
  read(
    number: number,
    signal?: AbortSignal,
  ): Promise<{ readonly text: string; readonly writtenAtMs?: number | undefined } | undefined>;
  /** The numbers above this one, in ascending order, as far as the store can list them. */
  list(above: number, signal?: AbortSignal): Promise<readonly number[]>;
  /** Removes it, if it exists. */
  remove(number: number, signal?: AbortSignal): Promise<void>;
}

/**
 * One change. A part that is absent stays as it is. Only a store with versions is given both parts
 * at once.
 */
export interface StoreChange {
  readonly link?: string | undefined;
  readonly state?: string | undefined;
}

/** The link, or the state next to it. */
export type Part = 'link' | 'state';
export type PartNames = Readonly<Record<Part, string>>;

/** How a destination is called. */
export interface StoreNames {
  /** The canonical address, such as `github:secret/NAME`. */
  readonly destination: string;
  /** Such as `NAME`, and `repository acme/docs`: for a table. */
  readonly name: string;
  readonly target: string;
  /** Such as `secret NAME of repository acme/docs`: for a sentence. */
  readonly link: string;
  /** Such as `variable NAME_STATE of repository acme/docs`. */
  readonly state: string;
  /**
   * The permission or the right that writing the state needs, such as `repository permission
   * "Variables: Read and write"`.
   */
  readonly stateRight: string;
}

/** What a run needs a destination for: `read` asks for no right to write. */
export type StoreUse = 'read' | 'write';

/**
 * One destination for a link, and for the state next to it. Every method throws a CourierError, and
 * only that; no message of it contains the link.
 */
export interface LinkStore {
  readonly names: StoreNames;
  /**
   * What the signature of the state is bound to: the resolved address with host and owner, such as
   * `github://github.com/repo/acme/docs/NAME`; in lower case if the store ignores case. Never
   * changes for a destination. Some stores know it only after `preflight`.
   */
  readonly signedAddress: string;
  readonly can: StoreAbilities;
  /** With `guard: claims` only. */
  readonly claims?: Claims | undefined;
  /**
   * Checks, once in a run and before anything else, that address, credentials and rights are good
   * for a write, as far as that shows without one. Throws what would make the write fail; gives
   * what else there is to know. Writes nothing. With `use: read` only what reading needs is
   * checked.
   */
  preflight(use?: StoreUse): Promise<readonly CheckResult[]>;
  /**
   * What is there now. If `seen` is given, only `part` must be read, the state if it is not given:
   * the other part may be that of `seen`, if it costs another request. `signal`: see `write`;
   * stores with claims use it.
   */
  read(seen?: Snapshot, part?: Part, signal?: AbortSignal): Promise<Snapshot>;
  /**
   * Writes, confirms, and gives what is there now. `conflict` when the store has versions and what
   * was seen is stale. An error with `mayHaveStarted` means that the write may have taken place;
   * without it, that it was refused. The transport does not repeat the write: the caller reads
   * again first, and decides again.
   *
   * `signal` is used instead of the run's own: for the last write after the run was cancelled.
   */
  write(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot>;
}

/**
 * The numbers above this one of claims that are named `STATE_7` after their state, in ascending
 * order.
 */
export function numbersIn(
  names: readonly string[],
  state: string,
  above: number,
): readonly number[] {
  const start = `${state}_`.toLowerCase();
  const numbers: number[] = [];
  for (const name of names) {
    const end = name.slice(start.length);
    if (!name.toLowerCase().startsWith(start) || !/^[1-9]\d{0,14}$/.test(end)) continue;
    if (Number(end) > above) numbers.push(Number(end));
  }
  return numbers.sort((a, b) => a - b);
}

/** True once it is created; false: it exists. */
export async function unlessExists(created: Promise<unknown>): Promise<boolean> {
  try {
    await created;
    return true;
  } catch (error) {
    if (exists(error)) return false;
    throw error;
  }
}

/** True when the store shows the link and the state of this change. */
export function shows(change: StoreChange, now: Snapshot): boolean {
  const { link, state } = change;
  if (state !== undefined && now.state !== state) return false;
  return link === undefined || now.link?.digest === linkDigest(link);
}

/**
 * Another writer was faster. `mayHaveStarted`: this run's write took place and was replaced, or may
 * have been.
 */
export function staleError(
  what: string,
  more: { mayHaveStarted?: boolean; hint?: string; cause?: CourierError } = {},
): CourierError {
  const written = more.mayHaveStarted ? '' : ' Nothing was written.';
  return new CourierError({
    ...more,
    code: 'conflict',
    message: `Another writer has changed ${what} since this run read it.${written}`,
    hint: `Let only one run at a time write a destination: use a concurrency group, or resource_group in GitLab CI.${more.hint ?? ''}`,
  });
}

/** Reads what was just written: a failure then says nothing about the write. */
export async function readBack<T>(what: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    throw error.with({
      message: `${what} was written and could not be read again. ${error.message}`,
      mayHaveStarted: true,
    });
  }
}

const MAX_ROUNDS = 3;

/**
 * Sets what may exist or not, if neither of two calls does both. It may appear or disappear between
 * them. `isNew`: it did not exist when it was last read.
 */
export async function updateOrCreate<T>(
  isNew: boolean,
  update: () => Promise<T>,
  create: () => Promise<T>,
): Promise<T> {
  for (let round = 1; ; round += 1) {
    try {
      if (!isNew || round > 1) return await update();
    } catch (error) {
      if (!hasCode(error, 'not-found')) throw error;
    }
    try {
      return await create();
    } catch (error) {
      if (!exists(error) || round === MAX_ROUNDS) throw error;
    }
  }
}

/**
 * Another run made it meanwhile. After a lost reply nothing is sent again: the caller reads first.
 */
function exists(error: unknown): boolean {
  return hasCode(error, 'conflict') && !error.mayHaveStarted;
}

/** True for a reply with one of these statuses. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): error is CourierError {
  return error instanceof CourierError && statuses.includes(error.httpStatus ?? 0);
}

/** undefined if nothing is there. */
export async function ifFound<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (hasCode(error, 'not-found')) return undefined;
    throw error;
  }
}

/**
 * A failure says what could not be done, and what to do about it if `hintOf` knows that. `action`
 * completes "Could not …".
 */
export async function explained<T>(
  action: string,
  call: Promise<T>,
  hintOf: (error: CourierError) => CourierError['hint'],
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    const hint = hintOf(error);
    if (hint === undefined) throw error;
    throw error.with({ message: `Could not ${action}. ${error.message}`, hint });
  }
}

/** The content of a store that shows only that something is there. */
export const UNSEEN = 'content that cannot be read';

/**
 * What a value says about the link. An empty text is the same as none; anything but one link, with
 * or without a final newline, is content.
 */
export function readLinkValue(value: unknown): LinkContent {
  const raw = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  const text = raw.trimEnd();
  if (text === '' || text === '""') return { link: undefined };
  const content = isBundleLink(text) ? undefined : contentKind(text);
  return { link: { digest: linkDigest(text) }, content };
}

function contentKind(text: string): string {
  if (/[\0\uFFFD]/.test(text)) return 'binary data';
  const json = parseJson(text);
  if (Array.isArray(json)) return 'a JSON list';
  if (typeof json === 'object' && json !== null) return 'a JSON object';
  if (typeof json === 'number') return 'a number';
  if (/^https?:\/\/\S+$/i.test(text)) return 'an address that cannot be a link to a bundle';
  return `text of ${countOf(text.split('\n').length, 'line')}`;
}

/** The fingerprint of a link: SHA-256, 64 hexadecimal digits. */
export function linkDigest(link: string): string {
  return createHash('sha256').update(link).digest('hex');
}
