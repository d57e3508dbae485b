import { describe, expect, test } from 'vitest';
import {
  readSafeRules,
  redirectsOf,
  SERVERS,
  writeRedirects,
} from '../../../src/site/redirects/server-redirects.ts';

/**
 * The only words that lines may have: in quotes, nothing that ends them, escapes anything else, or
 * is a variable of its server.
 */
const PATTERN = String.raw`"\^(?:[^"\\{}$]|\\x[0-9a-f]{2}|\\\.)*\$"`;
const NGINX = String.raw`"(?:[^"\\{}$]|\$[1-9]|\$is_args\$args|&\$args)*"`;
const CADDY = String.raw`"(?:[^"\\{}]|\{re\.r\d+\.\d\}|\{uri\}|\{query\})*"`;
const SHAPES = {
  nginx: new RegExp(`^rewrite ${PATTERN} ${NGINX} (?:permanent|redirect);$`),
  caddy: new RegExp(
    `^(?:@r\\d+ path_regexp r\\d+ ${PATTERN}|route @r\\d+ \\{|\\trewrite \\* ${CADDY}|\\tredir \\* ${CADDY} (?:permanent|temporary)|\\})$`,
  ),
} as const;

const LEFT_OUT: readonly (readonly [rule: string, why: RegExp])[] = [
  ['old /new', /does not begin with \//],
  ['/old', /has no target/],
  ['/old new', /begins neither/],
  ['/old //other.example/', /not an address of the site/],
  ['/old /..//other.example', /not an address of the site/],
  ['/old /a/%2e%2e//other.example', /not an address of the site/],
  ['/old/:name /..//:name', /not an address of the site/],
  ['/old /\\other.example', /begins neither/],
  ['/old /%5Cother.example', /could misread/],
  ['/old /%2Fother.example', /could misread/],
  ['/old /new%0D%0Aset-cookie:a', /could misread/],
  ['/old /new%3Fa', /could misread/],
  ['/old /new";}server{', /could misread/],
  ['/old /new#a"b{$HOME}', /could misread/],
  ['/old /new?a=$uri', /could misread/],
  ['/old /new?a={env.HOME}', /could misread/],
  ['/old https://name:word@example.com/', /not an address of the site/],
  ['/old https://', /not an address of the site/],
  ['/old /%zz', /not followed by the code/],
  ['/%zz /new', /not followed by the code/],
  ['/a%2Fb /new', /encoded slash/],
  ['/a%0Ab /new', /control character/],
  ['/old* /new', /only be the last part/],
  ['/*/old /new', /only be the last part/],
  ['/:a/:a /new', /not understood/],
  ['/old/* /:splat/other.example/', /only at the end of the path/],
  ['/old/* https://example.com:splat', /not an address of the site/],
  ['/old/* /new?a=:splat', /only into the path/],
  ['/old/:name /:other', /the target has :other/],
  ['/old /:splat', /the target has :splat/],
  ['/old /new 200', /200 is not the status/],
  ['/old /new 404', /404 is not the status/],
  ['/old /new 302 Country=de', /depends on more/],
  ['/old id=:id /new', /depends on the query \(id=:id\)/],
  ['/find q=:q page=2 /search/:q 302', /depends on the query \(q=:q page=2\)/],
  ['/find q=1', /depends on the query/],
  ['/find?q=1 /search', /has a query/],
  ['/old /old/', /the same address/],
  ['/old/* /old/:splat', /the same address/],
  [`/${'x'.repeat(900)} /new`, /longer than/],
  [`/:a/:b/:c/:d/:e/:f/:g/:h/:i/* /new`, /more than 9/],
];

describe('the redirects of a site for a web server', () => {
  test.each(LEFT_OUT)('The rule %s is left out with a reason', (rule, why) => {
    const { rules, leftOut } = readSafeRules(`# rules\n\n${rule}\n`);
    expect(rules).toEqual([]);
    expect(leftOut).toEqual([
      { line: 3, rule: expect.any(String), why: expect.stringMatching(why) },
    ]);
  });

  test.each(SERVERS)(
    'A rule cannot become anything but a redirect of %s, whatever characters it has',
    (server) => {
      const characters = Array.from({ length: 0x180 }, (_, code) => String.fromCodePoint(code));
      const hostile = [
        ...characters,
        '\u2028',
        '\u{1f600}',
        ';}',
        '";',
        '$uri',
        '{uri}',
        '{$HOME}',
        '\\"',
        '`',
        '%22;',
        '%24uri',
      ];
      const written = hostile.flatMap((text) => [
        `/a${text}b /new`,
        `/a /new${text}b`,
        `/a/* /new${text}b/:splat`,
      ]);
      const { rules, leftOut } = readSafeRules(written.join('\n'));
      const lines = writeRedirects(rules, server).trimEnd().split('\n');
      expect(lines.filter((line) => !SHAPES[server].test(line))).toEqual([]);
      expect(rules.length).toBeGreaterThan(600);
      expect(leftOut.length).toBeGreaterThan(50);
    },
  );

  test('Rules after the first 5000 are left out, and counted', () => {
    const { rules, leftOut } = readSafeRules(
      Array.from({ length: 5002 }, (_, index) => `/old-${index} /new`).join('\n'),
    );
    expect([rules.length, leftOut.map(({ line }) => line)]).toEqual([5000, [5001, 5002]]);
  });
});

describe('Rules of a site below /docs', () => {
  test.each([
    ['/old /new', '/docs/old', '/docs/new'],
    ['/old/* /new/:splat', '/docs/old', '/docs/new/x'],
    ['/docs/old /docs/new?a=1', '/docs/old', '/docs/new?a=1'],
    ['/ /docs/ 302', '/', '/docs/'],
    ['/docs/pricing /plans', '/docs/pricing', '/plans'],
    ['/documents /new', '/docs/documents', '/docs/new'],
    ['/old https://other.example/', '/docs/old', 'https://other.example/'],
    ['/* /new/:splat', '/docs/x', '/docs/new/x'],
  ])('%s leads from %s to %s', (line, address, target) => {
    const { rules } = readSafeRules(line, '/docs');
    const asked = line.includes('old/*') ? `${address}/x` : address;
    expect(redirectsOf(rules)(asked, '')?.location).toBe(target);
    expect(redirectsOf(rules)(`/elsewhere${address}`, '')).toBeUndefined();
  });

  test('A rule that would lead around in a circle there is left out', () => {
    const { rules, leftOut } = readSafeRules('/* /docs/:splat', '/docs');
    expect([rules, leftOut.map(({ why }) => why)]).toEqual([[], ['it leads to the same address']]);
  });
});
