import type {
  ActivityEntity,
  CheckSuiteEntity,
  CommentEntity,
  FileEntity,
  PullRequestEntity,
  ReactionEntity,
  ReviewEntity,
  UserEntity,
  WorkflowJobEntity,
} from './entities.ts';
import type {
  CheckSuiteSeed,
  CommentSeed,
  LabelSeed,
  PullRequestSeed,
  PushSeed,
  ReviewSeed,
  WorkflowJobSeed,
} from './seeds.ts';
import { type Ground, toEpochMs } from './store.ts';

/** Pull requests with their files, comments, reviews, labels and checks. */
export interface Conversations {
  readonly comments: CommentEntity[];
  readonly reactions: ReactionEntity[];
  readonly checkSuites: CheckSuiteEntity[];
  readonly activities: ActivityEntity[];
  readonly workflowJobs: WorkflowJobEntity[];
  addPullRequest(seed: PullRequestSeed): PullRequestEntity;
  pullRequest(repository: string, number: number): PullRequestEntity | undefined;
  pullRequestsOf(repository: string): readonly PullRequestEntity[];
  /** Moves the head of a pull request to another commit. */
  push(seed: PushSeed): void;
  addWorkflowJob(seed: WorkflowJobSeed): void;
  addComment(seed: CommentSeed): CommentEntity;
  addReview(seed: ReviewSeed): ReviewEntity;
  addLabel(seed: LabelSeed): void;
  addCheckSuite(seed: CheckSuiteSeed): CheckSuiteEntity;
  /** The reaction, and whether it is new: a person has each reaction once. */
  react(comment: CommentEntity, user: UserEntity, content: string): { reaction: ReactionEntity; created: boolean };
  clearConversations(): void;
}

export function createConversations(ground: Ground): Conversations {
  const pullRequests = new Map<string, PullRequestEntity>();
  const comments: CommentEntity[] = [];
  const reactions: ReactionEntity[] = [];
  const checkSuites: CheckSuiteEntity[] = [];
  const activities: ActivityEntity[] = [];
  const workflowJobs: WorkflowJobEntity[] = [];
  const place = (repository: string, number: number) => `${repository.toLowerCase()}#${number}`;
  const find = (seed: { repository: string; number: number }) => {
    const found = pullRequests.get(place(seed.repository, seed.number));
    if (!found) throw new Error(`no pull request ${seed.repository}#${seed.number} in the emulator`);
    return found;
  };

  function record(
    { head }: PullRequestEntity,
    { type, before, user, at }: Pick<ActivityEntity, 'type' | 'before' | 'at'> & { user: string },
  ): void {
    if (head.repository === undefined) return;
    activities.push({
      id: ground.nextId(),
      repository: head.repository,
      ref: `refs/heads/${head.ref}`,
      before,
      after: head.sha,
      type,
      actor: ground.user(user),
      at,
    });
  }

  return {
    comments,
    reactions,
    checkSuites,
    activities,
    workflowJobs,
    pullRequest: (repository, number) => pullRequests.get(place(repository, number)),
    pullRequestsOf: (repository) => [...pullRequests.values()].filter((pull) => pull.repository === repository),
    addPullRequest(seed) {
      const pull = createPullRequest(seed, ground);
      pullRequests.set(place(pull.repository, pull.number), pull);
      record(pull, { type: 'branch_creation', before: '0'.repeat(40), user: pull.user.login, at: pull.createdAt });
      return pull;
    },
    push(seed) {
      const pull = find(seed);
      const before = pull.head.sha;
      pull.head.sha = seed.sha;
      if (seed.files !== undefined) pull.files = seed.files.map(createFile);
      const at = toEpochMs(seed.at, ground.now());
      pull.updatedAt = at;
      record(pull, { type: seed.type ?? 'push', before, user: seed.user ?? pull.user.login, at });
    },
    addWorkflowJob(seed) {
      workflowJobs.push({
        id: ground.nextId(),
        runnerName: null,
        status: 'completed',
        conclusion: 'success',
        steps: [],
        ...seed,
      });
    },
    addComment(seed) {
      const comment = createComment(seed, ground);
      comments.push(comment);
      comments.sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
      return comment;
    },
    addReview(seed) {
      const pull = find(seed);
      const review: ReviewEntity = {
        id: ground.nextId(),
        user: ground.user(seed.user),
        body: seed.body ?? '',
        state: seed.state ?? 'COMMENTED',
        submittedAt: toEpochMs(seed.submittedAt, ground.now()),
        authorAssociation: seed.authorAssociation ?? 'NONE',
        commitId: pull.head.sha,
      };
      pull.reviews.push(review);
      return review;
    },
    addLabel(seed) {
      const pull = find(seed);
      const event = seed.event ?? 'labeled';
      pull.labels = pull.labels.filter((label) => label !== seed.label);
      if (event === 'labeled') pull.labels.push(seed.label);
      pull.labelEvents.push({
        id: ground.nextId(),
        event,
        label: seed.label,
        actor: seed.actor === null ? undefined : ground.user(seed.actor),
        createdAt: toEpochMs(seed.createdAt, ground.now()),
      });
    },
    addCheckSuite(seed) {
      const suite: CheckSuiteEntity = {
        id: ground.nextId(),
        repository: seed.repository,
        headSha: seed.headSha,
        createdAt: toEpochMs(seed.createdAt, ground.now()),
        app: seed.app ?? 'github-actions',
      };
      checkSuites.push(suite);
      return suite;
    },
    react(comment, user, content) {
      const known = reactions.find(
        (one) => one.commentId === comment.id && one.user.id === user.id && one.content === content,
      );
      if (known) return { reaction: known, created: false };
      const reaction: ReactionEntity = {
        id: ground.nextId(),
        commentKind: comment.kind,
        commentId: comment.id,
        repository: comment.repository,
        user,
        content,
        createdAt: ground.now(),
      };
      reactions.push(reaction);
      return { reaction, created: true };
    },
    clearConversations() {
      pullRequests.clear();
      for (const list of [comments, reactions, checkSuites, activities, workflowJobs]) list.length = 0;
    },
  };
}

function createComment(seed: CommentSeed, ground: Ground): CommentEntity {
  const createdAt = toEpochMs(seed.createdAt, ground.now());
  return {
    id: ground.nextId(),
    kind: seed.kind ?? 'issue',
    repository: seed.repository,
    number: seed.number,
    user: ground.user(seed.user),
    authorAssociation: seed.authorAssociation ?? 'NONE',
    body: seed.body,
    createdAt,
    updatedAt: toEpochMs(seed.updatedAt, createdAt),
    path: seed.path,
    line: seed.line,
  };
}

function createPullRequest(seed: PullRequestSeed, ground: Ground): PullRequestEntity {
  const createdAt = toEpochMs(seed.createdAt, ground.now());
  const id = ground.nextId();
  const number = seed.number ?? id;
  const merged = seed.merged ?? false;
  return {
    id,
    repository: seed.repository,
    number,
    title: seed.title ?? `Pull request ${number}`,
    body: seed.body,
    user: ground.user(seed.user ?? 'contributor'),
    authorAssociation: seed.authorAssociation ?? 'NONE',
    state: seed.state ?? (merged ? 'closed' : 'open'),
    merged,
    draft: seed.draft ?? false,
    locked: seed.locked ?? false,
    head: {
      ref: seed.head?.ref ?? 'topic',
      sha: seed.head?.sha ?? fakeSha(id),
      repository: seed.head && 'repository' in seed.head ? seed.head.repository : seed.repository,
    },
    base: {
      ref: seed.base?.ref ?? ground.repository(seed.repository)?.defaultBranch ?? 'main',
      sha: seed.base?.sha ?? fakeSha(id + 1_000_000),
      repository: seed.repository,
    },
    labels: [],
    files: (seed.files ?? []).map(createFile),
    createdAt,
    updatedAt: toEpochMs(seed.updatedAt, createdAt),
    reviews: [],
    labelEvents: [],
  };
}

function createFile(seed: Partial<FileEntity>, index: number): FileEntity {
  return { filename: `file-${index}.md`, status: 'modified', additions: 1, deletions: 1, ...seed };
}

/** Forty hex digits that differ for different numbers. */
export function fakeSha(number: number): string {
  return number.toString(16).padStart(8, '0').repeat(5);
}
