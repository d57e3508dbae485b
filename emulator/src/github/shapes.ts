import type { RepositoryEntity, RoleSeed, UserEntity } from './entities.ts';
import { nodeId } from './http.ts';

const SITE = 'https://github.com';
const API = 'https://api.github.com';

export function simpleUser(user: UserEntity) {
  return {
    login: user.login,
    id: user.id,
    node_id: nodeId('U', user.id),
    avatar_url: `https://avatars.githubusercontent.com/u/${user.id}?v=4`,
    gravatar_id: '',
    url: `${API}/users/${encodeURIComponent(user.login)}`,
    html_url: user.type === 'Bot' ? `${SITE}/apps/${user.login.replace('[bot]', '')}` : `${SITE}/${user.login}`,
    type: user.type,
    user_view_type: 'public',
    site_admin: false,
  };
}

export function minimalRepository(repository: RepositoryEntity, owner: UserEntity) {
  return {
    id: repository.id,
    node_id: nodeId('R', repository.id),
    name: repository.name,
    full_name: repository.fullName,
    private: repository.private,
    owner: simpleUser(owner),
    html_url: `${SITE}/${repository.fullName}`,
    description: null,
    fork: false,
    url: `${API}/repos/${repository.fullName}`,
  };
}

export function fullRepository(repository: RepositoryEntity, owner: UserEntity) {
  return {
    ...minimalRepository(repository, owner),
    default_branch: repository.defaultBranch,
    visibility: repository.private ? 'private' : 'public',
    archived: false,
    disabled: false,
    has_issues: repository.hasIssues,
    clone_url: `${SITE}/${repository.fullName}.git`,
    created_at: '2020-01-01T00:00:00Z',
    updated_at: '2025-01-01T00:00:00Z',
    pushed_at: '2025-01-01T00:00:00Z',
  };
}

/** What a role allows, as the API's five flags; a custom role has the flags of its base permission. */
export function roleFlags(role: RoleSeed) {
  const standard = ['read', 'triage', 'write', 'maintain', 'admin'];
  const rank = standard.indexOf(standard.includes(role.role_name) ? role.role_name : role.permission);
  return { pull: rank >= 0, triage: rank >= 1, push: rank >= 2, maintain: rank >= 3, admin: rank >= 4 };
}

export function label(name: string) {
  return {
    id: [...name].reduce((sum, character) => sum * 31 + (character.codePointAt(0) ?? 0), 7) % 1_000_000_007,
    node_id: nodeId('LA', name.length),
    url: `${API}/labels/${encodeURIComponent(name)}`,
    name,
    color: 'ededed',
    default: false,
    description: null,
  };
}
