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
  // The server's address may have a path itself.
  const base = `${serverUrl}/`;
  if (url.slice(0, base.length).toLowerCase() !== base.toLowerCase()) return undefined;
  const found = PATH.exec(url.slice(base.length));
  if (found?.[1] === undefined) return undefined;
  return {
    repository: found[1].toLowerCase(),
    number: found[2] === undefined ? undefined : Number(found[2]),
  };
}
