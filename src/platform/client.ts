import type * as z from 'zod/mini';
import { configError, type Hint } from '../ground/errors.ts';
import { plainLine } from '../ground/text/escape.ts';
import { readTime } from '../ground/text/instants.ts';
import { createRedact } from '../ground/text/redact.ts';
import type { HttpReply } from '../http/exchange.ts';
import type { CallSettings, Http, Late } from '../http/http.ts';
import { type Meaning, type Service, textAt } from '../http/service.ts';
import type { BasePath, ExportJobBusy, ExportJobStarted, SearchRequest } from './contract.ts';

/**
 * Which pages an export by domain contains. Absent fields are not sent: then the platform's own
 * defaults apply.
 */
export interface ExportSelection {
  /** Label of the documentation version; absent: the latest published one. */
  readonly version?: string | undefined;
  /** Page paths without a leading slash; absent: all pages. */
  readonly paths?: readonly string[] | undefined;
}

/** What is exported, by one of the two revisions of the API: by domain, or by project. */
export type ExportOrder =
  | ({ readonly domain: string } & ExportSelection)
  /** Without a base path, the deployment's own. */
  | { readonly projectId: string; readonly basePath?: BasePath | undefined };

/** How a job is read. */
export interface ReadOptions {
  /** Without it, one attempt is made: a poll counts failures itself. */
  readonly repeat?: 'always' | 'never';
  /** For the whole call, in milliseconds. */
  readonly timeLimitMs?: number | undefined;
}

/** How a job is started. */
export interface StartOptions {
  /**
   * No further attempt begins after so many milliseconds. An attempt under way is not cut, since
   * its reply names the job that was started.
   */
  readonly waitLimitMs?: number | undefined;
}

/** What is published. */
export interface UpdateOrder {
  readonly projectId: string;
  /** A preview of this branch is made; undefined: the deployment branch is published. */
  readonly branch?: string | undefined;
}

interface AgentJobRef {
  readonly projectId: string;
  readonly id: string;
}

/** The keys of the two parts of the API. */
export interface PlatformKeys {
  readonly admin?: string | undefined;
  readonly assistant?: string | undefined;
}

type Contract = typeof import('./contract.ts');

// A function that loads the schema: the schemas and their library are loaded while the first
// request is on its way.
function late<K extends keyof Contract>(name: K): () => Promise<Contract[K]> {
  return async () => (await import('./contract.ts'))[name];
}

// How long the reply to a start is awaited once the run was cancelled. A cancelled run has 4.5 s in
// all: the rest is for storing the id of the job.
const START_GRACE_MS = 4000;
const AGENT_USES_PER_HOUR = '100 agent messages per project per hour';

export type PlatformClient = ReturnType<typeof createPlatformClient>;

/**
 * One method per endpoint of the platform. Every method throws a CourierError, and only that.
 * Redirects are refused, since the key would be sent to another address. `baseUrl` has no trailing
 * slash.
 */
export function createPlatformClient(init: {
  readonly http: Http;
  readonly baseUrl: string;
  readonly keys: PlatformKeys;
}) {
  const redact = createRedact(Object.values(init.keys).filter((key) => key !== undefined));
  const send = async <T>(call: Call<T>): Promise<PlatformReply<T>> => {
    const key = init.keys[call.key];
    if (key === undefined) {
      throw configError(`The ${call.key} API key is missing.`);
    }
    const headers: Record<string, string> = {
      accept: 'application/json',
      authorization: `Bearer ${key}`,
    };
    if (call.body !== undefined) headers['content-type'] = 'application/json';
    // The call has further settings of the request, such as `repeat` and its limits.
    const request = {
      ...call,
      service: platformService(call),
      url: new URL(`${init.baseUrl}/${call.path}`),
      headers,
      body: JSON.stringify(call.body),
      redact,
    };
    const { value, reply } = await init.http.requestJson(request, call.schema, call.also);
    return { value, serverTimeMs: readTime(reply.headers.date) };
  };
  // What stands before `...options` and `...call` are defaults, which a method may replace.
  const get = <T>(path: string, schema: Schema<T>, options: ReadOptions = {}) =>
    send({ repeat: 'never', ...options, method: 'GET', key: 'admin', path, schema });
  const post = <T>(path: string, schema: Schema<T>, call: Partial<Call<T>> = {}) =>
    send({ method: 'POST', key: 'admin', repeat: 'unless-acted', ...call, path, schema });
  return {
    /**
     * `POST /v1/static-export/jobs`, or `POST /v1/static-export/{projectId}/jobs`, with a body only
     * if a base path is given. Never repeated once the platform may have seen it. A 409, because
     * another export runs, is an answer and not a failure.
     */
    startExport(order: ExportOrder, options?: StartOptions) {
      const call: Partial<Call<ExportJobStarted | ExportJobBusy>> = {
        ...options,
        also: { status: 409, schema: late('exportJobBusy') },
        cancelGraceMs: START_GRACE_MS,
      };
      const schema = late('exportJobStarted');
      if (!('projectId' in order)) return post(exportJobs(), schema, { ...call, body: order });
      // The platform documents a limit for this revision only.
      return post(exportJobs(order.projectId), schema, {
        ...call,
        body: order.basePath === undefined ? undefined : { basePath: order.basePath },
        hourlyLimit: '10 export starts per organization per hour',
      });
    },
    /**
     * `GET /v1/static-export/jobs/{jobId}`, or `…/{projectId}/jobs/{jobId}`, whose reply for a
     * completed job carries a fresh link.
     */
    getExportJob: (
      job: { readonly jobId: string; readonly projectId?: string | undefined },
      options?: ReadOptions,
    ) => {
      const path = `${exportJobs(job.projectId)}/${encodeURIComponent(job.jobId)}`;
      return get(path, late('exportJobReply'), options);
    },
    /**
     * `POST /v1/static-export/jobs/{jobId}/bundle`, without a body. Repeatable: it only makes a
     * fresh link.
     */
    createBundle: (jobId: string) =>
      post(pathOf`v1/static-export/jobs/${jobId}/bundle`, late('exportBundle'), {
        repeat: 'always',
      }),
    /**
     * `POST /v1/project/update/{projectId}`, without a body; or `…/preview/{projectId}`. Never
     * repeated once the platform may have seen it.
     */
    startUpdate: (order: UpdateOrder, options?: StartOptions) =>
      post(updatePath(order), late('updateStarted'), {
        ...options,
        // Only a preview has a body: for an update, `branch` is undefined.
        body: order.branch && { branch: order.branch },
      }),
    /**
     * `GET /v1/project/update-status/{statusId}`. Not every installation has this endpoint and that
     * of `startUpdate`: then 404 or 405.
     */
    getUpdateStatus: (statusId: string, options?: ReadOptions) =>
      get(pathOf`v1/project/update-status/${statusId}`, late('updateStatus'), options),
    /** `GET /v2/agent/{projectId}/job/{id}`. Not every installation has it: then 404 or 405. */
    getAgentJob: (job: AgentJobRef, options?: ReadOptions) =>
      get(pathOf`v2/agent/${job.projectId}/job/${job.id}`, late('agentJob'), options),
    /**
     * `POST /v2/agent/{projectId}/job`: makes a new job, which costs money. Never repeated once the
     * platform may have seen it.
     */
    createAgentJob: (projectId: string, prompt: string) =>
      post(pathOf`v2/agent/${projectId}/job`, late('createdAgentJob'), {
        body: { prompt },
        hourlyLimit: AGENT_USES_PER_HOUR,
      }),
    /**
     * `POST /v2/agent/{projectId}/job/{id}/message`. Never repeated once the platform may have seen
     * it.
     */
    sendAgentMessage: (job: AgentJobRef, prompt: string) =>
      post(pathOf`v2/agent/${job.projectId}/job/${job.id}/message`, late('agentMessageReply'), {
        body: { prompt },
        hourlyLimit: AGENT_USES_PER_HOUR,
      }),
    /** `POST /discovery/v1/search/{domain}`, with the assistant key. Repeatable. */
    search: (domain: string, request: SearchRequest) =>
      post(pathOf`discovery/v1/search/${domain}`, late('searchResults'), {
        key: 'assistant',
        body: request,
        repeat: 'always',
      }),
  };
}

/** A path with its values percent-encoded: a slash in a value makes no second segment. */
function pathOf(parts: TemplateStringsArray, ...values: readonly string[]): string {
  // `String.raw` joins the parts and the values.
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}

/** The path where an update or a preview is requested. */
export function updatePath(order: UpdateOrder): string {
  if (order.branch === undefined) return pathOf`v1/project/update/${order.projectId}`;
  return pathOf`v1/project/preview/${order.projectId}`;
}

/** The path of the export jobs, by project if an id is given, else by domain. */
export function exportJobs(projectId?: string): string {
  if (projectId === undefined) return 'v1/static-export/jobs';
  return pathOf`v1/static-export/${projectId}/jobs`;
}

type Schema<T> = Late<z.ZodMiniType<T>>;

interface Call<T> extends CallSettings {
  readonly method: 'GET' | 'POST';
  readonly repeat: NonNullable<CallSettings['repeat']>;
  /** Below the base address. */
  readonly path: string;
  readonly key: Key;
  /** Sent as JSON; absent: no body at all. */
  readonly body?: unknown;
  readonly schema: Schema<T>;
  /**
   * A status outside 2xx whose body is an answer if it fits this schema. If it does not fit, the
   * status is the usual error.
   */
  readonly also?: { readonly status: number; readonly schema: Schema<T> };
  /**
   * The documented limit, such as `10 starts per organization per hour`: a 429 without
   * `Retry-After` is then final.
   */
  readonly hourlyLimit?: string | undefined;
  readonly waitLimitMs?: number | undefined;
  readonly cancelGraceMs?: number;
}

export interface PlatformReply<T> {
  readonly value: T;
  /** The `Date` header: the time by the platform's clock, in epoch milliseconds. */
  readonly serverTimeMs: number | undefined;
}

type Key = 'admin' | 'assistant';

/** How `Http` names the platform and what a failure of this call means. */
export function platformService(call: {
  readonly key: Key;
  readonly path: string;
  readonly hourlyLimit?: string | undefined;
}): Service {
  return {
    name: 'the platform',
    addressSetting: 'base-url',
    addressHelp: "The API keys page of the platform's dashboard shows the address of the API.",
    errorText: (reply) => textAt(reply, 'error'),
    meaning(reply, context): Meaning {
      const limit = call.hourlyLimit;
      const isThrottled = reply.status === 429;
      // Without `Retry-After`, it is a limit by the hour: it does not end within the seconds
      // between two attempts.
      if (isThrottled && context.retryAfterMs === undefined && limit !== undefined) {
        const hint = `The platform's limit is reached: ${limit}. Run again within the hour.`;
        return { retry: 'no', hint };
      }
      const wrongAddress = hintOfAddress(reply, context.url);
      return { hint: wrongAddress ?? hintOfStatus(reply.status, call.key, featureOf(call.path)) };
    },
  };
}

/** The features of the platform, as messages name them. */
const FEATURES = {
  export: 'static export, which needs the Enterprise plan and is enabled for each organization',
  agent: 'the docs agent',
  search: 'this search',
  publish: 'updates of the project',
};
type Feature = keyof typeof FEATURES;

/** The feature of the platform that a path belongs to. */
function featureOf(path: string): Feature {
  if (path.startsWith('discovery/')) return 'search';
  if (path.startsWith('v2/')) return 'agent';
  if (path.startsWith('v1/project/')) return 'publish';
  return 'export';
}

/** What to do if the reply shows that `base-url` is wrong; undefined: it does not show that. */
function hintOfAddress(reply: HttpReply, url: URL): Hint | undefined {
  // Each error of GitHub's API has this field, and no error of the platform has it.
  if (textAt(reply, 'documentation_url') !== undefined) {
    return {
      text: 'This is a reply of the API of GitHub. Give the address of the platform:',
      inputs: { 'base-url': '' },
    };
  }
  // The path of `base-url`: the part of the address before that of the API.
  const [basePath = ''] = url.pathname.split(/\/(?:v\d+|discovery)\//);
  const isMissing = reply.status === 404 || reply.status === 405;
  if (basePath === '' || !isMissing) return undefined;
  return {
    text: `base-url has the path ${plainLine(basePath, 100)}. Check that the API begins below it:`,
    inputs: { 'base-url': '' },
  };
}

/** What a failure status may mean, and what to check; undefined: nothing can be said about it. */
export function hintOfStatus(
  status: number,
  key: Key,
  feature: Feature,
): string | Hint | undefined {
  const input = key === 'admin' ? 'admin-api-key' : 'assistant-api-key';
  switch (status) {
    case 401:
      return {
        text: `The key in ${input} may have expired (after 90 days, unless chosen otherwise) or been revoked, be cut short, or belong to another platform than base-url; or the organization does not have ${FEATURES[feature]}. Compare its length, or make a new one on the API keys page of the platform's dashboard:`,
        inputs: { [input]: '' },
      };
    case 402:
      return `The organization's plan does not include ${FEATURES[feature]}. Ask the person who manages the plan on the platform.`;
    case 403:
      return `The key in ${input} may lack write access, be of another kind or scope, or not be allowed from the address of this machine; or the organization does not have ${FEATURES[feature]}.`;
    case 404:
    case 410:
      return "The platform does not know an id or the domain in this address. Compare domain, and the ids in the inputs, with the platform's dashboard.";
    case 405:
      return 'The server does not take this request: check that base-url is the address of the API, which the API keys page of the dashboard shows.';
    case 409:
      return 'The platform says that this conflicts with the current state. Try again in a moment; if the dashboard shows that the job is archived, name another one.';
    case 400:
    case 413:
    case 422:
      return 'The platform refused the request: check the inputs that the message names.';
    default:
      return undefined;
  }
}
