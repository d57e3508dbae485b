import type { DeploymentEntity } from '../deployments.ts';
import { type App, nodeId, notFound, paginate, readNumber, timestamp } from '../http.ts';
import { type Need, useRepository } from '../rights.ts';
import { simpleUser } from '../shapes.ts';
import type { Store } from '../store.ts';

export function addDeploymentRoutes(app: App, store: Store): void {
  app.get('/repos/:owner/:repo/deployments', (c) => {
    const repository = useRepository(c, store, READ);
    const [sha, ref, environment] = ['sha', 'ref', 'environment'].map((one) => c.req.query(one));
    const listed = store.deployments.list(repository, { sha, ref, environment });
    return c.json(paginate(c, listed).items.map(deploymentShape));
  });
  app.get('/repos/:owner/:repo/deployments/:id/statuses', (c) => {
    const repository = useRepository(c, store, READ);
    const deployment = store.deployments.find(repository, readNumber(c, 'id'));
    if (deployment === undefined) throw notFound();
    return c.json([statusShape(deployment)]);
  });
}

const READ: Need = { level: 'read', anyOf: ['deployments'] };

function statusShape(deployment: DeploymentEntity) {
  const { url, creator, environment, created_at, updated_at, repository_url } =
    deploymentShape(deployment);
  return {
    url: `${url}/statuses/1`,
    id: 1,
    node_id: nodeId('DS', 1),
    state: deployment.state,
    description: '',
    target_url: '',
    deployment_url: url,
    ...{ creator, environment, created_at, updated_at, repository_url },
  };
}

function deploymentShape({
  id,
  sha,
  ref,
  environment,
  createdAt,
  creator,
  ...deployment
}: DeploymentEntity) {
  const repository = `https://api.github.com/repos/${deployment.repository}`;
  const url = `${repository}/deployments/${id}`;
  return {
    url,
    id,
    node_id: nodeId('DE', id),
    sha,
    ref,
    task: 'deploy',
    payload: '',
    original_environment: environment,
    environment,
    description: null,
    creator: simpleUser(creator),
    created_at: timestamp(createdAt),
    updated_at: timestamp(createdAt),
    statuses_url: `${url}/statuses`,
    repository_url: repository,
    transient_environment: deployment.isTransient,
    production_environment: environment === 'production',
  };
}
