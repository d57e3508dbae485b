import { createComment, createFile, createIssue, createPullRequest } from './create.ts';
import type {
  ActivityEntity,
  CommentEntity,
  IssueEntity,
  PullRequestEntity,
  ReactionEntity,
  ReviewEntity,
  UserEntity,
  WorkflowJobEntity,
} from './entities.ts';
import { type Ground, toEpochMs } from './ground.ts';
import type {
  CommentSeed,
  IssueSeed,
  LabelSeed,
  PullRequestSeed,
  PushSeed,
  ReviewSeed,
  WorkflowJobSeed,
} from './seeds.ts';

/** Pull requests with their files, comments, reviews and labels. */
export class Conversations {
  readonly issues: IssueEntity[] = [];
  readonly comments: CommentEntity[] = [];
  readonly reactions: ReactionEntity[] = [];
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
    this.#record(pull, {
      type: seed.type ?? 'push',
      before,
      user: seed.user ?? pull.user.login,
      at,
    });
  }

  addWorkflowJob(seed: WorkflowJobSeed): void {
    const usual = {
      runnerName: null,
      status: 'completed',
      conclusion: 'success',
      steps: [],
    } as const;
    this.workflowJobs.push({ id: this.#ground.nextId(), ...usual, ...seed });
  }

  addComment(seed: CommentSeed): CommentEntity {
    const comment = createComment(seed, this.#ground);
    this.comments.push(comment);
    this.comments.sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
    return comment;
  }

  addIssue(seed: IssueSeed): IssueEntity {
    const issue = createIssue(seed, this.#ground);
    this.issues.push(issue);
    return issue;
  }

  issue(repository: string, number: number): IssueEntity | undefined {
    return this.issues.find(
      (one) => placeOf(one.repository, one.number) === placeOf(repository, number),
    );
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

  /** The reaction, and whether it is new: a person can add each reaction once. */
  react(
    comment: Pick<CommentEntity, 'id' | 'kind' | 'repository'>,
    user: UserEntity,
    content: string,
  ): { reaction: ReactionEntity; created: boolean } {
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
    const { issues, comments, reactions, activities, workflowJobs } = this;
    for (const list of [issues, comments, reactions, activities, workflowJobs]) list.length = 0;
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
