import { expect, test } from 'vitest';
import { readRedirectRules } from '../../../src/bundle/redirects/rules.ts';

const rules = readRedirectRules(`
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
  ['/shown', '/other'],
  ['/away', 'https://example.com/a'],
  ['/missing', undefined],
  ['/by-country', undefined],
  ['/by-query', undefined],
  ['/only-one', undefined],
  ['/a.b', '/dot'],
  ['/axb', undefined],
  ['/from-windows', '/new'],
])('The address %s leads to %s', (address, target) => {
  expect(rules(address)).toBe(target);
});
