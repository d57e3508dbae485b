import { hash, randomUUID } from 'node:crypto';
import type { BundleStore } from './bundle-store.ts';
import type { ExportJobEntity, ExportOrder, ExportScript } from './entities.ts';
import type { Behaviour, EmulatorClock } from './options.ts';
import type { Sites } from './sites.ts';

export interface ExportSeed {
  readonly jobId?: string | undefined;
  readonly domain?: string | undefined;
  /** Set for a job by project. */
  readonly projectId?: string | undefined;
  readonly status?: 'completed' | 'failed' | undefined;
  readonly error?: string | undefined;
  /** The bundle's bytes; by default, the site is exported. */
  readonly archive?: Uint8Array | undefined;
}

/** What is known of a job that has not ended. */
interface Work {
  readonly since: number;
  /** The pages that are done, and all of them: `Sites.export` updates both. */
  rendered: number;
  total: number;
  /** Set when the bundle is in the store, or could not be built. */
  result: { readonly error: string | undefined } | undefined;
  /** Resolves when `result` is set. */
  done: Promise<void>;
}

interface ExportJobsInit {
  readonly behaviour: Behaviour;
  readonly clock: EmulatorClock;
  readonly sites: Sites;
  readonly store: BundleStore;
}

export function bundleKey(job: ExportJobEntity): string {
  return `${job.jobId}/${job.site}.tar.gz`;
}

/** Export jobs: each really renders its site, but shows its progress only at the given pace. */
export class ExportJobs {
  readonly jobs: ExportJobEntity[] = [];
  readonly #init: ExportJobsInit;
  readonly #works = new Map<string, Work>();
  readonly #scripts: ExportScript[] = [];

  constructor(init: ExportJobsInit) {
    this.#init = init;
  }

  start(order: ExportOrder): ExportJobEntity {
    const job = this.#create(
      order,
      randomUUID(),
      this.#scripts.shift() ?? this.#init.behaviour.exportScript,
    );
    this.#begin(job);
    return job;
  }

  /** The job's current state; counts as a fetch. */
  async fetch(jobId: string): Promise<ExportJobEntity | undefined> {
    const job = this.find(jobId);
    if (!job) return undefined;
    job.polls += 1;
    await this.#advance(job);
    return job;
  }

  find(jobId: string): ExportJobEntity | undefined {
    return this.jobs.find((job) => job.jobId === jobId);
  }

  /** The job of this project that has not ended. */
  async active(projectId: string): Promise<ExportJobEntity | undefined> {
    const ofProject = this.jobs.filter((job) => job.projectId === projectId);
    for (const job of ofProject) await this.#advance(job);
    return ofProject.find(({ status }) => status === 'queued' || status === 'running');
  }

  /** A job that already exists, completed by default. */
  async add(seed: ExportSeed): Promise<ExportJobEntity> {
    const { sites, store } = this.#init;
    const domain = seed.domain ?? sites.ids()[0] ?? 'acme';
    const script: ExportScript = { outcome: seed.status, error: seed.error };
    const order = { domain, site: domain.split('.')[0] ?? domain, projectId: seed.projectId };
    const job = this.#create(order, seed.jobId ?? randomUUID(), script);
    if (seed.archive) {
      await store.put(bundleKey(job), seed.archive);
      job.sizeBytes = seed.archive.length;
      this.#finish(job, undefined);
    } else {
      const work = this.#begin(job);
      await work.done;
      this.#finish(job, work.result?.error);
    }
    return job;
  }

  /** What happens to the next job that is started; a second call is for the one after it. */
  scriptNext(script: ExportScript): void {
    this.#scripts.push(script);
  }

  clear(): void {
    this.jobs.length = 0;
    this.#scripts.length = 0;
    this.#works.clear();
  }

  #create(order: ExportOrder, jobId: string, script: ExportScript): ExportJobEntity {
    const createdAt = this.#timestamp();
    const start = {
      status: 'queued',
      progress: 0,
      pageCount: 0,
      polls: 0,
      links: 0,
      sizeBytes: 0,
    } as const;
    const job: ExportJobEntity = {
      ...order,
      ...start,
      jobId,
      script,
      error: undefined,
      createdAt,
      updatedAt: createdAt,
    };
    this.jobs.push(job);
    return job;
  }

  #begin(job: ExportJobEntity): Work {
    const { sites, store, clock } = this.#init;
    const work: Work = {
      since: clock.now(),
      rendered: 0,
      total: 0,
      result: undefined,
      done: Promise.resolve(),
    };
    const { version, paths, basePath, domain } = job;
    const render = async () => {
      const build = {
        // Letters and digits by turns: a name such as `b072015230` does not look like that of a build.
        hash: `b0c1${hash('sha256', job.jobId, 'hex').slice(0, 6)}`,
        atMs: Date.parse(job.createdAt),
      };
      const archive = await sites.export(job.site, {
        version,
        paths,
        basePath,
        domain,
        build,
        progress: work,
      });
      await store.put(bundleKey(job), archive);
      job.sizeBytes = archive.length;
    };
    work.done = render().then(
      () => {
        work.result = { error: undefined };
      },
      (error: unknown) => {
        work.result = { error: error instanceof Error ? error.message : String(error) };
      },
    );
    this.#works.set(job.jobId, work);
    return work;
  }

  /** Share of the job's time that is over, 0 to 1. */
  #share(job: ExportJobEntity, work: Work): number {
    const rule = this.#init.behaviour.exportJobs;
    const share =
      rule.advance === 'poll'
        ? job.polls / rule.polls
        : (this.#init.clock.now() - work.since) / rule.durationMs;
    // Not a number: a job that takes no time, at once.
    const reached = Number.isNaN(share) ? 1 : Math.min(1, share);
    return job.script.stalled === true ? Math.min(0.5, reached) : reached;
  }

  /** Shows as much of the job as its share says, never more than is rendered. */
  async #advance(job: ExportJobEntity): Promise<void> {
    const work = this.#works.get(job.jobId);
    if (!work) return;
    const share = this.#share(job, work);
    // By poll, the number of polls decides what is shown, not the speed of this machine.
    if (this.#init.behaviour.exportJobs.advance === 'poll') await work.done;
    if (share >= 1 && work.result) {
      this.#finish(job, work.result.error);
      return;
    }
    // It stays queued.
    if (share === 0) return;
    const pageCount = Math.min(work.rendered, Math.floor(share * work.total));
    this.#change(job, {
      status: 'running',
      progress: Math.min(99, Math.floor(share * 100)),
      pageCount,
    });
  }

  /** `fault`: why the site could not be rendered; undefined: it was. */
  #finish(job: ExportJobEntity, fault: string | undefined): void {
    const work = this.#works.get(job.jobId);
    this.#works.delete(job.jobId);
    const { outcome, error = 'The export failed.' } = job.script;
    job.error = outcome === 'failed' ? error : fault;
    const pageCount = work?.rendered ?? job.pageCount;
    if (job.error === undefined) {
      this.#change(job, { status: 'completed', progress: 100, pageCount });
      this.#init.sites.publish(job.site);
    } else this.#change(job, { status: 'failed', progress: job.progress, pageCount });
  }

  #change(
    job: ExportJobEntity,
    now: Pick<ExportJobEntity, 'status' | 'progress' | 'pageCount'>,
  ): void {
    if (
      job.status === now.status &&
      job.progress === now.progress &&
      job.pageCount === now.pageCount
    )
      return;
    Object.assign(job, now);
    job.updatedAt = this.#timestamp();
  }

  #timestamp(): string {
    return new Date(this.#init.clock.now()).toISOString();
  }
}
