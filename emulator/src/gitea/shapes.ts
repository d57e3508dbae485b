import type { GiteaComment, GiteaConversations, GiteaPull, GiteaUser } from './conversations.ts';

/** Replies as Gitea 1.26 writes them. `server` is the address that a request came to. */

/** Whole seconds, as Gitea stores times. */
export function timestamp(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000', '');
}

export function userShape({ id, login }: GiteaUser) {
  return { id, login, login_name: '', full_name: '', email: `${login}@example.com`, is_admin: false, username: login };
}

export function repositoryShape(fullName: string, isPrivate: boolean) {
  const [, name = ''] = fullName.split('/');
  return { id: 1, name, full_name: fullName, private: isPrivate, internal: false, default_branch: 'main' };
}

function pullUrl(server: string, { repository, number }: Pick<GiteaPull, 'repository' | 'number'>): string {
  return `${server}/${repository}/pulls/${number}`;
}

export function pullShape(server: string, pull: GiteaPull, conversations: GiteaConversations) {
  const { repository, number, files, labels } = pull;
  const lines = (mark: string) => files.reduce((sum, { patch }) => sum + countLines(patch, mark), 0);
  const repo = (name: string | undefined) =>
    name === undefined ? null : repositoryShape(name, conversations.isPrivate(name));
  return {
    id: number,
    url: pullUrl(server, pull),
    number,
    user: userShape(pull.user),
    title: pull.title,
    body: pull.body,
    labels: labels.map((name, index) => ({ id: index + 1, name, color: 'ff0000' })),
    state: pull.state,
    is_locked: pull.locked,
    merged: pull.merged,
    merge_commit_sha: pull.mergeCommitSha ?? null,
    additions: lines('+'),
    deletions: lines('-'),
    changed_files: files.length,
    html_url: pullUrl(server, pull),
    diff_url: `${pullUrl(server, pull)}.diff`,
    base: { label: pull.base.ref, ref: pull.base.ref, sha: 'b'.repeat(40), repo: repo(repository) },
    head: { label: pull.head.ref, ref: pull.head.ref, sha: pull.head.sha, repo: repo(pull.head.repository) },
  };
}

function countLines(patch: string | undefined, mark: string): number {
  return (patch ?? '').split('\n').filter((line) => line.startsWith(mark)).length;
}

export function fileShape(server: string, pull: GiteaPull, file: GiteaPull['files'][number]) {
  const { filename, previousFilename, status = 'changed', patch } = file;
  const below = `${server}/api/v1/repos/${pull.repository}/contents/${encodeURIComponent(filename)}`;
  return {
    filename,
    status,
    ...(previousFilename !== undefined && { previous_filename: previousFilename }),
    additions: countLines(patch, '+'),
    deletions: countLines(patch, '-'),
    changes: countLines(patch, '+') + countLines(patch, '-'),
    // A deleted file has no content to link to.
    contents_url: `${below}?ref=${pull.head.sha}`,
  };
}

/** As `git diff` writes it. */
export function diffText({ files }: GiteaPull): string {
  return files
    .map(({ filename, previousFilename: before = filename, status, patch }) => {
      const head = `diff --git a/${before} b/${filename}\nindex 0000000..3f45f10 100644\n`;
      if (patch === undefined) return `${head}Binary files a/${before} and b/${filename} differ\n`;
      const [from, to] = [
        status === 'added' ? '/dev/null' : `a/${before}`,
        status === 'deleted' ? '/dev/null' : `b/${filename}`,
      ];
      return `${head}--- ${from}\n+++ ${to}\n${patch}\n`;
    })
    .join('');
}

export function commentShape(server: string, comment: GiteaComment, isPull: boolean) {
  const url = isPull ? pullUrl(server, comment) : `${server}/${comment.repository}/issues/${comment.number}`;
  return {
    id: comment.id,
    html_url: `${url}#issuecomment-${comment.id}`,
    pull_request_url: isPull ? url : '',
    issue_url: isPull ? '' : url,
    user: userShape(comment.user),
    original_author: '',
    original_author_id: 0,
    body: comment.body,
    assets: [],
    created_at: timestamp(comment.createdAt),
    updated_at: timestamp(comment.updatedAt),
  };
}

export function timelineShape(server: string, pull: GiteaPull, { comments, entries }: GiteaConversations): object[] {
  const isHere = (one: { readonly repository: string; readonly number: number }) =>
    one.repository === pull.repository && one.number === pull.number;
  const all = [
    ...comments.filter(isHere).map((one) => ({
      id: one.id,
      shape: { ...commentShape(server, one, true), type: 'comment', label: null },
    })),
    ...entries.filter(isHere).map((one) => ({
      id: one.id,
      shape: {
        id: one.id,
        type: one.type,
        user: userShape(one.user),
        body: one.body,
        label: one.label === undefined ? null : { id: 1, name: one.label, color: 'ff0000' },
        created_at: timestamp(one.createdAt),
        updated_at: timestamp(one.createdAt),
      },
    })),
  ];
  return all.sort((a, b) => a.id - b.id).map(({ shape }) => shape);
}
