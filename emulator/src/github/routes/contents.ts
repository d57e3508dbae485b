import { type App, nodeId, notFound, timestamp } from '../http.ts';
import { type Need, useRepository } from '../rights.ts';
import { fileShape } from '../shapes.ts';
import type { Store } from '../store.ts';
import { commitShape } from './commits.ts';

const READ: Need = { level: 'read', anyOf: ['contents'] };

/** The newest commit of the default branch, and its files. */
export function addContentRoutes(app: App, store: Store): void {
  app.get('/repos/:owner/:repo/commits/:ref', (c) => {
    const repository = useRepository(c, store, READ);
    const { fullName, defaultBranch } = repository;
    const sha = store.files.commit(fullName);
    if (![defaultBranch, `heads/${defaultBranch}`, sha].includes(c.req.param('ref'))) {
      const known = store.commits.find(repository, c.req.param('ref'));
      if (known === undefined) throw notFound();
      const place = { repository: fullName, sha: known.sha };
      return c.json({
        ...commitShape(repository, known, store),
        files: known.files.map((file) => fileShape(file, place)),
      });
    }
    const at = { date: timestamp(store.now()), name: 'docs', email: 'docs@example.com' };
    const url = `https://api.github.com/repos/${fullName}/commits/${sha}`;
    const commit = {
      author: at,
      committer: at,
      message: 'Newest',
      url,
      comment_count: 0,
      tree: { sha, url },
    };
    const more = {
      html_url: url,
      comments_url: `${url}/comments`,
      author: null,
      committer: null,
      parents: [],
    };
    return c.json({ sha, node_id: nodeId('C', 1), url, commit, ...more });
  });
  app.get('/repos/:owner/:repo/contents/:path{.+}', (c) => {
    const { fullName, defaultBranch } = useRepository(c, store, READ);
    const path = c.req.param('path');
    const found = store.files.contents(
      fullName,
      path,
      c.req.query('ref') ?? defaultBranch,
      defaultBranch,
    );
    if (found === undefined) throw notFound();
    const url = `https://api.github.com/repos/${fullName}/contents/${path}`;
    const links = { url, git_url: null, html_url: null, download_url: null };
    return c.json({ ...found, ...links, _links: { self: url, git: null, html: null } });
  });
}
