import { parseUrl } from '../text/names.ts';

/** The address of a repository, or of a pull request of it. */
export interface PageAddress {
  /** `owner/name` in lower case, since GitHub takes both for the same. */
  readonly repository: string;
  /** Of the pull request. */
  readonly number: number | undefined;
}

const PATH =
  /^([A-Za-z0-9][A-Za-z0-9_-]{0,99}\/[A-Za-z0-9._-]{1,100}?)(?:\.git)?(?:\/pull\/([1-9]\d{0,9}))?\/?$/;

/** Addresses of git for ssh: `ssh://git@HOST/PATH` and `git@HOST:PATH`. */
const SSH = /^(?:(?:git\+)?ssh:\/\/(?:[\w-]+@)?([^/:@]+)(?::\d{1,5})?\/|[\w-]+@([^/:@]+):\/?)/i;

/** What an address on this server names, a page or one of git; undefined for anything else. */
export function readPageAddress(url: string, serverUrl: string): PageAddress | undefined {
  const ssh = SSH.exec(url);
  const host = ssh?.[1] ?? ssh?.[2];
  // The server's address may have a path itself. Case makes no difference in a host.
  const hostHere = parseUrl(serverUrl)?.hostname;
  const isHere = [undefined, hostHere, `ssh.${hostHere}`].includes(host?.toLowerCase());
  const base = ssh?.[0] ?? `${serverUrl}/`;
  if (!isHere || url.slice(0, base.length).toLowerCase() !== base.toLowerCase()) return undefined;
  const [, fullName, pullNumber] = PATH.exec(url.slice(base.length)) ?? [];
  if (fullName === undefined) return undefined;
  const repository = fullName.toLowerCase();
  if (pullNumber === undefined) return { repository, number: undefined };
  return { repository, number: Number(pullNumber) };
}
