/** A request to the emulated GitHub. Times are epoch milliseconds. */
export interface RecordedRequest {
  readonly method: string;
  /** Without the query, and without the GitHub Enterprise Server prefix `/api/v3`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Epoch milliseconds on the emulator's clock. */
  readonly at: number;
  /** Name of its token; undefined if the token is missing or unknown. */
  readonly token: string | undefined;
  /** Status of the reply; undefined while the request runs, and if the connection was cut. */
  status: number | undefined;
}
