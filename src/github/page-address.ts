import { parseUrl } from '../ground/text/names.ts';

/** The address of a repository, or of a pull request of it. */
export interface PageAddress {
  /** `owner/name` in lower case, since GitHub takes both for the same. */
  readonly repository: string;
  /** Of the pull request. */
  readonly number: number | undefined;
}

const PATH =
  /^([A-Za-z0-9][A-Za-z0-9_-]{0,99}\/[A-Za-z0-9._-]{1,100}?)(?:\.git)?(?:\/pull\/([1-9]\d{0,9}))?\/?$/;

/** Addresses of git: `ssh://git@HOST/PATH`, also with git and https, and `git@HOST:PATH`. */
const GIT =
  /^(?:(?:git\+)?(?:(?:ssh|git):\/\/|https:\/\/(?=[^/:]*(?::443)?\/))(?:[\w-]+@)?([^/:@]+)(?::\d{1,5})?\/|(?:[\w-]+@)?([^/:@]+):(?!\/\/)\/?)/i;

/** What an address on this server names, a page or one of git; undefined for anything else. */
export function readPageAddress(url: string, serverUrl: string): PageAddress | undefined {
  // The server's address may have a path itself. Case makes no difference in a host.
  const page = `${serverUrl}/`;
  const isPage = url.slice(0, page.length).toLowerCase() === page.toLowerCase();
  const git = GIT.exec(url);
  const host = (git?.[1] ?? git?.[2])?.toLowerCase();
  const hostHere = parseUrl(serverUrl)?.hostname;
  const isHere = host !== undefined && [hostHere, `ssh.${hostHere}`].includes(host);
  if (!isPage && !isHere) return undefined;
  let base = page;
  if (!isPage) base = git?.[0] ?? '';
  const [, fullName, pullNumber] = PATH.exec(url.slice(base.length)) ?? [];
  if (fullName === undefined) return undefined;
  const repository = fullName.toLowerCase();
  if (pullNumber === undefined) return { repository, number: undefined };
  // A pull request is a page, which is linked.
  if (!isPage) return undefined;
  return { repository, number: Number(pullNumber) };
}
