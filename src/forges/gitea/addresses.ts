import type { PullAddress } from '../port.ts';

const NAME = /^([A-Za-z0-9_][A-Za-z0-9._-]{0,99}\/[A-Za-z0-9._-]{1,100})/;

/** `owner/name` of a repository's address on this server, in lower case; undefined for any other address. */
export function readRepositoryUrl(url: string, serverUrl: string): string | undefined {
  const path = belowServer(url, serverUrl);
  const name = path && NAME.exec(path)?.[1];
  if (name === undefined || path === undefined || !/^\/?$/.test(path.slice(name.length))) return undefined;
  return name.replace(/\.git$/, '').toLowerCase();
}

/** The pull request that an address on this server names; undefined for anything else. */
export function readPullUrl(url: string, serverUrl: string): PullAddress | undefined {
  const path = belowServer(url, serverUrl);
  const name = path && NAME.exec(path)?.[1];
  const number = name && /^\/pulls\/([1-9]\d{0,9})\/?$/.exec(path.slice(name.length))?.[1];
  return number === undefined || name === undefined
    ? undefined
    : { repository: name.toLowerCase(), number: Number(number) };
}

/** What follows the server's address, which may have a path itself. */
function belowServer(url: string, serverUrl: string): string | undefined {
  const base = `${serverUrl}/`;
  return url.slice(0, base.length).toLowerCase() === base.toLowerCase() ? url.slice(base.length) : undefined;
}
