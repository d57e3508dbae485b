import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AddedIndex } from '../../../../src/search/added-index.ts';
import { readQueriesFile } from '../../../../src/search/queries-file.ts';
import { judgeAnswer } from '../../../../src/search/verdict.ts';
import { addSearch, writeDocsSite } from '../../../support/docs-site.ts';
import { Folders } from '../../../support/world/folders.ts';

const QUERIES = join(import.meta.dirname, '../../../fixtures/site-search');
const folders = new Folders();
let index: AddedIndex;

beforeAll(async () => {
  await writeDocsSite(folders.workspace);
  await addSearch(folders.workspace);
  index = await AddedIndex.open({ folder: folders.workspace, workspace: folders.workspace });
});
afterAll(() => folders[Symbol.dispose]());

async function readQueries(name: string) {
  const text = readFileSync(join(QUERIES, name), 'utf8');
  return readQueriesFile(text, { filter: {}, minResults: undefined });
}

describe.each([
  // The index was made with the first list in view. The third was written before the ranking was
  // changed for all of them.
  { name: 'queries.yml', count: 50, least: 45 },
  { name: 'reader-queries.yml', count: 49, least: 42 },
  { name: 'third-queries.yml', count: 30, least: 24 },
])('the queries of $name', ({ name, count, least }) => {
  it(`At least ${least} of ${count} queries find their page of the documentation among the first three results`, async () => {
    const { queries } = await readQueries(name);
    const outcomes = await Promise.all(
      queries.map(async (query) =>
        judgeAnswer(query, { results: await index.search(query.request) }),
      ),
    );
    const missed = outcomes
      .filter(({ verdict }) => verdict !== 'pass')
      .map(({ query, paths }) => ({ query, paths }));
    expect(outcomes).toHaveLength(count);
    expect(
      outcomes.length - missed.length,
      JSON.stringify(missed, undefined, 2),
    ).toBeGreaterThanOrEqual(least);
  });

  it('Every page that a query expects is in the documentation', async () => {
    const { queries } = await readQueries(name);
    const paths = queries.flatMap(({ expectation }) => expectation.paths);
    const isPage = (path: string) =>
      [`${path}.html`, `${path}/index.html`].some((file) =>
        existsSync(join(folders.workspace, file)),
      );
    const missing = paths.filter((path) => !isPage(path));
    expect(missing).toEqual([]);
  });
});
