import * as values from '../../values/values.ts';
import { fits, reject } from '../../values/values.ts';
import {
  formatQuery,
  isSettingName,
  NAME_RULE,
  type OnServer,
  type Parts,
  type Rewrite,
  readServer,
} from '../address-parts.ts';

/** An Actions secret of Gitea or Forgejo. */
export type GiteaAddress = { readonly scheme: 'gitea'; readonly name: string } & OnServer &
  (
    | { readonly scope: 'repository'; readonly repository: string }
    | { readonly scope: 'organization'; readonly organization: string }
  );

export const GITEA_FORMS = 'gitea:repo/OWNER/REPO/NAME or gitea:org/ORG/NAME';

// What is missing has its placeholder. A word in capitals is the name of a secret.
export const GITEA_REWRITES: readonly Rewrite[] = [
  [/^(gitea:[^#]*)#.*$/, '$1'],
  [/^gitea:organi[sz]ation\//i, 'gitea:org/'],
  [/^gitea:(?:repository|repos)\//i, 'gitea:repo/'],
  [/^gitea:(?!secret\/|env\/|org\/|repo\/)([\w.-]+\/[\w.-]+\/\w+)(?=\?|$)/, 'gitea:repo/$1'],
  // As on GitHub, without a repository, or with the environments that Gitea does not have.
  [/^gitea:(?:secrets?\/)?([\w-]+)(?=\?|$)/i, 'gitea:repo/OWNER/REPO/$1'],
  [/^gitea:env\/[^/?]+\/(\w+)(?=\?|$)/i, 'gitea:repo/OWNER/REPO/$1'],
  [/^gitea:org\/([A-Z_][A-Z0-9_]*)(?=\?|$)/, 'gitea:org/ORG/$1'],
  [/^gitea:org\/([^/?]+)\/?(?=\?|$)/, 'gitea:org/$1/NAME'],
  [/^gitea:repo\/([^/?]+)\/([A-Z_][A-Z0-9_]*)(?=\?|$)/, 'gitea:repo/OWNER/$1/$2'],
  [/^gitea:repo\/([^/?]+\/[^/?]+)\/?(?=\?|$)/, 'gitea:repo/$1/NAME'],
  [
    /^(gitea:(?:[^/?]+\/)+)([\w -]+)(?=\?|$)/,
    (_, before = '', name = '') => `${before}${name.toUpperCase().replace(/[ -]/g, '_')}`,
  ],
  [/^(gitea:[^?]*\?(?:.*&)?)(?:host|url|instance|forge-url)=/, '$1server='],
  [/^(gitea:[^?]*\?(?:.*&)?server=)(?!https?:)/, '$1https://'],
];

export function formatAddress(address: GiteaAddress): string {
  const { name, server } = address;
  const owner = address.scope === 'organization' ? `org/${address.organization}` : `repo/${address.repository}`;
  return `gitea:${owner}/${name}${formatQuery({ server })}`;
}

export function parseGitea({ parts, query }: Parts, forms: string): GiteaAddress {
  const [kind, owner = '', ...more] = parts;
  const name = more.at(-1) ?? '';
  // Gitea's rule, and Forgejo's: https://docs.gitea.com/usage/actions/secrets#naming-your-secrets
  const isReserved = /^(GITEA|FORGEJO)_/.test(name) || name === 'CI';
  if (!fits(values.login, owner) || !isSettingName(name) || isReserved)
    return reject(`${forms}; ${NAME_RULE}, GITEA_ nor FORGEJO_, and is not CI`);
  const common = { scheme: 'gitea', name, server: readServer(query, 'https://gitea.example.com') } as const;
  if (kind === 'org' && more.length === 1) return { ...common, scope: 'organization', organization: owner };
  const repository = `${owner}/${more[0]}`;
  if (kind !== 'repo' || more.length !== 2 || !fits(values.repository, repository)) return reject(forms);
  return { ...common, scope: 'repository', repository };
}
