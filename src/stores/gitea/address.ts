import * as values from '../../values/values.ts';
import { fits, reject } from '../../values/values.ts';
import {
  formatQuery,
  isSettingName,
  NAME_RULE,
  type OnServer,
  type Parts,
  readServer,
} from '../address-parts.ts';

/** An Actions secret of Gitea or Forgejo. */
export type GiteaAddress = { readonly scheme: 'gitea'; readonly name: string } & OnServer &
  (
    | { readonly scope: 'repository'; readonly repository: string }
    | { readonly scope: 'organization'; readonly organization: string }
  );

export const GITEA_FORMS = 'gitea:repo/OWNER/REPO/NAME or gitea:org/ORG/NAME';

export function formatAddress(address: GiteaAddress): string {
  const owner =
    address.scope === 'organization' ? `org/${address.organization}` : `repo/${address.repository}`;
  return `gitea:${owner}/${address.name}${formatQuery({ server: address.server })}`;
}

/** Throws with `reject`. */
export function parseGitea(given: Parts): GiteaAddress {
  const [form, owner = '', ...more] = given.parts;
  // The name comes last in both forms. '' for a missing one: the check below refuses it.
  const name = more.at(-1) ?? '';
  // Gitea's rule, and Forgejo's: https://docs.gitea.com/usage/actions/secrets#naming-your-secrets
  const isReserved = /^(GITEA|FORGEJO)_/.test(name) || name === 'CI';
  if (!fits(values.login, owner) || !isSettingName(name) || isReserved) {
    return reject(`${GITEA_FORMS}; ${NAME_RULE}, GITEA_ nor FORGEJO_, and is not CI`);
  }
  const server = readServer(given.query, 'https://gitea.example.com');
  if (form === 'org' && more.length === 1) {
    return { scheme: 'gitea', name, server, scope: 'organization', organization: owner };
  }
  if (form !== 'repo' || more.length !== 2) return reject(GITEA_FORMS);
  const repository = `${owner}/${more[0]}`;
  if (!fits(values.repository, repository)) return reject(GITEA_FORMS);
  return { scheme: 'gitea', name, server, scope: 'repository', repository };
}
