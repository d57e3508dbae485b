import type { CommitEntity } from '../commits.ts';
import { diffReply, wantsDiff } from '../diff.ts';
import type { FileEntity, RepositoryEntity } from '../entities.ts';
import { type App, nodeId, notFound, paginate, timestamp } from '../http.ts';
import { type Need, useRepository } from '../rights.ts';
import { fileShape, simpleUser } from '../shapes.ts';
import type { Store } from '../store.ts';

const READ: Need = { level: 'read', anyOf: ['contents'] };

// https://docs.github.com/rest/commits/commits#compare-two-commits
const MOST_FILES = 300;
const COMMITS_PER_PAGE = 250;

export function addCommitRoutes(app: App, store: Store): void {
  app.get('/repos/:owner/:repo/commits', (c) => {
    const repository = useRepository(c, store, READ);
    const head = store.commits.find(repository, c.req.query('sha') ?? repository.defaultBranch);
    const all = head === undefined ? [] : store.commits.history(repository, head);
    return c.json(paginate(c, all).items.map((commit) => commitShape(repository, commit, store)));
  });
  app.get('/repos/:owner/:repo/git/ref/:ref{.+}', (c) => {
    const repository = useRepository(c, store, READ);
    const ref = c.req.param('ref');
    const sha = ref.startsWith('heads/') ? headOf(repository, ref.slice(6), store) : undefined;
    if (sha === undefined) throw notFound();
    return c.json({ ref: `refs/${ref}`, object: { type: 'commit', sha } });
  });
  app.get('/repos/:owner/:repo/compare/:basehead', (c) => {
    const repository = useRepository(c, store, READ);
    const [base, head] = c.req
      .param('basehead')
      .split('...')
      .map((ref) => store.commits.find(repository, ref));
    if (base === undefined || head === undefined) throw notFound();
    if (wantsDiff(c)) return diffReply(c, filesBetween(repository, { base, head }, store));
    const comparison = compare(repository, { base, head }, store);
    const { items } = paginate(c, comparison.commits, {
      usual: COMMITS_PER_PAGE,
      most: COMMITS_PER_PAGE,
    });
    // Only the first page has files.
    const files = (c.req.query('page') ?? '1') === '1' ? comparison.files : undefined;
    return c.json({ ...comparison, commits: items, files });
  });
}

/** The newest commit of a branch: that of a pull request may be in no list of commits. */
function headOf(repository: RepositoryEntity, branch: string, store: Store): string | undefined {
  const { fullName, defaultBranch } = repository;
  const known = store.commits.find(repository, `heads/${branch}`)?.sha;
  if (known !== undefined) return known;
  if (branch === defaultBranch) return store.files.commit(fullName);
  return store.conversations
    .listPullRequests()
    .find(({ head }) => head.ref === branch && head.repository === fullName)?.head.sha;
}

type Ends = Readonly<Record<'base' | 'head', CommitEntity>>;

function compare(repository: RepositoryEntity, { base, head }: Ends, store: Store) {
  const [before, after] = [
    store.commits.history(repository, base),
    store.commits.history(repository, head),
  ];
  const ahead = after.filter((commit) => !before.includes(commit));
  const behind = before.filter((commit) => !after.includes(commit));
  const mergeBase = after.find((commit) => before.includes(commit));
  if (mergeBase === undefined) throw notFound();
  const site = `https://github.com/${repository.fullName}/compare/${base.sha}...${head.sha}`;
  return {
    url: `https://api.github.com/repos/${repository.fullName}/compare/${base.sha}...${head.sha}`,
    html_url: site,
    permalink_url: site,
    diff_url: `${site}.diff`,
    patch_url: `${site}.patch`,
    base_commit: commitShape(repository, base, store),
    merge_base_commit: commitShape(repository, mergeBase, store),
    status: statusOf(ahead.length, behind.length),
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: [...ahead].reverse().map((commit) => commitShape(repository, commit, store)),
    files: filesBetween(repository, { base, head }, store)
      .slice(0, MOST_FILES)
      .map((file) => fileShape(file, { repository: repository.fullName, sha: head.sha })),
  };
}

function statusOf(ahead: number, behind: number): string {
  if (ahead > 0 && behind > 0) return 'diverged';
  if (ahead > 0) return 'ahead';
  return behind > 0 ? 'behind' : 'identical';
}

/**
 * What the commits of the head that the base does not have change together, as far as their seeds
 * say. Of several changes of a file, the newest counts.
 */
function filesBetween(
  repository: RepositoryEntity,
  { base, head }: Ends,
  store: Store,
): FileEntity[] {
  const before = store.commits.history(repository, base);
  const ahead = store.commits
    .history(repository, head)
    .filter((commit) => !before.includes(commit));
  const files = ahead.toReversed().flatMap((commit) => commit.files);
  return [...new Map(files.map((file) => [file.filename, file])).values()];
}

export function commitShape(
  repository: RepositoryEntity,
  { sha, parent, message }: CommitEntity,
  store: Store,
) {
  const url = `https://api.github.com/repos/${repository.fullName}/commits/${sha}`;
  const site = `https://github.com/${repository.fullName}/commit`;
  const signature = {
    name: repository.owner,
    email: 'dev@example.com',
    date: timestamp(store.now()),
  };
  const owner = simpleUser(store.user(repository.owner));
  return {
    url,
    sha,
    node_id: nodeId('C', Number.parseInt(sha.slice(0, 8), 16)),
    html_url: `${site}/${sha}`,
    comments_url: `${url}/comments`,
    commit: {
      url: url.replace('/commits/', '/git/commits/'),
      author: signature,
      committer: signature,
      message,
      comment_count: 0,
      tree: { sha, url: url.replace('/commits/', '/git/trees/') },
    },
    author: owner,
    committer: owner,
    parents:
      parent === undefined
        ? []
        : [{ sha: parent, url: url.replace(sha, parent), html_url: `${site}/${parent}` }],
  };
}
