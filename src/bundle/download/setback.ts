import { CourierError, errnoOf } from '../../errors.ts';
import { plainLine } from '../../text/escape.ts';
import { damaged } from '../archive/fault.ts';

/** How one attempt ended, when the archive is not whole yet. */
export type Setback =
  | { readonly kind: 'broken'; readonly cause: unknown; readonly retryAfterMs?: number | undefined }
  | { readonly kind: 'refused'; readonly status: number; readonly text: string }
  | { readonly kind: 'changed' };

// Trying again does not make a certificate right.
export function isHopeless(error: unknown): boolean {
  return /^(CERT_|DEPTH_ZERO_|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/.test(errnoOf(error) ?? '');
}

export function tooLong(totalBytes: number | undefined, limitBytes: number): CourierError {
  return totalBytes === undefined
    ? tooLarge(limitBytes)
    : damaged(`more came than the ${totalBytes} bytes that were promised`);
}

export function tooLarge(limitBytes: number): CourierError {
  return new CourierError({
    code: 'unsafe-archive',
    message: `The bundle is larger than ${limitBytes} bytes, the most that is taken.`,
    hint: 'A documentation site of that size is best split; tell us about your case in an issue.',
  });
}

export function unreachableStorage(cause: unknown): CourierError {
  return new CourierError({
    code: 'network',
    message: `The storage of the bundle cannot be reached safely (${errnoOf(cause) ?? 'TLS'}).`,
    hint: 'Where a proxy of your own replaces certificates, set NODE_EXTRA_CA_CERTS to the file of its authority.',
    cause,
  });
}

export function comeBack(status: number, retryAfterMs: number): CourierError {
  return new CourierError({
    code: 'rate-limited',
    message: `The storage of the bundle asks to come back in ${Math.ceil(retryAfterMs / 1000)} s (status ${status}).`,
    httpStatus: status,
    retryAfterMs,
  });
}

export function refused({ status, text }: { status: number; text: string }): CourierError {
  return new CourierError({
    code: status === 404 ? 'not-found' : 'forbidden',
    message: `The storage refused the bundle link with status ${status}${text === '' ? '' : ` (${plainLine(text, 60)})`}, also when it was made anew.`,
    hint: 'Run again with export-job-id; if it stays, tell the platform.',
    httpStatus: status,
  });
}

export function gaveUp(setback: Setback, attempts: number): CourierError {
  const cause = setback.kind === 'broken' ? setback.cause : undefined;
  const reason = errnoOf(cause) ?? (cause instanceof Error ? plainLine(cause.message, 80) : 'no bytes came');
  return new CourierError({
    code: 'network',
    message: `The bundle could not be downloaded in ${attempts} attempts (${reason}).`,
    hint: 'Run again with export-job-id: the export is finished and is not started a second time.',
    cause,
  });
}
