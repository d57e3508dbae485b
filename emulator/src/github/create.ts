import type { CommentEntity, FileEntity, IssueEntity, PullRequestEntity } from './entities.ts';
import { type Ground, toEpochMs } from './ground.ts';
import type { CommentSeed, IssueSeed, PullRequestSeed } from './seeds.ts';

/** Entities from seeds, with defaults for everything that a test does not specify. */

export function createIssue(seed: IssueSeed, ground: Ground): IssueEntity {
  const createdAt = toEpochMs(seed.updatedAt, ground.now());
  const id = ground.nextId();
  return {
    id,
    repository: seed.repository,
    number: id,
    title: seed.title,
    body: seed.body ?? '',
    user: ground.user(seed.user),
    state: 'open',
    stateReason: null,
    locked: false,
    labels: [...(seed.labels ?? [])],
    assignees: (seed.assignees ?? []).map((login) => ground.user(login)),
    createdAt,
    updatedAt: createdAt,
  };
}

export function createComment(seed: CommentSeed, ground: Ground): CommentEntity {
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
    byMail: seed.byMail ?? false,
    minimized: seed.minimized,
    path: seed.path,
    line: seed.line,
    startLine: seed.startLine,
    originalLine: seed.originalLine,
    side: seed.side ?? 'RIGHT',
    inReplyTo: seed.inReplyTo,
  };
}

export function createPullRequest(seed: PullRequestSeed, ground: Ground): PullRequestEntity {
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
    mergeCommitSha: merged ? (seed.mergeCommitSha ?? fakeSha(id + 2_000_000)) : undefined,
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

export function createFile(seed: Partial<FileEntity>, index: number): FileEntity {
  return { filename: `file-${index}.md`, status: 'modified', additions: 1, deletions: 1, ...seed };
}

/** Forty hex digits that differ for different numbers. Ids stay below what is added to them. */
function fakeSha(number: number): string {
  return number.toString(16).padStart(8, '0').repeat(5);
}
