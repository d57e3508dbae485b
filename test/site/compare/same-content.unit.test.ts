import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentOfAsset } from '../../../src/site/compare/asset-content.ts';
import { BuildIds } from '../../../src/site/compare/build-ids.ts';
import * as compared from '../../../src/site/compare/same-content.ts';
import { hasContent } from '../../../src/site/verify/certain-content.ts';
import { readContent } from '../../../src/site/verify/page-scan.ts';

const IDS = new BuildIds([]);
const hasSameContent = (before: string, after: string) =>
  compared.hasSameContent(
    Buffer.from(before),
    Buffer.from(after),
    { before: IDS, after: IDS },
    () => hasContent(Buffer.from(after)),
  );

const PAGE = `<!doctype html><html><head><title>A</title><link rel="stylesheet" href="/site.3f9a2b1c.css">
<script>window.build = "3f9a2b1c";</script></head><body><nav><a href="/a">A</a></nav><main><h1>A</h1>
<p class="x">Text <img src="/i.3f9a2b1c.png" alt="I"> at <time>10:00</time>.</p></main>
<footer>Built on <b>2026-11-21</b> by <a href="/x">us</a></footer><script src="/app.3f9a2b1c.js"></script></body></html>`;

describe('pages of two builds', () => {
  test.each([
    ['nothing differs', PAGE],
    ['the hash of the build differs', PAGE.replace(/(site|app)\.3f9a2b1c/g, '$1.77aa01ee')],
    [
      'a class or an address differs',
      PAGE.replace('class="x"', 'class="yy z"').replace('/a"', '/b"'),
    ],
    [
      'the footer differs',
      PAGE.replace('2026-11-21', '2026-11-22, 10:00').replace('us</a>', 'them</a>'),
    ],
    ['a time differs', PAGE.replace('10:00', '9:30')],
    ['a script differs', PAGE.replace('build = "3f9a2b1c"', 'build = "x"')],
  ])('Two pages have the same content if %s', (_, other) => {
    expect(hasSameContent(PAGE, other)).toBe(true);
    expect(hasSameContent(other, PAGE)).toBe(true);
  });

  test.each([
    ['a word differs', PAGE.replace('Text', 'Words')],
    ['an element differs', PAGE.replace('<p ', '<pre ').replace('</p>', '</pre>')],
    ['the text of an image differs', PAGE.replace('alt="I"', 'alt="J"')],
    ['something is hidden', PAGE.replace('class="x"', 'hidden')],
    ['there is more at the end', `${PAGE}<p>more`],
    ['only a script creates the text', '<body><div id="a"></div><script>x(2)</script>'],
    [
      'the text is in the menu alone',
      '<main><nav><p>a</p></nav><div id="a"></div></main><script>x(2)</script>',
    ],
    ['the text is hidden', '<main><div hidden><p>a</p></div></main><script>x(2)</script>'],
    ['a class gives a text to screen readers alone', PAGE.replace('class="x"', 'class="sr-only"')],
    ['a footer is only mentioned', PAGE.replace('Text', '<!-- <footer> -->Words')],
  ])('Two pages do not have the same content if %s', (_, other) => {
    expect(hasSameContent(PAGE, other)).toBe(false);
  });

  test.each([
    ['the empty region of content is in capitals', '<body><h1>A</h1><MAIN><p></p></MAIN>'],
    ['the menu with all text is in capitals', '<main><NAV><h1>A</h1></NAV></main>'],
    ...['\u3000', '\u1680', '\ufeff', '\u3164', '\u034f', '\u061c', '\u{e0100}', '\u{1d173}'].map(
      (sign): [string, string] => [
        `all text of the region is ${JSON.stringify(sign)}`,
        `<MAIN><h1>${sign}</h1></MAIN>`,
      ],
    ),
    ['a region by its role in capitals is empty', '<body><h1>A</h1><div ROLE="main"></div>'],
  ])('Two pages with another script do not have the same content if %s', (_, html) => {
    const pages = ['run(1)', 'run(2)'].map((code) => `${html}<SCRIPT>${code}</SCRIPT>`);
    expect(hasSameContent(pages[0] ?? '', pages[1] ?? '')).toBe(false);
    const withText = pages.map((page) => page.replace(/(<MAIN>|<main>|main">)/, '$1<P>Text</P>'));
    expect(hasSameContent(withText[0] ?? '', withText[1] ?? '')).toBe(!/role/i.test(html));
  });

  test.each([
    [
      'the footer has lists',
      '<footer role="contentinfo"><ul><li><a href="#">a<li>b</ul><br/><p>At Old</footer>',
    ],
    [
      'an attribute before the footer has markup',
      '<a title="the <footer> element">x</a><footer><img src=/a>At Old</footer>',
    ],
    ['attributes have no quotation marks', '<a class=x href=/a.Old.js rel=y>x</a>'],
    ['an attribute has markup', '<img src="/a.Old.png" title="<b>">'],
    ['a script has markup', '<svg><title>x</title></svg><script>a="<main>"; b("Old")</script>'],
  ])('Two pages have the same content if only what is not content differs, and %s', (_, html) => {
    const before = PAGE.replace('</main>', `</main>${html}`);
    expect(hasSameContent(before, before.replace('Old', 'New'))).toBe(true);
  });

  test.each([
    [
      'a footer is in the value of an attribute',
      '<a aria-label="Section titled “<header> and <footer>”" href="#f">#</a><p>Old</p>',
    ],
    ['a footer is in a value in other quotation marks', `<a a='"' title="<b> <footer>">Old</a>`],
    ['a longer name begins like a footer', '<footer-note>Old</footer-note>'],
    ['a footer is preformatted text', '<xmp><footer>Old</footer></xmp>'],
    ['a tag is preformatted text', '<xmp><a href="Old">x</a></xmp>'],
    ['the content is in the footer', '<footer>x<div role="main">Old</div></footer>'],
    ['the footer ends with what is around it', '<nav><footer>x</nav><p>Old</p>'],
    ['the footer ends with a hidden item', '<li hidden><footer>x<li>Old'],
    ['the footer ends with a button', '<button><footer>x<h2>Old</h2>'],
    ['a time is in a comment', '<!-- <b>x</b> <time> -->Old'],
    ['a style is in a comment', '<!-- <b>x</b> <style> -->Old'],
    ['a time is in the text of an image', '<img alt="<b> <time>Old">'],
    ['a tag is in the text of an image', '<img alt="<b> <c x=Old>">'],
    ['a class comes that divides two words', '<i>get</i><b Old=x>User</b>', 'class'],
    ['a picture ends at once', '<svg x="1"Old>x<p>y</svg>', ' /'],
    ['the page leads elsewhere', '<meta content="0;url=/Old>" http-equiv=refresh>'],
    [
      'another part is put into a place',
      '<p id="S:Old">x</p><p id="S:2">y</p><b id="P:1"></b><script>$RS("S:1","P:1")</script>',
      '1',
    ],
  ])('Two pages do not have the same content if %s', (_, html, word = 'New') => {
    const before = PAGE.replace('<p class', `${html}<p class`);
    const after = before.replace('Old', word);
    expect(hasSameContent(before, after)).toBe(false);
    expect(hasSameContent(after, before)).toBe(false);
  });

  test.each([
    '<body><a title="“<main> <p>x”"></a>',
    `<body><main><a a='"' title="<p>x"></a></main>`,
  ])(
    'Two pages with another script do not have the same content if all text is a value in %s',
    (html) => {
      const page = `${html}<script>run(1)</script>`;
      expect(hasSameContent(page, page.replace('1', '2'))).toBe(false);
    },
  );

  test('Two pages do not have the same content if a class is one for screen readers alone', () => {
    const other = PAGE.replace('class="x"', 'class="sr_only"');
    expect(hasSameContent(PAGE, other)).toBe(false);
    expect(hasSameContent(other, PAGE)).toBe(false);
  });

  test('Two pages do not have the same content if another part is put into a place', () => {
    const streamed = PAGE.replace('</body>', '<script>$RC("B:0","S:0")</script></body>');
    const behindFooter = streamed.replace('$RC', 'x("<footer>");$RC');
    for (const before of [streamed, behindFooter])
      for (const other of ['$RC("B:0","S:1")', '$RX("B:0","S:0")'])
        expect(hasSameContent(before, before.replace('$RC("B:0","S:0")', other))).toBe(false);
  });

  test('Two pages have the same content only if both fingerprints are equal, whatever differs', () => {
    const pieces = [
      ...[
        '<p>',
        '</p>',
        '<footer>',
        '</footer>',
        '<main>',
        '</main>',
        '<script>',
        '</script>',
        '<!--',
        '-->',
        '<time>',
      ],
      ...[
        '</time>',
        '<a href="1">',
        '<a href="2">',
        '<a href=">">',
        '<p hidden>',
        '<li style="display:none">',
        '</main>',
        '<nav>',
        '</nav>',
        '<img alt="a">',
        'x',
        'y',
        '<',
        '>',
        '"',
      ],
      ...[
        "'",
        '</',
        '<b ',
        ' c',
        '<title>',
        '</title>',
        '<style>',
        '</style>',
        '<textarea>',
        '</textarea>',
        '<FOOTER>',
      ],
      ...[
        '<a title="<i> <footer>">',
        '<footer-x>',
        '<xmp>',
        '</xmp>',
        '<div role="main">',
        '</nav>',
        '<svg>',
        '</svg>',
        '<svg a="1"',
        ' /',
        '<img alt="<i> <time>x">',
        '<img alt="<i> <b a=1>">',
        '<article>',
        '</article>',
        '<ul>',
        '</ul>',
        '<li>',
        '<button>',
        '<h2>',
        '<p class=x>',
        '<p id=1>',
        ' class=x>',
        '<i>x</i>',
      ],
    ];
    const page = fc.array(fc.constantFrom(...pieces), { minLength: 3, maxLength: 24 });
    const change = fc.tuple(
      fc.nat(23),
      fc.array(fc.constantFrom(...pieces), { maxLength: 2 }),
      fc.nat(2),
    );
    fc.assert(
      fc.property(page, fc.array(change, { minLength: 1, maxLength: 3 }), (parts, changes) => {
        const changed = [...parts];
        for (const [at, put, taken] of changes) changed.splice(at, taken, ...put);
        const [before, after] = [
          ['<main><p>', ...parts].join(''),
          ['<main><p>', ...changed].join(''),
        ];
        if (!hasSameContent(before, after)) return;
        expect(readContent(after).fingerprint, `${before}\n${after}`).toBe(
          readContent(before).fingerprint,
        );
        expect(
          readContent(after).fingerprint,
          'a page without content is compared by its file',
        ).toBeDefined();
      }),
      { numRuns: 5000 },
    );
  });
});

describe('other files of two builds', () => {
  const builds = ['R9j2q9hZM0jdEuZUSuKCH', '0zj9FicFFU_zRP1gdDVwc'] as const;
  const idsOf = (build: string) =>
    new BuildIds([`_next/static/${build}/_buildManifest.js`, `static/app.${build}.js`]);
  const ids = { before: idsOf(builds[0]), after: idsOf(builds[1]) };
  const differsByIdsOnly = (before: string, after: string) =>
    compared.differsByIdsOnly(Buffer.from(before), Buffer.from(after), ids);

  test.each([
    ['a payload', (build: string) => `0:{"b":"${build}","c":["",""]}\n1:"/x/${build}/a.js"`],
    ['a query', (build: string) => `"/a.js?dpl=${build}&v=1" "é"`],
    ['the end of a file', (build: string) => `// ${build}`],
  ])('Two files say the same if they differ in the id of the build in %s', (_, fileOf) => {
    expect(differsByIdsOnly(fileOf(builds[0]), fileOf(builds[1]))).toBe(true);
    for (const other of [`${fileOf(builds[1])} x`, `x ${fileOf(builds[1])}`])
      expect(differsByIdsOnly(fileOf(builds[0]), other)).toBe(false);
  });

  test.each([
    ['a word differs', `"settings" ${builds[0]}`, `"tutorial" ${builds[1]}`],
    ['the id is part of another name', `"x${builds[0]}"`, `"x${builds[1]}"`],
    ['readers see the id', `<!doctype html><p>${builds[0]}`, `<!doctype html><p>${builds[1]}`],
    [
      'readers see the id behind many blanks',
      `${'\n'.repeat(2000)}<!doctype html><p>${builds[0]}`,
      `${'\n'.repeat(2000)}<!doctype html><p>${builds[1]}`,
    ],
    ['the bytes are no text', `\0${builds[0]}`, `\0${builds[1]}`],
  ])('Two files may not say the same if %s', (_, before, after) => {
    expect(differsByIdsOnly(before, after)).toBe(false);
  });

  test('Two files are said to say the same only if what they say by all rules is equal', () => {
    const pieces = [
      '/',
      '"',
      '.js',
      '.js?',
      '?v=',
      '-',
      '_',
      'a',
      ' ',
      'é',
      '\0',
      '<html>',
      '<!doctype html>',
      '4f649999',
      'eafc0fe6',
    ];
    const change = fc.tuple(fc.nat(12), fc.constantFrom(...pieces), fc.nat(1));
    const contentOf = (text: string, of: BuildIds) =>
      contentOfAsset(Buffer.from(text), hash('sha256', text), of);
    let same = 0;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(builds[0], ...pieces), { minLength: 2, maxLength: 12 }),
        fc.array(change, { maxLength: 2 }),
        (parts, changes) => {
          const changed = parts.map((part) => (part === builds[0] ? builds[1] : part));
          for (const [at, put, taken] of changes) changed.splice(at, taken, put);
          const [before, after] = [parts.join(''), changed.join('')];
          if (!differsByIdsOnly(before, after)) return;
          same += 1;
          expect(contentOf(after, ids.after), `${before}\n${after}`).toBe(
            contentOf(before, ids.before),
          );
        },
      ),
      { numRuns: 5000 },
    );
    expect(same).toBeGreaterThan(300);
  });
});
