import type { Fault } from '../faults.ts';
import { startServer } from '../server.ts';
import type {
  AgentJobEntity,
  AgentMessage,
  ExportJobEntity,
  ExportScript,
  RecordedRequest,
  UpdateEntity,
  UpdateScript,
} from './entities.ts';
import type { ExportSeed } from './export-jobs.ts';
import type { Behaviour, EmulatorOptions, Keys } from './options.ts';
import type { PushSeed, RollbackSeed } from './publishing.ts';
import { createService } from './service.ts';
import { Store } from './store.ts';

export type { Fault, FaultEffect, FaultMatch } from '../faults.ts';
export type {
  AgentJobEntity,
  AgentMessage,
  AgentScript,
  ExportJobEntity,
  ExportScript,
  RecordedRequest,
} from './entities.ts';
export type { ExportSeed } from './export-jobs.ts';
export type { Advance, Behaviour, EmulatorClock, EmulatorOptions, Keys } from './options.ts';

/** The documentation platform as a local server. Close it, or declare it with `await using`. */
export interface Emulator extends AsyncDisposable {
  /** Base address, without a trailing slash. */
  readonly url: string;
  readonly keys: Keys;
  readonly projectId: string;
  /** Can be changed while it runs. */
  readonly behaviour: Behaviour;
  /** Every request to the platform and its storage, including those with a fault. */
  readonly requests: readonly RecordedRequest[];
  readonly exportJobs: readonly ExportJobEntity[];
  readonly agentJobs: readonly AgentJobEntity[];
  readonly messages: readonly AgentMessage[];
  readonly updates: readonly UpdateEntity[];
  inject(fault: Fault): void;
  addAgentJob(job: Partial<AgentJobEntity>): AgentJobEntity;
  /** An export that has already ended, with a bundle of the site or of the given bytes. */
  addExportJob(job: ExportSeed): Promise<ExportJobEntity>;
  /** What happens to the next export that is started. */
  scriptNextExport(script: ExportScript): void;
  /** Indexes a site's current content for search, as a completed export does. */
  publish(site: string): void;
  /** A commit comes onto the deployment branch; it is published when `publishLagMs` is over. */
  push(seed: PushSeed): Promise<void>;
  /**
   * The site serves an earlier build from now on: updates and pushes succeed, and do not go live.
   */
  rollBack(seed?: RollbackSeed): Promise<void>;
  /** Ends a rollback: the site serves the newest build again. */
  returnToLatest(site?: string): void;
  /** What happens to the next update that is requested. */
  scriptNextUpdate(script: UpdateScript): void;
  reset(): void;
  close(): Promise<void>;
}

/**
 * Starts listening on this machine. Rejects if the port is in use, a site cannot be read, or the
 * bucket does not exist.
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  // Loaded only if it is requested.
  const elsewhere =
    options.s3 && (await (await import('./s3-store.ts')).openS3BundleStore(options.s3));
  const store = new Store(options, elsewhere);
  await store.sites.ready();
  const { port = 0, log } = options;
  const server = await startServer({ service: createService(store), port, log });
  const close = async () => {
    await server.close();
    store.bundles.close();
  };
  const { keys, projectId, behaviour, requests, exports, agents } = store;
  return {
    url: server.url,
    keys,
    projectId,
    behaviour,
    requests,
    exportJobs: exports.jobs,
    agentJobs: agents.jobs,
    messages: agents.messages,
    inject: (fault) => store.faults.inject(fault),
    addAgentJob: (job) => agents.add(job),
    addExportJob: (job) => exports.add(job),
    scriptNextExport: (script) => exports.scriptNext(script),
    publish: (site) => store.sites.publish(site),
    updates: store.publishing.updates,
    push: (seed) => store.publishing.push(seed),
    rollBack: (seed) => store.publishing.rollBack(seed),
    returnToLatest: (site) => store.publishing.returnToLatest(site),
    scriptNextUpdate: (script) => store.publishing.scriptNext(script),
    reset: () => store.reset(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
