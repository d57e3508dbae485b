import type { PullAddress } from '../port.ts';

const NAME = '[A-Za-z0-9][A-Za-z0-9_-]{0,99}/[A-Za-z0-9._-]{1,100}';

/** `owner/name` of a repository's address on this server, in lower case; undefined for any other address. */
export function readRepositoryUrl(url: string, serverUrl: string): string | undefined {
  const match = new RegExp(`^(https?://[^/?#@\\s]+)/(${NAME}?)(?:\\.git)?/?$`).exec(url);
  if (match?.[1]?.toLowerCase() !== serverUrl.toLowerCase()) return undefined;
  return match[2]?.replace(/\.git$/, '').toLowerCase();
}

/** The pull request that an address on this server names; undefined for anything else. */
export function readPullUrl(url: string, serverUrl: string): PullAddress | undefined {
  const match = new RegExp(`^(https?://[^/?#@\\s]+)/(${NAME})/pull/([1-9]\\d{0,9})/?$`).exec(url);
  if (match?.[1]?.toLowerCase() !== serverUrl.toLowerCase() || match[2] === undefined) return undefined;
  return { repository: match[2].toLowerCase(), number: Number(match[3]) };
}
