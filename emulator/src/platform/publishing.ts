import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { readSource, type SiteContent, type SourceFiles } from '../site/source.ts';
import type { CommitEntity, UpdateEntity, UpdateScript } from './entities.ts';
import type { Behaviour, EmulatorClock } from './options.ts';

/** A commit of the deployment branch with the site's files. */
interface Version {
  readonly files: SourceFiles;
  readonly commit: CommitEntity | undefined;
}

interface Repository {
  content: SiteContent;
  head: CommitEntity | undefined;
  /** The newest build. Only with a lag: without one, every request reads the repository itself. */
  published: Promise<Version>;
  /** The version that is published when the lag is over. */
  pending: { readonly version: Version; readonly at: number } | undefined;
  /** What the site serves instead, whatever is published: it was rolled back. */
  rolledBackTo: SourceFiles | undefined;
}

export interface RollbackSeed {
  /** Default: the project's site. */
  readonly site?: string | undefined;
  /** What the site serves from now on. Default: what it serves now. */
  readonly content?: SiteContent | undefined;
}

export interface PushSeed {
  /** Default: the project's site. */
  readonly site?: string | undefined;
  readonly sha: string;
  readonly message?: string | undefined;
  /** Another branch than the deployment branch: it is not published, and can be previewed. */
  readonly branch?: string | undefined;
  /** The branch's content from now on. Default: what the site has. */
  readonly content?: SiteContent | undefined;
}

interface PublishingInit {
  readonly contents: Readonly<Record<string, SiteContent>>;
  readonly behaviour: Behaviour;
  readonly clock: EmulatorClock;
}

/**
 * What is published of each site, apart from what is in its folder: with a lag, a change of the
 * folder is published that much later, and so is an update that was requested.
 */
export class Publishing {
  readonly updates: UpdateEntity[] = [];
  readonly #init: PublishingInit;
  readonly #repositories = new Map<string, Repository>();
  readonly #versions = new Map<string, Version>();
  readonly #scripts: UpdateScript[] = [];
  /** Branches of the project's site, apart from the deployment branch. */
  readonly #branches = new Map<string, Pick<Repository, 'content' | 'head'>>();
  /** What each preview shows, by the name in its address. */
  readonly #previews = new Map<string, SourceFiles>();

  constructor(init: PublishingInit) {
    this.#init = init;
    this.clear();
  }

  /** Publishes the initial contents. */
  clear(): void {
    this.updates.length = 0;
    this.#scripts.length = 0;
    this.#versions.clear();
    this.#branches.clear();
    this.#previews.clear();
    for (const [id, content] of Object.entries(this.#init.contents)) {
      const published = readVersion({ content, head: undefined });
      // Prevents an unhandled rejection: the reader of the files gets the error.
      published.catch(() => undefined);
      this.#repositories.set(id, {
        content,
        head: undefined,
        published,
        pending: undefined,
        rolledBackTo: undefined,
      });
    }
  }

  /** A commit comes onto the deployment branch; the platform publishes it when its lag is over. */
  async push({
    site,
    sha,
    message = 'Change the documentation',
    branch,
    content,
  }: PushSeed): Promise<void> {
    const repository = this.#repository(site);
    if (branch !== undefined) {
      // The first push to a branch starts from the deployment branch.
      const parent = this.#branches.get(branch) ?? repository;
      this.#branches.set(branch, {
        head: { sha, ref: branch, message },
        content: content ?? parent.content,
      });
      return;
    }
    // Before the push, what has waited long enough is published; after it, the push begins to wait.
    await this.#settle(repository);
    repository.head = { sha, ref: 'main', message };
    repository.content = content ?? repository.content;
    await this.#settle(repository);
  }

  /**
   * The site serves an earlier build: what is published from now on is built, and does not go live.
   */
  async rollBack({ site, content }: RollbackSeed = {}): Promise<void> {
    const repository = this.#repository(site);
    repository.rolledBackTo = await (content === undefined
      ? this.#published(repository)
      : readSource(content));
  }

  /** Ends a rollback: the site serves the newest build again. */
  returnToLatest(site?: string): void {
    this.#repository(site).rolledBackTo = undefined;
  }

  /** The files that the site serves now. */
  async files(site: string): Promise<SourceFiles> {
    const repository = this.#repository(site);
    return repository.rolledBackTo ?? this.#published(repository);
  }

  /** The files of the newest build. */
  async #published(repository: Repository): Promise<SourceFiles> {
    if (this.#lagMs === 0) return readSource(repository.content);
    await this.#settle(repository);
    return (await repository.published).files;
  }

  /** What happens to the next update that is requested; a second call is for the one after it. */
  scriptNext(script: UpdateScript): void {
    this.#scripts.push(script);
  }

  /**
   * Queues an update of the project's site, or the preview of a branch. One that is queued already
   * serves this request too.
   */
  async update(branch?: string): Promise<UpdateEntity> {
    const repository = this.#repository(undefined);
    // A branch that nothing was pushed to has what the deployment branch has.
    const version = await readVersion((branch && this.#branches.get(branch)) || repository);
    const queued = this.updates.find(
      (update) =>
        this.#advance(update).status === 'queued' &&
        update.branch === branch &&
        update.commit?.sha === version.commit?.sha,
    );
    if (queued !== undefined) return queued;
    const publishedFiles = (await repository.published).files;
    const commit = version.commit && {
      ...version.commit,
      filesChanged: compare(publishedFiles, version.files),
    };
    const update: UpdateEntity = {
      id: randomUUID(),
      branch,
      createdAt: this.#init.clock.now(),
      endedAt: undefined,
      status: 'queued',
      // A branch that nothing was pushed to has a commit that names the deployment branch.
      commit: commit && branch ? { ...commit, ref: branch } : commit,
      script: this.#scripts.shift() ?? this.#init.behaviour.updateScript,
    };
    this.updates.push(update);
    this.#versions.set(update.id, version);
    return update;
  }

  /**
   * The files of a preview, by the name in its address; undefined: there is none, or it is not
   * ready.
   */
  previewed(name: string): SourceFiles | undefined {
    for (const update of this.updates) this.#advance(update);
    return this.#previews.get(name);
  }

  /** The update's current state. */
  fetch(id: string): UpdateEntity | undefined {
    const update = this.updates.find((known) => known.id === id);
    return update && this.#advance(update);
  }

  get #lagMs(): number {
    return this.#init.behaviour.publishLagMs;
  }

  #repository(site: string | undefined): Repository {
    const repository = this.#repositories.get(site ?? [...this.#repositories.keys()][0] ?? '');
    if (repository === undefined) throw new Error(`Site ${site} does not exist.`);
    return repository;
  }

  #publish(repository: Repository, version: Version): void {
    Object.assign(repository, { published: Promise.resolve(version), pending: undefined });
  }

  /** Notices a change of the folder, and publishes what has waited long enough. */
  async #settle(repository: Repository): Promise<void> {
    const now = this.#init.clock.now();
    const version = await readVersion(repository);
    const newest = repository.pending?.version ?? (await repository.published);
    if (!isSame(newest, version)) repository.pending = { version, at: now };
    const { pending } = repository;
    if (pending !== undefined && now - pending.at >= this.#lagMs) {
      this.#publish(repository, pending.version);
    }
  }

  /** Brings the update to the state that its age and its script give it, with what it publishes. */
  #advance(update: UpdateEntity): UpdateEntity {
    const { script } = update;
    const now = this.#init.clock.now();
    const elapsedMs = now - update.createdAt;
    if (update.endedAt !== undefined || script.stalled === true) return update;
    // For the first quarter of its time, it is still queued.
    if (elapsedMs < this.#lagMs / 4) return update;
    if (elapsedMs < this.#lagMs) return Object.assign(update, { status: 'in_progress' });
    Object.assign(update, { status: script.outcome ?? 'success', endedAt: now });
    const version = this.#versions.get(update.id);
    // An update that reports another commit has not built this one.
    const isPublished = script.outcome !== 'failure' && script.commit === undefined;
    if (!isPublished || version === undefined) return update;
    if (update.branch === undefined) this.#publish(this.#repository(undefined), version);
    else this.#previews.set(previewName(update.branch), version.files);
    return update;
  }
}

/** The name of a branch's preview in its address: the same for each preview of it. */
export function previewName(branch: string): string {
  const readable = branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40);
  return `${readable}-${createHash('sha256').update(branch).digest('hex').slice(0, 8)}`;
}

async function readVersion({
  content,
  head,
}: Pick<Repository, 'content' | 'head'>): Promise<Version> {
  const [files, commit] = await Promise.all([readSource(content), head ?? commitOf(content)]);
  return { files, commit };
}

/** Of a folder in a checkout: the commit that is checked out. */
async function commitOf(content: SiteContent): Promise<CommitEntity | undefined> {
  if (typeof content !== 'string') return undefined;
  try {
    const args = ['log', '-1', '--format=%H%n%s'];
    const { stdout } = await promisify(execFile)('git', args, { cwd: content, timeout: 10_000 });
    const [sha = '', message = ''] = stdout.split('\n');
    return { sha, ref: 'main', message };
  } catch {
    return undefined;
  }
}

function isSame(a: Version, b: Version): boolean {
  const { added, removed, modified } = compare(a.files, b.files);
  return a.commit?.sha === b.commit?.sha && added.length + removed.length + modified.length === 0;
}

/** The paths that differ. */
function compare(before: SourceFiles, after: SourceFiles) {
  const added = [...after.keys()].filter((path) => !before.has(path));
  const removed = [...before.keys()].filter((path) => !after.has(path));
  const modified = [...after].flatMap(([path, bytes]) => {
    const earlier = before.get(path);
    return earlier === undefined || Buffer.compare(earlier, bytes) === 0 ? [] : [path];
  });
  return { added, modified, removed };
}
