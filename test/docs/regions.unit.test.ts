import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPageTexts } from '../../scripts/docs/page-texts.ts';
import { findRegions } from '../../scripts/docs/regions.ts';
import { renderDocs } from '../../scripts/docs/render.ts';
import { ROOT } from './pages.ts';

const BEGIN = '<!-- generated: inputs mode -->';
const END = '<!-- end -->';

describe('the generated parts of a page', () => {
  it.each([
    [
      'a begin mark without an end mark',
      `text\n${BEGIN}\n`,
      'page.md:2: the part "inputs mode" has no <!-- end -->',
    ],
    [
      'a second begin mark',
      `${BEGIN}\n${BEGIN}\n${END}`,
      'page.md:2: the part "inputs mode" of line 1 has no',
    ],
    ['an end mark alone', `text\n\n${END}`, 'page.md:3: <!-- end --> has no begin mark'],
    ['a misspelt end mark', `${BEGIN}\n<!--end-->\n`, 'page.md:2: not a mark: <!--end-->'],
    ['a mark inside a line', `see ${BEGIN}\n`, 'page.md:1: not a mark'],
    ['a mark of an earlier form', '<!-- docs: input-table -->\n', 'page.md:1: not a mark'],
  ])('A page with %s is an error that names the line', (_, text, message) => {
    expect(() => findRegions('page.md', text)).toThrow(message);
  });

  it('Each generated part of the documentation has both of its marks', () => {
    const regions = [...readPageTexts(ROOT)].flatMap(([path, text]) => findRegions(path, text));
    expect(regions.length).toBeGreaterThanOrEqual(30);
  });

  it('The generated parts are up to date, so `npm run docs` changes nothing', () => {
    const written = (path: string) => readFileSync(join(ROOT, path), 'utf8');
    const stale = [...renderDocs(ROOT)]
      .filter(([path, text]) => written(path) !== text)
      .map(([path]) => path);
    expect(stale, 'run `npm run docs`').toEqual([]);
  });
});
