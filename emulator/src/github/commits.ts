import type { RepositoryEntity } from './entities.ts';
import type { CommitSeed } from './seeds.ts';

export interface CommitEntity {
  readonly sha: string;
  readonly parent: string | undefined;
  readonly message: string;
}

/** The commits of repositories, each with one parent: what `compare` and the list of commits return. */
export class Commits {
  readonly #commits = new Map<string, CommitEntity[]>();

  /** The last one added is the head of the default branch, unless `parent` is given and has another child. */
  add({ repository, sha, parent, message = 'Change' }: CommitSeed): CommitEntity {
    const all = this.#commits.get(repository.toLowerCase()) ?? [];
    const commit = { sha, parent: parent === undefined ? all.at(-1)?.sha : (parent ?? undefined), message };
    this.#commits.set(repository.toLowerCase(), [...all, commit]);
    return commit;
  }

  /** A full hash, or the default branch. */
  find({ fullName, defaultBranch }: RepositoryEntity, ref: string): CommitEntity | undefined {
    const all = this.#commits.get(fullName.toLowerCase()) ?? [];
    return ref === defaultBranch ? all.at(-1) : all.find(({ sha }) => sha === ref);
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
