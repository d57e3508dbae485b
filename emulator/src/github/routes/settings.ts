import { findEnvironment } from '../deployments.ts';
import type { PermissionName, RepositoryEntity, Scope, VariableEntity } from '../entities.ts';
import { type AppContext, notFound, paginate, refuse, timestamp } from '../http.ts';
import { type Level, useOrganization, useRepository } from '../rights.ts';
import { minimalRepository } from '../shapes.ts';
import type { Store } from '../store.ts';

/** One of the three scopes of secrets and variables, and its path. */
export interface ScopeRoute {
  /** Path up to `/secrets` or `/variables`. */
  readonly base: string;
  /** Checks the permissions and returns the scope. */
  open(c: AppContext, store: Store, level: Level): Scope;
}

/** The three scopes, each with the permission that GitHub requires. */
export function scopeRoutes(
  repositoryPermission: PermissionName,
  organizationPermission: PermissionName,
): ScopeRoute[] {
  return [
    {
      base: '/repos/:owner/:repo/actions',
      open: (c, store, level) => {
        const repository = useRepository(c, store, { level, anyOf: [repositoryPermission] });
        return { scope: 'repository', repository: repository.fullName };
      },
    },
    {
      base: '/repos/:owner/:repo/environments/:environment',
      open: (c, store, level) => {
        const repository = useRepository(c, store, { level, anyOf: ['environments'] });
        const environment = findEnvironment(repository, c.req.param('environment') ?? '');
        if (environment === undefined) throw notFound();
        return { scope: 'environment', repository: repository.fullName, environment };
      },
    },
    {
      base: '/orgs/:org/actions',
      open: (c, store, level) => ({
        scope: 'organization',
        organization: useOrganization(c, store, { level, anyOf: [organizationPermission] }),
      }),
    },
  ];
}

// The rules for names that GitHub documents for both secrets and variables.
export function checkName(name: string, kind: 'Secret' | 'Variable'): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw refuse(
      422,
      `${kind} names can only contain alphanumeric characters and underscores, and start with neither a digit nor a space.`,
    );
  }
  if (/^GITHUB_/i.test(name)) throw refuse(422, `${kind} names must not start with GITHUB_.`);
}

/** Fields that every setting has. */
export function settingShape(c: AppContext, entity: VariableEntity) {
  const { visibility } = entity;
  const list = c.req.path.replace(/\/(secrets|variables)\/.*$/, '/$1');
  return {
    name: entity.name,
    created_at: timestamp(entity.createdAt),
    updated_at: timestamp(entity.updatedAt),
    ...(visibility ? { visibility } : {}),
    ...(visibility === 'selected'
      ? { selected_repositories_url: `${c.env.base}${list}/${entity.name}/repositories` }
      : {}),
  };
}

export function listSelected(c: AppContext, store: Store, entity: VariableEntity) {
  const known = [...store.repositories.values()];
  const selected = entity.selectedRepositoryIds
    .map((id) => known.find((repository) => repository.id === id))
    .filter((repository): repository is RepositoryEntity => repository !== undefined);
  const { items, total } = paginate(c, selected);
  return {
    total_count: total,
    repositories: items.map((repository) =>
      minimalRepository(repository, store.user(repository.owner)),
    ),
  };
}
