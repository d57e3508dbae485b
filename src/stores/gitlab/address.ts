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

export function formatAddress({ scope, id, name, server, environment }: GitLabAddress): string {
  return `gitlab:${scope}/${encodeURIComponent(id)}/${name}${formatQuery({ server, environment })}`;
}

export function parseGitLab({ parts, query }: Parts, forms: string): GitLabAddress {
  const [scope, id = '', name = '', ...more] = parts;
  const isId = /^[A-Za-z0-9_][A-Za-z0-9_.-]*(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/.test(id);
  if ((scope !== 'project' && scope !== 'group') || more.length > 0 || !isId) return reject(forms);
  if (!/^[A-Za-z0-9_]{1,255}$/.test(name))
    return reject(`${forms}; NAME has letters, digits and underscores`);
  return {
    scheme: 'gitlab',
    scope,
    id,
    name,
    server: readServer(query, 'https://gitlab.example.com'),
    environment: query.environment,
  };
}
