import type { FileEntity, RepositoryEntity, RoleSeed, UserEntity } from './entities.ts';
import { nodeId } from './http.ts';

const SITE = 'https://github.com';
const API = 'https://api.github.com';
const CREATED = '2020-01-01T00:00:00Z';
const UPDATED = '2025-01-01T00:00:00Z';

/**
 * Where GitHub has more about an account or a repository: the field without `_url`, and the path if
 * it differs.
 */
const USER_LINKS = `events:events{/privacy} followers following:following{/other_user} gists:gists{/gist_id} organizations:orgs
  received_events repos starred:starred{/owner}{/repo} subscriptions`;
const REPOSITORY_LINKS = `archive:{archive_format}{/ref} assignees:assignees{/user} blobs:git/blobs{/sha} branches:branches{/branch}
  collaborators:collaborators{/collaborator} comments:comments{/number} commits:commits{/sha} compare:compare/{base}...{head}
  contents:contents/{+path} contributors deployments downloads events forks git_commits:git/commits{/sha} git_refs:git/refs{/sha}
  git_tags:git/tags{/sha} hooks issue_comment:issues/comments{/number} issue_events:issues/events{/number} issues:issues{/number}
  keys:keys{/key_id} labels:labels{/name} languages merges milestones:milestones{/number}
  notifications:notifications{?since,all,participating} pulls:pulls{/number} releases:releases{/id} stargazers
  statuses:statuses/{sha} subscribers subscription tags teams trees:git/trees{/sha}`;

function linksBelow(url: string, names: string): Record<string, string> {
  return Object.fromEntries(
    names.split(/\s+/).map((entry) => {
      const [name = '', path = name] = entry.split(':');
      return [`${name}_url`, `${url}/${path}`];
    }),
  );
}

export function simpleUser(user: UserEntity) {
  return {
    ...linksBelow(`${API}/users/${encodeURIComponent(user.login)}`, USER_LINKS),
    login: user.login,
    id: user.id,
    node_id: nodeId('U', user.id),
    avatar_url: `https://avatars.githubusercontent.com/u/${user.id}?v=4`,
    gravatar_id: '',
    url: `${API}/users/${encodeURIComponent(user.login)}`,
    html_url:
      user.type === 'Bot'
        ? `${SITE}/apps/${user.login.replace('[bot]', '')}`
        : `${SITE}/${user.login}`,
    type: user.type,
    user_view_type: 'public',
    site_admin: false,
  };
}

/** An account as `GET /users/LOGIN` shows it. */
export function publicUser(user: UserEntity) {
  const unknown = {
    name: null,
    company: null,
    blog: '',
    location: null,
    email: null,
    hireable: null,
    bio: null,
  };
  const counts = { public_repos: 0, public_gists: 0, followers: 0, following: 0 };
  return { ...simpleUser(user), ...unknown, ...counts, created_at: CREATED, updated_at: UPDATED };
}

/** A commit as checks and runs name it. */
export function commitOfHead(sha: string, at: string) {
  const person = { name: 'docs', email: 'docs@example.com' };
  return {
    id: sha,
    tree_id: sha,
    message: 'Newest',
    timestamp: at,
    author: person,
    committer: person,
  };
}

export function minimalRepository(repository: RepositoryEntity, owner: UserEntity) {
  return {
    ...linksBelow(`${API}/repos/${repository.fullName}`, REPOSITORY_LINKS),
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
    ...{
      has_projects: true,
      has_wiki: false,
      has_pages: false,
      has_downloads: true,
      has_discussions: false,
    },
    clone_url: `${SITE}/${repository.fullName}.git`,
    git_url: `git://github.com/${repository.fullName}.git`,
    ssh_url: `git@github.com:${repository.fullName}.git`,
    svn_url: `${SITE}/${repository.fullName}`,
    ...{ homepage: null, language: null, license: null, mirror_url: null, size: 1 },
    ...{ forks: 0, forks_count: 0, open_issues: 0, open_issues_count: 0, stargazers_count: 0 },
    ...{ watchers: 0, watchers_count: 0, network_count: 0, subscribers_count: 0 },
    created_at: CREATED,
    updated_at: UPDATED,
    pushed_at: UPDATED,
  };
}

/** A changed file of a pull request, a commit, or a comparison. */
export function fileShape(
  file: FileEntity,
  { repository, sha }: { repository: string; sha: string },
) {
  const name = encodeURIComponent(file.filename);
  return {
    sha,
    filename: file.filename,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${SITE}/${repository}/blob/${sha}/${name}`,
    raw_url: `${SITE}/${repository}/raw/${sha}/${name}`,
    contents_url: `${API}/repos/${repository}/contents/${name}?ref=${sha}`,
    ...(file.patch === undefined ? {} : { patch: file.patch }),
    ...(file.previousFilename === undefined ? {} : { previous_filename: file.previousFilename }),
  };
}

/**
 * What a role allows, as the API's five flags; a custom role has the flags of its base permission.
 */
export function roleFlags(role: RoleSeed) {
  const standard = ['read', 'triage', 'write', 'maintain', 'admin'];
  const rank = standard.indexOf(
    standard.includes(role.role_name) ? role.role_name : role.permission,
  );
  return {
    pull: rank >= 0,
    triage: rank >= 1,
    push: rank >= 2,
    maintain: rank >= 3,
    admin: rank >= 4,
  };
}

export function label(name: string) {
  return {
    id:
      [...name].reduce((sum, character) => sum * 31 + (character.codePointAt(0) ?? 0), 7) %
      1_000_000_007,
    node_id: nodeId('LA', name.length),
    url: `${API}/labels/${encodeURIComponent(name)}`,
    name,
    color: 'ededed',
    default: false,
    description: `About ${name}`,
  };
}
