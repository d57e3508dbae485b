import type { DeploymentEntity } from '../deployments.ts';
import { type App, nodeId, paginate, timestamp } from '../http.ts';
import { useRepository } from '../rights.ts';
import { simpleUser } from '../shapes.ts';
import type { Store } from '../store.ts';

export function addDeploymentRoutes(app: App, store: Store): void {
  app.get('/repos/:owner/:repo/deployments', (c) => {
    const repository = useRepository(c, store, { level: 'read', anyOf: ['deployments'] });
    return c.json(paginate(c, store.deployments.list(repository)).items.map(deploymentShape));
  });
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
