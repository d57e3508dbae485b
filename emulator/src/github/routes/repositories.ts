import { findEnvironment } from '../deployments.ts';
import type { RepositoryEntity, RoleSeed, UserEntity } from '../entities.ts';
import { type App, nodeId, notFound, refuse, timestamp } from '../http.ts';
import { METADATA, useRepository } from '../rights.ts';
import { fullRepository, roleFlags, simpleUser } from '../shapes.ts';
import type { Store } from '../store.ts';

export function addRepositoryRoutes(app: App, store: Store): void {
  app.get('/repos/:owner/:repo', (c) => {
    const repository = useRepository(c, store, METADATA);
    return c.json(fullRepository(repository, store.user(repository.owner)));
  });
  // Public: without the right to administer it, GitHub only leaves fields out.
  app.get('/orgs/:org', (c) => {
    const login = c.req.param('org');
    if (!store.organizations.has(login.toLowerCase())) throw notFound();
    return c.json(simpleUser(store.user(login)));
  });
  app.get('/repos/:owner/:repo/environments/:environment', (c) => {
    // The permission "Environments" is for secrets and variables.
    const repository = useRepository(c, store, { level: 'read', anyOf: ['actions'] });
    const name = findEnvironment(repository, c.req.param('environment'));
    if (name === undefined) throw notFound();
    return c.json(environmentShape(repository, name));
  });
  app.get('/repos/:owner/:repo/collaborators/:username/permission', (c) => {
    const repository = useRepository(c, store, METADATA);
    const login = c.req.param('username');
    const user = store.findUser(login);
    if (!user) throw refuse(404, `${login} is not a user`);
    return c.json(permissionShape(user, roleOf(repository, user)));
  });
}

/** Everyone can read a public repository; an owner is its admin. */
function roleOf(repository: RepositoryEntity, user: UserEntity): RoleSeed {
  const role = repository.collaborators.get(user.login.toLowerCase());
  if (role) return role;
  if (repository.owner.toLowerCase() === user.login.toLowerCase())
    return { permission: 'admin', role_name: 'admin' };
  return repository.private
    ? { permission: 'none', role_name: '' }
    : { permission: 'read', role_name: 'read' };
}

function permissionShape(user: UserEntity, role: RoleSeed) {
  return {
    permission: role.permission,
    user: { ...simpleUser(user), permissions: roleFlags(role), role_name: role.role_name },
    role_name: role.role_name,
  };
}

function environmentShape(repository: RepositoryEntity, name: string) {
  const url = `https://api.github.com/repos/${repository.fullName}/environments/${encodeURIComponent(name)}`;
  return {
    id: repository.id + name.length,
    node_id: nodeId('EN', repository.id),
    name,
    url,
    html_url: `https://github.com/${repository.fullName}/deployments/activity_log?environments_filter=${encodeURIComponent(name)}`,
    created_at: timestamp(0),
    updated_at: timestamp(0),
    can_admins_bypass: true,
    protection_rules: [],
    deployment_branch_policy: null,
  };
}
