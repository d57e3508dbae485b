import { reject } from '../../values/values.ts';
import { formatQuery, type OnServer, type Parts, readServer } from '../address-parts.ts';

/** A CI/CD variable. `id` is a number or a full path such as `acme/docs`. */
export interface GitLabAddress extends OnServer {
  readonly scheme: 'gitlab';
  readonly scope: 'project' | 'group';
  readonly id: string;
  readonly name: string;
  /** GitLab's environment scope; undefined: all environments. */
  readonly environment?: string | undefined;
}

export const GITLAB_FORMS =
  'gitlab:project/ID/NAME or gitlab:group/ID/NAME; ID is a number, or a full path with %2F for each slash';

export function formatAddress(address: GitLabAddress): string {
  const query = formatQuery({ server: address.server, environment: address.environment });
  return `gitlab:${address.scope}/${encodeURIComponent(address.id)}/${address.name}${query}`;
}

/** Throws with `reject`. */
export function parseGitLab(given: Parts): GitLabAddress {
  const [scope, ...rest] = given.parts;
  const name = rest.at(-1) ?? '';
  const id = rest.slice(0, -1).join('/');
  // A number, or a path, in which the slashes were %2F in the address.
  const isId = /^[A-Za-z0-9_][A-Za-z0-9_.-]*(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/.test(id);
  if ((scope !== 'project' && scope !== 'group') || !isId) {
    return reject(GITLAB_FORMS);
  }
  if (!/^[A-Za-z0-9_]{1,255}$/.test(name)) {
    return reject(`${GITLAB_FORMS}; NAME has letters, digits and underscores`);
  }
  const address: GitLabAddress = {
    scheme: 'gitlab',
    scope,
    id,
    name,
    server: readServer(given.query, 'https://gitlab.example.com'),
    environment: given.query.environment,
  };
  if (rest.length === 2) return address;
  return reject(`${formatAddress(address)}, with %2F for each slash of the path`);
}
