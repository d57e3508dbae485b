import { randomUUID } from 'node:crypto';
import type { BundleStore } from './bundle-store.ts';
import type { ExportJobEntity, ExportScript } from './entities.ts';
import type { Behaviour, EmulatorClock } from './options.ts';
import type { SiteShelf } from './site-bundles.ts';

/** Export jobs: each renders its site for real; what it tells of that is held back to the pace it is given. */
export interface ExportDesk {
  readonly jobs: ExportJobEntity[];
  start(domain: string, site: string): ExportJobEntity;
  /** The job as it is now; counts as a fetch. */
  fetch(jobId: string): Promise<ExportJobEntity | undefined>;
  find(jobId: string): ExportJobEntity | undefined;
  /** A job that exists already, completed unless said otherwise. */
  add(job: ExportSeed): Promise<ExportJobEntity>;
  /** How the next job that is started goes; called twice, the one after it too. */
  scriptNext(script: ExportScript): void;
  clear(): void;
}

export interface ExportSeed {
  readonly jobId?: string | undefined;
  readonly domain?: string | undefined;
  readonly status?: 'completed' | 'failed' | undefined;
  readonly error?: string | undefined;
  /** The bundle's bytes; left out, the site is exported. */
  readonly archive?: Uint8Array | undefined;
}

interface Work {
  readonly since: number;
  rendered: number;
  total: number;
  /** Set when the bundle is in the store, or could not be made. */
  result: { readonly error: string | undefined } | undefined;
  readonly done: Promise<void>;
}

export interface ExportDeskInit {
  readonly behaviour: Behaviour;
  readonly clock: EmulatorClock;
  readonly shelf: SiteShelf;
  readonly store: BundleStore;
}

export function bundleKey(job: ExportJobEntity): string {
  return `${job.jobId}/${job.site}.tar.gz`;
}

export function createExportDesk({ behaviour, clock, shelf, store }: ExportDeskInit): ExportDesk {
  const jobs: ExportJobEntity[] = [];
  const works = new Map<string, Work>();
  const scripts: ExportScript[] = [];

  function begin(job: ExportJobEntity): Work {
    const progress = { rendered: 0, total: 0 };
    const work: Work = Object.assign(progress, {
      since: clock.now(),
      result: undefined,
      done: shelf
        .export(job.site, progress)
        .then((archive) => store.put(bundleKey(job), archive))
        .then(
          () => settle(undefined),
          (error: unknown) => settle(error instanceof Error ? error.message : String(error)),
        ),
    });
    function settle(error: string | undefined): void {
      work.result = { error };
    }
    works.set(job.jobId, work);
    return work;
  }

  /** How much of the job's time is over, 0 to 1. */
  function share(job: ExportJobEntity, work: Work): number {
    const rule = behaviour.exportJobs;
    const of = rule.advance === 'poll' ? job.polls / rule.polls : (clock.now() - work.since) / rule.durationMs;
    return Number.isNaN(of) ? 1 : Math.min(1, of);
  }

  async function advance(job: ExportJobEntity, work: Work): Promise<void> {
    const of = share(job, work);
    // By poll, the number of polls decides what is shown and not how fast this machine renders.
    if (behaviour.exportJobs.advance === 'poll') await work.done;
    if (of >= 1 && work.result) return finish(job, work.result.error);
    job.status = of >= 1 ? 'packaging' : 'running';
    job.progress = Math.min(99, Math.floor(of * 100));
    job.pageCount = Math.min(work.rendered, Math.floor(of * work.total));
  }

  function finish(job: ExportJobEntity, fault: string | undefined): void {
    const work = works.get(job.jobId);
    works.delete(job.jobId);
    const scripted = job.script.outcome === 'failed' ? (job.script.error ?? 'The export failed.') : undefined;
    job.error = scripted ?? fault;
    job.status = job.error === undefined ? 'completed' : 'failed';
    job.pageCount = work?.rendered ?? job.pageCount;
    if (job.status !== 'completed') return;
    job.progress = 100;
    shelf.publish(job.site);
  }

  const find = (jobId: string) => jobs.find((job) => job.jobId === jobId);

  function create(init: Pick<ExportJobEntity, 'jobId' | 'domain' | 'site' | 'script'>): ExportJobEntity {
    const createdAt = new Date(clock.now()).toISOString();
    const start = { status: 'queued', progress: 0, pageCount: 0, polls: 0, links: 0, error: undefined } as const;
    const job: ExportJobEntity = { ...init, ...start, createdAt };
    jobs.push(job);
    return job;
  }

  return {
    jobs,
    find,
    start(domain, site) {
      const job = create({ jobId: randomUUID(), domain, site, script: scripts.shift() ?? {} });
      begin(job);
      return job;
    },
    async fetch(jobId) {
      const job = find(jobId);
      if (!job) return undefined;
      job.polls += 1;
      const work = works.get(jobId);
      if (work) await advance(job, work);
      return job;
    },
    async add(seed) {
      const domain = seed.domain ?? shelf.ids()[0] ?? 'acme';
      const script: ExportScript = { outcome: seed.status, error: seed.error };
      const site = domain.split('.')[0] ?? domain;
      const job = create({ jobId: seed.jobId ?? randomUUID(), domain, site, script });
      if (seed.archive) {
        await store.put(bundleKey(job), seed.archive);
        finish(job, undefined);
      } else {
        const work = begin(job);
        await work.done;
        finish(job, work.result?.error);
      }
      return job;
    },
    scriptNext: (script) => {
      scripts.push(script);
    },
    clear() {
      jobs.length = 0;
      scripts.length = 0;
      works.clear();
    },
  };
}
