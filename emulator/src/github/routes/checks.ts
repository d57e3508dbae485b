import type { CheckSuiteEntity } from '../entities.ts';
import { type App, nodeId, paginate, timestamp } from '../http.ts';
import { useRepository } from '../rights.ts';
import type { Store } from '../store.ts';

export function addCheckRoutes(app: App, store: Store): void {
  app.get('/repos/:owner/:repo/commits/:ref/check-suites', (c) => {
    const repository = useRepository(c, store, { level: 'read', anyOf: ['checks'] });
    const ref = c.req.param('ref');
    const own = store.conversations.checkSuites.filter(
      (suite) => suite.headSha === ref && suite.repository.toLowerCase() === repository.fullName.toLowerCase(),
    );
    const { items, total } = paginate(c, own);
    return c.json({ total_count: total, check_suites: items.map(suiteShape) });
  });
}

function suiteShape(suite: CheckSuiteEntity) {
  return {
    id: suite.id,
    node_id: nodeId('CS', suite.id),
    head_branch: null,
    head_sha: suite.headSha,
    status: 'queued',
    conclusion: null,
    url: `https://api.github.com/repos/${suite.repository}/check-suites/${suite.id}`,
    before: null,
    after: null,
    pull_requests: [],
    app: { id: 15368, slug: suite.app, name: suite.app },
    created_at: timestamp(suite.createdAt),
    updated_at: timestamp(suite.createdAt),
    latest_check_runs_count: 0,
  };
}
