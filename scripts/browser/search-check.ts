import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import * as z from 'zod/mini';
import type { Query } from '../../src/search/queries.ts';
import { judgeAnswer } from '../../src/search/verdict.ts';
import { type Finding, watchPage } from './browser.ts';

const axeResults = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
});

/** What axe finds on a page in light and in dark, at 390 pixels: the rule and the elements. */
export async function findBarriers(page: Page): Promise<string[]> {
  // axe is not part of the page: it is put in past the policy, and would fetch the style again.
  const session = await page.context().newCDPSession(page);
  const barriers: string[] = [];
  await page.setViewportSize({ width: 390, height: 844 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await session.send('Runtime.evaluate', { expression: axe.source });
    const expression =
      'axe.run(document, { preload: false }).then(({ violations }) => ({ violations }))';
    const { result } = await session.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    const { violations } = axeResults.parse(result.value);
    barriers.push(
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`),
    );
  }
  return barriers;
}

interface SearchVisit {
  readonly context: BrowserContext;
  /** Address of the site's root, with a trailing slash. */
  readonly base: string;
  readonly queries: readonly Query[];
  /** How many of the queries may miss their page. */
  readonly mostMissed: number;
}

/**
 * Types each query into the search page of a site, and gives how many were found and everything
 * that is wrong with the page.
 */
export async function checkSearch({ context, base, queries, mostMissed }: SearchVisit) {
  const address = `${base}docs-courier/search.html`;
  const page = await context.newPage();
  const problems = await watchPage(page, base);
  const missed: string[] = [];
  await page.goto(address);
  for (const query of queries) {
    const results = await resultsOf(page, query.request.query, base);
    if (judgeAnswer(query, { results }).verdict !== 'pass') missed.push(query.request.query);
  }
  problems.push(...(await findBarriers(page)));
  await page.close();
  if (missed.length > mostMissed)
    problems.push(`the pages of these queries are not found: ${missed.join('; ')}`);
  const findings = problems.map((what): Finding => ({ page: address, what }));
  return { found: queries.length - missed.length, findings };
}

/** The pages in the results of a query, in their order. */
async function resultsOf(page: Page, query: string, base: string): Promise<{ path: string }[]> {
  const field = page.getByRole('searchbox');
  await field.fill('');
  await page.locator('#status', { hasText: /^$/ }).waitFor({ state: 'attached' });
  await field.fill(query);
  await page.locator('#status', { hasText: /found/ }).waitFor();
  const links = await page
    .locator('#results h2 a')
    .evaluateAll((all) => all.map((link) => String(Reflect.get(link, 'href'))));
  return links.map((link) => ({
    path: decodeURIComponent(new URL(link).href.slice(base.length - 1).replace(/#.*$/, '')),
  }));
}
