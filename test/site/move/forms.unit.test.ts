import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { renderAppSite } from '../../../emulator/src/site/app-site.ts';
import { makeComparedSite } from '../../../src/site/compare/compared-site.ts';
import { moveSite } from '../../../src/site/move/move-site.ts';

type Files = Readonly<Record<string, string | Buffer>>;
interface Where {
  readonly from?: string;
  readonly to?: string;
  readonly hosts?: readonly string[];
}

const HOSTS = ['docs.example.com'];

/** The files of a site after the exchange, and the findings. */
async function move(
  files: Files,
  { from = '/documentation', to = '/handbook', hosts = HOSTS }: Where = {},
) {
  const root = mkdtempSync(join(tmpdir(), 'move-'));
  try {
    const list = Object.entries(files).map(([path, content]) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
      return { path, bytes: Buffer.byteLength(content), sha256: undefined };
    });
    const { files: changed, unsure } = await moveSite({
      site: makeComparedSite('job-1', list, root),
      from: { basePath: from, hosts },
      to: { url: `https://acme.github.io${to}/`, path: to },
      signal: new AbortController().signal,
    });
    const bytes = (path: string) => readFileSync(join(root, path));
    const contents = new Map(list.map(({ path }) => [path, bytes(path)]));
    return { contents, changed, unsure };
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function moved(path: string, content: string, where?: Where): Promise<string | undefined> {
  const { contents, unsure } = await move({ [path]: content }, where);
  expect(unsure).toEqual([]);
  return contents.get(path)?.toString();
}

const page = (body: string) => `<!DOCTYPE html><html><head>${body}</head><body></body></html>`;

describe('an address in a page', () => {
  it.each([
    ['a link', '<a href="/documentation/guide">', '<a href="/handbook/guide">'],
    ['the start page', "<a href='/documentation'>", "<a href='/handbook'>"],
    ['without quotes', '<a href=/documentation/guide>', '<a href=/handbook/guide>'],
    ['with a query', '<a href="/documentation?a=1">', '<a href="/handbook?a=1">'],
    ['with a fragment', '<a href="/documentation#top">', '<a href="/handbook#top">'],
    ['between spaces', '<a href=" /documentation/x ">', '<a href=" /handbook/x ">'],
    [
      'in an attribute for scripts',
      '<div data-base="/documentation/">',
      '<div data-base="/handbook/">',
    ],
    ['in an option', '<option value="/documentation/de/">', '<option value="/handbook/de/">'],
    [
      'in a set of pictures',
      '<img srcset="/documentation/a.png 1x, /documentation/b,c.png 2x">',
      '<img srcset="/handbook/a.png 1x, /handbook/b,c.png 2x">',
    ],
    [
      'in a list with commas',
      '<div data-files="/documentation/a.js,/documentation/b.js">',
      '<div data-files="/handbook/a.js,/handbook/b.js">',
    ],
    [
      'in a list with spaces',
      '<a ping="/documentation/a /documentation/b">',
      '<a ping="/handbook/a /handbook/b">',
    ],
    [
      'in JSON in an attribute',
      '<astro-island props="{&quot;href&quot;:&quot;/documentation/x&quot;}">',
      '<astro-island props="{&quot;href&quot;:&quot;/handbook/x&quot;}">',
    ],
    ['with entities', '<a href="&#x2F;documentation&#47;x">', '<a href="&#x2F;handbook&#47;x">'],
    [
      'in another address',
      '<a href="/documentation/login?next=%2Fdocumentation%2Fx">',
      '<a href="/handbook/login?next=%2Fhandbook%2Fx">',
    ],
    [
      'of a refresh',
      '<meta http-equiv="refresh" content="0; url=/documentation/x">',
      '<meta http-equiv="refresh" content="0; url=/handbook/x">',
    ],
    [
      'of a refresh without a semicolon',
      '<meta http-equiv="refresh" content="5 url=/documentation/x">',
      '<meta http-equiv="refresh" content="5 url=/handbook/x">',
    ],
    [
      'in settings',
      '<meta name="msapplication-task" content="name=My Docs;action-uri=/documentation/x">',
      '<meta name="msapplication-task" content="name=My Docs;action-uri=/handbook/x">',
    ],
    [
      'in a policy',
      '<meta http-equiv="Content-Security-Policy" content="img-src https://docs.example.com/documentation/; report-uri /documentation/r">',
      '<meta http-equiv="Content-Security-Policy" content="img-src https://acme.github.io/handbook/; report-uri /handbook/r">',
    ],
    [
      'in a style attribute',
      `<p style="background:url( '/documentation/a.png' )">`,
      `<p style="background:url( '/handbook/a.png' )">`,
    ],
    [
      'in a style element',
      '<style>@import "/documentation/a.css";a{b:url(/documentation/c)}</style>',
      '<style>@import "/handbook/a.css";a{b:url(/handbook/c)}</style>',
    ],
    ['in a handler', `<a onclick="go('/documentation/x')">`, `<a onclick="go('/handbook/x')">`],
    [
      'in a picture of the page',
      '<svg><use xlink:href="/documentation/i.svg#a"/></svg>',
      '<svg><use xlink:href="/handbook/i.svg#a"/></svg>',
    ],
    [
      'of a canonical link',
      '<link rel="canonical" href="https://docs.example.com/documentation/x">',
      '<link rel="canonical" href="https://acme.github.io/handbook/x">',
    ],
    [
      'without a scheme',
      '<link rel="alternate" href="//docs.example.com/documentation/x">',
      '<link rel="alternate" href="//acme.github.io/handbook/x">',
    ],
    [
      'of a property',
      '<meta property="og:url" content="https://docs.example.com/documentation">',
      '<meta property="og:url" content="https://acme.github.io/handbook">',
    ],
    [
      'in data for search engines',
      '<script type="application/ld+json">{"url":"https:\\/\\/docs.example.com\\/documentation\\/x","@id":"\\/documentation\\/"}</script>',
      '<script type="application/ld+json">{"url":"https:\\/\\/acme.github.io\\/handbook\\/x","@id":"\\/handbook\\/"}</script>',
    ],
    [
      'in a script',
      '<script>const a="/documentation/x",b=`/documentation`,c={d:\'/documentation/\'}</script>',
      '<script>const a="/handbook/x",b=`/handbook`,c={d:\'/handbook/\'}</script>',
    ],
    [
      'in a text with markup in a script',
      '<script>x.innerHTML="<a href=\\"/documentation/x\\" src=/documentation/y>"</script>',
      '<script>x.innerHTML="<a href=\\"/handbook/x\\" src=/handbook/y>"</script>',
    ],
    [
      'as serialize-javascript writes it',
      '<script>a="\\u002Fdocumentation\\u002Fx"</script>',
      '<script>a="\\u002Fhandbook\\u002Fx"</script>',
    ],
    [
      'of an import map',
      '<script type="importmap">{"imports":{"a":"/documentation/a.js"}}</script>',
      '<script type="importmap">{"imports":{"a":"/handbook/a.js"}}</script>',
    ],
    ['in a script that is not closed', '<script>a="/documentation/x"', '<script>a="/handbook/x"'],
    [
      'in a condition',
      '<!--[if IE]><a href="/documentation/x"><![endif]-->',
      '<!--[if IE]><a href="/handbook/x"><![endif]-->',
    ],
  ])('An address %s gets the new base path', async (_, before, after) => {
    expect(await moved('index.html', page(before))).toBe(page(after));
  });

  it.each([
    [
      'a longer name',
      '<a href="/documentation2/x"><a href="/documentation-old/x"><a href="/documentation_/">',
    ],
    ['a name beyond ASCII', '<a href="/documentationübersicht/"><a href="/documentation@2/">'],
    ['a file of that name', '<a href="/documentation.pdf">'],
    ['a text', '<p>Open /documentation/guide, or <code>href="/documentation/x"</code>.</p>'],
    ['an alternative text', '<img alt="/documentation/x" src="a.png">'],
    ['a description', '<meta name="description" content="/documentation/x is the guide">'],
    ['a sentence in a script', '<script>a="Open /documentation/x"</script>'],
    [
      'a sentence in data',
      '<script type="application/json">["See https://docs.example.com/documentation/x"]</script>',
    ],
    ['an address of another host', '<a href="https://other.example/documentation/x">'],
    [
      'a canonical address without it',
      '<link rel="canonical" href="https://docs.example.com/guide">',
    ],
    ['a relative address', '<a href="../documentation/x">'],
    ['a longer path', '<a href="/en/documentation/x">'],
    ['the content of a style', '<style>a::after{content:"/documentation/x"}</style>'],
    ['text in other charsets', Buffer.from('<p>caf\xe9 \x80\xff</p>', 'latin1').toString('latin1')],
  ])('What is only like one passes byte for byte: %s', async (_, text) => {
    const content = Buffer.from(page(`<a href="/documentation/y">${text}`), 'latin1');
    const { contents, unsure } = await move({ 'index.html': content });
    const expected = page(`<a href="/handbook/y">${text}`);
    expect(contents.get('index.html')?.toString('latin1')).toBe(expected);
    expect(unsure).toEqual([]);
  });
});

describe('an address in another file', () => {
  it.each([
    [
      'app.js',
      'let a="/documentation/"+b,c=["/documentation/x"];d(`/documentation/${e}`)',
      'let a="/handbook/"+b,c=["/handbook/x"];d(`/handbook/${e}`)',
    ],
    [
      'data.json',
      '{"a":"/documentation/x","b":["\\/documentation\\/y"]}',
      '{"a":"/handbook/x","b":["\\/handbook\\/y"]}',
    ],
    ['site.webmanifest', '{"start_url":"/documentation/"}', '{"start_url":"/handbook/"}'],
    [
      'a.css',
      '@import url(/documentation/b.css);a{b:url("/documentation/c")}/* "/documentation/d" */',
      '@import url(/handbook/b.css);a{b:url("/handbook/c")}/* "/documentation/d" */',
    ],
    [
      'j.svg',
      '<svg><script href="a.js"/><style><![CDATA[a{b:url(/documentation/c)}]]></style></svg>',
      '<svg><script href="a.js"/><style><![CDATA[a{b:url(/handbook/c)}]]></style></svg>',
    ],
    [
      'i.svg',
      '<svg><image href="/documentation/a.png"/></svg>',
      '<svg><image href="/handbook/a.png"/></svg>',
    ],
    [
      'sitemap.xml',
      '<loc>\n https://docs.example.com/documentation/a</loc><loc>https://docs.example.com/documentation</loc>',
      '<loc>\n https://acme.github.io/handbook/a</loc><loc>https://acme.github.io/handbook</loc>',
    ],
    [
      'feed.xml',
      '<link>/documentation/a</link><description>&lt;a href="/documentation/b"&gt;</description>',
      '<link>/handbook/a</link><description>&lt;a href="/handbook/b"&gt;</description>',
    ],
    [
      'robots.txt',
      'Disallow: /documentation/x\nAllow:/documentation/y\nSitemap: https://docs.example.com/documentation/sitemap.xml',
      'Disallow: /handbook/x\nAllow:/handbook/y\nSitemap: https://acme.github.io/handbook/sitemap.xml',
    ],
    [
      '_headers',
      '/documentation/*\n  Link: </documentation/a.css>; rel=preload, <https://docs.example.com/documentation/b>\n',
      '/handbook/*\n  Link: </handbook/a.css>; rel=preload, <https://acme.github.io/handbook/b>\n',
    ],
    ['_redirects', '/documentation/a /documentation/b 301\n', '/handbook/a /handbook/b 301\n'],
    [
      'llms.txt',
      '- [A](/documentation/a.md): see /documentation/a\n',
      '- [A](/handbook/a.md): see /documentation/a\n',
    ],
    [
      'a.md',
      '[A](/documentation/a) | /documentation/b |*/documentation*\n',
      '[A](/handbook/a) | /documentation/b |*/documentation*\n',
    ],
  ])('In %s it gets the new base path', async (path, before, after) => {
    expect(await moved(path, before)).toBe(after);
  });

  it.each([
    ['search.json', '{"text":"[Home](/documentation/) and [more](/documentation/ \\"Docs\\")"}'],
    ['search.js', 'index=["[Home](/documentation/)",`[Home](/documentation/)${a(/b/)}`]'],
    ['map.js.map', '{"sourcesContent":["[Home](</documentation/>)"]}'],
    ['html.json', '["<a href=/documentation/ class=a>Home</a>"]'],
    ['index.html', page('<script type="application/json">["[Home](/documentation/)"]</script>')],
    ['app.html', page('<script>index("[Home](/documentation/)")</script>')],
  ])('A link to the start page in a text of %s is an address', async (path, before) => {
    expect(await moved(path, before)).toBe(before.replaceAll('/documentation/', '/handbook/'));
  });

  it('The path may contain the former one: it is exchanged once', async () => {
    const to = { to: '/documentation/v2' };
    const text = 'a="/documentation/x",b="/documentation"';
    expect(await moved('a.js', text, to)).toBe('a="/documentation/v2/x",b="/documentation/v2"');
    const back = { from: '/documentation/v2', to: '/documentation' };
    expect(await moved('a.js', 'a="/documentation/v2/x",b="/documentation/x"', back)).toBe(
      'a="/documentation/x",b="/documentation/x"',
    );
  });

  it.each([
    ['gzip', 'search/en.pf_fragment', gzipSync, gunzipSync],
    ['gzip', 'sitemap.json.gz', gzipSync, gunzipSync],
    ['brotli', 'app.js.br', brotliCompressSync, brotliDecompressSync],
  ] as const)(
    'A file that is compressed by %s is exchanged inside: %s',
    async (_, path, pack, unpack) => {
      const { contents } = await move({ [path]: pack('pagefind_dcd{"url":"/documentation/x"}') });
      const content = contents.get(path) ?? Buffer.alloc(0);
      expect(unpack(content).toString()).toBe('pagefind_dcd{"url":"/handbook/x"}');
    },
  );

  it('A compressed file without the path is not packed again', async () => {
    const content = gzipSync('{"url":"/x"}', { level: 1 });
    const { contents, changed } = await move({ 'a.pf_fragment': content });
    expect(contents.get('a.pf_fragment')).toEqual(content);
    expect([...changed.keys()]).toEqual([]);
  });
});

it('An app that takes over its pages has the files that it is built with at the new path', async () => {
  const { contents } = await move(Object.fromEntries(renderAppSite('/documentation')));
  const texts = new Map(Array.from(contents, ([path, content]) => [path, content.toString()]));
  expect(texts).toEqual(renderAppSite('/handbook'));
});

describe("React's payload", () => {
  it('The bytes of a text are counted again, also beyond ASCII', async () => {
    const text = 'ä "/documentation/x" ü';
    const count = (of: string) => Buffer.byteLength(of).toString(16);
    const now = text.replace('/documentation', '/handbook');
    const payload = (of: string, path: string) =>
      `0:{"p":"${path}"}\n1a:T${count(of)},${of}2:["${path}/y"]\n`;
    expect(await moved('index.txt', payload(text, '/documentation'))).toBe(
      payload(now, '/handbook'),
    );
  });

  it('A script may push several texts, and do something else', async () => {
    const scripts = (path: string) =>
      page(
        `<script>a="${path}/a";self.__next_f.push([1,"0:[\\"${path}/b\\"]\\n"]);self.__next_f.push([1,"1:[\\"${path}/c\\"]\\n"]);go("${path}/d")</script>`,
      );
    expect(await moved('index.html', scripts('/documentation'))).toBe(scripts('/handbook'));
  });

  it('A pushed text of 20 MB and 200,000 addresses in one page are exchanged', async () => {
    const large = (path: string) =>
      page(
        `<script>self.__next_f.push([1,"0:[\\"${path}/a\\"]\\n${'1\\n'.repeat(7_000_000)}"])</script><script>${`a("${path}/");`.repeat(200_000)}</script>`,
      );
    expect((await moved('index.html', large('/documentation'))) === large('/handbook')).toBe(true);
  });

  it('The texts that a page pushes are one stream: a row and an address may be in two of them', async () => {
    const text = 'ä </p> "/documentation/x"';
    const stream = `0:["/documentation/y"]\n1:T${Buffer.byteLength(text).toString(16)},${text}2:"$1"\n`;
    const now = text.replace('/documentation', '/handbook');
    const expected = `0:["/handbook/y"]\n1:T${Buffer.byteLength(now).toString(16)},${now}2:"$1"\n`;
    for (let cut = 1; cut < stream.length; cut += 1) {
      const scripts = [stream.slice(0, cut), stream.slice(cut)]
        .map(
          (part) =>
            `<script>self.__next_f.push([1,${JSON.stringify(part).replaceAll('<', '\\u003c')}])</script>`,
        )
        .join('');
      const after = (await moved('index.html', page(scripts))) ?? '';
      const pushed = [...after.matchAll(/push\(\[1,(".*?")\]\)<\/script>/g)];
      expect(pushed.map(([, literal = '""']) => JSON.parse(literal)).join('')).toBe(expected);
      expect(after.match(/<\/p>/g)).toBeNull();
    }
  });
});

describe('a hash of what has changed', () => {
  const hashOf = (text: string, algorithm = 'sha384') =>
    `${algorithm}-${createHash(algorithm).update(text).digest('base64')}`;
  const SCRIPT = 'load("/documentation/b.js")';
  const MOVED = 'load("/handbook/b.js")';

  it('An integrity attribute is computed again', async () => {
    const tag = (text: string, path: string) =>
      page(`<script src="${path}/a.js" integrity="${hashOf(text)}"></script>`);
    const { contents } = await move({
      'a.js': SCRIPT,
      'index.html': tag(SCRIPT, '/documentation'),
    });
    expect(contents.get('index.html')?.toString()).toBe(tag(MOVED, '/handbook'));
  });

  it('A script with the hash of another one has a new hash too', async () => {
    const loader = (text: string) => `load("b.js","${hashOf(text, 'sha512')}")`;
    const tag = (text: string) =>
      page(`<script src="a.js" integrity="${hashOf(loader(text))}"></script>`);
    const files = { 'a.js': loader(SCRIPT), 'b.js': SCRIPT, 'index.html': tag(SCRIPT) };
    const { contents } = await move(files);
    expect(contents.get('a.js')?.toString()).toBe(loader(MOVED));
    expect(contents.get('index.html')?.toString()).toBe(tag(MOVED));
  });

  it('A policy names the scripts of a page by their new hashes', async () => {
    const html = (text: string) =>
      page(
        `<meta http-equiv="Content-Security-Policy" content="script-src 'self' '${hashOf(text, 'sha256')}'"><script>${text}</script>`,
      );
    expect(await moved('index.html', html(SCRIPT))).toBe(html(MOVED));
  });

  it('A policy in the file of headers does so for all pages', async () => {
    const headers = (text: string) =>
      `/*\n  Content-Security-Policy: script-src '${hashOf(text, 'sha256')}'\n`;
    const { contents } = await move({
      _headers: headers(SCRIPT),
      'index.html': page(`<script>${SCRIPT}</script>`),
    });
    expect(contents.get('_headers')?.toString()).toBe(headers(MOVED));
  });
});

describe('what is not certain', () => {
  it.each([
    ['a.js', 'x.replace(/documentation/g,"")'],
    ['a.js', 'a=/documentation/.test(b)'],
    ['a.js', 'a=b?c:d;/documentation/x'],
    ['a.js', 'a="[Home]";b["replace"](/documentation/,"")'],
    ['a.js', 'a="[Home](/documentation/)" no script'],
    ['a.js', 'b.href=/documentation/ \n'],
    ['a.json', '{"a":"x.replace(/documentation/,1)"}'],
    ['a.json', '{"a":"x|/documentation/y"}'],
    ['index.html', page('<a data-x="a;/documentation/y">')],
    ['index.pf_index', gzipSync(Buffer.from('\x00\x81"/documentation/y"', 'latin1'))],
    ['a.bin', Buffer.from('\x00"/documentation/y"', 'latin1')],
    ['a.br', Buffer.from('no brotli')],
  ])('It stays and is a finding with its file: %s %s', async (path, content) => {
    const { contents, unsure } = await move({ [path]: content });
    expect(contents.get(path)).toEqual(Buffer.from(content));
    expect(unsure).toMatchObject([{ level: 'error', kind: 'moved-unsure', page: path }]);
  });
});

describe('a site that was built for the top of a host', () => {
  const top = { from: '' };
  const html = (path: string) =>
    page(
      `<link rel="canonical" href="https://docs.example.com/guide"><link rel="stylesheet" href="${path}/a.css"><a href="${path}/guide#a"><a href="${path}/"><a href="/other"><img srcset="${path}/a.css 1x"><p style="background:url(&quot;${path}/a.css&quot;)"><meta http-equiv="refresh" content="0;${path}/guide"><script type="application/ld+json">{"url":"/guide"}</script><script src="https://stats.example/a.js"></script>`,
    );
  const FILES = { 'a.css': 'a{b:url(/a.css)}', 'guide.html': 'x' };

  it.each([
    [
      '_redirects',
      '# moved\n/old/* /guide/:splat 301\n/shop id=:id /guide?id=:id\n/ /guide\n/api https://api.example/x 200\n/fn /.netlify/functions/a 200\n',
      '# moved\n/handbook/old/* /handbook/guide/:splat 301\n/handbook/shop id=:id /handbook/guide?id=:id\n/handbook/ /handbook/guide\n/handbook/api https://api.example/x 200\n/handbook/fn /.netlify/functions/a 200\n',
    ],
    [
      '_headers',
      '/*\n  Link: </a.css>; rel=preload\n  Set-Cookie: a=b; Path=/\n  X-A: see /guide\n',
      '/handbook/*\n  Link: </handbook/a.css>; rel=preload\n  Set-Cookie: a=b; Path=/\n  X-A: see /guide\n',
    ],
    [
      'robots.txt',
      'Disallow: /old\nSitemap: https://docs.example.com/sitemap.xml\n',
      'Disallow: /handbook/old\nSitemap: https://docs.example.com/sitemap.xml\n',
    ],
    [
      'robots.txt',
      'User-agent: *\nDisallow:/old\nAllow : /guide\n',
      'User-agent: *\nDisallow:/handbook/old\nAllow : /handbook/guide\n',
    ],
    [
      '_redirects',
      '  /old /guide\nhttps://old.example/* /guide/:splat 301!\n',
      '  /handbook/old /handbook/guide\nhttps://old.example/* /handbook/guide/:splat 301!\n',
    ],
    ['llms.txt', '- [A](/guide): see /guide\n', '- [A](/guide): see /guide\n'],
  ])('The rules of %s get the path too, and other texts stay', async (path, before, after) => {
    const { contents, unsure } = await move({ ...FILES, [path]: before }, top);
    expect(contents.get(path)?.toString()).toBe(after);
    expect(unsure).toEqual([]);
  });

  it('Its addresses that name a file get the path, if it has no script', async () => {
    const { contents, unsure } = await move({ ...FILES, 'index.html': html('') }, top);
    expect(contents.get('index.html')?.toString()).toBe(html('/handbook'));
    expect(contents.get('a.css')?.toString()).toBe('a{b:url(/handbook/a.css)}');
    expect(unsure).toEqual([]);
  });

  it.each([
    '<script src="/app.js"></script>',
    '<script src="app.js" type="module"></script>',
    '<script>run()</script>',
    '<a onclick="run()">',
    '<script type="importmap">{"imports":{"a":"/a.js"}}</script>',
  ])('With a script of the site it is an error that names three ways out: %s', async (script) => {
    const files = { ...FILES, 'index.html': html('') + script };
    await expect(move(files, top)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('its scripts would not work below /handbook'),
      hint: expect.stringMatching(/project-id.*custom domain.*generator/s),
    });
  });
});
