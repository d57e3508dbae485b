import type { IssueEntity, LabelEventEntity, PullRequestEntity } from '../entities.ts';
import {
  type App,
  type AppContext,
  nodeId,
  notFound,
  paginate,
  readNumber,
  timestamp,
} from '../http.ts';
import { useRepository } from '../rights.ts';
import { label, simpleUser } from '../shapes.ts';
import type { Store } from '../store.ts';
import { commentShape, conversation } from './comments.ts';
import { reviewShape } from './pull-requests.ts';

/** The issue side of a pull request: labels, and who set them. */
export function addIssueRoutes(app: App, store: Store): void {
  const path = '/repos/:owner/:repo/issues/:number';
  app.get(`${path}{[0-9]+}`, (c) => {
    const { fullName } = useRepository(c, store, conversation('read'));
    const issue = store.conversations.issue(fullName, readNumber(c, 'number'));
    return c.json(issue === undefined ? pullAsIssue(useIssue(c, store)) : issueShape(issue));
  });
  app.get(`${path}/labels`, (c) => c.json(paginate(c, useIssue(c, store).labels).items.map(label)));
  app.get(`${path}/events`, (c) => {
    const pull = useIssue(c, store);
    return c.json(paginate(c, pull.labelEvents).items.map((event) => labelEventShape(event, pull)));
  });
  app.get(`${path}/timeline`, (c) => {
    const pull = useIssue(c, store);
    return c.json(paginate(c, timeline(pull, store)).items);
  });
}

function useIssue(c: AppContext, store: Store): PullRequestEntity {
  const repository = useRepository(c, store, conversation('read'));
  const pull = store.conversations.pullRequest(repository.fullName, readNumber(c, 'number'));
  if (!pull) throw notFound();
  return pull;
}

/** What an issue and a pull request have in common, among issues. */
function sharedFields(one: Pick<IssueEntity, 'repository' | 'number' | 'state' | 'updatedAt'>) {
  const url = `https://api.github.com/repos/${one.repository}/issues/${one.number}`;
  return {
    url,
    repository_url: `https://api.github.com/repos/${one.repository}`,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    comments: 0,
    assignee: null,
    milestone: null,
    closed_at: one.state === 'closed' ? timestamp(one.updatedAt) : null,
  };
}

export function pullAsIssue(pull: PullRequestEntity) {
  return {
    ...sharedFields(pull),
    html_url: `https://github.com/${pull.repository}/pull/${pull.number}`,
    id: pull.id,
    node_id: nodeId('PR', pull.id),
    number: pull.number,
    title: pull.title,
    user: simpleUser(pull.user),
    labels: pull.labels.map(label),
    state: pull.state,
    locked: pull.locked,
    body: pull.body ?? null,
    created_at: timestamp(pull.createdAt),
    updated_at: timestamp(pull.updatedAt),
    author_association: pull.authorAssociation,
    draft: pull.draft,
    pull_request: {
      url: `https://api.github.com/repos/${pull.repository}/pulls/${pull.number}`,
      html_url: `https://github.com/${pull.repository}/pull/${pull.number}`,
      diff_url: `https://github.com/${pull.repository}/pull/${pull.number}.diff`,
      patch_url: `https://github.com/${pull.repository}/pull/${pull.number}.patch`,
    },
  };
}

export function issueShape(issue: IssueEntity) {
  const { repository, number } = issue;
  return {
    ...sharedFields(issue),
    html_url: `https://github.com/${repository}/issues/${number}`,
    id: issue.id,
    node_id: nodeId('I', issue.id),
    number,
    title: issue.title,
    user: simpleUser(issue.user),
    labels: issue.labels.map(label),
    state: issue.state,
    state_reason: issue.stateReason,
    locked: issue.locked,
    assignee: issue.assignees.map(simpleUser)[0] ?? null,
    assignees: issue.assignees.map(simpleUser),
    body: issue.body,
    created_at: timestamp(issue.createdAt),
    updated_at: timestamp(issue.updatedAt),
    author_association: 'NONE',
  };
}

function labelEventShape(event: LabelEventEntity, pull: PullRequestEntity) {
  const { name, color } = label(event.label);
  return {
    id: event.id,
    node_id: nodeId('LE', event.id),
    url: `https://api.github.com/repos/${pull.repository}/issues/events/${event.id}`,
    actor: event.actor ? simpleUser(event.actor) : null,
    event: event.event,
    commit_id: null,
    commit_url: null,
    created_at: timestamp(event.createdAt),
    label: { name, color },
    performed_via_github_app: null,
  };
}

/** Labels, comments and reviews in the order in which they happened. */
function timeline(pull: PullRequestEntity, store: Store): object[] {
  const comments = store.conversations.comments.filter(
    (one) =>
      one.kind === 'issue' && one.repository === pull.repository && one.number === pull.number,
  );
  const entries = [
    ...pull.labelEvents.map((event) => ({
      at: event.createdAt,
      shape: labelEventShape(event, pull),
    })),
    ...comments.map((comment) => ({
      at: comment.createdAt,
      shape: { ...commentShape(comment), event: 'commented', actor: simpleUser(comment.user) },
    })),
    ...pull.reviews.map((review) => ({
      at: review.submittedAt ?? 0,
      shape: { ...reviewShape(review, pull), event: 'reviewed' },
    })),
  ];
  return entries.sort((a, b) => a.at - b.at).map((entry) => entry.shape);
}
