/** Where a clone comes from. */
interface Remote {
  /** Without a user or password. */
  readonly serverUrl: string;
  /** `owner/name`, or longer. */
  readonly repository: string;
}

const SCP = /^(?:[\w.-]+@)?([\w.-]+):(?!\/)(.+)$/;

/** Reads the address of a clone: `https://…`, `ssh://…`, `git@host:owner/name.git`. undefined for any other. */
export function readRemote(address: string | undefined): Remote | undefined {
  if (address === undefined || address === '') return undefined;
  const [, host = '', path = ''] = SCP.exec(address) ?? [];
  if (host !== '' && !address.includes('://')) return makeRemote(`https://${host}`, path);
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol === 'http:' || url.protocol === 'https:') return makeRemote(url.origin, url.pathname);
  return url.protocol === 'ssh:' || url.protocol === 'git:'
    ? makeRemote(`https://${url.hostname}`, url.pathname)
    : undefined;
}

function makeRemote(serverUrl: string, path: string): Remote | undefined {
  const repository = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  return repository.includes('/') ? { serverUrl, repository } : undefined;
}
