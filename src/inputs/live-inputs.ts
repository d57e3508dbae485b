/** How the published site is compared with the export, after the delivery. */
export interface LiveInputs {
  /** Of its start page, without a trailing slash, user name and query. */
  readonly url: string;
  /** 0 or more. */
  readonly timeoutMs: number;
  readonly onNotLive: 'fail' | 'warn';
  /** Names in lower case. Secrets, for the origin of `url` alone. */
  readonly headers: Readonly<Record<string, string>>;
}
