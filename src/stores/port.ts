import { createHash } from 'node:crypto';
import {
  amended,
  CourierError,
  ERROR_CODES,
  type Hint,
  hasCode,
  unless,
} from '../ground/errors.ts';
import { countOf } from '../ground/text/amounts.ts';
import { parseJson } from '../ground/text/json.ts';
import { isBundleLink } from '../platform/link.ts';

/**
 * The stores: the destinations of a bundle link. Each kind of store has a folder next to this file,
 * which is loaded only when an address names that kind.
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
   * Set if the store contains something other than a link: what kind of content, such as `text of 3
   * lines`, never the value. `UNSEEN`: the store does not show whether it is a link.
   */
  readonly foreignContent?: string | undefined;
}

/** What a store contained for the state when it was read. */
export interface StateContent {
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
   * decides whether the run can continue without the state.
   */
  readonly stateError?: CourierError | undefined;
}

/** What a store contained when it was read. */
export interface Snapshot extends LinkContent, StateContent {
  /**
   * Only if the link is a key of an object and the object does not have that key yet: its other
   * keys, without those of this program.
   */
  readonly otherKeys?: readonly string[] | undefined;
}

/**
 * The result of one check. `fix` is what to do about an error or a warning. `unknown`: only a write
 * would show the result.
 */
export interface CheckResult {
  readonly what: string;
  readonly outcome: 'ok' | 'warning' | 'error' | 'unknown';
  readonly detail?: string | undefined;
  readonly fix?: string | Hint | undefined;
}

export function ok(what: string, detail?: string): CheckResult {
  return { what, outcome: 'ok', detail };
}

export function warning(what: string, detail: string, fix?: CheckResult['fix']): CheckResult {
  return { what, outcome: 'warning', detail, fix };
}

/** Without an answer: only a write would show it, or something before it failed. */
export function unknown(what: string, detail: string, fix?: CheckResult['fix']): CheckResult {
  return { what, outcome: 'unknown', detail, fix };
}

/** What a kind of store is able to do. How a run writes to the store follows from it. */
export interface StoreAbilities {
  /**
   * What keeps two runs from overwriting each other. `versions`: link and state go into one write,
   * which the store refuses if anything has changed since it was read. `claims`: the store creates
   * each claim only once, so that only one run gets it. `none`: the store can do neither, so the
   * caller reads again before each write, and compares: `write` need not.
   */
  readonly guard: 'versions' | 'claims' | 'none';
  /** What the store shows of the link: its digest, the date of its last change, or nothing. */
  readonly shows: 'value' | 'date' | 'nothing';
  /**
   * The store contains the reference of an image instead of a link. Other people may be able to
   * read its state, so that the state names no person.
   */
  readonly keepsImage?: boolean | undefined;
  /**
   * The longest state that the store takes; the history in the state is cut to it. undefined:
   * longer than any history.
   */
  readonly maxStateBytes?: number | undefined;
}

/**
 * Claims: small texts next to the state, each with a number. Of several runs, only one can create
 * the claim with a number. Every method throws a CourierError, and only that; the transport never
 * repeats a call that creates or removes a claim.
 */
export interface Claims {
  /**
   * True: the claim was created. False: a claim with this number exists. An error with
   * `mayHaveActed`: the claim may have been created, or may still be.
   */
  create(number: number, text: string, signal?: AbortSignal): Promise<boolean>;
  /**
   * The claim with this number; undefined: there is none. `writtenAtMs`: when it was created, epoch
   * milliseconds, by the clock of `link.writtenAtMs`; only in stores that show dates of claims.
   */
  read(
    number: number,
    signal?: AbortSignal,
  ): Promise<{ readonly text: string; readonly writtenAtMs?: number | undefined } | undefined>;
  /**
   * The numbers of the claims above `above`, in ascending order, as far as the store finds them.
   */
  list(above: number, signal?: AbortSignal): Promise<readonly number[]>;
  /** Removes the claim, if it exists. */
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

/** The names of a destination in messages. */
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
   * What the signature of the state is bound to: the resolved address with its host, such as
   * `github://github.com/repo/4711/name`; in lower case if the store ignores case. Never changes for
   * a destination, so that it has the id of a repository or group and not its name. Some stores know
   * it only after `preflight`.
   */
  readonly signedAddress: string;
  readonly can: StoreAbilities;
  /** With `guard: claims` only. */
  readonly claims?: Claims | undefined;
  /**
   * Checks, once in a run and before anything else, that address, credentials and rights are good
   * for a write, as far as that shows without one. Throws what would make the write fail; gives the
   * results of the checks, with what else a person should know. Writes nothing. With `use: read`
   * only what reading needs is checked.
   */
  preflight(use?: StoreUse): Promise<readonly CheckResult[]>;
  /**
   * What the store contains now. If `seen` is given, only the state must be read: a store that
   * needs another request for the link gives that of `seen`. `signal`: see `write`; stores with
   * claims use it.
   */
  read(seen?: Snapshot, signal?: AbortSignal): Promise<Snapshot>;
  /**
   * Writes the change, confirms it, and gives what the store contains now. Throws `conflict` if the
   * store noticed that it no longer contains what was seen. An error with `mayHaveActed` means
   * that the write may have taken place; without it, that it was refused. The transport does not
   * repeat the write: the caller reads again first, and decides again.
   *
   * `signal` is used instead of the run's own: for the last write after the run was cancelled.
   */
  write(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot>;
  /**
   * Of a store that keeps images, by a reference or a digest: true if it still has the image with
   * all its parts, so that it can be pulled.
   */
  has?(image: string): Promise<boolean>;
}

/**
 * Finds the claims in a list of names: a claim is named `STATE_7` after the name of its state, in
 * any case, since some stores ignore it. Gives their numbers above `above`, in ascending order.
 */
export function numbersIn(
  names: readonly string[],
  state: string,
  above: number,
): readonly number[] {
  const start = `${state}_`.toLowerCase();
  const numbers: number[] = [];
  for (const name of names) {
    if (!name.toLowerCase().startsWith(start)) continue;
    const end = name.slice(start.length);
    // With more than 15 digits, a number is no longer exact.
    const isNumber = /^[1-9]\d{0,14}$/.test(end);
    if (isNumber && Number(end) > above) numbers.push(Number(end));
  }
  return numbers.sort((a, b) => a - b);
}

/** What a store knows once it was asked, such as an id that its signed address has. */
export function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('preflight comes before anything else.');
  return value;
}

/**
 * True if the store contains what this change has written: its link, its state, or both. Only for
 * stores that show the digest of the link.
 */
export function shows(change: StoreChange, now: Snapshot): boolean {
  const { link, state } = change;
  if (state !== undefined && now.state !== state) return false;
  return link === undefined || now.link?.digest === linkDigest(link);
}

/**
 * The error `conflict`: another run or program has written `what` meanwhile. `mayHaveActed`: this
 * run's write took place, or may have, and was then replaced. `hint` continues the advice, so that
 * it begins with a space.
 */
export function staleError(
  what: string,
  more: { mayHaveActed?: boolean; hint?: string; cause?: CourierError } = {},
): CourierError {
  const nothingWritten = more.mayHaveActed ? '' : ' Nothing was written.';
  return new CourierError({
    ...more,
    code: 'conflict',
    message: `Another writer has changed ${what} since this run read it.${nothingWritten}`,
    hint: `Let only one run at a time write a destination: use a concurrency group, or resource_group in GitLab CI.${more.hint ?? ''}`,
  });
}

/**
 * Gives what `read` reads right after a write of `what`. Its failure says nothing about the write:
 * the error then has `mayHaveActed`.
 */
export function readBack<T>(what: string, read: Promise<T>): Promise<T> {
  return amended(ERROR_CODES, read, (error) => ({
    message: `${what} was written and could not be read again. ${error.message}`,
    mayHaveActed: true,
  }));
}

const MAX_ROUNDS = 3;

/**
 * Writes an object that may exist or not, in a service where one call updates and another creates:
 * the first throws `not-found` if there is no object, and the second `conflict` if there is one.
 * The object may appear or disappear between the two, so that both are tried, in up to three
 * rounds. `isNew`: the object did not exist when it was last read, so that `create` comes first.
 */
export async function updateOrCreate<T>(
  update: () => Promise<T>,
  create: () => Promise<T>,
  isNew = false,
): Promise<T> {
  for (let round = 1; ; round += 1) {
    // From the second round on it may: `create` has found one in the round before.
    const mayExist = !isNew || round > 1;
    try {
      if (mayExist) return await update();
    } catch (error) {
      if (!hasCode(error, 'not-found')) throw error;
    }
    try {
      return await create();
    } catch (error) {
      if (!alreadyExists(error) || round === MAX_ROUNDS) throw error;
    }
  }
}

/**
 * True if the object exists, since another run created it meanwhile. False for an error after which
 * this run may have created it itself, such as after a lost reply: the caller has to read first.
 */
export function alreadyExists(error: unknown): boolean {
  return hasCode(error, 'conflict') && !error.mayHaveActed;
}

/** True for the error of a reply with one of these statuses. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): error is CourierError {
  // 0: the error is of no reply.
  return error instanceof CourierError && statuses.includes(error.httpStatus ?? 0);
}

/** What `read` reads; undefined if it throws `not-found`. */
export function ifFound<T>(read: Promise<T>): Promise<T | undefined> {
  return unless(['not-found'], () => read);
}

/**
 * What was read of the state; `stateError` if the credentials lack the right to read it, since they
 * may reach the link alone. Another refusal, such as of a key that is turned off, is an error.
 */
export async function ifReadable<T>(
  read: Promise<T>,
  stateIn: (value: T) => StateContent,
): Promise<StateContent> {
  try {
    return stateIn(await read);
  } catch (error) {
    if (!hasCode(error, 'forbidden') || !error.lacksPermission) throw error;
    return { state: undefined, stateError: error };
  }
}

/**
 * Awaits the call. If it fails and `hintOf` knows what to do about it, the error says that, and
 * what could not be done: `action` completes "Could not …". Other errors stay as they are.
 */
export function explained<T>(
  action: string,
  call: Promise<T>,
  hintOf: (error: CourierError) => CourierError['hint'],
): Promise<T> {
  return amended(ERROR_CODES, call, (error) => {
    const hint = hintOf(error);
    if (hint === undefined) return undefined;
    return { message: `Could not ${action}. ${error.message}`, hint };
  });
}

/** The `foreignContent` of a store that shows only whether there is a value, not what it is. */
export const UNSEEN = 'content that cannot be read';

/**
 * What a value of a store says about the link. An empty text is not a link. One link, with or
 * without a newline at its end, is a link. Anything else has `foreignContent`, which says what kind
 * of value it is.
 */
export function readLinkValue(value: unknown): LinkContent {
  if (value === undefined || value === null) return { link: undefined };
  // A field of a JSON object need not be a text.
  const raw = typeof value === 'string' ? value : JSON.stringify(value);
  const text = raw.trimEnd();
  // A person may have written the empty text as JSON.
  if (text === '' || text === '""') return { link: undefined };
  const foreignContent = isBundleLink(text) ? undefined : contentKind(text);
  return { link: { digest: linkDigest(text) }, foreignContent };
}

/**
 * What kind of content a text is that is not a link, for a message: the text itself may be a
 * secret.
 */
function contentKind(text: string): string {
  // U+FFFD stands for bytes that are not UTF-8.
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
