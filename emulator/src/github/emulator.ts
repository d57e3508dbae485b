/**
 * The part of GitHub's REST API that the action uses, as a local HTTP server. Replies have GitHub's
 * shapes; permissions are checked by token; sealed boxes are really opened.
 */
import type { Fault } from '../faults.ts';
import { startServer } from '../server.ts';
import type { DeploymentEntity } from './deployments.ts';
import type {
  CommentEntity,
  IssueEntity,
  PullRequestEntity,
  ReactionEntity,
  RepositoryEntity,
  RepositorySeed,
  ReviewEntity,
  Scope,
  SecretEntity,
  TokenSeed,
  UserEntity,
  VariableEntity,
} from './entities.ts';
import type { GitHubEmulatorOptions } from './options.ts';
import type { RecordedRequest } from './recorded-request.ts';
import type {
  CommentSeed,
  CommitSeed,
  DeploymentSeed,
  IssueSeed,
  LabelSeed,
  PullRequestSeed,
  PushSeed,
  ReviewSeed,
  SettingSeed,
  WorkflowJobSeed,
} from './seeds.ts';
import { createService } from './service.ts';
import { Store } from './store.ts';

export type { Fault, FaultEffect, FaultMatch } from '../faults.ts';
export type * from './entities.ts';
export type { GitHubEmulatorOptions } from './options.ts';
export type * from './seeds.ts';

export interface GitHubEmulator extends AsyncDisposable {
  /** Use it as GITHUB_API_URL. `${url}/api/v3` works as well, as on GitHub Enterprise Server. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  inject(fault: Fault): void;
  clearFaults(): void;

  setToken(token: string, seed: TokenSeed): void;
  addRepository(seed: RepositorySeed): RepositoryEntity;
  /** Secrets and variables stay, as on GitHub. Pull requests and commits are not moved. */
  renameRepository(from: string, to: string): void;
  /** The account with that login, created if it does not exist. */
  user(login: string): UserEntity;

  /** The secret as it was last written, decrypted; undefined if it does not exist. */
  secret(scope: Scope, name: string): SecretEntity | undefined;
  /** Writes a secret without a request, as a person does in the settings. */
  setSecret(scope: Scope, seed: SettingSeed): void;
  variable(scope: Scope, name: string): VariableEntity | undefined;
  setVariable(scope: Scope, seed: SettingSeed): void;
  /** From now on, sealed boxes for earlier keys get status 422. */
  rotateKey(): void;
  /** What `GET …/public-key` returns from now on, until `rotateKey`; for broken keys. */
  breakKey(key: string): void;

  addPullRequest(seed: PullRequestSeed): PullRequestEntity;
  pullRequest(repository: string, number: number): PullRequestEntity | undefined;
  /** Moves the head of a pull request to another commit. */
  push(seed: PushSeed): void;
  addWorkflowJob(seed: WorkflowJobSeed): void;
  addComment(seed: CommentSeed): CommentEntity;
  addReview(seed: ReviewSeed): ReviewEntity;
  addLabel(seed: LabelSeed): void;
  /** Its `sha` may be anything, as an App may name anything. */
  addDeployment(seed: DeploymentSeed): DeploymentEntity;
  /** The first commit, or one after the newest of its branch. */
  addCommit(seed: CommitSeed): void;
  /** Adds a file to the default branch. */
  setFile(repository: string, path: string, text: string): void;
  addIssue(seed: IssueSeed): IssueEntity;
  readonly issues: IssueEntity[];
  /** All current ones, oldest first; a test may remove one. */
  readonly comments: CommentEntity[];
  readonly reactions: readonly ReactionEntity[];

  /** Restores the state from the options and removes recorded requests and faults. */
  reset(): void;
  close(): Promise<void>;
}

export async function startGitHubEmulator(
  options: GitHubEmulatorOptions = {},
): Promise<GitHubEmulator> {
  const store = new Store(options);
  const { port = 0, log, tls } = options;
  const server = await startServer({ service: createService(store), port, log, tls });
  const { settings, conversations } = store;
  return {
    url: server.url,
    requests: store.requests,
    inject: (fault) => store.faults.inject(fault),
    clearFaults: () => store.faults.clear(),
    setToken: (token, seed) => store.setToken(token, seed),
    addRepository: (seed) => store.addRepository(seed),
    renameRepository: (from, to) => store.renameRepository(from, to),
    user: (login) => store.user(login),
    secret: (scope, name) => settings.secret(scope, name),
    setSecret: (scope, seed) => settings.setSecret(scope, seed),
    variable: (scope, name) => settings.variable(scope, name),
    setVariable: (scope, seed) => settings.setVariable(scope, seed),
    rotateKey: () => settings.rotateKey(),
    breakKey: (key) => settings.breakKey(key),
    addPullRequest: (seed) => conversations.addPullRequest(seed),
    pullRequest: (repository, number) => conversations.pullRequest(repository, number),
    push: (seed) => conversations.push(seed),
    addWorkflowJob: (seed) => conversations.addWorkflowJob(seed),
    addComment: (seed) => conversations.addComment(seed),
    addReview: (seed) => conversations.addReview(seed),
    addLabel: (seed) => conversations.addLabel(seed),
    addDeployment: (seed) => store.addDeployment(seed),
    addCommit: (seed) => void store.commits.add(seed),
    setFile: (repository, path, text) => store.files.set(repository, path, text),
    addIssue: (seed) => conversations.addIssue(seed),
    issues: conversations.issues,
    comments: conversations.comments,
    reactions: conversations.reactions,
    reset: () => store.reset(),
    close: server.close,
    [Symbol.asyncDispose]: server.close,
  };
}
