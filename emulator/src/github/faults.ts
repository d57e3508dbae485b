import type { FaultEffect } from '../faults.ts';

/** Ready-made effects for `inject({ match, ...effect })`, with GitHub's replies. */

/** The requests of this hour are used up until `resetAt` (epoch milliseconds). */
export function primaryRateLimit(resetAt: number, status: 403 | 429 = 403): FaultEffect {
  return {
    status,
    headers: {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-used': '5000',
      'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
      'x-ratelimit-resource': 'core',
    },
    body: {
      message: 'API rate limit exceeded for installation ID 1.',
      documentation_url: 'https://docs.github.com/rest/overview/rate-limits-for-the-rest-api',
    },
  };
}
