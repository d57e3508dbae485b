import type { AGENT_JOB_STATUSES } from '../../platform/contract.ts';

export type AgentJobStatus = (typeof AGENT_JOB_STATUSES)[number];

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

export type ExportStatus = 'queued' | 'running' | 'packaging' | 'completed' | 'failed';

/** How an export goes; everything left out: it renders the site, tells its progress, and completes. */
export interface ExportScript {
  readonly outcome?: 'completed' | 'failed' | undefined;
  /** Shown as `error` by a job that failed. */
  readonly error?: string | undefined;
  /** The job runs but tells neither `progress` nor `pageCount`. */
  readonly silent?: boolean | undefined;
  /** Shown as `status` in place of `running`. */
  readonly runningStatus?: string | undefined;
}

export interface ExportJobEntity {
  jobId: string;
  /** As the request gave it. */
  domain: string;
  site: string;
  status: ExportStatus;
  /** 0 to 100. */
  progress: number;
  /** Pages rendered so far. */
  pageCount: number;
  /** How often the job was fetched. */
  polls: number;
  /** Links handed out for its bundle. */
  links: number;
  createdAt: string;
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
