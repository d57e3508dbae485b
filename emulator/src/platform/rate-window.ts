/**
 * A sliding window over a log of timestamps: at any moment, at most `limit` uses within the last
 * `windowMs`.
 */
export interface RateWindow {
  /**
   * Counts a use and returns undefined, or counts nothing and returns the milliseconds until one is
   * free.
   */
  take(use: {
    readonly key: string;
    readonly limit: number;
    readonly now: number;
  }): number | undefined;
  clear(): void;
}

// Own code, because rate-limiter-flexible, like most limiters, counts in fixed windows, which allow
// twice the limit around a window's end; the platform documents uses "per hour".
export function createRateWindow(windowMs: number): RateWindow {
  const uses = new Map<string, number[]>();
  return {
    take({ key, limit, now }) {
      const recent = (uses.get(key) ?? []).filter((at) => at > now - windowMs);
      uses.set(key, recent);
      if (recent.length < limit) {
        recent.push(now);
        return undefined;
      }
      // Free again once enough of the oldest have left; there are more than `limit` if the limit
      // was lowered meanwhile.
      const leaves = recent[recent.length - limit] ?? now;
      return leaves + windowMs - now;
    },
    clear: () => uses.clear(),
  };
}
