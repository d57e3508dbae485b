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
import { type Ground, toEpochMs } from './ground.ts';
import type {
  CheckSuiteSeed,
  CommentSeed,
  LabelSeed,
  PullRequestSeed,
  PushSeed,
  ReviewSeed,
  WorkflowJobSeed,
} from './seeds.ts';

/** Pull requests with their files, comments, reviews, labels and checks. */
export class Conversations {
  readonly comments: CommentEntity[] = [];
  readonly reactions: ReactionEntity[] = [];
  readonly checkSuites: CheckSuiteEntity[] = [];
  readonly activities: ActivityEntity[] = [];
  readonly workflowJobs: WorkflowJobEntity[] = [];
  readonly #pullRequests = new Map<string, PullRequestEntity>();
  readonly #ground: Ground;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  pullRequest(repository: string, number: number): PullRequestEntity | undefined {
    return this.#pullRequests.get(placeOf(repository, number));
  }

  pullRequestsOf(repository: string): PullRequestEntity[] {
    return this.listPullRequests().filter((pull) => pull.repository === repository);
  }

  listPullRequests(): PullRequestEntity[] {
    return [...this.#pullRequests.values()];
  }

  addPullRequest(seed: PullRequestSeed): PullRequestEntity {
    const pull = createPullRequest(seed, this.#ground);
    this.#pullRequests.set(placeOf(pull.repository, pull.number), pull);
    const { createdAt: at, user } = pull;
    this.#record(pull, { type: 'branch_creation', before: '0'.repeat(40), user: user.login, at });
    return pull;
  }

  /** Moves the head of a pull request to another commit. */
  push(seed: PushSeed): void {
    const pull = this.#find(seed);
    const before = pull.head.sha;
    pull.head.sha = seed.sha;
    if (seed.files !== undefined) pull.files = seed.files.map(createFile);
    const at = toEpochMs(seed.at, this.#ground.now());
    pull.updatedAt = at;
    this.#record(pull, { type: seed.type ?? 'push', before, user: seed.user ?? pull.user.login, at });
  }

  addWorkflowJob(seed: WorkflowJobSeed): void {
    const usual = { runnerName: null, status: 'completed', conclusion: 'success', steps: [] } as const;
    this.workflowJobs.push({ id: this.#ground.nextId(), ...usual, ...seed });
  }

  addComment(seed: CommentSeed): CommentEntity {
    const comment = createComment(seed, this.#ground);
    this.comments.push(comment);
    this.comments.sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
    return comment;
  }

  addReview(seed: ReviewSeed): ReviewEntity {
    const pull = this.#find(seed);
    const review: ReviewEntity = {
      id: this.#ground.nextId(),
      user: this.#ground.user(seed.user),
      body: seed.body ?? '',
      state: seed.state ?? 'COMMENTED',
      submittedAt: toEpochMs(seed.submittedAt, this.#ground.now()),
      authorAssociation: seed.authorAssociation ?? 'NONE',
      commitId: pull.head.sha,
    };
    pull.reviews.push(review);
    return review;
  }

  addLabel(seed: LabelSeed): void {
    const pull = this.#find(seed);
    const event = seed.event ?? 'labeled';
    pull.labels = pull.labels.filter((label) => label !== seed.label);
    if (event === 'labeled') pull.labels.push(seed.label);
    pull.labelEvents.push({
      id: this.#ground.nextId(),
      event,
      label: seed.label,
      actor: seed.actor === null ? undefined : this.#ground.user(seed.actor),
      createdAt: toEpochMs(seed.createdAt, this.#ground.now()),
    });
  }

  addCheckSuite(seed: CheckSuiteSeed): CheckSuiteEntity {
    const suite: CheckSuiteEntity = {
      id: this.#ground.nextId(),
      repository: seed.repository,
      headSha: seed.headSha,
      createdAt: toEpochMs(seed.createdAt, this.#ground.now()),
      app: seed.app ?? 'github-actions',
    };
    this.checkSuites.push(suite);
    return suite;
  }

  /** The reaction, and whether it is new: a person has each reaction once. */
  react(comment: CommentEntity, user: UserEntity, content: string): { reaction: ReactionEntity; created: boolean } {
    const known = this.reactions.find(
      (one) => one.commentId === comment.id && one.user.id === user.id && one.content === content,
    );
    if (known) return { reaction: known, created: false };
    const reaction: ReactionEntity = {
      id: this.#ground.nextId(),
      commentKind: comment.kind,
      commentId: comment.id,
      repository: comment.repository,
      user,
      content,
      createdAt: this.#ground.now(),
    };
    this.reactions.push(reaction);
    return { reaction, created: true };
  }

  clear(): void {
    this.#pullRequests.clear();
    const { comments, reactions, checkSuites, activities, workflowJobs } = this;
    for (const list of [comments, reactions, checkSuites, activities, workflowJobs]) list.length = 0;
  }

  #record(
    { head }: PullRequestEntity,
    { type, before, user, at }: Pick<ActivityEntity, 'type' | 'before' | 'at'> & { user: string },
  ): void {
    if (head.repository === undefined) return;
    this.activities.push({
      id: this.#ground.nextId(),
      repository: head.repository,
      ref: `refs/heads/${head.ref}`,
      before,
      after: head.sha,
      type,
      actor: this.#ground.user(user),
      at,
    });
  }

  #find({ repository, number }: { repository: string; number: number }): PullRequestEntity {
    const found = this.pullRequest(repository, number);
    if (!found) throw new Error(`no pull request ${repository}#${number} in the emulator`);
    return found;
  }
}

function placeOf(repository: string, number: number): string {
  return `${repository.toLowerCase()}#${number}`;
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
function fakeSha(number: number): string {
  return number.toString(16).padStart(8, '0').repeat(5);
}
