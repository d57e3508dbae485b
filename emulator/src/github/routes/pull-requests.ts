import { diffReply, wantsDiff } from '../diff.ts';
import type { CommentKind, PullRequestEntity, ReviewEntity } from '../entities.ts';
import {
  type App,
  type AppContext,
  nodeId,
  notFound,
  paginate,
  readNumber,
  timestamp,
} from '../http.ts';
import { type Need, useRepository } from '../rights.ts';
import { fileShape, fullRepository, label, simpleUser } from '../shapes.ts';
import type { Store } from '../store.ts';
import { commentShape } from './comments.ts';

const READ: Need = { level: 'read', anyOf: ['pull_requests'] };

// GitHub lists at most this many files.
const MOST_FILES = 3000;

export function addPullRequestRoutes(app: App, store: Store): void {
  const path = '/repos/:owner/:repo/pulls/:number';
  app.get('/repos/:owner/:repo/pulls', (c) => {
    const pulls = store.conversations.pullRequestsOf(useRepository(c, store, READ).fullName);
    const state = c.req.query('state') ?? 'open';
    const listed = pulls.filter((pull) => state === 'all' || pull.state === state);
    return c.json(paginate(c, listed).items.map((pull) => listedPull(pull, store)));
  });
  // Found by the head while it is open, and by its merge commit.
  app.get('/repos/:owner/:repo/commits/:ref/pulls', (c) => {
    const { fullName } = useRepository(c, store, {
      level: 'read',
      anyOf: ['pull_requests', 'contents'],
    });
    const ref = c.req.param('ref');
    const found = store.conversations
      .pullRequestsOf(fullName)
      .filter(({ head, mergeCommitSha }) => head.sha === ref || mergeCommitSha === ref);
    return c.json(paginate(c, found).items.map((pull) => listedPull(pull, store)));
  });
  app.get(path, (c) => {
    const pull = usePull(c, store);
    return wantsDiff(c) ? diffReply(c, pull.files) : c.json(pullShape(pull, store));
  });
  app.get(`${path}/files`, (c) => {
    const pull = usePull(c, store);
    const at = { repository: pull.repository, sha: pull.head.sha };
    return c.json(
      paginate(c, pull.files.slice(0, MOST_FILES)).items.map((file) => fileShape(file, at)),
    );
  });
  app.get(`${path}/comments`, (c) => {
    const pull = usePull(c, store);
    const own = store.conversations.comments.filter(
      (one) =>
        one.kind === 'review' && one.repository === pull.repository && one.number === pull.number,
    );
    return c.json(paginate(c, own).items.map(commentShape));
  });
  app.get(`${path}/reviews`, (c) => {
    const pull = usePull(c, store);
    return c.json(paginate(c, pull.reviews).items.map((review) => reviewShape(review, pull)));
  });
  app.get(`${path}/reviews/:id`, (c) => {
    const pull = usePull(c, store);
    const review = pull.reviews.find(({ id }) => id === readNumber(c, 'id'));
    if (!review) throw notFound();
    return c.json(reviewShape(review, pull));
  });
}

function usePull(c: AppContext, store: Store): PullRequestEntity {
  const repository = useRepository(c, store, READ);
  const pull = store.conversations.pullRequest(repository.fullName, readNumber(c, 'number'));
  if (!pull) throw notFound();
  return pull;
}

/** What is only part of a pull request that is asked for by its number. */
function pullShape(pull: PullRequestEntity, store: Store) {
  const commentsOf = (kind: CommentKind) =>
    store.conversations.comments.filter((one) => one.kind === kind && one.number === pull.number)
      .length;
  return {
    ...listedPull(pull, store),
    merged: pull.merged,
    merged_by: pull.merged ? simpleUser(pull.user) : null,
    mergeable: pull.state === 'open' ? true : null,
    mergeable_state: pull.state === 'open' ? 'clean' : 'unknown',
    ...{ maintainer_can_modify: false, commits: 1 },
    comments: commentsOf('issue'),
    review_comments: commentsOf('review'),
    additions: pull.files.reduce((sum, file) => sum + file.additions, 0),
    deletions: pull.files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: pull.files.length,
  };
}

/** Where the parts of a pull request are, as fields and as `_links`. */
function pullLinks({ repository, number, head }: PullRequestEntity) {
  const api = `https://api.github.com/repos/${repository}`;
  const site = `https://github.com/${repository}/pull/${number}`;
  const links = {
    issue: `${api}/issues/${number}`,
    comments: `${api}/issues/${number}/comments`,
    review_comments: `${api}/pulls/${number}/comments`,
    review_comment: `${api}/pulls/comments{/number}`,
    commits: `${api}/pulls/${number}/commits`,
    statuses: `${api}/statuses/${head.sha}`,
  };
  const withHref = { self: `${api}/pulls/${number}`, html: site, ...links };
  return {
    ...Object.fromEntries(Object.entries(links).map(([name, url]) => [`${name}_url`, url])),
    ...{ diff_url: `${site}.diff`, patch_url: `${site}.patch` },
    _links: Object.fromEntries(Object.entries(withHref).map(([name, href]) => [name, { href }])),
  };
}

function listedPull(pull: PullRequestEntity, store: Store) {
  const side = (half: { ref: string; sha: string; repository: string | undefined }) => {
    const repository =
      half.repository === undefined ? undefined : store.repository(half.repository);
    const owner = store.user(half.repository?.split('/')[0] ?? 'ghost');
    return {
      label: `${owner.login}:${half.ref}`,
      ref: half.ref,
      sha: half.sha,
      user: simpleUser(owner),
      repo: repository ? fullRepository(repository, owner) : null,
    };
  };
  const closedAt = pull.state === 'closed' ? timestamp(pull.updatedAt) : null;
  return {
    ...pullLinks(pull),
    ...{ assignee: null, assignees: [], milestone: null, auto_merge: null },
    ...{ requested_reviewers: [], requested_teams: [] },
    url: `https://api.github.com/repos/${pull.repository}/pulls/${pull.number}`,
    id: pull.id,
    node_id: nodeId('PR', pull.id),
    html_url: `https://github.com/${pull.repository}/pull/${pull.number}`,
    number: pull.number,
    state: pull.state,
    locked: pull.locked,
    title: pull.title,
    user: simpleUser(pull.user),
    body: pull.body ?? null,
    labels: pull.labels.map(label),
    created_at: timestamp(pull.createdAt),
    updated_at: timestamp(pull.updatedAt),
    closed_at: closedAt,
    merged_at: pull.merged ? closedAt : null,
    merge_commit_sha: pull.mergeCommitSha ?? null,
    draft: pull.draft,
    head: side(pull.head),
    base: side(pull.base),
    author_association: pull.authorAssociation,
  };
}

export function reviewShape(review: ReviewEntity, pull: PullRequestEntity) {
  return {
    id: review.id,
    node_id: nodeId('PRR', review.id),
    user: simpleUser(review.user),
    body: review.body,
    state: review.state,
    html_url: `https://github.com/${pull.repository}/pull/${pull.number}#pullrequestreview-${review.id}`,
    pull_request_url: `https://api.github.com/repos/${pull.repository}/pulls/${pull.number}`,
    _links: {
      html: {
        href: `https://github.com/${pull.repository}/pull/${pull.number}#pullrequestreview-${review.id}`,
      },
      pull_request: {
        href: `https://api.github.com/repos/${pull.repository}/pulls/${pull.number}`,
      },
    },
    author_association: review.authorAssociation,
    commit_id: review.commitId,
    ...(review.submittedAt === undefined ? {} : { submitted_at: timestamp(review.submittedAt) }),
  };
}
