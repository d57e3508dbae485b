/** The address of a repository, or of a pull request of it. */
export interface PageAddress {
  /** `owner/name` in lower case, since GitHub takes both for the same. */
  readonly repository: string;
  /** Of the pull request. */
  readonly number: number | undefined;
}

const PATH =
  /^([A-Za-z0-9][A-Za-z0-9_-]{0,99}\/[A-Za-z0-9._-]{1,100}?)(?:\.git)?(?:\/pull\/([1-9]\d{0,9}))?\/?$/;

/** What an address on this server names; undefined for anything else. */
export function readPageAddress(url: string, serverUrl: string): PageAddress | undefined {
  // The server's address may have a path itself. Case makes no difference in a host.
  const base = `${serverUrl}/`;
  if (url.slice(0, base.length).toLowerCase() !== base.toLowerCase()) return undefined;
  const [, fullName, pullNumber] = PATH.exec(url.slice(base.length)) ?? [];
  if (fullName === undefined) return undefined;
  const repository = fullName.toLowerCase();
  if (pullNumber === undefined) return { repository, number: undefined };
  return { repository, number: Number(pullNumber) };
}
