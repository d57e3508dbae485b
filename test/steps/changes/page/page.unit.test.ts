import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../../src/site/compare/comparison.ts';
import { renderChangesPage } from '../../../../src/steps/changes/page/page.ts';
import { makeComparison } from '../../../support/make-comparison.ts';

const render = (changes: Comparison, siteUrl?: string) =>
  renderChangesPage({
    changes,
    site: 'docs.example.com',
    siteUrl,
    comparedAt: new Date('2026-03-01T12:00:00Z'),
  });
const textOf = (page: string) =>
  page
    .replace(/<(script|style)>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

describe('the page of changes', () => {
  it('The page of changes shows the counts, the lost addresses before the list, and each page with its words', () => {
    const text = textOf(
      render(
        makeComparison({
          added: [{ path: '/new', title: 'New page' }],
          changed: [
            { path: '/guide/start', title: 'Start', words: 90, wordsAdded: 4, wordsRemoved: 0 },
          ],
          removed: [{ path: '/old', title: 'Old page' }],
          moved: [{ from: '/a', to: '/b', title: 'A page' }],
          lost: [{ path: '/old', title: 'Old page', links: 7, linkedFrom: ['/guide/start'] }],
        }),
      ),
    );
    expect(text).toContain('1 page added');
    expect(text).toContain(
      '1 lost address There was a page before. Now there is neither a page nor a redirect. /old Old page',
    );
    expect(text).toContain('Linked from /guide/start and 6 more pages');
    expect(text).toContain('Changed Start /guide/start +4 words');
    expect(text).toContain('Moved A page /a → /b');
    expect(text.indexOf('lost address')).toBeLessThan(text.indexOf('By section'));
  });

  it('The heading names the commit and the date of both exports, and their jobs in a line of details', () => {
    const page = renderChangesPage({
      changes: makeComparison(),
      site: 'docs.example.com',
      to: { when: 'received 2026-03-01 12:00 UTC', commit: 'a'.repeat(40) },
      from: { when: 'in place since 2026-02-01 09:00 UTC', commit: undefined },
      comparedAt: new Date('2026-03-01T12:00:00Z'),
    });
    const heading = textOf(page.slice(page.indexOf('<header'), page.indexOf('</header>')));
    expect(heading).toMatch(
      /docs\.example\.com Now commit a{12} , received 2026-03-01 12:00 UTC, 120 pages/,
    );
    expect(heading).toContain('Before in place since 2026-02-01 09:00 UTC, 120 pages');
    expect(page).toMatch(/<details class="ids"><summary>Export jobs<\/summary>.*job-2.*\n?.*job-1/);
  });

  it('A page that has moved and changed says so in both of its rows, and the page says how it is found', () => {
    const page = render(
      makeComparison({
        moved: [{ from: '/a', to: '/b', title: 'A page', similarity: 0.87 }],
        changed: [{ path: '/b', title: 'A page', movedFrom: '/a', wordsAdded: 4, wordsRemoved: 0 }],
      }),
    );
    const text = textOf(page);
    expect(text).toContain('Moved A page /a → /b and changed: 87 % of the text is the same');
    expect(text).toContain('Changed A page /b was at /a');
    expect(text).toContain('has moved and changed if at least half of its text is the same');
    expect(textOf(render(makeComparison()))).not.toContain('at least half of its text');
    expect(text).toContain('Removed Changed pages');
  });

  it('The page of changes says that nothing changed, and that no address was lost', () => {
    const text = textOf(render(makeComparison()));
    expect(text).toContain('No address was lost');
    expect(text).toContain('Every page is the same in both exports.');
  });

  it('The page of changes says what a comparison by hashes cannot show', () => {
    expect(textOf(render(makeComparison({ basis: 'hashes' })))).toContain(
      'without words and excerpts',
    );
  });

  it("The page of changes links to the published pages below the site's address, whatever their paths are", () => {
    const added = ['//evil.example/x', '/a b', '/../../c', '/javascript:alert(1)', '/\ud800'].map(
      (path) => ({
        path,
        title: '',
      }),
    );
    const page = render(makeComparison({ added }), 'https://docs.example.com/manual/');
    const links = [...page.matchAll(/<a href="(http[^"]*)"/g)].map(([, href]) => href);
    expect(links).toEqual([
      'https://docs.example.com/manual/c',
      'https://docs.example.com/manual/evil.example/x',
      'https://docs.example.com/manual/a%20b',
      'https://docs.example.com/manual/javascript%3Aalert(1)',
      'https://docs.example.com/manual/%EF%BF%BD',
    ]);
  });

  it('The page of changes has a policy that allows by hash both scripts and the style, and nothing else', () => {
    const page = render(makeComparison());
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const inline = [...page.matchAll(/<(?:script|style)>([\s\S]*?)<\/(?:script|style)>/g)].map(
      ([, text]) => text ?? '',
    );
    expect(inline).toHaveLength(3);
    for (const text of inline)
      expect(policy).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    expect(page).not.toMatch(/ on[a-z]+=| style=/);
  });

  it('The page of changes stays below its size, and says what it left out', () => {
    const changed = Array.from({ length: 400 }, (_, index) => ({
      path: `/part-${index % 9}/page-${index}`,
      title: `Page ${index}`,
      wordsAdded: 3,
      wordsRemoved: 1,
      excerpts: [{ before: 'before '.repeat(60), after: 'after '.repeat(60) }],
    }));
    const limits = { rows: 60_000, excerpts: 20_000 };
    const page = renderChangesPage(
      { changes: makeComparison({ changed }), site: undefined, comparedAt: new Date(0) },
      limits,
    );
    const frame = render(makeComparison()).length;
    const shown = page.match(/<li data-kind/g)?.length ?? 0;
    expect(page.length).toBeLessThan(frame + limits.rows + limits.excerpts + 10_000);
    expect(shown).toBeGreaterThan(50);
    expect(textOf(page)).toContain(`${400 - shown} pages of the list are left out`);
    expect(textOf(page)).toMatch(/The excerpts of \d+ pages are left out/);
    expect(textOf(page)).toContain('400 pages changed');
  });
});
