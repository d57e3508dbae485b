import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressesOf, chooseSample, SAMPLE_SIZE } from '../../../src/steps/live/sample.ts';

const many = (section: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${section}/p${100 + at}.html`);

describe('the sample of a site', () => {
  it('The sample of a site begins with the start page and the pages that changed', () => {
    const files = [
      'index.html',
      'style.css',
      '404.html',
      ...many('api', 500),
      ...many('guide', 50),
      'guide/index.html',
    ];
    const changed = ['/api/p490', '/guide', '/no/such/page'];
    const sample = chooseSample(files, 'index.html', changed);
    expect(sample).toHaveLength(SAMPLE_SIZE);
    expect(sample.slice(0, 3).map(({ path }) => path)).toEqual(['/', '/api/p490', '/guide']);
  });

  it('The sample of a site is spread over the sections, and within each over its pages', () => {
    const files = ['index.html', ...many('api', 1000), ...many('guide', 3), ...many('news', 100)];
    const paths = chooseSample(files, 'index.html').map(({ path }) => path);
    const count = (section: string) =>
      paths.filter((path) => path.startsWith(`/${section}/`)).length;
    expect([count('api'), count('guide'), count('news')]).toEqual([8, 3, 8]);
    expect(paths).toContain('/news/p199');
    expect(new Set(paths).size).toBe(SAMPLE_SIZE);
  });

  it('The sample is every page of a small site, without the page for missing addresses', () => {
    const files = ['404.html', 'b.htm', 'a.xhtml', 'index.html', 'x/404.html', 'data.json'];
    const sample = chooseSample(files, 'index.html');
    expect(sample.map(({ path }) => path)).toEqual(['/', '/a', '/b', '/x/404']);
  });

  it('The sample of a site in a folder of its archive contains only pages of that folder', () => {
    const sample = chooseSample(
      ['docs/index.html', 'docs/a.html', 'other.html'],
      'docs/index.html',
      ['/docs/a'],
    );
    expect(sample).toEqual([
      { file: 'docs/index.html', path: '/', isChanged: false },
      { file: 'docs/a.html', path: '/a', isChanged: true },
    ]);
  });

  it('The sample never exceeds its size, whatever sections and changes there are', () => {
    const names = fc.array(fc.stringMatching(/^[a-z]{1,3}(\/[a-z]{1,3}){0,3}\.html$/), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(names, names, (files, changed) => {
        const all = [...new Set(files)];
        const sample = chooseSample(
          all,
          undefined,
          changed.map((file) => `/${file.slice(0, -5)}`),
        );
        const pages = all.filter((file) => file !== '404.html').length;
        expect(sample).toHaveLength(Math.min(SAMPLE_SIZE, pages));
        expect(new Set(sample.map(({ file }) => file)).size).toBe(sample.length);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the addresses of a page', () => {
  it.each([
    ['index.html', '/', ['https://d.example/docs/', 'https://d.example/docs/index.html']],
    [
      'guide/index.html',
      '/guide',
      ['https://d.example/docs/guide/', 'https://d.example/docs/guide/index.html'],
    ],
    [
      'guide/start.html',
      '/guide/start',
      ['https://d.example/docs/guide/start.html', 'https://d.example/docs/guide/start'],
    ],
    [
      'a b?c#d.html',
      '/a b?c#d',
      ['https://d.example/docs/a%20b%3Fc%23d.html', 'https://d.example/docs/a%20b%3Fc%23d'],
    ],
    [
      'über.html',
      '/über',
      ['https://d.example/docs/%C3%BCber.html', 'https://d.example/docs/%C3%BCber'],
    ],
  ])('The addresses of the page %s are complete', (file, path, expected) => {
    expect(addressesOf({ file, path }, 'https://d.example/docs').map(({ href }) => href)).toEqual(
      expected,
    );
  });

  it.each([
    '/evil.example/x',
    '//evil.example/x',
    '/\\evil.example',
    '/../../admin',
    '/%2e%2e/%2e%2e/admin',
    '/..%2fadmin',
    '/https://evil.example/',
    '/@evil.example',
    '/:80@evil.example/',
    '/\t/evil.example',
    '/a\u0000b',
    '/\ud800',
  ])('The addresses of a page stay on the site and below its start page: %j', (path) => {
    for (const url of addressesOf(
      { file: `${path.slice(1)}.html`, path },
      'https://d.example/docs',
    )) {
      expect([url.origin, url.username, url.search, url.hash]).toEqual([
        'https://d.example',
        '',
        '',
        '',
      ]);
      expect(url.pathname.startsWith('/docs/')).toBe(true);
    }
  });

  it('The addresses of a page stay on the site for every name', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)) }),
        (name) => {
          for (const url of addressesOf(
            { file: `${name}.html`, path: `/${name}` },
            'https://d.example/docs',
          )) {
            expect(url.href.startsWith('https://d.example/docs/')).toBe(true);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
