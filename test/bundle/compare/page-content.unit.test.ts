import { describe, expect, test } from 'vitest';
import { SiteSearch } from '../../../src/added/search/search-files.ts';
import { readPageText, textOfPage } from '../../../src/bundle/pages.ts';
import { readContent } from '../../../src/bundle/verify/page-scan.ts';

const page = (main: string, around = '') =>
  `<!doctype html><html><head><title>Start · Docs</title><script src="/app.3f9a2b1c.js"></script></head>
<body><header><a href="/">Docs</a></header><nav><a href="/a">A</a></nav>${around}<main>${main}</main><footer>Built on 2026-11-21</footer></body></html>`;
const MAIN =
  '<h1>Start <a class="anchor" href="#start" aria-hidden="true">#</a></h1><p>Install <b>it</b>   &amp; run.</p><pre>a: 1\n  b: 2\n</pre>';

test('The content of a page is its text, block by block, with its headings and its title', () => {
  expect(readContent(page(MAIN))).toMatchObject({
    title: 'Start',
    redirect: undefined,
    headings: ['Start'],
    blocks: ['Start', 'Install it & run.', 'a: 1', '  b: 2'],
  });
});

test('Without a first heading, the title of the document is the title', () => {
  expect(readContent(page('<p>Text</p>')).title).toBe('Start · Docs');
});

test.each([
  ['main', '<body><div>x</div><article>y</article><main>Text</main><div>z</div></body>'],
  [
    'an element with the role main',
    '<body><article>y</article><div role="main"><div>Text</div></div>z</body>',
  ],
  ['an element with the role main in capitals', '<body>x<div role=" Main ">Text</div>y</body>'],
  [
    'an element with the role main in the header of the site',
    '<body><header>x<div role="main">Text</div>y</header>z</body>',
  ],
  [
    'an article that ends a hidden paragraph',
    '<body><div>x</div><p hidden>y<article>Text</article><div>z</div></body>',
  ],
  ['articles', '<body><div>x</div><article>Text</article><div>z</div></body>'],
  ['the body', '<html><head><title>t</title></head><body><header>x</header>Text</body></html>'],
  ['a page without any of these', '<title>t</title><p>Text'],
])('The content of a page comes from %s', (_, html) => {
  expect(readContent(html).blocks).toEqual(['Text']);
});

describe('differences that are not changes', () => {
  const { fingerprint } = readContent(page(MAIN));
  test.each([
    ['a new build hash in the name of a script', page(MAIN).replace('3f9a2b1c', '77aa01ee')],
    ['another date in the footer', page(MAIN).replace('2026-11-21', '2026-11-22')],
    ['a link in the footer', page(MAIN).replace('Built', '<a href="/b">B</a> Built')],
    ['a new entry in the menu', page(MAIN).replace('<nav>', '<nav><a href="/new">New</a>')],
    [
      'a new theme: other classes, ids and boxes',
      page(`<div class="x">${MAIN.replaceAll('<p>', '<p id="q">')}</div>`),
    ],
    ['a time', page(`${MAIN}<time datetime="2026-11-21">today</time>`)],
    ['another address of a link or an image', page(MAIN).replaceAll('href="', 'href="/v2')],
    [
      'a script, a style, a template, an icon',
      page(
        `${MAIN}<script>a</script><style>b</style><template>c</template><svg><title>d</title></svg>`,
      ),
    ],
    [
      'hidden content',
      page(`${MAIN}<div hidden>a<div>b</div></div><span aria-hidden="true">c</span>`),
    ],
    ['a hidden paragraph', page(`${MAIN}<p hidden>a <b>b</b></p>`)],
    [
      'a paragraph that is hidden from the accessibility tree',
      page(`<p aria-hidden="true">a</p>${MAIN}`),
    ],
    ['a hidden paragraph without an end tag', page(`<p hidden>a<b>b</b>${MAIN}`)],
    ['a hidden paragraph that ends with its box', page(`<div><p hidden>a</div>${MAIN}`)],
    [
      'an element that a style does not display',
      page(`${MAIN}<p style="color: red; display: none">a</p>`),
    ],
    [
      'content that a style makes invisible',
      page(`${MAIN}<div style="visibility:hidden!important">a<p>b</div>`),
    ],
    ['a button', page(`${MAIN}<button>Copy</button>`)],
    ['a comment, white space', page(`${MAIN.replace('<p>Install', '<p>\n  Install')}<!-- x -->`)],
  ])('A page is unchanged despite this difference: %s', (_, html) => {
    expect(readContent(html).fingerprint).toBe(fingerprint);
  });
});

test.each([
  ['Last updated on Nov 21, 2026, 14:02 UTC', 'Last updated on Dec 1, 2026, 09:30 UTC'],
  ['Updated: 21 November 2026 by Ada', 'Updated: 3 December 2026 by Bo'],
  ['Generated 2026-11-21T14:02:00Z', 'Generated 2026-11-22T09:00:00Z'],
])('A page is unchanged if the line "%s" has another date', (one, other) => {
  const [before, after] = [one, other].map((line) => readContent(page(`${MAIN}<p>${line}</p>`)));
  expect(before?.blocks).toHaveLength(4);
  expect(after?.fingerprint).toBe(before?.fingerprint);
});

describe('a change', () => {
  const { fingerprint } = readContent(page(MAIN));
  test.each([
    ['another word', MAIN.replace('run', 'stop')],
    ['another indentation of code', MAIN.replace('  b:', '    b:')],
    [
      'a paragraph that became an item',
      MAIN.replace('<p>', '<ul><li>').replace('</p>', '</li></ul>'),
    ],
    ['a heading of another level', MAIN.replaceAll('h1', 'h2')],
    ['content that a search in the page shows', `${MAIN}<p hidden="until-found">a</p>`],
    ['content that takes no input', `${MAIN}<p inert>a</p>`],
    ['an image', `${MAIN}<img src="a.png" alt="A">`],
    ['a sentence about an update', `${MAIN}<p>Updated in 2024 to use tokens.</p>`],
  ])('A page has changed with this difference: %s', (_, main) => {
    expect(readContent(page(main)).fingerprint).not.toBe(fingerprint);
  });
});

test.each([
  ['<ul><li hidden>a<ul><li>b<li>c</ul><li>Text</ul>', ['Text']],
  ['<ul><li hidden>a</ul><p>Text', ['Text']],
  ['<dl><dt hidden>a<dd>Text</dl>', ['Text']],
  ['<table><tr><td hidden>a<table><tr><td>b</table><td>Text</table>', ['Text']],
  ['<table><tr hidden><td>a<tr><td>Text</table>', ['Text']],
  ['one <p hidden>a</p> two', ['one', 'two']],
])('Of %s, what a reader sees is %j', (main, blocks) => {
  expect(readContent(page(main)).blocks).toEqual(blocks);
});

test.each([
  ['<meta http-equiv="refresh" content="0; url=/new">', '/new'],
  ["<META HTTP-EQUIV='Refresh' CONTENT='5;URL=\"../new.html\"'>", '../new.html'],
  ['<meta http-equiv="refresh" content="300; url=/">', undefined],
  ['<meta http-equiv="refresh" content="30">', undefined],
])('The element %s leads to %s', (meta, target) => {
  expect(readContent(`<head>${meta}</head><body>Moved</body>`).redirect).toBe(target);
});

/** What the comparison, the added search and the live check take for content. */
async function answersOf(html: string): Promise<readonly string[]> {
  const { blocks } = readContent(html);
  const search = new SiteSearch();
  search.page('index.html', readContent(html));
  const texts = search.files().find(({ path }) => path.endsWith('texts-0.js'))?.content ?? '';
  const indexed = Buffer.from(texts).toString();
  const words = ['kept', 'left'];
  return [blocks.join(' '), indexed, readPageText(html).text].map((text) =>
    words.filter((word) => text.includes(word)).join(),
  );
}

describe('one answer to what content is, for the comparison, the added search and the live check', () => {
  const around = (main: string) => `<body><nav>left</nav>${main}<footer>left</footer></body>`;
  test.each([
    [
      'a note beside the text',
      around('<main><p>a</p><aside class="note"><p>kept</p></aside></main>'),
    ],
    [
      'a note in an article',
      around('<article><aside role="note">kept<nav>left</nav></aside></article>'),
    ],
    [
      'a note in a section of the role main',
      around('<div role="main"><section><aside>kept</aside></section></div>'),
    ],
    [
      'a panel with the attribute hidden',
      around('<main><div role="tabpanel" hidden=""><p>kept</div></main>'),
    ],
    [
      'a panel that is not displayed',
      around('<main><section role="TabPanel" style="display:none">kept</section></main>'),
    ],
    [
      'a panel without accessibility',
      around('<article><div role="tabpanel" aria-hidden="true">kept</div></article>'),
    ],
    [
      'a panel on a page without main',
      '<body><aside>left</aside><div role="tabpanel" hidden>kept</div></body>',
    ],
    [
      'text beside the sidebar of a site',
      '<body><aside>left<ul><li>left</ul></aside>kept<aside>left</aside></body>',
    ],
    [
      'text beside what is hidden',
      around('<main>kept<div hidden>left</div><p role="tab" hidden>left</p></main>'),
    ],
    [
      'text beside what is hidden in a panel',
      around('<main><div role="tabpanel">kept<p hidden>left</p></div></main>'),
    ],
    [
      'text beside controls and times',
      around('<main>kept<button>left</button><time>left</time></main>'),
    ],
  ])('All three find %s', async (_, html) => {
    expect(await answersOf(html)).toEqual(['kept', 'kept', 'kept']);
  });
});

describe('the charset of a page', () => {
  const html = (head: string, text: string) =>
    `<!doctype html><html><head>${head}<title>T</title></head><body><p>${text}</p></body></html>`;
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  test.each([
    ['a meta element', latin1(html('<meta charset="ISO-8859-1">', 'Köln')), '', 'Köln'],
    [
      'a meta element that names a type',
      latin1(
        html('<META http-equiv=Content-Type content="text/html; charset=windows-1252">', 'Málaga'),
      ),
      '',
      'Málaga',
    ],
    [
      'a declaration of XML',
      latin1(`<?xml version="1.0" encoding="iso-8859-15"?>${html('', 'Liège')}`),
      '',
      'Liège',
    ],
    [
      'another alphabet',
      Buffer.concat([
        Buffer.from('<meta charset=windows-1251><p>'),
        Buffer.from([0xcc, 0xe8, 0xf0]),
      ]),
      '',
      'Мир',
    ],
    [
      'the reply, before what the page says',
      Buffer.from(html('<meta charset="latin1">', 'Ærø')),
      'text/html; charset=utf-8',
      'Ærø',
    ],
    ['nothing', Buffer.from(html('', 'Ærø')), 'text/html', 'Ærø'],
    ['an unknown name', Buffer.from(html('<meta charset="x-none">', 'Ærø')), '', 'Ærø'],
    [
      'UTF-16 in a page that is not',
      Buffer.from(html('<meta charset="utf-16">', 'Ærø')),
      '',
      'Ærø',
    ],
    [
      'a text about charsets',
      Buffer.from(html('', 'Ærø &lt;meta charset="latin1"&gt;')),
      '',
      'Ærø <meta charset="latin1">',
    ],
  ])('The charset comes from %s', (_, bytes, contentType, text) => {
    expect(readContent(textOfPage(bytes, contentType)).blocks).toEqual([text]);
  });
});

test('A page without text and structure has no fingerprint', () => {
  expect(
    readContent('<body><div id="app"></div><script>x()</script></body>').fingerprint,
  ).toBeUndefined();
});

test.each([
  '<nav><p>a',
  '<main><nav>a</main>b',
  '<p hidden>a<p>b',
  '<main><main></main>',
  '</main></nav>',
  '<svg/><p>a</p>',
])('The broken page %s is read', (html) => {
  expect(readContent(html).blocks.length).toBeLessThanOrEqual(2);
});
