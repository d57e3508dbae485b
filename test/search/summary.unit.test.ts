import { Buffer } from 'node:buffer';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import type { SearchResult } from '../../src/platform/contract.ts';
import type { Report } from '../../src/run/report.ts';
import { type SearchFacts, searchPresentation } from '../../src/search/summary.ts';
import { type QueryOutcome, totalOutcomes } from '../../src/search/verdict.ts';
import { markSnippet, metadataCell, pathCell } from '../../src/search/wording.ts';

const HOSTILE =
  '<img src=x onerror=alert(1)> @acme/team | **b** [x](javascript:y) `c` ::error::x\n## h #12';

const render = (markdown: string) => new MarkdownIt({ html: true, linkify: true }).render(markdown);

function outcome(changes: Partial<QueryOutcome> = {}): QueryOutcome {
  return {
    query: 'install',
    verdict: 'pass',
    shortfalls: [],
    expectedPaths: [],
    resultCount: 1,
    paths: ['/install'],
    line: 3,
    ...changes,
  };
}

function report(
  queries: readonly QueryOutcome[],
  changes: Partial<SearchFacts> = {},
): Report<SearchFacts> {
  const head = {
    version: 1,
    mode: 'search',
    startedAt: '2026-01-01T00:00:00.000Z',
    elapsedMs: 5,
  } as const;
  const totals = totalOutcomes(queries);
  return {
    ...head,
    status: 'completed',
    domain: 'acme',
    queriesFile: 'q.yml',
    passedCount: totals.passed,
    failedCount: totals.missed + totals.errors,
    resultCount: 1,
    requestCount: 1,
    roundCount: 1,
    totals,
    queries,
    ...changes,
  };
}

test('Misses come before errors and passes, each with what was found instead', () => {
  const markdown = searchPresentation.summary(
    report([
      outcome({ query: 'fine', rank: 1, hit: true }),
      outcome({
        query: 'unreachable',
        verdict: 'error',
        error: { code: 'network', message: 'no reply' },
        paths: [],
      }),
      outcome({
        query: 'rotate',
        verdict: 'miss',
        hit: false,
        shortfalls: [{ kind: 'path-missing', path: '/guides/rotate', within: 3, rank: 5 }],
        paths: ['/a', 'https://docs.acme.example/b', '/c', '/d', '/guides/rotate'],
        line: 12,
      }),
    ]),
    0,
  );
  const html = render(markdown);
  const text = html.replace(/<[^>]+>/g, ' ');
  expect(text.indexOf('rotate')).toBeLessThan(text.indexOf('unreachable'));
  expect(text.indexOf('unreachable')).toBeLessThan(text.indexOf('fine'));
  expect(text).toContain('/guides/rotate was expected among the first 3: found at rank 5');
  expect(html).toContain('<td>12</td>');
  expect(html).toContain(
    '<a href="https://docs.acme.example/b"><code>https://docs.acme.example/b</code></a>',
  );
  expect(text).toContain('and 2 more');
  expect(text).toMatch(/Hit rate\s*:\s+50.0 %/);
  expect(text).toMatch(/Mean reciprocal rank\s*:\s+0.500/);
});

test('A snippet shows the words of the query in bold and stays text', () => {
  expect(
    render(markSnippet('How to Rotate (rotating) the link, links: unlink', 'rotate LINK')),
  ).toBe(
    '<p>How to <strong>Rotate</strong> (rotating) the <strong>link,</strong> <strong>links:</strong> unlink</p>\n',
  );
});

test('No text from outside acts in the summary', () => {
  const results: SearchResult[] = [
    {
      path: `https://x.example/${HOSTILE}`,
      content: HOSTILE,
      metadata: { title: HOSTILE, [HOSTILE]: HOSTILE },
    },
    { path: 'javascript:alert(1)', content: `error team img ${HOSTILE}`, metadata: {} },
  ];
  const queries = [
    outcome({
      query: HOSTILE,
      verdict: 'miss',
      filter: { tag: HOSTILE },
      shortfalls: [{ kind: 'snippet-missing', text: HOSTILE }],
      paths: results.map(({ path }) => path),
    }),
    outcome({ query: HOSTILE, verdict: 'error', error: { code: 'protocol', message: HOSTILE } }),
  ];
  const markdown = searchPresentation.summary(
    report(queries, {
      results,
      comparison: {
        better: [
          { query: HOSTILE, before: { verdict: 'miss' }, now: { verdict: 'pass', rank: 1 } },
        ],
        worse: [],
        added: [HOSTILE],
        newMisses: [HOSTILE],
        gone: [],
        same: 0,
        notComparable: 0,
      },
    }),
    0,
  );
  const html = render(markdown);
  expect(html).not.toMatch(/<img|<a [^>]*javascript:|<h[12]>\s*h/);
  expect(html.replace(/<code>.*?<\/code>/gs, '')).not.toMatch(/@[a-z]/);
  expect(html.match(/<h2>/g)).toHaveLength(1);
  const columns = html.split('<tr>').map((row) => row.match(/<t[dh][ >]/g)?.length ?? 0);
  expect(new Set(columns.slice(1))).toEqual(new Set([3, 4]));
});

test('Metadata shows a few plain values, the well-known ones first', () => {
  expect(
    metadataCell({
      zeta: 1,
      nested: { a: 1 },
      tags: ['x', 'y'],
      title: 'T',
      empty: '',
      list: [1],
      version: 'v2',
      alpha: true,
      beta: 2,
    }),
  ).toBe('title: T<br>version: v2<br>tags: x, y<br>alpha: true');
});

test('A path is a link only if it is a plain https address', () => {
  expect(pathCell('https://a.example/b')).toBe('[`https://a.example/b`](https://a.example/b)');
  expect(pathCell('http://a.example/b')).toBe('`http://a.example/b`');
  expect(pathCell('https://a.example/b)c')).toBe('`https://a.example/b)c`');
});

test('The summary of the largest run is small enough for the runner', () => {
  const long = 'x|*'.repeat(400);
  const queries = Array.from({ length: 5000 }, (_, n) =>
    outcome({
      query: `${n} ${long}`,
      verdict: n % 2 ? 'miss' : 'pass',
      shortfalls: Array.from(
        { length: 50 },
        () => ({ kind: 'path-present', path: long, rank: 1 }) as const,
      ),
      paths: Array.from({ length: 50 }, () => long),
    }),
  );
  const markdown = searchPresentation.summary(report(queries), 0);
  expect(Buffer.byteLength(markdown)).toBeLessThan(800 * 1024);
  expect(markdown).toContain('report-path');
});

test('A run that ended before anything was known has a summary', () => {
  const { version, mode, startedAt, elapsedMs } = report([]);
  const error = {
    code: 'config',
    message: 'The queries file is not valid.\nq.yml:1:1: the file: must be a mapping',
  } as const;
  expect(
    searchPresentation.summary({ version, mode, startedAt, elapsedMs, status: 'failed', error }, 0),
  ).toContain('q.yml');
});
