import { type CourierError, courierError } from '../../ground/errors.ts';
import type { HttpReply } from '../../http/exchange.ts';
import { type Meaning, type Meanings, meaningOf, type Service } from '../../http/service.ts';
import { type AccessInit, howToLogIn, loginAdvice } from './access.ts';
import type { ImageAddress } from './address.ts';
import { errorCodes, errorWords, refusalIn, refusalOf, saysImmutable } from './replies.ts';

/** The registry, with what its refusals mean for this login and repository. */
export function serviceOf(init: AccessInit): Service {
  const { login, looked } = init;
  const { registry, repository } = init.address;
  const denied =
    login === undefined
      ? loginAdvice(registry, looked)
      : `The login in ${login.source} lacks a right on ${repository}.`;
  const full = `The quota of ${repository} may be used up, or a proxy limits the size of uploads: delete images that are not needed, or raise the limit.`;
  return {
    name: `the registry ${registry}`,
    addressSetting: 'the registry in the input image',
    errorText: errorWords,
    meaning: (reply) => {
      const refusal = refusalIn(reply);
      if (refusal !== undefined) return refusal;
      switch (reply.status) {
        case 400:
          return badRequest(errorCodes(reply));
        case 403:
          return { hint: denied };
        case 405:
          return { code: 'forbidden', hint: READ_ONLY };
        case 413:
        case 507:
          // Without `retry`, a 507 would be repeated, as every other 5xx is.
          return { code: 'forbidden', hint: full, retry: 'no' };
        default:
          return undefined;
      }
    },
  };
}

/**
 * What a 400 means, by the registry's own error codes:
 * https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#error-codes. Only the
 * first of those here is about an input.
 */
function badRequest(registryCodes: readonly string[]): Meaning {
  const usual = {
    code: 'protocol',
    hint: 'Check the registry, and what is in front of it.',
  } as const;
  return meaningOf(registryCodes.join(' '), BAD_REQUESTS) ?? usual;
}

const BAD_REQUESTS: Meanings = [
  [
    /\bNAME_INVALID\b/,
    { code: 'config', hint: 'Correct the input image: the registry does not accept this name.' },
  ],
  [
    /\bMANIFEST_BLOB_UNKNOWN\b/,
    {
      code: 'not-found',
      hint: 'The registry has lost a part of the image. Run again: what is missing is pushed again.',
    },
  ],
  [
    /\b(DIGEST|SIZE)_INVALID\b/,
    {
      code: 'integrity',
      hint: 'The registry got other bytes than were sent. Run again. If it happens again, a proxy in front of the registry changes them, or its disk is full.',
    },
  ],
];

/**
 * The error for a 401 to a call with all that can be sent: no login, too few rights, or a wrong
 * login.
 */
export function unauthorized(reply: HttpReply, init: AccessInit): CourierError {
  const login = init.login;
  const { registry, repository } = init.address;
  if (login === undefined) {
    return courierError(
      'unauthorized',
      `${registry} asks for a login.`,
      loginAdvice(registry, init.looked),
      { httpStatus: 401 },
    );
  }
  // The registry knows the user. Other registries answer 403 to this, so the error has that status.
  if (/error="insufficient_scope"/.test(reply.headers['www-authenticate'] ?? '')) {
    return courierError(
      'forbidden',
      `The login to ${registry} (${login.source}) may not pull from and push to ${repository}.`,
      `Give it the rights to pull from and push to ${repository}.`,
      { httpStatus: 403 },
    );
  }
  return courierError(
    'unauthorized',
    `${registry} does not accept the credentials of ${login.source}.`,
    howToLogIn(registry),
    { httpStatus: 401 },
  );
}

/** The error for a tag that the registry does not let this run move. */
export function refusedTagError(
  error: CourierError,
  reference: string,
  address: ImageAddress,
): CourierError {
  const { registry, repository, tag } = address;
  const exempt = `exempt ${tag} and ${tag}.state, which every export moves`;
  // The words of the registry say it, or any of these may be the cause.
  let hint = refusalOf(error.message)?.hint;
  if (saysImmutable(error.message)) hint = `The tags of this repository are immutable: ${exempt}.`;
  hint ??= `If the tags of this repository are immutable, ${exempt}. Otherwise check the rights of the login and the quota of the repository.`;
  return error.with({
    // Not `conflict`, which the caller would try again.
    code: 'forbidden',
    message: `${registry} refuses to write the tag ${reference} of ${repository}. ${error.message}`,
    hint,
  });
}

export const READ_ONLY =
  'It may be set to read-only, for maintenance or as a mirror, or something in front of it takes no such requests. Run again once it can be written to.';
