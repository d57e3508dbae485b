import type { CheckRunEntity, CheckSuiteEntity, RepositoryEntity } from '../entities.ts';
import { type App, type AppContext, invalid, nodeId, paginate, timestamp } from '../http.ts';
import { useRepository } from '../rights.ts';
import { appShape, commitOfHead, minimalRepository } from '../shapes.ts';
import type { Store } from '../store.ts';

export function addCheckRoutes(app: App, store: Store): void {
  app.get('/repos/:owner/:repo/commits/:ref/check-suites', (c) => {
    const repository = useRepository(c, store, { level: 'read', anyOf: ['checks'] });
    const sha = store.commits.find(repository, c.req.param('ref'))?.sha ?? c.req.param('ref');
    const own = store.conversations.checkSuites.filter(
      (suite) => suite.headSha === sha && suite.repository.toLowerCase() === repository.fullName.toLowerCase(),
    );
    const { items, total } = paginate(c, own);
    return c.json({ total_count: total, check_suites: items.map((suite) => suiteShape(suite, repository, store)) });
  });
  app.get('/repos/:owner/:repo/commits/:ref/check-runs', (c) => {
    const repository = useRepository(c, store, { level: 'read', anyOf: ['checks'] });
    const sha = store.commits.find(repository, c.req.param('ref'))?.sha ?? c.req.param('ref');
    const own = store.conversations.checkRuns.filter(
      (run) => run.headSha === sha && run.repository.toLowerCase() === repository.fullName.toLowerCase(),
    );
    const { items, total } = paginate(c, filtered(c, own));
    return c.json({ total_count: total, check_runs: items.map((run) => runShape(run, repository, store)) });
  });
}

/** What the query asks for. By default, that is the newest check run of each name and suite. */
function filtered(c: AppContext, runs: readonly CheckRunEntity[]): CheckRunEntity[] {
  const { check_name: name, status, filter = 'latest' } = c.req.query();
  if (status !== undefined && !['queued', 'in_progress', 'completed'].includes(status)) throw invalid('Invalid status');
  const isOlder = (run: CheckRunEntity) =>
    runs.some(({ id, suite, name: other }) => id > run.id && suite === run.suite && other === run.name);
  return runs
    .filter((run) => filter === 'all' || !isOlder(run))
    .filter((run) => (name ?? run.name) === run.name && (status ?? run.status) === run.status);
}

function runShape(run: CheckRunEntity, { owner }: RepositoryEntity, store: Store) {
  const api = `https://api.github.com/repos/${run.repository}`;
  const site = `https://github.com/${run.repository}/runs/${run.id}`;
  return {
    id: run.id,
    node_id: nodeId('CR', run.id),
    head_sha: run.headSha,
    external_id: '',
    url: `${api}/check-runs/${run.id}`,
    html_url: site,
    details_url: site,
    status: run.status,
    conclusion: run.conclusion,
    started_at: timestamp(run.startedAt),
    completed_at: run.completedAt === undefined ? null : timestamp(run.completedAt),
    output: {
      title: null,
      summary: null,
      text: null,
      annotations_count: 0,
      annotations_url: `${api}/check-runs/${run.id}/annotations`,
    },
    name: run.name,
    check_suite: { id: run.suite },
    app: appShape(run.app, store.user(owner)),
    pull_requests: [],
  };
}

function suiteShape(suite: CheckSuiteEntity, repository: RepositoryEntity, store: Store) {
  const owner = store.user(repository.owner);
  const url = `https://api.github.com/repos/${suite.repository}/check-suites/${suite.id}`;
  return {
    id: suite.id,
    node_id: nodeId('CS', suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    status: 'queued',
    conclusion: null,
    url,
    check_runs_url: `${url}/check-runs`,
    head_commit: commitOfHead(suite.headSha, timestamp(suite.createdAt)),
    repository: minimalRepository(repository, owner),
    before: null,
    after: null,
    pull_requests: [],
    app: appShape(suite.app, owner),
    created_at: timestamp(suite.createdAt),
    updated_at: timestamp(suite.createdAt),
    latest_check_runs_count: store.conversations.checkRuns.filter((run) => run.suite === suite.id).length,
  };
}
