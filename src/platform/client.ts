import type { Call, Reply, Transport } from './call.ts';
import type {
  AgentJob,
  AgentMessageReply,
  BasePath,
  ExportBundle,
  ExportJob,
  ExportJobBusy,
  ExportJobStarted,
  ProjectExportJob,
  SearchRequest,
  SearchResult,
} from './contract.ts';

/** What an export by domain may be narrowed to. Absent fields are not sent: the platform's own defaults apply. */
export interface ExportSelection {
  /** Label of the documentation version; absent: the latest published one. */
  readonly version?: string | undefined;
  /** Page paths without a leading slash; absent: all pages. */
  readonly paths?: readonly string[] | undefined;
}

/** How a job is read. */
export interface ReadOptions {
  /** Without it one attempt: whoever polls counts failures itself. */
  readonly repeat?: 'always' | 'never' | undefined;
  /** For the whole call, in milliseconds. */
  readonly timeLimitMs?: number | undefined;
}

/** One method per endpoint of the platform. Every method throws a CourierError, and only that. */
export interface PlatformClient {
  /** `POST /v1/static-export/jobs`. Never repeated once the platform may have seen it. A 409 is an answer. */
  startExport(domain: string, selection?: ExportSelection): Promise<Reply<ExportJobStarted | ExportJobBusy>>;
  /** `GET /v1/static-export/jobs/{jobId}`. */
  getExportJob(jobId: string, options?: ReadOptions): Promise<Reply<ExportJob>>;
  /** `POST /v1/static-export/jobs/{jobId}/bundle`, without a body. Repeatable: it only makes a fresh link. */
  createBundle(jobId: string): Promise<Reply<ExportBundle>>;
  /**
   * `POST /v1/static-export/{projectId}/jobs`, with a body only where a base path is given. Never repeated once the platform
   * may have seen it. A 409 is an answer.
   */
  startProjectExport(projectId: string, basePath?: BasePath): Promise<Reply<ExportJobStarted | ExportJobBusy>>;
  /** `GET /v1/static-export/{projectId}/jobs/{jobId}`. The reply of a completed job carries a fresh link. */
  getProjectExportJob(job: ProjectExportRef, options?: ReadOptions): Promise<Reply<ProjectExportJob>>;
  /** `GET /v2/agent/{projectId}/job/{id}`. Not every installation has it: then 404 or 405. */
  getAgentJob(job: AgentJobRef, options?: ReadOptions): Promise<Reply<AgentJob>>;
  /** `POST /v2/agent/{projectId}/job`: makes a new job, which costs money. Never repeated once the platform may have seen it. */
  createAgentJob(projectId: string, prompt: string): Promise<Reply<AgentJob>>;
  /** `POST /v2/agent/{projectId}/job/{id}/message`. Never repeated once the platform may have seen it. */
  sendAgentMessage(job: AgentJobRef, prompt: string): Promise<Reply<AgentMessageReply>>;
  /** `POST /discovery/v1/search/{domain}`, with the assistant key. Repeatable. */
  search(domain: string, request: SearchRequest): Promise<Reply<SearchResult[]>>;
}

interface AgentJobRef {
  readonly projectId: string;
  readonly id: string;
}

interface ProjectExportRef {
  readonly projectId: string;
  readonly jobId: string;
}

type Contract = typeof import('./contract.ts');

// The schemas and their library are loaded while the first request is on its way.
function late<K extends keyof Contract>(name: K): () => Promise<Contract[K]> {
  return async () => (await import('./contract.ts'))[name];
}

// A cancelled run has 4.5 s in all: what is left after these is for storing the id.
const START_GRACE_MS = 4000;
const STARTS_PER_HOUR = '10 export starts per organization per hour';
const AGENT_USES_PER_HOUR = '100 agent messages per project per hour';

export function createPlatformClient(transport: Transport): PlatformClient {
  const exportPath = (jobId: string) => ['v1', 'static-export', 'jobs', jobId];
  const projectPath = (projectId: string) => ['v1', 'static-export', projectId, 'jobs'];
  const agentPath = (projectId: string) => ['v2', 'agent', projectId, 'job'];
  const start = (call: Pick<Call<unknown>, 'path' | 'body' | 'hourlyLimit'>) =>
    transport.call<ExportJobStarted | ExportJobBusy>({
      ...call,
      method: 'POST',
      key: 'admin',
      schema: late('exportJobStarted'),
      also: { status: 409, schema: late('exportJobBusy') },
      repeat: 'unless-acted',
      cancelGraceMs: START_GRACE_MS,
    });
  const read = ({ repeat = 'never', timeLimitMs }: ReadOptions = {}) =>
    ({ method: 'GET', key: 'admin', repeat, timeLimitMs }) as const;
  return {
    startExport: (domain, { version, paths } = {}) =>
      start({
        path: ['v1', 'static-export', 'jobs'],
        body: { domain, ...(version !== undefined && { version }), ...(paths !== undefined && { paths }) },
      }),
    getExportJob: (jobId, options) =>
      transport.call({ ...read(options), path: exportPath(jobId), schema: late('exportJob') }),
    createBundle: (jobId) =>
      transport.call({
        method: 'POST',
        path: [...exportPath(jobId), 'bundle'],
        key: 'admin',
        schema: late('exportBundle'),
        repeat: 'always',
      }),
    startProjectExport: (projectId, basePath) =>
      start({
        path: projectPath(projectId),
        body: basePath === undefined ? undefined : { basePath },
        hourlyLimit: STARTS_PER_HOUR,
      }),
    getProjectExportJob: ({ projectId, jobId }, options) =>
      transport.call({ ...read(options), path: [...projectPath(projectId), jobId], schema: late('projectExportJob') }),
    getAgentJob: ({ projectId, id }, options) =>
      transport.call({ ...read(options), path: [...agentPath(projectId), id], schema: late('agentJob') }),
    createAgentJob: (projectId, prompt) =>
      transport.call({
        method: 'POST',
        path: agentPath(projectId),
        key: 'admin',
        body: { prompt },
        schema: late('agentJob'),
        repeat: 'unless-acted',
        hourlyLimit: AGENT_USES_PER_HOUR,
      }),
    sendAgentMessage: ({ projectId, id }, prompt) =>
      transport.call({
        method: 'POST',
        path: [...agentPath(projectId), id, 'message'],
        key: 'admin',
        body: { prompt },
        schema: late('agentMessageReply'),
        repeat: 'unless-acted',
        hourlyLimit: AGENT_USES_PER_HOUR,
      }),
    search: (domain, request) =>
      transport.call({
        method: 'POST',
        path: ['discovery', 'v1', 'search', domain],
        key: 'assistant',
        body: request,
        schema: late('searchResults'),
        repeat: 'always',
      }),
  };
}
