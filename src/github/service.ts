import * as z from 'zod/mini';
import type { Hint } from '../errors.ts';
import type { HttpReply } from '../http/exchange.ts';
import type { Meaning, MeaningContext, Service } from '../http/service.ts';
import { parseJson } from '../text/json.ts';

/** GitHub's REST API as the HTTP ground sees it. */
export const githubService: Service = {
  name: 'GitHub',
  addressSetting: 'the address of the API (GITHUB_API_URL)',
  errorText: messageOf,
  meaning,
};

const errorData = z.object({ message: z.string() });

/** GitHub's own words in an error reply; empty where there are none. */
function messageOf(reply: HttpReply): string {
  const parsed = errorData.safeParse(parseJson(reply.body.toString('utf8')));
  return parsed.success ? parsed.data.message : '';
}

// The texts with which GitHub refuses a token that lacks a permission or a role, and those of its rate limits. Both come with
// status 403, and GitHub documents the text as the difference: this is the one place where a text decides.
// https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api
const LACKS_PERMISSION =
  /resource not accessible by|must have .*\brights\b|must be an? .*\b(owner|admin|administrator|member)\b|do(es)? not have .*\b(permission|access)\b/i;
const RATE_LIMIT = /\brate limit\b|\babuse detection\b/i;

/** True where the reply says that the token lacks a permission; any other 403 has another reason. */
function saysPermissionIsMissing(message: string): boolean {
  return LACKS_PERMISSION.test(message) && !RATE_LIMIT.test(message);
}

const SECONDARY_LIMIT_MS = 60_000;
const SHORTEST_WAIT_MS = 1000;

function meaning(reply: HttpReply, context: MeaningContext): Meaning | undefined {
  const waitMs = rateLimitMs(reply, context);
  if (waitMs !== undefined) return { code: 'rate-limited', retry: 'safe', retryAfterMs: waitMs };
  switch (reply.status) {
    case 401:
      return { hint: 'The token was not accepted: it may have expired or been revoked.' };
    case 403:
      return { hint: permissionHint(reply), lacksPermission: saysPermissionIsMissing(messageOf(reply)) };
    default:
      return reply.status >= 500
        ? { hint: 'GitHub had a problem of its own. See its status page, and run again later.' }
        : undefined;
  }
}

/**
 * How long a primary or secondary rate limit asks to wait; undefined: no limit was hit. The rules are GitHub's:
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
function rateLimitMs(reply: HttpReply, { nowMs, throttles, retryAfterMs }: MeaningContext): number | undefined {
  const { status, headers } = reply;
  if (status !== 403 && status !== 429) return undefined;
  const message = messageOf(reply);
  if (status === 403 && saysPermissionIsMissing(message)) return undefined;
  if (retryAfterMs !== undefined) return retryAfterMs;
  const reset = Number(headers['x-ratelimit-reset']);
  if (headers['x-ratelimit-remaining'] === '0' && Number.isSafeInteger(reset)) {
    return Math.max(SHORTEST_WAIT_MS, reset * 1000 - nowMs);
  }
  // "Otherwise, wait for at least one minute before retrying", and then longer each time.
  return status === 429 || RATE_LIMIT.test(message) ? SECONDARY_LIMIT_MS * 2 ** throttles : undefined;
}

/** The permission that GitHub names in the header of a refusal. */
function permissionHint(reply: HttpReply): Hint | undefined {
  if (!saysPermissionIsMissing(messageOf(reply))) return undefined;
  const accepted = reply.headers['x-accepted-github-permissions'];
  // Alternatives are separated by `;`, permissions that are needed together by `,`; the first alternative is the narrowest.
  const first = typeof accepted === 'string' ? (accepted.split(';')[0] ?? '') : '';
  const pairs = [...first.matchAll(/\b([a-z_]{3,40})=(read|write)\b/g)];
  const text = 'The token lacks a permission that this call needs.';
  if (pairs.length === 0) return { text };
  const permissions: Record<string, 'read' | 'write'> = {};
  for (const [, name = '', level] of pairs)
    permissions[name.replaceAll('_', '-')] = level === 'read' ? 'read' : 'write';
  return { text, permissions };
}
