import * as z from 'zod/mini';
import { cancelled } from '../clock.ts';
import { CourierError, type ErrorCode } from '../errors.ts';
import { readRetryAfter } from '../http/retry.ts';
import { isTlsFailure, isUnreachable, systemCodes } from '../http/system-codes.ts';
import { plainLine } from '../text/escape.ts';
import type { Redact } from '../text/redact.ts';

/** A call to GitHub that failed: the error for the user, and whether the call may be made again. */
export interface GitHubFailure {
  readonly error: CourierError;
  /** `safe`: GitHub has not acted. `if-repeatable`: it may have. */
  readonly retry: 'safe' | 'if-repeatable' | 'no';
  readonly retryAfterMs: number | undefined;
}

const headerValue = z.optional(z.union([z.string(), z.number()]));
// The shape of Octokit's RequestError; `response` is absent where the request got none.
const requestError = z.object({
  status: z.number(),
  response: z.optional(
    z.object({
      headers: z.record(z.string(), headerValue),
      data: z.optional(z.unknown()),
    }),
  ),
});
const errorData = z.object({ message: z.string() });

interface Failed {
  readonly error: unknown;
  readonly options: { readonly method: string; readonly url: string; readonly baseUrl?: string };
  readonly nowMs: number;
  readonly cancelled: boolean;
  readonly redact: Redact;
}

export function readFailure(failed: Failed): GitHubFailure {
  if (failed.cancelled) return { error: cancelled(failed.error), retry: 'no', retryAfterMs: undefined };
  const parsed = requestError.safeParse(failed.error);
  if (!parsed.success || parsed.data.response === undefined) return networkFailure(failed);
  const { status, response } = parsed.data;
  const retryAfterMs = rateLimitMs({ status, headers: response.headers, nowMs: failed.nowMs });
  const limited = retryAfterMs !== undefined && (status === 403 || status === 429 || status === 503);
  const code = limited || status === 429 ? 'rate-limited' : codeOfStatus(status);
  const text = errorData.safeParse(response.data);
  const wait = limited ? ` It may be called again in ${Math.ceil(retryAfterMs / 1000)} s.` : '';
  const words = text.success ? plainLine(failed.redact(text.data.message), 300) : '';
  const said = words === '' ? '.' : `: ${words.replace(/(?<![.!?…])$/, '.')}`;
  const error = new CourierError({
    code,
    message: `${nameOf(failed)} answered ${status}${said}${wait}`,
    hint: hintOfStatus(code),
    httpStatus: status,
    retryAfterMs: limited ? retryAfterMs : undefined,
    mayHaveStarted: status >= 500,
  });
  return { error, retry: limited ? 'safe' : retryOfStatus(status), retryAfterMs: limited ? retryAfterMs : undefined };
}

/** Method and path template (such as `/repos/{owner}/{repo}`), which holds nothing from outside. */
function nameOf({ options }: Failed): string {
  const url = options.url.startsWith('http') ? new URL(options.url).pathname : options.url.split('?')[0];
  return `GitHub ${options.method} ${plainLine(url ?? '', 200)}`;
}

function retryOfStatus(status: number): GitHubFailure['retry'] {
  if (status === 429) return 'safe';
  return status >= 500 || status === 408 ? 'if-repeatable' : 'no';
}

function codeOfStatus(status: number): ErrorCode {
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
    case 410:
      return 'not-found';
    case 409:
      return 'conflict';
    case 400:
    case 422:
      return 'config';
    default:
      return status >= 500 || status === 408 ? 'network' : 'protocol';
  }
}

function hintOfStatus(code: ErrorCode): string | undefined {
  switch (code) {
    case 'unauthorized':
      return 'The token was not accepted: it may have expired or been revoked.';
    case 'rate-limited':
      return "GitHub's rate limit is reached. Run again later.";
    case 'network':
      return 'GitHub had a problem of its own, or was not reached. See its status page, and run again later.';
    default:
      return undefined;
  }
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly nowMs: number;
}

/**
 * How long GitHub's primary (`x-ratelimit-*`) or secondary (`retry-after`) rate limit asks to wait:
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api. undefined: no limit was hit.
 */
function rateLimitMs({ status, headers, nowMs }: Reply): number | undefined {
  if (status !== 403 && status !== 429 && status !== 503) return undefined;
  const told = readRetryAfter(headers['retry-after']?.toString(), nowMs);
  if (told !== undefined) return told;
  const reset = Number(headers['x-ratelimit-reset']);
  const isSpent = headers['x-ratelimit-remaining']?.toString() === '0';
  return isSpent && Number.isSafeInteger(reset) ? Math.max(0, reset * 1000 - nowMs) : undefined;
}

function networkFailure(failed: Failed): GitHubFailure {
  const codes = [...new Set(systemCodes(failed.error))].filter((code) => /^[A-Z][A-Z0-9_]{2,60}$/.test(code));
  const unreachable = codes.filter(isUnreachable);
  const detail = (unreachable.length > 0 ? unreachable : codes).join(', ') || 'no reply within the time limit';
  const tls = isTlsFailure(codes);
  const error = new CourierError({
    code: 'network',
    message: `${nameOf(failed)} failed: ${detail}.`,
    hint: tls
      ? "The server's certificate was not accepted. For a private authority set NODE_EXTRA_CA_CERTS in the step's env; checking is never switched off."
      : 'Check that the runner reaches the GitHub API; behind a proxy set HTTPS_PROXY and NO_PROXY.',
    mayHaveStarted: unreachable.length === 0 && !tls,
  });
  return { error, retry: tls ? 'no' : unreachable.length > 0 ? 'safe' : 'if-repeatable', retryAfterMs: undefined };
}
