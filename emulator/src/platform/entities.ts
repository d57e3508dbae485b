import type { AGENT_JOB_STATUSES } from '../../../src/platform/contract.ts';
import type { Selection } from '../site/render.ts';

type AgentJobStatus = (typeof AGENT_JOB_STATUSES)[number];

/** What happens to an agent job after a message has made it active. */
export interface AgentScript {
  readonly outcome?: Exclude<AgentJobStatus, 'active'> | undefined;
  /**
   * The job's pull request once it has ended. Default: a made-up one for `completed`, else the
   * job's.
   */
  readonly prLink?: string | null | undefined;
  /**
   * This many fetches after a message still show the state from before it, as from a lagging
   * replica.
   */
  readonly staleFetches?: number | undefined;
}

export interface AgentJobEntity {
  id: string;
  source: { repository: string; ref: string | null };
  model: string;
  status: AgentJobStatus;
  prLink: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  archivedAt: string | null;
  script: AgentScript;
}

type ExportStatus = 'queued' | 'running' | 'completed' | 'failed';

/**
 * What happens to an export. By default it renders the site, reports its progress, and completes.
 */
export interface ExportScript {
  readonly outcome?: 'completed' | 'failed' | undefined;
  /** The `error` of a failed job. */
  readonly error?: string | undefined;
  /** The job runs but shows neither `progress` nor `pageCount`, which the base contract allows. */
  readonly silent?: boolean | undefined;
  /** Shown as `status` instead of `running`. */
  readonly runningStatus?: string | undefined;
  /** The job stops when half of its time is over, and `updatedAt` with it. */
  readonly stalled?: boolean | undefined;
}

/** As requested; a job of a project does not have its own domain. */
export interface ExportOrder extends Selection {
  /** As in the request. */
  readonly domain: string;
  readonly site: string;
  /** Set if the job was started by project. */
  readonly projectId?: string | undefined;
}

export interface ExportJobEntity extends ExportOrder {
  readonly jobId: string;
  status: ExportStatus;
  /** 0 to 100. */
  progress: number;
  /** Pages rendered so far. */
  pageCount: number;
  /** How many times the job was fetched. */
  polls: number;
  /** Number of links created for its bundle. */
  links: number;
  /** Size of the archive; 0 until it is there. */
  sizeBytes: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  updatedAt: string;
  error: string | undefined;
  script: ExportScript;
}

/** A commit of the deployment branch. */
export interface CommitEntity {
  readonly sha: string;
  readonly ref: string;
  readonly message: string;
}

/** What happens to an update. By default it publishes the branch, and succeeds. */
export interface UpdateScript {
  readonly outcome?: 'success' | 'failure' | undefined;
  readonly summary?: string | undefined;
  readonly logs?: readonly string[] | undefined;
  /** The commit that it reports instead of the newest one; what is published stays as it was. */
  readonly commit?: string | undefined;
  /** It reports no commit, which the documentation allows. */
  readonly silent?: boolean | undefined;
  /** Shown as `status` until it has ended. */
  readonly runningStatus?: string | undefined;
  /** It never ends. */
  readonly stalled?: boolean | undefined;
}

/**
 * A requested update of the deployment branch, or the preview of another one. Times are epoch
 * milliseconds.
 */
export interface UpdateEntity {
  readonly id: string;
  /** Of a preview. */
  readonly branch?: string | undefined;
  readonly createdAt: number;
  endedAt: number | undefined;
  status: 'queued' | 'in_progress' | 'success' | 'failure';
  readonly commit:
    | (CommitEntity & {
        readonly filesChanged: {
          readonly added: readonly string[];
          readonly modified: readonly string[];
          readonly removed: readonly string[];
        };
      })
    | undefined;
  readonly script: UpdateScript;
}

export interface AgentMessage {
  readonly jobId: string;
  readonly prompt: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** undefined: a fault cut off the reply. */
  status: number | undefined;
}
