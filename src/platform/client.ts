import type { Reply, Transport } from './call.ts';
import {
  type AgentJob,
  agentJob,
  type ExportBundle,
  type ExportJob,
  type ExportJobStarted,
  exportBundle,
  exportJob,
  exportJobStarted,
  type SearchRequest,
  type SearchResult,
  searchResults,
} from './contract.ts';

/** One method per endpoint of the platform. Every method throws a CourierError, and only that. */
export interface PlatformClient {
  /** `POST /v1/static-export/jobs`. Never repeated once the platform may have seen it. */
  startExport(domain: string): Promise<Reply<ExportJobStarted>>;
  /** `GET /v1/static-export/jobs/{jobId}`. One attempt: the follower counts failures itself. */
  getExportJob(jobId: string): Promise<Reply<ExportJob>>;
  /** `POST /v1/static-export/jobs/{jobId}/bundle`, without a body. Repeatable: it only makes a fresh link. */
  createBundle(jobId: string): Promise<Reply<ExportBundle>>;
  /**
   * `GET /v2/agent/{projectId}/job/{id}`, the message path's parent. The contract does not show it: a 404 or 405 does not
   * prove that the job is unknown. One attempt.
   */
  getAgentJob(job: AgentJobRef): Promise<Reply<AgentJob>>;
  /** `POST /v2/agent/{projectId}/job/{id}/message`. Never repeated once the platform may have seen it. */
  sendAgentMessage(job: AgentJobRef, prompt: string): Promise<Reply<AgentJob>>;
  /** `POST /discovery/v1/search/{domain}`, with the assistant key. Repeatable. */
  search(domain: string, request: SearchRequest): Promise<Reply<SearchResult[]>>;
}

export interface AgentJobRef {
  readonly projectId: string;
  readonly id: string;
}

export function createPlatformClient(transport: Transport): PlatformClient {
  const exportPath = (jobId: string) => ['v1', 'static-export', 'jobs', jobId];
  const agentPath = ({ projectId, id }: AgentJobRef) => ['v2', 'agent', projectId, 'job', id];
  return {
    startExport: (domain) =>
      transport.call({
        method: 'POST',
        path: ['v1', 'static-export', 'jobs'],
        key: 'admin',
        body: { domain },
        schema: exportJobStarted,
        repeat: 'unless-acted',
      }),
    getExportJob: (jobId) =>
      transport.call({ method: 'GET', path: exportPath(jobId), key: 'admin', schema: exportJob, repeat: 'never' }),
    createBundle: (jobId) =>
      transport.call({
        method: 'POST',
        path: [...exportPath(jobId), 'bundle'],
        key: 'admin',
        schema: exportBundle,
        repeat: 'always',
      }),
    getAgentJob: (job) =>
      transport.call({ method: 'GET', path: agentPath(job), key: 'admin', schema: agentJob, repeat: 'never' }),
    sendAgentMessage: (job, prompt) =>
      transport.call({
        method: 'POST',
        path: [...agentPath(job), 'message'],
        key: 'admin',
        body: { prompt },
        schema: agentJob,
        repeat: 'unless-acted',
      }),
    search: (domain, request) =>
      transport.call({
        method: 'POST',
        path: ['discovery', 'v1', 'search', domain],
        key: 'assistant',
        body: request,
        schema: searchResults,
        repeat: 'always',
      }),
  };
}
