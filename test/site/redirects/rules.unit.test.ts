import { expect, test } from 'vitest';
import { followRedirects } from '../../../src/site/redirects/rules.ts';
import { readSafeRules, redirectsFrom } from '../../../src/site/redirects/server-redirects.ts';

const redirects = (text: string, basePath?: string) =>
  redirectsFrom(readSafeRules(text).rules, basePath);

const rules = redirects(`
# moved in spring
/old            /new
/gone/          /new 302!
/guide/*        /docs/:splat  301
/api/:version/x /reference/:version
/shown          /other        200
/away           https://example.com/a
/missing        /404          404
/by-country     /de           302  Country=de
/by-query id=:id  /q/:id
relative        /new
/only-one
/old            /second
/a.b            /dot # with a comment
/from-windows   /new # with a comment\r
/               /start
/accents        /%C3%A9t%C3%A9?from=old#top
`);

test.each([
  ['/old', '/new'],
  ['/old/', '/new'],
  ['/old.html', '/new'],
  ['/gone', '/new'],
  ['/guide', '/docs/'],
  ['/guide/a/b', '/docs/a/b'],
  ['/guidelines', undefined],
  ['/api/v2/x', '/reference/v2'],
  ['/shown', undefined],
  ['/away', 'https://example.com/a'],
  ['/missing', undefined],
  ['/by-country', undefined],
  ['/by-query', undefined],
  ['/only-one', undefined],
  ['/a.b', '/dot'],
  ['/axb', undefined],
  ['/from-windows', '/new'],
  ['/accents', '/été'],
  ['/', '/start'],
  ['/index.html', '/start'],
  ['/other', undefined],
])('The address %s leads to %s', (address, target) => {
  expect(rules(address)).toBe(target);
});

test('Rules of a site below a path may be written with the path or without it', () => {
  const below = redirects(
    '/guide/old /guide/new\n/docs/faq /docs/help\n/docsearch /search\n',
    '/docs',
  );
  expect(['/old', '/guide/old', '/faq', '/docsearch'].map((address) => below(address))).toEqual([
    undefined,
    '/guide/new',
    '/help',
    '/search',
  ]);
});

test('A redirect is followed to what is there, to another host, or to nothing', () => {
  const chain = redirects('/a /b\n/b /page\n/c https://example.com/x\n/d /e\n/e /d\n/f /missing\n');
  const end = (start: string) => followRedirects(start, chain, (address) => address === '/page');
  expect(['/a', '/b', '/c', '/d', '/f', '/page'].map(end)).toEqual([
    '/page',
    '/page',
    'https://example.com/x',
    undefined,
    undefined,
    undefined,
  ]);
});

test('The first rule that fits an address is followed, whether it names the address or a pattern', () => {
  const first = redirects('/guide/* /manual/:splat\n/guide/start /never\n');
  expect(first('/guide/start')).toBe('/manual/start');
});
