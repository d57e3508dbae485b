import { describe, expect, it } from 'vitest';
import { pageUrls } from '../../../src/ground/text/names.ts';
import { countsText } from '../../../src/steps/changes/changes-summary.ts';
import { changesText, withStatus } from '../../../src/steps/comment/changes-text.ts';
import { makeComparison } from '../../support/make-comparison.ts';

const NONE = { added: 0, changed: 0, moved: 0, removed: 0, lost: 0 };
const notice = {
  version: 2,
  kind: 'changes',
  step: 'step',
  job: 'job-2',
  counts: { ...NONE, added: 3, changed: 12, removed: 2 },
  since: '2026-03-01T14:02:30Z',
  isLive: true,
} as const;

describe('the text about changes', () => {
  it.each([
    [{ ...NONE, added: 3, changed: 12, removed: 2 }, '3 pages added, 12 changed, 2 removed'],
    [{ ...NONE, moved: 1 }, '1 page moved'],
    [{ ...NONE, changed: 1200, removed: 1 }, '1,200 pages changed, 1 removed'],
    [NONE, 'no page changed'],
    [undefined, 'exported, and not compared with an earlier export'],
  ])('The counts %j are written as: %s', (counts, text) => {
    expect(countsText(counts)).toBe(text);
  });

  it('The text about changes says since when it is live, and links each page to its published address', () => {
    const pages = makeComparison({
      added: [{ path: '/guide/a b', title: 'A [page](x)' }],
      changed: [{ path: '//evil.example', title: 'Evil' }],
      moved: [{ from: '/old', to: '/new', title: '' }],
      removed: [{ path: '/gone', title: 'Gone' }],
    });
    const text = changesText({
      site: 'docs.example.com',
      notice,
      pages,
      toUrl: pageUrls('https://docs.example.com/manual'),
    });
    expect(text).toContain(
      '3 pages added, 12 changed, 2 removed; live since 2026-03-01 14:02 UTC.',
    );
    expect(text).toContain('- [A \\[page\\]\\(x\\)](https://docs.example.com/manual/guide/a%20b)');
    expect(text).toContain('- [Evil](https://docs.example.com/manual/evil.example)');
    expect(text).toContain('- [\\/new](https://docs.example.com/manual/new)');
    expect(text).toContain('- Gone `/gone`');
  });

  it('The text about changes names the commit of the content only if it was reported', () => {
    const text = (contentCommit: string | undefined) =>
      changesText({ site: 'x', notice, pages: undefined, toUrl: () => undefined, contentCommit });
    expect(text('b'.repeat(40))).toContain('2026-03-01 14:02 UTC; published: commit `bbbbbbb`.');
    expect(text(undefined)).not.toContain('reported');
  });

  it('The text about changes lists 20 pages of a kind, and says how many more there are', () => {
    const added = Array.from({ length: 25 }, (_, index) => ({
      path: `/page-${index}`,
      title: `Page ${index}`,
    }));
    const text = changesText({
      site: 'x',
      notice,
      pages: makeComparison({ added }),
      toUrl: () => undefined,
    });
    expect(text.match(/^- Page/gm)).toHaveLength(20);
    expect(text).toContain('- and 5 more');
  });

  it('The last line of the text can be replaced without changing the rest', () => {
    const first = withStatus('Text.\n\n<sub>A person wrote this.</sub> And this.', 'By one.');
    expect(withStatus(first, 'By two.')).toBe(
      'Text.\n\n<sub>A person wrote this.</sub> And this.\n\n<sub>By two.</sub>',
    );
  });
});
