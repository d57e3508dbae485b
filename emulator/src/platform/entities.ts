import type { AGENT_JOB_STATUSES } from '../../../src/platform/contract.ts';
import type { Selection } from '../site/render.ts';

type AgentJobStatus = (typeof AGENT_JOB_STATUSES)[number];

/** How an agent job goes on after a message has made it active. */
export interface AgentScript {
  readonly outcome?: Exclude<AgentJobStatus, 'active'> | undefined;
  /** The job's pull request once it has ended. Left out: a made-up one for `completed`, else what the job has. */
  readonly prLink?: string | null | undefined;
  /** This many fetches after a message still show the state from before it, as a lagging replica would. */
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

/** How an export goes; everything left out: it renders the site, reports its progress, and completes. */
export interface ExportScript {
  readonly outcome?: 'completed' | 'failed' | undefined;
  /** Shown as `error` by a job that failed. */
  readonly error?: string | undefined;
  /** The job runs but shows neither `progress` nor `pageCount`, as installations of the base contract may. */
  readonly silent?: boolean | undefined;
  /** Shown as `status` instead of `running`. */
  readonly runningStatus?: string | undefined;
  /** The job stays where it is when half of its time is over, and `updatedAt` with it. */
  readonly stalled?: boolean | undefined;
}

/** What was asked for; a job of a project has no domain of its own. */
export interface ExportOrder extends Selection {
  /** As the request gave it. */
  readonly domain: string;
  readonly site: string;
  /** Given: the job is of the revision by project. */
  readonly projectId?: string | undefined;
}

export interface ExportJobEntity extends ExportOrder {
  readonly jobId: string;
  status: ExportStatus;
  /** 0 to 100. */
  progress: number;
  /** Pages rendered so far. */
  pageCount: number;
  /** How often the job was fetched. */
  polls: number;
  /** Links handed out for its bundle. */
  links: number;
  /** Size of the archive; 0 until it is there. */
  sizeBytes: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  updatedAt: string;
  error: string | undefined;
  script: ExportScript;
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
  /** undefined: no whole reply was sent, for a fault cut it off. */
  status: number | undefined;
}
