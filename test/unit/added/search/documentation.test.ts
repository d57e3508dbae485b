import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AddedIndex } from '../../../../src/search/added-index.ts';
import { readQueriesFile } from '../../../../src/search/queries-file.ts';
import { judgeAnswer } from '../../../../src/search/verdict.ts';
import { addSearch, writeDocsSite } from '../../../support/docs-site.ts';
import { Folders } from '../../../support/world/folders.ts';

const QUERIES = join(import.meta.dirname, '../../../fixtures/site-search/queries.yml');

it('At least 45 of 50 queries find their page of the documentation among the first three results', async () => {
  using folders = new Folders();
  await writeDocsSite(folders.workspace);
  await addSearch(folders.workspace);
  const index = await AddedIndex.open({ folder: folders.workspace, workspace: folders.workspace });
  const text = readFileSync(QUERIES, 'utf8');
  const { queries } = await readQueriesFile({ text, defaults: { filter: {}, minResults: undefined } });
  const outcomes = await Promise.all(
    queries.map(async (query) => judgeAnswer(query, { results: await index.search(query.request) })),
  );
  const missed = outcomes.filter(({ verdict }) => verdict !== 'pass').map(({ query, paths }) => ({ query, paths }));
  expect(outcomes).toHaveLength(50);
  expect(missed.length, JSON.stringify(missed, undefined, 2)).toBeLessThanOrEqual(5);
});
