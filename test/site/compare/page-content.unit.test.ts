import { describe, expect, test } from 'vitest';
import { SiteSearch } from '../../../src/site/added/search/search-files.ts';
import { readPageText, textOfPage } from '../../../src/site/pages.ts';
import { readContent } from '../../../src/site/verify/page-scan.ts';
import { processorMs } from '../../support/growth.ts';

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
  ['decoded in a text', '<p>a &lt; b &notit</p>', ['a < b ¬it']],
  ['left as they are in an element without tags', '<xmp>a &amp; <b></xmp>', ['a &amp; <b>']],
  ['decoded again behind such an element', '<xmp>a &amp;</xmp> b &amp; c', ['a &amp; b & c']],
])('Entities are %s', (_, html, blocks) => {
  expect(readContent(page(html)).blocks).toEqual(blocks);
});

test('An entity right behind the sign of a tag in a title is decoded', () => {
  const { documentTitle } = readContent('<title>a <&lt;b&gt; </&amp;</title>');
  expect(documentTitle).toBe('a <<b> </&');
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
  ['main after one in a template', '<template><main>x</main></template><main>Text</main>'],
  ['main after one for browsers without scripts', '<noscript><main>x</main></noscript><main>Text'],
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
      page(`${MAIN}<div hidden>a<div>b</div></div><span aria-hidden="true">•</span>`),
    ],
    ['a hidden paragraph', page(`${MAIN}<p hidden>a <b>b</b></p>`)],
    [
      'a sign that is hidden from the accessibility tree',
      page(`<p aria-hidden="true">★ ★</p>${MAIN}`),
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
    [
      'a text for screen readers alone',
      page(MAIN.replace('</h1>', '<span class="sr-only">Section titled Start</span></h1>')),
    ],
    ['characters that nothing shows', page(MAIN.replace('Install', 'In\u00adstall\u200b'))],
    ['a comment, white space', page(`${MAIN.replace('<p>Install', '<p>\n  Install')}<!-- x -->`)],
  ])('A page is unchanged despite this difference: %s', (_, html) => {
    expect(readContent(html).fingerprint).toBe(fingerprint);
  });
});

test.each([
  ['Last updated on Nov 21, 2026, 14:02 UTC', 'Last updated on Dec 1, 2026, 09:30 UTC'],
  ['Updated: 21 November 2026 by Ada', 'Updated: 3 December 2026 by Bo'],
  ['Generated 2026-11-21T14:02:00Z', 'Generated 2026-11-22T09:00:00Z'],
  ['Last updated 3 days ago', 'Last updated yesterday'],
  ['Last updated on November 21st, 2026', 'Last updated on December 1st, 2026'],
  ['Last updated by Ada on Nov 21, 2026', 'Last updated by Bo 2 hours ago'],
  ['This page was last edited on 21 November 2026, at 14:02.', 'Page last edited 5 mins ago.'],
  ['Last updated: 3d ago', 'Last updated: 2mo ago'],
  ['Build date: 2026-11-21', 'Build date: 2026-11-22'],
  ['Last Published: 2026-11-21', 'Last Published: 2026-11-22'],
  [
    'Last modified November 21, 2026: Fix a typo (3f9a2b1)',
    'Last modified December 1, 2026: Add keys (77aa01e)',
  ],
  [
    'Generated on Sat Nov 21 2026 14:02:11 for Acme by doxygen 1.9.8',
    'Generated on Sun Nov 22 2026 09:30:00 for Acme by doxygen 1.9.8',
  ],
  [
    'Generated on Sat Nov 21 14:02:11 2026 by yard',
    'Generated on Sun Nov 22 09:30:00 2026 by yard',
  ],
  ['5 min read · Updated Nov 21, 2026', '5 min read · Updated Dec 1, 2026'],
  ['Zuletzt geändert: vor einem Monat', 'Zuletzt geändert: vor 2 Monaten'],
  ['Ultimo aggiornamento 3 giorni fa', 'Ultimo aggiornamento una settimana fa'],
  ['Laatst bijgewerkt een maand geleden', 'Laatst bijgewerkt 2 maanden geleden'],
  ['آخر تحديث: 21 نوفمبر 2026', 'آخر تحديث: 22 نوفمبر 2026'],
  ['Zuletzt aktualisiert am 21. November 2026', 'Zuletzt aktualisiert vor 3 Tagen'],
  ['Dernière mise à jour le 21 novembre 2026', 'Dernière mise à jour il y a 3 jours'],
  ['Última actualización: 21 de noviembre de 2026', 'Última actualización hace 3 días'],
  ['最終更新日: 2026年11月21日', '最終更新: 3日前'],
  ['最后更新于 2026/11/21 14:02', '上次更新于 3 天前'],
  ['마지막 업데이트: 2026. 11. 21.', '마지막 업데이트 3일 전'],
  ['Последнее обновление: 21 ноября 2026 г.', 'Обновлено 3 дня назад'],
])('A page is unchanged if the line "%s" has another date', (one, other) => {
  const [before, after] = [one, other].map((line) => readContent(page(`${MAIN}<p>${line}</p>`)));
  expect(before?.blocks).toHaveLength(4);
  expect(after?.fingerprint).toBe(before?.fingerprint);
});

test('A date alone is no change behind a line that announces it, and a change elsewhere', () => {
  const dated = (label: string, date: string) =>
    readContent(page(`${MAIN}<dl><dt>${label}</dt><dd>${date}</dd></dl>`)).fingerprint;
  expect(dated('Last updated', '3 days ago')).toBe(dated('Last updated', 'Nov 21, 2026'));
  expect(dated('Expires', '1 May 2026')).not.toBe(dated('Expires', '2 May 2026'));
});

test.each([
  'Updated in 2024 to use tokens.',
  'Keys expire 3 days ago at the latest.',
  'Updated 3 times daily',
  'Updated version 2',
  'Last updated for version 2.1',
  'Generated 4 keys',
  'Updated today: all keys expire.',
  'Stand by for 3 days',
  'Aktualisiert die Datei',
  'Aktualisiert 3 Dateien',
  'Обновлено 3 файла',
  'Published on Nov 21, 2026',
  'Keys expire · Updated Nov 21, 2026',
  'Updated Nov 21, 2026: keys now expire (in 30 days)',
  'November 21, 2026',
])('The line "%s" is content', (line) => {
  expect(readContent(page(`<p>${line}</p>`)).blocks).toEqual([line]);
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
    ['a word that is hidden from screen readers', `${MAIN}<p aria-hidden="true">a</p>`],
    ['a question that is a button', `${MAIN}<h2><button>May I?</button></h2>`],
    ['the panel of a control', `<button aria-controls="x"></button>${MAIN}<p hidden id="x">a</p>`],
    ['a date in a sentence', `${MAIN}<p>Keys expire on November 21st, 2026.</p>`],
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
  ['<label>npm</label><label>pip</label>', ['npm', 'pip']],
  ['<span role="tab">npm</span><span role="tab">pip</span>', ['npm pip']],
  ['<a class="card"><strong>One</strong><span>Two</span></a><a>Three</a>', ['One Two Three']],
  ['Save<img src="a.png">as <svg><title>x</title></svg>is', ['Save as is']],
  [
    '<b>data</b><i>base</i> <code><span class="x">get</span><span class="y">User</span></code>',
    ['database getUser'],
  ],
  ['<h2>Keys<a aria-hidden="true">#</a></h2>', ['Keys']],
  ['<span aria-hidden="true">5 min</span> <span class="sr-only">5 minutes</span>', ['5 minutes']],
  [
    '<span aria-hidden="true">5 min</span> each <span class="sr-only">hidden</span>',
    ['5 min each'],
  ],
  [
    'a<span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0, 0, 0, 0)">b</span>',
    ['a'],
  ],
  ['a <b style="clip-path: inset(10px)">b</b> <i style="clip: auto">c</i>', ['a b c']],
  ['<div hidden role="region">a</div><div hidden role="menu">b</div>', ['a']],
  ['<dl><dt><button>Q</button><dd>A <button>Copy</button></dl>', ['Q', 'A']],
  [
    '<button><h3>Q</h3></button><details><summary><button>S</button></summary>A</details>',
    ['Q', 'S', 'A'],
  ],
  ['kuber&shy;netes data&#8203;source', ['kubernetes datasource']],
  ['<div hidden id="x">a</div><button aria-controls="w x"></button>', ['a']],
  ['<div hidden id="">a</div><button aria-controls="">b</button>', []],
  ['<button class="tab"aria-controls="x"></button><div hidden id="x">a</div>', ['a']],
  ['<div hidden id="x&amp;y">a</div><button/aria-controls=x&amp;y>', ['a']],
  ['<!-- <b aria-controls="x"> --><script>" aria-controls=x"</script><p hidden id="x">a', []],
  ['<video src="a.mp4">Not supported</video><audio>No</audio><canvas>No</canvas>', []],
  ['a <progress>50%</progress><meter>5</meter><datalist><option>b</datalist> c', ['a c']],
  ['<ruby>漢<rp>(<rt>kan<rp>)</ruby> a<p>b', ['漢kan a', 'b']],
  ['<a href="/x"><video src="x.mp4"></a> a <b><progress></b> b<p>c', ['a b', 'c']],
  ['<p>a<video src="x.mp4"><b>No</b><p>b', ['a', 'b']],
  ['<video src="x.mp4"><p>No <b>b</b></p><p>No</video>a', ['a']],
  ['<p><label hidden>a</p><p><template><div>a</div></template>b', ['b']],
  ['<nav>a</b></nav><p hidden>a</b> b</p>c', ['c']],
  ['<table><caption hidden>a<tr><td><p hidden>b<td>c</table>', ['c']],
  ['<math><mi>x</mi><annotation encoding="application/x-tex">\\bar x</annotation></math>', ['x']],
  ['<table><thead hidden><tr><th>a<tbody><tr><td>b</table>', ['b']],
  ['<div><video src="a.mp4"></div><p>a</p>', ['a']],
  ['<p>a <time>b</p><p>c</p>', ['a', 'c']],
  ['<div><nav>a</p></br></div><p>b</p>', ['b']],
  ['<section><div hidden>a</section><p>b</p>', ['b']],
  ['<nav><p>a</p></p>b</nav>c', ['c']],
  ['<table><tr><td hidden>a</div>b</td><td>c</td></tr></table>', ['c']],
  ['<template>a</div>b</template>c', ['c']],
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

describe('the parts that React streams behind a page', () => {
  const boundary = (n: number, fallback = '<p>Wait</p>') =>
    `<!--$?--><template id="B:${n}"></template>${fallback}<!--/$-->`;
  const filled = (n: number, html: string) =>
    `<div hidden id="S:${n}">${html}</div><script>$RC("B:${n}","S:${n}")</script>`;
  const shell = (main: string, behind: string) =>
    `<body><header>Site</header><main>${main}</main><footer>F</footer>${behind}</body>`;
  test.each([
    ['a boundary', shell(boundary(0), filled(0, '<h1>A</h1><p>b</p>')), ['A', 'b']],
    [
      'a boundary with the function in front of its call, and with style sheets',
      shell(
        boundary(0),
        '<div hidden="" id="S:0">a</div><script>function $RC(a,b){}$RR=function(){};$RR("B:0","S:0",[["/a.css"]])</script>',
      ),
      ['a'],
    ],
    [
      'boundaries in boundaries, the inner one first',
      shell(boundary(0), filled(1, 'b') + filled(0, `<div>a</div>${boundary(1)}`)),
      ['a', 'b'],
    ],
    [
      'a part in the middle of a sentence',
      shell(
        boundary(0),
        '<div hidden id="S:1"><b>two</b></div><script>$RS("S:1","P:1")</script>' +
          filled(0, '<p>one <template id="P:1"></template> three</p>'),
      ),
      ['one two three'],
    ],
    [
      'the rows of a table',
      shell(
        `<table><tbody>${boundary(0, '<tr><td>Wait</td></tr>')}</tbody></table>`,
        '<table hidden><tbody id="S:0"><tr><td>a</td><td>b</td></tr></tbody></table><script>$RC("B:0","S:0")</script>',
      ),
      ['a', 'b'],
    ],
    [
      'a region that comes later, with a region in its place until then',
      `<body><header>x</header>${boundary(0, '<main>Wait</main>')}<footer>F</footer>${filled(0, '<main>a<div>b</div></main>')}</body>`,
      ['a', 'b'],
    ],
    [
      'ids with a prefix',
      shell(
        '<!--$?--><template id="docs-B:0"></template>Wait<!--/$-->',
        '<div hidden id="docs-S:0">a</div><script>$RC("docs-B:0","docs-S:0")</script>',
      ),
      ['a'],
    ],
    [
      'a part of a page whose quotes a minifier has changed',
      shell(
        'a<!--$?--><template id=B:0></template>Wait<!--/$-->',
        "<div hidden id='S:0'><p>b</div><script>$RC('B:0', 'S:0')</script>",
      ),
      ['a', 'b'],
    ],
    [
      'an instruction without a script',
      shell(
        boundary(0),
        '<div hidden id="S:0">a</div><template data-rci="" data-bid="B:0" data-sid="S:0"></template>',
      ),
      ['a'],
    ],
    [
      'text beside a boundary that failed',
      shell(`a${boundary(0)}`, '<script>$RX("B:0")</script>'),
      ['a'],
    ],
    ['text in a boundary that was complete', shell('<!--$-->a<!--/$-->', ''), ['a']],
    ['nothing of a part that is put nowhere', shell('a', '<div hidden id="S:0">b</div>'), ['a']],
    [
      'nothing of a text about a call',
      shell('<code>$RC("B:0","S:0")</code>', '<div hidden id="S:0">b</div>'),
      ['$RC("B:0","S:0")'],
    ],
    [
      'all of a part with markup in attributes, scripts, titles and comments',
      shell(
        boundary(0),
        filled(
          0,
          `<p title="</div><div>">a</p><p title='<div>' lang=it's>b</p><script>"<div>"</script><svg><title></div></title></svg><!--<div>--><textarea><div></textarea><p>c</p>`,
        ),
      ),
      ['a', 'b', 'c'],
    ],
    ['nothing of a part inside itself', shell('a', filled(0, boundary(0))), ['a']],
  ])('The content has %s', (_, html, blocks) => {
    expect(readContent(html)).toMatchObject({ blocks, isEmpty: false });
  });

  test.each([
    ['a boundary without its part', shell(boundary(0), '')],
    ['a boundary that failed', shell(boundary(0), '<script>$RX("B:0","x")</script>')],
    [
      'a part that is left to the browser',
      shell('<!--$!--><template></template>Wait<!--/$-->', ''),
    ],
    [
      'the empty root of an app',
      '<body><noscript>a</noscript><div id="root"></div><script src="/a.js"></script></body>',
    ],
    [
      'an element that a script defines',
      '<body><redoc spec="/api.yml"></redoc><x-api></x-api><script src="/a.js"></script></body>',
    ],
    [
      'a text that asks readers to wait',
      '<body><div id="app">Please wait...</div><script src="/a.js"></script></body>',
    ],
    [
      'such a text in another language',
      '<body><script src="/a.js"></script><main><p>Wird geladen …</p></main></body>',
    ],
  ])('A page is not judged if it has only %s', (_, html) => {
    expect(readContent(html)).toMatchObject({ blocks: [], isFilledLater: true });
  });

  test.each([
    '<main><p>Loading</p></main>',
    '<main><h1>Loading</h1><p>How to load.</p></main><script src="/a.js"></script>',
    '<main>Loading data</main><script src="/a.js"></script>',
  ])('A page that speaks of loading is judged: %s', (body) => {
    expect(readContent(`<body>${body}</body>`)).toMatchObject({ isEmpty: false });
  });

  test('A page of 6 MB with payloads and a thousand parts is read in a time that grows with its size', () => {
    const large = (parts: number) =>
      shell(
        Array.from({ length: parts }, (_, n) => boundary(n)).join(''),
        Array.from({ length: parts }, (_, n) =>
          filled(n, `<p>${n}</p><script>push("${'x'.repeat(3000)}")</script>`),
        ).join(''),
      );
    expect(readContent(large(2000)).blocks).toHaveLength(2000);
    const [small = 0, eightTimes] = [250, 2000].map((parts) => {
      const html = large(parts);
      return processorMs(() => readContent(html));
    });
    // 64 times as long if the time grew with the square.
    expect(eightTimes).toBeLessThan(24 * Math.max(20, small));
  });
});

test.each([
  ['the element with the content', '<html lang="de"><body><main lang="en">zebra</main>', 'en'],
  ['an element around it', '<html lang="de"><body><div lang="fr"><main>a</main></div>', 'fr'],
  [
    'most of the text',
    '<html lang="de"><main><p lang="en">a</p><div lang="ja">aaaa</div></main>',
    'ja',
  ],
  ['the page, after a quotation', '<html lang="de"><main><q lang="en">a</q> aaaa</main>', 'de'],
  ['the page, if it has no text', '<html lang="de"><main></main>', 'de'],
])('The language is that of %s', (_, html, language) => {
  expect(readContent(html).language).toBe(language);
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
    ['its bytes, which are not UTF-8', latin1(html('', 'Ærø')), 'text/html', 'Ærø'],
    [
      'its byte order mark, before the reply',
      Buffer.from(`\ufeff${html('<meta charset="latin1">', 'Ærø')}`),
      'text/html; charset=latin1',
      'Ærø',
    ],
    [
      'its byte order mark, in UTF-16',
      Buffer.from(`\ufeff${html('', 'Ærø')}`, 'utf16le'),
      '',
      'Ærø',
    ],
    [
      'a meta element behind a description and a comment that name another',
      Buffer.from(
        html(
          '<!-- <meta charset=latin1> --><meta name="d" content="charset=latin1"><meta charset="utf-8">',
          'Ærø',
        ),
      ),
      '',
      'Ærø',
    ],
    [
      'UTF-16 under its old name in a page that is not',
      Buffer.from(
        html('<meta http-equiv=Content-Type content="text/html; charset=unicode">', 'Ærø'),
      ),
      '',
      'Ærø',
    ],
    [
      'a charset that Node.js 20 lacks',
      latin1(html('<meta charset="iso-8859-16">', '\u00aa')),
      '',
      'Ș',
    ],
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
