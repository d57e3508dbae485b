import { createFile } from './create.ts';
import type { FileEntity, RepositoryEntity } from './entities.ts';
import type { CommitSeed } from './seeds.ts';

export interface CommitEntity {
  readonly sha: string;
  readonly parent: string | undefined;
  readonly message: string;
  /** undefined: the default branch. */
  readonly branch: string | undefined;
  readonly files: readonly FileEntity[];
}

// GitHub finds a commit by at least this many of its digits.
const ABBREVIATED = /^[0-9a-f]{4,40}$/;

/**
 * The commits of repositories, each with one parent: what `compare` and the list of commits return.
 */
export class Commits {
  readonly #commits = new Map<string, CommitEntity[]>();

  /** The last one added is the head of its branch. */
  add({
    repository,
    sha,
    parent,
    message = 'Change',
    branch,
    files = [],
  }: CommitSeed): CommitEntity {
    const all = this.#commits.get(repository.toLowerCase()) ?? [];
    const newest = all.findLast((commit) => commit.branch === branch) ?? all.at(-1);
    const commit = {
      sha,
      message,
      branch,
      // `null` is given for a first commit, which has no parent.
      parent: parent === undefined ? newest?.sha : (parent ?? undefined),
      files: files.map(createFile),
    };
    this.#commits.set(repository.toLowerCase(), [...all, commit]);
    return commit;
  }

  /** By a branch, a hash, or so many of its first digits that only one commit has them. */
  find({ fullName, defaultBranch }: RepositoryEntity, ref: string): CommitEntity | undefined {
    const all = this.#commits.get(fullName.toLowerCase()) ?? [];
    const branch = ref.replace(/^(?:refs\/)?heads\//, '');
    const head = all.findLast((commit) => (commit.branch ?? defaultBranch) === branch);
    const exact = head ?? all.find(({ sha }) => sha === ref);
    if (exact !== undefined || !ABBREVIATED.test(ref)) return exact;
    const matches = all.filter(({ sha }) => sha.startsWith(ref));
    // A commit that was pushed to two branches is there twice.
    return new Set(matches.map(({ sha }) => sha)).size === 1 ? matches[0] : undefined;
  }

  /** The commit and those before it, newest first. */
  history(repository: RepositoryEntity, commit: CommitEntity): CommitEntity[] {
    const found: CommitEntity[] = [];
    let next: CommitEntity | undefined = commit;
    while (next !== undefined && !found.includes(next)) {
      found.push(next);
      next = next.parent === undefined ? undefined : this.find(repository, next.parent);
    }
    return found;
  }

  clear(): void {
    this.#commits.clear();
  }
}
