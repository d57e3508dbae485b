/**
 * Every way in which a run can fail, as the `error-code` output. The documentation has one section
 * per code.
 */
export const ERROR_CODES = [
  'config',
  'unauthorized',
  'forbidden',
  'not-found',
  'conflict',
  'rate-limited',
  'job-failed',
  'timed-out',
  'network',
  'protocol',
  'integrity',
  'unsafe-archive',
  'checks-failed',
  'io',
  'cancelled',
  'refused',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * What the reader can do about an error, without a word of the system that the run takes place in:
 * the adapter of that system shows it as workflow YAML, or as flags of the command line.
 */
export interface Hint {
  /** What to do, in one or two sentences. */
  readonly text: string;
  /**
   * Inputs to set, by name. `''` stands for a placeholder, which the adapter has for each input.
   */
  readonly inputs?: Readonly<Record<string, string>> | undefined;
  /** Where these inputs are written, by name, if not as inputs or flags. */
  readonly places?: Readonly<Record<string, Place>> | undefined;
  /** Permissions that the token of the job needs, by the names of GitHub. */
  readonly permissions?: Readonly<Record<string, 'read' | 'write'>> | undefined;
  /**
   * How it is done in a workflow of GitHub or Gitea: half a sentence, and lines of YAML. Other
   * systems do not show it.
   */
  readonly steps?: { readonly how: string; readonly yaml: string } | undefined;
}

/** Where a value is written: a line of a file, such as `docs-courier.yml:3`, or a variable. */
export type Place = { readonly file: string } | { readonly variable: string };

export interface CourierErrorInit {
  readonly code: ErrorCode;
  /**
   * What happened, with method and URL (never its query) if a call was involved. One sentence, or
   * one line per finding.
   */
  readonly message: string;
  /**
   * What the reader can do about it. A plain string is shown as it is; lines after its first are an
   * example to copy.
   */
  readonly hint?: string | Hint | undefined;
  readonly cause?: unknown;
  /** For `config`: the inputs that are missing or wrong, by name. */
  readonly inputs?: readonly string[] | undefined;
  /** HTTP status of the reply that led here, when there was one. */
  readonly httpStatus?: number | undefined;
  /**
   * For `rate-limited`: milliseconds until the call may be made again, if the other side said so.
   */
  readonly retryAfterMs?: number | undefined;
  /**
   * The call was sent, in this or an earlier attempt, and no reply shows that it was refused: the
   * server may have acted on it.
   */
  readonly mayHaveActed?: boolean | undefined;
  /**
   * For `forbidden`: the reply says that the credentials lack a permission. Otherwise the call was
   * refused for another reason.
   */
  readonly lacksPermission?: boolean | undefined;
  /**
   * The reply is not that of the API: a web page, a login, or a server that does not know the
   * method.
   */
  readonly isForeign?: boolean | undefined;
}

/**
 * The only error that this project throws on purpose. Callers branch on `code`, `httpStatus` and
 * `mayHaveActed`, never on the text.
 */
export class CourierError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | Hint | undefined;
  readonly inputs: readonly string[];
  readonly httpStatus: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly mayHaveActed: boolean;
  readonly lacksPermission: boolean;
  readonly isForeign: boolean;

  constructor(init: CourierErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'CourierError';
    this.code = init.code;
    this.hint = init.hint;
    this.inputs = init.inputs ?? [];
    this.httpStatus = init.httpStatus;
    this.retryAfterMs = init.retryAfterMs;
    this.mayHaveActed = init.mayHaveActed ?? false;
    this.lacksPermission = init.lacksPermission ?? false;
    this.isForeign = init.isForeign ?? false;
  }

  /**
   * The same failure with what the caller knows of it: another message, hint or code. Everything
   * else stays as it is, and this error becomes the cause.
   */
  with(change: Partial<CourierErrorInit>): CourierError {
    // `...this` leaves out the message, which is not enumerable in an error.
    return new CourierError({ ...this, message: this.message, cause: this, ...change });
  }
}

/** An error with what most of them have; `more`: its other fields. */
export function courierError(
  code: ErrorCode,
  message: string,
  hint?: CourierErrorInit['hint'],
  more?: Partial<CourierErrorInit>,
): CourierError {
  return new CourierError({ ...more, code, message, hint });
}

/** An error with the code `config`: something that is given to the run is wrong or missing. */
export function configError(
  message: string,
  hint?: CourierErrorInit['hint'],
  more?: Partial<CourierErrorInit>,
): CourierError {
  return courierError('config', message, hint, more);
}

/** An error with the code `protocol`: the reply of a server is not as its API promises. */
export function protocolError(
  message: string,
  hint?: CourierErrorInit['hint'],
  more?: Partial<CourierErrorInit>,
): CourierError {
  return courierError('protocol', message, hint, more);
}

/**
 * True for a CourierError with one of these codes, false for anything else that was thrown: a
 * `catch` needs no other check.
 */
export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is CourierError {
  return error instanceof CourierError && codes.includes(error.code);
}

/** What the call gives; undefined if it fails with one of these codes. Throws any other error. */
export async function unless<T>(
  codes: readonly ErrorCode[],
  call: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (hasCode(error, ...codes)) return undefined;
    throw error;
  }
}

/**
 * What the call gives. An error of it with one of these codes gets what `change` says about it;
 * undefined: it stays as it is.
 */
export async function amended<T>(
  codes: readonly ErrorCode[],
  call: Promise<T>,
  change: (error: CourierError) => Partial<CourierErrorInit> | undefined,
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!hasCode(error, ...codes)) throw error;
    const changed = change(error);
    if (changed === undefined) throw error;
    throw error.with(changed);
  }
}

/** The code of an error of the operating system or of Node, such as `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** True if a file operation failed because nothing is at the path. */
export function isMissing(error: unknown): boolean {
  const code = errnoOf(error);
  // With ENOTDIR, a folder of the path is a file.
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/**
 * The error as a CourierError, for the `catch` around a run. Anything else is a fault of this
 * program, and is thrown again.
 */
export function toCourierError(error: unknown): CourierError {
  if (error instanceof CourierError) return error;
  throw error;
}

/** Throws again what a run cannot continue after: its end, and a fault of this program. */
export function assertFailure(error: unknown): asserts error is CourierError {
  if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
}

/** The sentence of a hint, without the example below it. */
export function hintText(hint: string | Hint): string {
  const text = typeof hint === 'string' ? hint : hint.text;
  return text.replace(/\n.*/s, '');
}
