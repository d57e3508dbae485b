import * as z from 'zod/mini';
import type { DeploymentEntity, DeploymentStatusEntity } from '../deployments.ts';
import { DEPLOYMENT_STATES, type RepositoryEntity } from '../entities.ts';
import {
  type App,
  type AppContext,
  invalid,
  nodeId,
  notFound,
  paginate,
  readBody,
  readNumber,
  refuse,
  timestamp,
} from '../http.ts';
import { type Need, useRepository } from '../rights.ts';
import { simpleUser } from '../shapes.ts';
import type { Store } from '../store.ts';

const READ: Need = { level: 'read', anyOf: ['deployments'] };
const WRITE: Need = { level: 'write', anyOf: ['deployments'] };
const MAX_DESCRIPTION = 140;

// Names, defaults and limits: https://github.com/github/rest-api-description, repos/create-deployment.
const description = z.optional(z.nullable(z.string().check(z.maxLength(MAX_DESCRIPTION))));
const createBody = z.object({
  ref: z.string().check(z.minLength(1)),
  task: z.optional(z.string()),
  auto_merge: z.optional(z.boolean()),
  required_contexts: z.optional(z.nullable(z.array(z.string()))),
  payload: z.optional(z.union([z.string(), z.record(z.string(), z.unknown())])),
  environment: z.optional(z.string()),
  description,
  transient_environment: z.optional(z.boolean()),
  production_environment: z.optional(z.boolean()),
});
const address = z.optional(z.string());
const statusBody = z.object({
  state: z.enum(DEPLOYMENT_STATES),
  target_url: address,
  log_url: address,
  environment_url: address,
  description,
  environment: z.optional(z.string()),
  auto_inactive: z.optional(z.boolean()),
});

export function addDeploymentRoutes(app: App, store: Store): void {
  const path = '/repos/:owner/:repo/deployments';
  app.get(path, (c) => {
    const repository = useRepository(c, store, READ);
    const { sha, ref, task, environment } = c.req.query();
    const found = store.deployments.list(repository, {
      sha: given(sha),
      ref: given(ref),
      task: given(task),
      environment: given(environment),
    });
    return c.json(paginate(c, found).items.map(deploymentShape));
  });
  app.post(path, (c) => create(c, store));
  app.get(`${path}/:id`, (c) => c.json(deploymentShape(find(c, store, READ))));
  app.get(`${path}/:id/statuses`, (c) => {
    const deployment = find(c, store, READ);
    const newestFirst = [...deployment.statuses].reverse();
    return c.json(paginate(c, newestFirst).items.map((status) => statusShape(deployment, status)));
  });
  app.post(`${path}/:id/statuses`, async (c) => {
    const deployment = find(c, store, WRITE);
    const body = await readBody(c, statusBody);
    for (const url of [body.target_url, body.log_url, body.environment_url]) checkAddress(url);
    const status = {
      state: body.state,
      creator: store.user(c.get('token').login),
      description: body.description ?? undefined,
      logUrl: body.log_url ?? body.target_url,
      environmentUrl: body.environment_url,
      createdAt: store.now(),
    };
    const added = store.deployments.addStatus(deployment, status, body.auto_inactive ?? true);
    return c.json(statusShape(deployment, added), 201);
  });
}

async function create(c: AppContext, store: Store): Promise<Response> {
  const repository = useRepository(c, store, WRITE);
  const body = await readBody(c, createBody);
  const sha = store.commits.find(repository, body.ref)?.sha ?? resolve(repository, body.ref);
  if (sha === undefined) throw refuse(422, `No ref found for: ${body.ref}`);
  if (repository.checks === 'failing' && body.required_contexts?.length !== 0) {
    throw refuse(409, `Conflict: Commit status checks failed for ${body.ref}.`);
  }
  if (repository.isBehind && body.auto_merge !== false) {
    return c.json({ message: `Auto-merged ${repository.defaultBranch} into ${body.ref} on deployment.` }, 202);
  }
  const environment = body.environment ?? 'production';
  const deployment = store.deployments.add(repository, {
    createdAt: store.now(),
    sha,
    ref: body.ref,
    task: body.task ?? 'deploy',
    payload: body.payload ?? '',
    environment,
    description: body.description ?? undefined,
    creator: store.user(c.get('token').login),
    isTransient: body.transient_environment ?? false,
    isProduction: body.production_environment ?? environment === 'production',
  });
  return c.json(deploymentShape(deployment), 201);
}

/** A branch of the repository, or a commit: any text that looks like one, unless the repository has a list of commits. */
function resolve({ defaultBranch, commits }: RepositoryEntity, ref: string): string | undefined {
  if (ref === defaultBranch) return '0'.repeat(40);
  if (!/^[0-9a-f]{40}$/.test(ref)) return undefined;
  return commits === undefined || commits.includes(ref) ? ref : undefined;
}

function find(c: AppContext, store: Store, need: Need): DeploymentEntity {
  const repository = useRepository(c, store, need);
  const deployment = store.deployments.find(repository, readNumber(c, 'id'));
  if (!deployment) throw notFound();
  return deployment;
}

/** `none` is the API's value for a filter that is not set. */
function given(text: string | undefined): string | undefined {
  return text === 'none' || text === '' ? undefined : text;
}

function checkAddress(url: string | undefined): void {
  if (url === undefined || url === '' || /^https?:\/\//.test(url)) return;
  throw invalid(`${url} must use http(s) scheme`);
}

function deploymentShape(deployment: DeploymentEntity) {
  const { id, sha, ref, task, payload, environment, createdAt, statuses, creator } = deployment;
  const url = `https://api.github.com/repos/${deployment.repository}/deployments/${id}`;
  return {
    url,
    id,
    node_id: nodeId('DE', id),
    sha,
    ref,
    task,
    payload,
    original_environment: environment,
    environment,
    description: deployment.description ?? null,
    creator: simpleUser(creator),
    created_at: timestamp(createdAt),
    updated_at: timestamp(statuses.at(-1)?.createdAt ?? createdAt),
    statuses_url: `${url}/statuses`,
    repository_url: `https://api.github.com/repos/${deployment.repository}`,
    transient_environment: deployment.isTransient,
    production_environment: deployment.isProduction,
  };
}

function statusShape(deployment: DeploymentEntity, status: DeploymentStatusEntity) {
  const url = `https://api.github.com/repos/${deployment.repository}/deployments/${deployment.id}`;
  const { id, state, description: text = '', logUrl = '', environmentUrl = '', createdAt, creator } = status;
  return {
    url: `${url}/statuses/${id}`,
    id,
    node_id: nodeId('DES', id),
    state,
    creator: simpleUser(creator),
    description: text,
    environment: deployment.environment,
    target_url: logUrl,
    created_at: timestamp(createdAt),
    updated_at: timestamp(createdAt),
    deployment_url: url,
    repository_url: `https://api.github.com/repos/${deployment.repository}`,
    environment_url: environmentUrl,
    log_url: logUrl,
  };
}
