const KIB = 1024;

/** How a download is paced. Tests hand in shorter ones. */
export interface TransferLimits {
  /** From the request to the reply's headers. */
  readonly headersMs: number;
  /** Between two pieces of the body. */
  readonly idleMs: number;
  /** A transfer slower than `slowBytesPerSecond` over this long is cut and resumed. */
  readonly slowWindowMs: number;
  readonly slowBytesPerSecond: number;
  /** Attempts in a row that bring no new byte. */
  readonly barrenAttempts: number;
  /** Attempts of one download in all. */
  readonly attempts: number;
  readonly redirects: number;
}

export const TRANSFER_LIMITS: TransferLimits = {
  headersMs: 30_000,
  idleMs: 30_000,
  slowWindowMs: 60_000,
  slowBytesPerSecond: 64 * KIB,
  barrenAttempts: 5,
  attempts: 21,
  redirects: 3,
};
