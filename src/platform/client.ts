import type * as z from 'zod/mini';
import { CourierError, type Hint } from '../errors.ts';
import type { HttpReply } from '../http/exchange.ts';
import type { Http, Late, Repeat } from '../http/http.ts';
import type { Meaning, Service } from '../http/service.ts';
import { fieldOf, parseJson } from '../text/json.ts';
import { createRedact } from '../text/redact.ts';
import type { BasePath, ExportJobBusy, ExportJobStarted, SearchRequest } from './contract.ts';

/** What an export by domain may be narrowed to. Absent fields are not sent: the platform's own defaults apply. */
export interface ExportSelection {
  /** Label of the documentation version; absent: the latest published one. */
  readonly version?: string | undefined;
  /** Page paths without a leading slash; absent: all pages. */
  readonly paths?: readonly string[] | undefined;
}

/** What is exported, by one of the two revisions of the API. */
export type ExportOrder =
  | ({ readonly domain: string } & ExportSelection)
  /** Without a base path, the deployment's own. */
  | { readonly projectId: string; readonly basePath?: BasePath | undefined };

/** How a job is read. */
export interface ReadOptions {
  /** Without it one attempt: a poll counts failures itself. */
  readonly repeat?: 'always' | 'never' | undefined;
  /** For the whole call, in milliseconds. */
  readonly timeLimitMs?: number | undefined;
}

/** How a job is started. */
export interface StartOptions {
  /** No further attempt begins after so many milliseconds; one under way is not cut: its reply names what was started. */
  readonly waitLimitMs?: number | undefined;
}

interface AgentJobRef {
  readonly projectId: string;
  readonly id: string;
}

interface ExportRef {
  readonly jobId: string;
  /** Of a job that was started by project. */
  readonly projectId?: string | undefined;
}

interface PlatformInit {
  readonly http: Http;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly keys: { readonly admin?: string | undefined; readonly assistant?: string | undefined };
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

export type PlatformClient = ReturnType<typeof createPlatformClient>;

/**
 * One method per endpoint of the platform. Every method throws a CourierError, and only that. Redirects are refused: one would
 * carry the key along.
 */
export function createPlatformClient({ http, baseUrl, keys }: PlatformInit) {
  const redact = createRedact(Object.values(keys).filter((key) => key !== undefined));
  const send = async <T>(call: Call<T>): Promise<Reply<T>> => {
    const { method, path, body, schema, also, repeat, timeLimitMs, waitLimitMs, cancelGraceMs } = call;
    const url = new URL(`${baseUrl}/${path.map(encodeURIComponent).join('/')}`);
    const headers = headersOf(call, keys);
    const text = body === undefined ? undefined : JSON.stringify(body);
    const request = { method, url, headers, body: text, repeat, timeLimitMs, waitLimitMs, cancelGraceMs, redact };
    const { value, reply } = await http.requestJson({ ...request, service: platformService(call) }, schema, also);
    return { value, serverTime: serverTime(reply) };
  };
  const exportPath = (projectId?: string) => [
    'v1',
    'static-export',
    ...(projectId === undefined ? [] : [projectId]),
    'jobs',
  ];
  const agentPath = (projectId: string) => ['v2', 'agent', projectId, 'job'];
  const read = ({ repeat = 'never', timeLimitMs }: ReadOptions = {}) =>
    ({ method: 'GET', key: 'admin', repeat, timeLimitMs }) as const;
  return {
    /**
     * `POST /v1/static-export/jobs`, or `POST /v1/static-export/{projectId}/jobs`, with a body only where a base path is given.
     * Never repeated once the platform may have seen it. A 409 is an answer.
     */
    startExport(order: ExportOrder, options: StartOptions = {}) {
      const byProject = 'projectId' in order;
      return send<ExportJobStarted | ExportJobBusy>({
        ...options,
        method: 'POST',
        path: exportPath(byProject ? order.projectId : undefined),
        key: 'admin',
        body: bodyOf(order),
        schema: late('exportJobStarted'),
        also: { status: 409, schema: late('exportJobBusy') },
        repeat: 'unless-acted',
        cancelGraceMs: START_GRACE_MS,
        hourlyLimit: byProject ? STARTS_PER_HOUR : undefined,
      });
    },
    /** `GET /v1/static-export/jobs/{jobId}`, or `…/{projectId}/jobs/{jobId}`, whose reply for a completed job carries a fresh link. */
    getExportJob: ({ jobId, projectId }: ExportRef, options?: ReadOptions) =>
      send({ ...read(options), path: [...exportPath(projectId), jobId], schema: late('exportJobReply') }),
    /** `POST /v1/static-export/jobs/{jobId}/bundle`, without a body. Repeatable: it only makes a fresh link. */
    createBundle: (jobId: string) =>
      send({
        method: 'POST',
        path: [...exportPath(), jobId, 'bundle'],
        key: 'admin',
        schema: late('exportBundle'),
        repeat: 'always',
      }),
    /** `POST /v1/project/update/{projectId}`, without a body. Never repeated once the platform may have seen it. */
    startUpdate: (projectId: string, options: StartOptions = {}) =>
      send({
        ...options,
        method: 'POST',
        path: ['v1', 'project', 'update', projectId],
        key: 'admin',
        schema: late('updateStarted'),
        repeat: 'unless-acted',
      }),
    /** `GET /v1/project/update-status/{statusId}`. Not every installation has these two: then 404 or 405. */
    getUpdateStatus: (statusId: string, options?: ReadOptions) =>
      send({ ...read(options), path: ['v1', 'project', 'update-status', statusId], schema: late('updateStatus') }),
    /** `GET /v2/agent/{projectId}/job/{id}`. Not every installation has it: then 404 or 405. */
    getAgentJob: ({ projectId, id }: AgentJobRef, options?: ReadOptions) =>
      send({ ...read(options), path: [...agentPath(projectId), id], schema: late('agentJob') }),
    /** `POST /v2/agent/{projectId}/job`: makes a new job, which costs money. Never repeated once the platform may have seen it. */
    createAgentJob: (projectId: string, prompt: string) =>
      send({
        method: 'POST',
        path: agentPath(projectId),
        key: 'admin',
        body: { prompt },
        schema: late('agentJob'),
        repeat: 'unless-acted',
        hourlyLimit: AGENT_USES_PER_HOUR,
      }),
    /** `POST /v2/agent/{projectId}/job/{id}/message`. Never repeated once the platform may have seen it. */
    sendAgentMessage: ({ projectId, id }: AgentJobRef, prompt: string) =>
      send({
        method: 'POST',
        path: [...agentPath(projectId), id, 'message'],
        key: 'admin',
        body: { prompt },
        schema: late('agentMessageReply'),
        repeat: 'unless-acted',
        hourlyLimit: AGENT_USES_PER_HOUR,
      }),
    /** `POST /discovery/v1/search/{domain}`, with the assistant key. Repeatable. */
    search: (domain: string, request: SearchRequest) =>
      send({
        method: 'POST',
        path: ['discovery', 'v1', 'search', domain],
        key: 'assistant',
        body: request,
        schema: late('searchResults'),
        repeat: 'always',
      }),
  };
}

interface Call<T> {
  readonly method: 'GET' | 'POST';
  /** Path segments below the base address; each is percent-encoded, so that none can become two. */
  readonly path: readonly string[];
  readonly key: 'admin' | 'assistant';
  /** Sent as JSON; absent: no body at all. */
  readonly body?: unknown;
  readonly schema: Late<z.ZodMiniType<T>>;
  /** A status outside 2xx whose body is an answer as well. A body that does not fit is the status's usual error. */
  readonly also?: { readonly status: number; readonly schema: Late<z.ZodMiniType<T>> } | undefined;
  readonly repeat: Repeat;
  /** For the whole call, in milliseconds: a poll ends with the time that is left. */
  readonly timeLimitMs?: number | undefined;
  /** As in `StartOptions`. */
  readonly waitLimitMs?: number | undefined;
  /** How long the reply is still waited for once the run was cancelled, in milliseconds: it names what was started. */
  readonly cancelGraceMs?: number | undefined;
  /** The documented limit, such as `10 starts per organization per hour`: a 429 without `Retry-After` is then final. */
  readonly hourlyLimit?: string | undefined;
}

export interface Reply<T> {
  readonly value: T;
  /** The `Date` header: the platform's clock, by which a wrong local one shows. */
  readonly serverTime: Date | undefined;
}

function bodyOf(order: ExportOrder): object | undefined {
  if (!('projectId' in order)) return order;
  return order.basePath === undefined ? undefined : { basePath: order.basePath };
}

function headersOf(call: Call<unknown>, keys: PlatformInit['keys']): Record<string, string> {
  const key = keys[call.key];
  if (key === undefined) throw new CourierError({ code: 'config', message: `The ${call.key} API key is missing.` });
  return {
    accept: 'application/json',
    authorization: `Bearer ${key}`,
    ...(call.body !== undefined && { 'content-type': 'application/json' }),
  };
}

function serverTime(reply: HttpReply): Date | undefined {
  const time = Date.parse(reply.headers.date ?? '');
  return Number.isNaN(time) ? undefined : new Date(time);
}

type Key = Call<unknown>['key'];

/** The platform as the HTTP ground sees it when it gets this call. */
export function platformService({
  key,
  hourlyLimit,
  path,
}: Pick<Call<unknown>, 'key' | 'hourlyLimit' | 'path'>): Service {
  const feature = featureOf(path);
  return {
    name: 'the platform',
    addressSetting: 'base-url',
    errorText,
    meaning({ status }, { retryAfterMs }): Meaning {
      if (status === 429 && retryAfterMs === undefined && hourlyLimit !== undefined) {
        // Uses of an hour come back within the hour, not within the seconds that attempts are apart.
        return { retry: 'no', hint: `The platform's limit is reached: ${hourlyLimit}. Run again within the hour.` };
      }
      return { hint: hintOfStatus(status, key, feature) };
    },
  };
}

/** The platform's own words in an error reply. */
function errorText(reply: HttpReply): string | undefined {
  const text = fieldOf(parseJson(reply.body.toString('utf8')), 'error');
  return typeof text === 'string' ? text : undefined;
}

type Feature = 'export' | 'agent' | 'search' | 'publish';

function featureOf([first, second]: readonly string[]): Feature {
  if (first === 'discovery') return 'search';
  if (first === 'v2') return 'agent';
  return second === 'project' ? 'publish' : 'export';
}

const FEATURES: Readonly<Record<Feature, string>> = {
  export: 'static export, which needs the Enterprise plan and is enabled for each organization',
  agent: 'the docs agent',
  search: 'this search',
  publish: 'updates of the project',
};

function hintOfStatus(status: number, key: Key, feature: Feature): string | Hint | undefined {
  const input = key === 'admin' ? 'admin-api-key' : 'assistant-api-key';
  switch (status) {
    case 401:
      return {
        text: `The key in ${input} was not accepted: it may have expired (after 90 days, unless chosen otherwise) or been revoked, or belong to another platform than base-url. Make a new one on the API keys page of the platform's dashboard:`,
        inputs: { [input]: '' },
      };
    case 402:
      return `The organization's plan does not include ${FEATURES[feature]}. Ask the person who manages the plan on the platform.`;
    case 403:
      return `The key in ${input} may not do this: check its kind and scope, whether it is limited to other addresses than this machine's, and whether the organization has ${FEATURES[feature]}.`;
    case 404:
    case 410:
      return "The platform does not know an id or the domain in this address. Compare the inputs of the step with the platform's dashboard.";
    case 409:
      return 'The platform says that this does not fit the present state; try again in a moment.';
    case 400:
    case 413:
    case 422:
      return 'The platform refused the request: check the inputs that the message names.';
    default:
      return undefined;
  }
}
