import { reject } from '../../values/values.ts';
import { formatQuery, type OnServer, type Parts, type Rewrite, readServer } from '../address-parts.ts';

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

export const GITLAB_REWRITES: readonly Rewrite[] = [
  [/^(gitlab:[^#]*)#.*$/, '$1'],
  [/^gitlab:(project|group)s\//i, 'gitlab:$1/'],
  [/^gitlab:group\/([A-Z_][A-Z0-9_]*)(?=\?|$)/, 'gitlab:group/ID/$1'],
  // The name of a variable alone, under any of the words that people write before it.
  [
    /^gitlab:(?:(?:project|group|vars?|variables?|secrets?)\/?)?((?:[A-Z_][A-Z0-9_]*)?)(?=\?|$)/,
    (_, name = '') => `gitlab:project/ID/${name || 'NAME'}`,
  ],
  [/^gitlab:([a-z][\w-]*)(?=\?|$)/, (_, name = '') => `gitlab:project/ID/${name.replaceAll('-', '_')}`],
  [/^gitlab:(?!project\/|group\/)(?=[^?]*\/)/, 'gitlab:project/'],
  [/^gitlab:(project|group)\/([^?/]+)\/?(?=\?|$)/, 'gitlab:$1/$2/NAME'],
  [
    /^gitlab:(project|group)\/([^?]+)\/([\w-]+)(?=\?|$)/,
    (_, scope = '', id = '', name = '') => `gitlab:${scope}/${id.replaceAll('/', '%2F')}/${name.replaceAll('-', '_')}`,
  ],
  [/^(gitlab:[^?]*\?(?:.*&)?)(?:scope|env|environment[_-]scope)=/, '$1environment='],
  [/^(gitlab:[^?]*\?(?:.*&)?)(?:host|url|instance|forge-url)=/, '$1server='],
  [/^(gitlab:[^?]*\?(?:.*&)?server=)(?!https?:)/, '$1https://'],
];

export function formatAddress({ scope, id, name, server, environment }: GitLabAddress): string {
  return `gitlab:${scope}/${encodeURIComponent(id)}/${name}${formatQuery({ server, environment })}`;
}

export function parseGitLab({ parts, query }: Parts, forms: string): GitLabAddress {
  const [scope, id = '', name = '', ...more] = parts;
  const isId = /^[A-Za-z0-9_][A-Za-z0-9_.-]*(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/.test(id);
  if ((scope !== 'project' && scope !== 'group') || more.length > 0 || !isId) return reject(forms);
  if (!/^[A-Za-z0-9_]{1,255}$/.test(name)) return reject(`${forms}; NAME has letters, digits and underscores`);
  return {
    scheme: 'gitlab',
    scope,
    id,
    name,
    server: readServer(query, 'https://gitlab.example.com'),
    environment: query.environment,
  };
}
