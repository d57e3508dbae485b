import { BranchFiles } from '../files.ts';
import type { GiteaToken } from './settings.ts';

export type GiteaPermission = 'none' | 'read' | 'write' | 'admin' | 'owner';

export interface GiteaUser {
  readonly id: number;
  readonly login: string;
}

/** The accounts that every Gitea has. */
export const JOB_USER: GiteaUser = { id: -2, login: 'gitea-actions' };
const GHOST: GiteaUser = { id: -1, login: 'Ghost' };

interface GiteaFile {
  readonly filename: string;
  readonly previousFilename?: string | undefined;
  readonly status?: 'added' | 'changed' | 'deleted' | 'renamed' | undefined;
  /** Absent for a binary file. */
  readonly patch?: string | undefined;
}

export interface GiteaPull {
  readonly repository: string;
  readonly number: number;
  title: string;
  body: string;
  user: GiteaUser;
  state: 'open' | 'closed';
  merged: boolean;
  mergeCommitSha?: string | undefined;
  locked: boolean;
  labels: string[];
  base: { ref: string };
  /** `repository` is undefined when the fork was deleted. */
  head: { ref: string; sha: string; repository: string | undefined };
  files: readonly GiteaFile[];
}

export interface GiteaComment {
  readonly id: number;
  readonly repository: string;
  readonly number: number;
  readonly user: GiteaUser;
  body: string;
  readonly createdAt: number;
  updatedAt: number;
}

/** What a timeline contains besides comments. */
interface GiteaEntry {
  readonly id: number;
  readonly repository: string;
  readonly number: number;
  readonly type: 'label' | 'pull_push';
  readonly user: GiteaUser;
  readonly body: string;
  readonly label?: string | undefined;
  readonly createdAt: number;
}

interface GiteaReaction {
  readonly commentId: number;
  readonly user: GiteaUser;
  readonly content: string;
  readonly createdAt: number;
}

interface GiteaReviewComment {
  readonly id: number;
  readonly reviewId: number;
  readonly repository: string;
  readonly number: number;
  readonly user: GiteaUser;
  readonly body: string;
  readonly path: string;
  readonly line: number;
  readonly hunk: string;
  readonly createdAt: number;
}

/** An attempt of a job. */
interface GiteaTaskSeed {
  readonly repository: string;
  readonly runId: string;
  readonly runNumber: number;
  readonly name: string;
  readonly status: 'running' | 'success' | 'failure' | 'cancelled';
}

interface GiteaTaskEntity extends GiteaTaskSeed {
  readonly id: number;
}

interface GiteaPullSeed {
  readonly repository: string;
  readonly number: number;
  readonly user: string;
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly head?: { readonly ref: string; readonly sha: string; readonly repository?: string | undefined } | undefined;
  readonly files?: readonly GiteaFile[] | undefined;
  readonly at?: number | undefined;
}

/** Pull requests with their comments, reviews and events. */
export class GiteaConversations {
  /** Of default branches. */
  readonly files = new BranchFiles();
  readonly #now: () => number;
  readonly #users = new Map<string, GiteaUser>([JOB_USER, GHOST].map((user) => [user.login.toLowerCase(), user]));
  /** `owner/name` in lower case, to login in lower case, to permission. */
  readonly #permissions = new Map<string, ReadonlyMap<string, GiteaPermission>>();
  readonly #private = new Set<string>();
  readonly pulls: GiteaPull[] = [];
  comments: GiteaComment[] = [];
  readonly entries: GiteaEntry[] = [];
  readonly reactions: GiteaReaction[] = [];
  readonly reviewComments: GiteaReviewComment[] = [];
  readonly tasks: GiteaTaskEntity[] = [];
  #lastId = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  now(): number {
    return this.#now();
  }

  addRepository(fullName: string, people: Readonly<Record<string, GiteaPermission>>, isPrivate = false): void {
    const entries = Object.entries(people).map(([login, rank]) => [login.toLowerCase(), rank] as const);
    this.#permissions.set(fullName.toLowerCase(), new Map(entries));
    if (isPrivate) this.#private.add(fullName.toLowerCase());
    for (const login of Object.keys(people)) this.user(login);
  }

  hasRepository(fullName: string): boolean {
    return this.#permissions.has(fullName.toLowerCase());
  }

  isPrivate(fullName: string): boolean {
    return this.#private.has(fullName.toLowerCase());
  }

  isCollaborator(fullName: string, login: string): boolean {
    const rank = this.#permissions.get(fullName.toLowerCase())?.get(login.toLowerCase());
    return rank !== undefined && rank !== 'owner';
  }

  permission(fullName: string, login: string): GiteaPermission {
    const rank = this.#permissions.get(fullName.toLowerCase())?.get(login.toLowerCase());
    return rank ?? (this.isPrivate(fullName) ? 'none' : 'read');
  }

  findUser(login: string): GiteaUser | undefined {
    return this.#users.get(login.toLowerCase());
  }

  user(login: string): GiteaUser {
    const known = this.findUser(login);
    if (known !== undefined) return known;
    const user = { id: this.#users.size + 100, login };
    this.#users.set(login.toLowerCase(), user);
    return user;
  }

  userOf({ login }: GiteaToken): GiteaUser {
    return this.user(login);
  }

  pull(repository: string, number: number): GiteaPull | undefined {
    return this.pulls.find((one) => one.repository.toLowerCase() === repository.toLowerCase() && one.number === number);
  }

  addPull(seed: GiteaPullSeed): GiteaPull {
    const { repository, number, title = 'A change', body = '', files = [] } = seed;
    const head = { ref: 'change', sha: 'a'.repeat(40), repository, ...seed.head };
    const user = this.user(seed.user);
    const rest = { state: 'open', merged: false, locked: false, labels: [], base: { ref: 'main' } } as const;
    const pull: GiteaPull = { repository, number, title, body, user, files, head, ...rest, labels: [] };
    this.pulls.push(pull);
    this.#enter(pull, 'pull_push', user, pushText([head.sha]), { at: seed.at });
    return pull;
  }

  push(pull: GiteaPull, sha: string, more: { readonly by?: string; readonly files?: readonly GiteaFile[] } = {}): void {
    pull.head = { ...pull.head, sha };
    if (more.files !== undefined) pull.files = more.files;
    this.#enter(pull, 'pull_push', this.user(more.by ?? pull.user.login), pushText([sha]));
  }

  label(pull: GiteaPull, name: string, by: string): void {
    pull.labels.push(name);
    this.#enter(pull, 'label', this.user(by), '1', { label: name });
  }

  #enter(
    { repository, number }: GiteaPull,
    type: GiteaEntry['type'],
    user: GiteaUser,
    body: string,
    { label, at = this.#now() }: { label?: string | undefined; at?: number | undefined } = {},
  ): void {
    this.entries.push({ id: this.#nextId(), repository, number, type, user, body, label, createdAt: at });
  }

  addComment(repository: string, number: number, user: GiteaUser, body: string): GiteaComment {
    const at = this.#now();
    const comment = { id: this.#nextId(), repository, number, user, body, createdAt: at, updatedAt: at };
    this.comments.push(comment);
    return comment;
  }

  addReviewComment(seed: Omit<GiteaReviewComment, 'id' | 'reviewId' | 'createdAt'>): void {
    this.reviewComments.push({ ...seed, id: this.#nextId(), reviewId: this.#nextId(), createdAt: this.#now() });
  }

  /** `false`: this account had already added this reaction. */
  react(commentId: number, user: GiteaUser, content: string): boolean {
    const isSame = (one: GiteaReaction) =>
      one.commentId === commentId && one.user.id === user.id && one.content === content;
    if (this.reactions.some(isSame)) return false;
    this.reactions.push({ commentId, user, content, createdAt: this.#now() });
    return true;
  }

  /** As lists show it: the account of jobs appears as Ghost. */
  shownReactor(user: GiteaUser): GiteaUser {
    return user.id === JOB_USER.id ? GHOST : user;
  }

  addTask(seed: GiteaTaskSeed): void {
    this.tasks.push({ ...seed, id: this.#nextId() });
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

function pushText(commits: readonly string[]): string {
  return JSON.stringify({ is_force_push: false, commit_ids: commits });
}
