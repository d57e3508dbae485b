import type { PermissionName, RepositoryEntity } from './entities.ts';
import type { Token } from './ground.ts';
import { type AppContext, notFound, refuse } from './http.ts';
import type { Store } from './store.ts';

export type Level = 'read' | 'write';

/** Any of these permissions is enough. */
export interface Need {
  readonly level: Level;
  readonly anyOf: readonly PermissionName[];
}

export const METADATA: Need = { level: 'read', anyOf: [] };

/**
 * A workflow's token has no access to secrets, variables and environments, whatever its
 * `permissions:` are.
 */
const NEVER_FOR_WORKFLOW: readonly PermissionName[] = [
  'actions_variables',
  'environments',
  'organization_actions_variables',
  'organization_secrets',
  'secrets',
];

// Public content is readable without any permission; settings never are.
const READABLE_IN_PUBLIC: readonly PermissionName[] = [
  'actions',
  'checks',
  'contents',
  'deployments',
  'issues',
  'pull_requests',
];

/** The repository of the path: 404 if the token does not see it, 403 if it lacks the permission. */
export function useRepository(c: AppContext, store: Store, need: Need): RepositoryEntity {
  const fullName = `${c.req.param('owner')}/${c.req.param('repo')}`;
  const token = c.get('token');
  const repository = store.repository(fullName);
  if (!repository || !sees(token, repository)) throw notFound();
  const isPublicContent =
    !repository.private &&
    need.level === 'read' &&
    need.anyOf.some((permission) => READABLE_IN_PUBLIC.includes(permission));
  if (!isPublicContent) demand(token, need);
  return repository;
}

/** The organization of the path, with the same checks. */
export function useOrganization(c: AppContext, store: Store, need: Need): string {
  const login = c.req.param('org') ?? '';
  if (!store.organizations.has(login.toLowerCase())) throw notFound();
  demand(c.get('token'), need);
  return login;
}

function sees(token: Token, repository: RepositoryEntity): boolean {
  if (!token.repositories || !repository.private) return true;
  return token.repositories.some(
    (name) => name.toLowerCase() === repository.fullName.toLowerCase(),
  );
}

function demand(token: Token, need: Need): void {
  if (need.anyOf.length === 0) return;
  if (need.anyOf.some((permission) => grants(token, permission, need.level))) return;
  throw inaccessible(token);
}

export function inaccessible(token: Token): Error {
  const whom = token.kind === 'pat' ? 'personal access token' : 'integration';
  return refuse(403, `Resource not accessible by ${whom}`);
}

function grants(token: Token, permission: PermissionName, level: Level): boolean {
  if (token.kind === 'workflow' && NEVER_FOR_WORKFLOW.includes(permission)) return false;
  const granted = token.permissions[permission];
  return granted === 'write' || granted === level;
}
