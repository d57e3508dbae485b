import { describe, expect, it } from 'vitest';
import { outputsOf } from '../../../src/run/outputs.ts';
import {
  type LiveFacts,
  type LivePage,
  liveChecks,
  liveSection,
  liveText,
  notLiveError,
} from '../../../src/steps/live/summary.ts';

const PAGES: readonly LivePage[] = [
  { path: '/', outcome: 'live', status: 200 },
  {
    path: '/guide/start',
    outcome: 'differs',
    status: 200,
    detail: 'it has 97 % of the exported words',
    found: 0.97,
    missing: ['version 2'],
    extra: ['version 1'],
    cache: { age: '30', 'x-cache': 'HIT' },
  },
];
const FACTS: LiveFacts = {
  url: 'https://docs.example.com',
  live: true,
  afterSeconds: 372,
  since: 'merge',
  sinceTime: '2026-03-01T12:00:00.000Z',
  rounds: 3,
  pages: PAGES.slice(0, 1),
};
const FAILED: LiveFacts = { ...FACTS, live: false, afterSeconds: undefined, pages: PAGES };

describe('the summary of the published site', () => {
  it.each([
    [FACTS, 'true'],
    [FAILED, 'false'],
    [undefined, undefined],
  ])('The output live says whether the published site shows the export (%#)', (live, output) => {
    expect(outputsOf('export', { live })).toMatchObject({ live: output });
  });

  it('The summary of the published site says how long it took from the merge', () => {
    expect(liveText(FACTS)).toBe(
      '`https://docs.example.com` shows the export, **6 min 12 s** after the merge (2026-03-01 12:00 UTC)',
    );
    expect(liveSection(FACTS)).toContain('✅ 1 of 1 page shows the export, fetched 3 times.');
  });

  it('The stamp of a site is shown in its own sentence, and its texts are inert', () => {
    const stamp = {
      of: 'another export',
      jobId: 'exp_1',
      text: 'export job exp_1 of <b>x</b>\n::error::y',
    } as const;
    const section = liveSection({ ...FAILED, stamp }) ?? '';
    expect(section).toContain(
      'Its stamp names another export: export job exp\\_1 of &lt;b&gt;x&lt;/b&gt; ::error',
    );
    expect(section).not.toContain('\n::error');
    const { message } = notLiveError({ ...FAILED, stamp }, 1000);
    expect(message).toContain('- Its stamp names another export: export job exp_1');
    expect(message).not.toContain('\n::error');
    const none = { of: 'none', text: 'the site answered 404' } as const;
    expect(liveSection({ ...FACTS, stamp: none })).toContain(
      'The site has no stamp that can be read: the site answered',
    );
    expect(liveSection(FACTS)).not.toContain('stamp');
  });

  it('The summary of the published site has a row for each page that differs, with words and headers', () => {
    const rows = liveSection(FAILED)
      ?.split('\n')
      .filter((line) => line.startsWith('| '));
    expect(rows?.slice(2)).toEqual([
      '| `/guide/start` | 200 | it has 97 % of the exported words; missing: "version 2"; not in the export: "version 1"; age: 30, x-cache: HIT |',
    ]);
  });

  it('Twenty pages that show the export are one line that unfolds', () => {
    const pages = Array.from(
      { length: 20 },
      (_, at): LivePage => ({ path: `/p${at}`, outcome: 'live' }),
    );
    const section = liveSection({ ...FACTS, pages }) ?? '';
    const [folded = '', unfolded = ''] = section.split('</summary>');
    expect(folded).toBe(
      '### Published site\n\n<details><summary>✅ 20 of 20 pages show the export, fetched 3 times.',
    );
    expect(unfolded).toMatch(/^\n\n- `\/p0`\n(- `\/p\d+`\n){19}\n<\/details>$/);
  });

  it('The summary of the published site has each page as a check', () => {
    expect(liveChecks(FAILED).map(({ name, outcome }) => [name, outcome])).toEqual([
      ['/', 'passed'],
      ['/guide/start', 'failed'],
    ]);
    expect(liveChecks({ ...FAILED, isWarning: true })[1]).toMatchObject({
      group: 'live',
      outcome: 'warning',
      message: expect.stringContaining('97 %'),
    });
  });

  it('No text of a page acts in the summary: not in Markdown, not in a log', () => {
    const hostile =
      '<img src=x onerror=alert(1)> | `a` @team ##[error] ::set-output name=a::b\n::warning::x ![](https://evil.example/b.png)';
    const page: LivePage = {
      path: `/${hostile}`,
      outcome: 'differs',
      status: 200,
      detail: 'x',
      missing: [hostile],
      extra: [hostile],
      cache: { via: hostile },
    };
    const section = liveSection({ ...FAILED, pages: [page] }) ?? '';
    const cells =
      section
        .split('\n')
        .at(-1)
        ?.split(/(?<!\\)\|/) ?? [];
    expect(cells).toHaveLength(5);
    const words = cells[3] ?? '';
    expect(words).not.toMatch(/<img|(?<!\\)!?\[|@team|https:\/\//);
    const { message } = notLiveError({ ...FAILED, pages: [page] }, 1000);
    expect(message.split('\n')).toHaveLength(2);
    expect(message).not.toContain('##[');
  });
});

describe('a site of which some pages cannot be judged', () => {
  it('The summary names the pages without a text beside those that show the export', () => {
    const section = liveSection({ ...FACTS, notJudged: 2 });
    expect(section).toContain('✅ 1 of 1 page shows the export');
    expect(section).toContain('2 more pages of the sample have no text before scripts run');
  });
});

describe('the error of a site that is not live', () => {
  const failure = (pages: readonly LivePage[], basePath?: string) =>
    notLiveError({ ...FAILED, pages }, 300_000, basePath);

  it('The error of a site that is not live lists five pages and counts the others', () => {
    const pages = Array.from(
      { length: 9 },
      (_, at): LivePage => ({
        path: `/p${at}`,
        outcome: 'status',
        status: 500,
        detail: 'the site answered 500',
      }),
    );
    const { message } = failure(pages);
    expect(message.split('\n')).toEqual([
      'https://docs.example.com did not show the export within 5m: 9 pages differ.',
      ...[0, 1, 2, 3, 4].map((at) => `- /p${at}: the site answered 500`),
      '- and 4 more',
    ]);
  });

  it.each<[string, Partial<LivePage>, string | undefined, RegExp]>([
    ['a login', { outcome: 'status', status: 403 }, undefined, /live-headers/],
    ['a redirect away', { outcome: 'redirect', status: 302 }, undefined, /live-headers/],
    ['a cache', { outcome: 'cached', status: 200 }, undefined, /purge the cache/],
    ['no reply', { outcome: 'unreachable' }, undefined, /this machine reaches it/],
    [
      'a path that is missing in live-url',
      { outcome: 'status', status: 404 },
      '/docs',
      /links of the site begin with \/docs/,
    ],
    ['another site', { outcome: 'status', status: 404 }, '', /address of the start page/],
    ['the previous page', { outcome: 'differs', status: 200 }, undefined, /restarted/],
  ])(
    'The error of a site that is not live gives fitting advice: %s',
    (_, page, basePath, advice) => {
      expect(failure([{ path: '/', outcome: 'differs', ...page }], basePath).hint).toMatch(advice);
    },
  );

  it.each<[string, number, RegExp]>([
    ['most pages have hardly a word', 3, /^.*Hardly a word of the export is there/],
    ['half of the pages have hardly a word', 2, /deployment loads this export/],
    ['one page has hardly a word', 1, /deployment loads this export/],
  ])('The error of a site that is not live gives fitting advice if %s', (_, count, advice) => {
    const pages = Array.from({ length: 4 }, (_page, at): LivePage => {
      if (at >= count) return { path: `/p${at}`, outcome: 'live', status: 200 };
      return { path: `/p${at}`, outcome: 'differs', status: 200, found: 0.02 };
    });
    expect(failure(pages).hint).toMatch(advice);
  });
});
