import { CourierError } from '../../errors.ts';
import { PRIVATE_ADDRESS } from '../../http/hosts.ts';
import { isTlsFailure, systemCodes } from '../../http/service.ts';
import { plainLine } from '../../text/escape.ts';
import { damaged } from '../archive/errors.ts';

/** How one attempt ended, when the archive is not complete yet. */
export type Setback =
  | { readonly kind: 'broken'; readonly cause: unknown; readonly retryAfterMs?: number | undefined }
  /** `text`: the error code of the storage, empty when there is none. */
  | { readonly kind: 'refused'; readonly status: number; readonly text: string }
  | { readonly kind: 'changed'; readonly reason: string };

/** Trying again does not make a certificate right. */
export function isHopeless(error: unknown): boolean {
  return isTlsFailure(systemCodes(error));
}

/** The connection was refused because it leads into a private network. */
export function isPrivate(error: unknown): boolean {
  return systemCodes(error).includes(PRIVATE_ADDRESS);
}

export function privateStorage(cause: unknown): CourierError {
  return new CourierError({
    code: 'protocol',
    message:
      'The bundle link leads to an address of a private network, although base-url is public; nothing was sent there.',
    hint: {
      text: 'If the storage of your platform is inside of your own network, allow it. Otherwise report the link to the platform.',
      inputs: { 'allow-private-hosts': 'true' },
    },
    cause,
  });
}

function codeOf(error: unknown): string | undefined {
  return systemCodes(error).find((code) => code !== 'ABORT_ERR');
}

export function tooLong(totalBytes: number | undefined, limitBytes: number): CourierError {
  return totalBytes === undefined
    ? tooLarge(limitBytes)
    : damaged(`the storage sent more than the ${totalBytes} bytes that it announced`);
}

export function tooLarge(limitBytes: number): CourierError {
  return new CourierError({
    code: 'unsafe-archive',
    message: `The bundle is larger than ${limitBytes} bytes, the maximum.`,
    hint: 'Split a documentation site of that size, or describe your case in an issue.',
  });
}

export function unreachableStorage(cause: unknown): CourierError {
  return new CourierError({
    code: 'network',
    message: `The storage of the bundle cannot be reached safely (${codeOf(cause) ?? 'TLS'}).`,
    hint: 'If a proxy of your own replaces certificates, set NODE_EXTRA_CA_CERTS to the file of its authority.',
    cause,
  });
}

export function comeBack(status: number, retryAfterMs: number): CourierError {
  return new CourierError({
    code: 'rate-limited',
    message: `The storage of the bundle asks to come back in ${Math.ceil(retryAfterMs / 1000)} s (status ${status}).`,
    hint: 'Run again after that time with export-job-id: the export is finished and is not started a second time.',
    httpStatus: status,
    retryAfterMs,
  });
}

export function refused(status: number, text: string): CourierError {
  return new CourierError({
    code: status === 404 ? 'not-found' : 'forbidden',
    message: `The storage refused the bundle link with status ${status}${text === '' ? '' : ` (${plainLine(text, 60)})`}, and fresh links as well.`,
    hint: 'Run again with export-job-id. If it happens again, report it to the platform.',
    httpStatus: status,
  });
}

export function unexpectedStatus(status: number): CourierError {
  return new CourierError({
    code: 'protocol',
    message: `The storage answered the bundle link with status ${status}.`,
    hint: 'Run again with export-job-id. If it happens again, report it to the platform.',
    httpStatus: status,
  });
}

export function tooManyRedirects(redirects: number): CourierError {
  return new CourierError({
    code: 'protocol',
    message: `The bundle link was redirected more than ${redirects} times; the download was stopped.`,
    hint: 'Report it to the platform: a presigned link leads to the archive itself, at most through another region.',
  });
}

export function gaveUp(setback: Setback, attempts: number): CourierError {
  const cause = setback.kind === 'broken' ? setback.cause : undefined;
  const reason = codeOf(cause) ?? (cause instanceof Error ? plainLine(cause.message, 80) : 'no bytes came');
  return new CourierError({
    code: 'network',
    message: `The bundle could not be downloaded in ${attempts} attempts (${reason}).`,
    hint: 'Run again with export-job-id: the export is finished and is not started a second time.',
    cause,
  });
}
