/** A small intact site: it contains every kind of reference that the verification knows once. */
export const CLEAN_SITE: Readonly<Record<string, string>> = {
  'index.html': `<!doctype html><html><head>
<title>Home</title><meta charset="utf-8"><link rel="canonical" href="https://docs.example.com/">
<link rel="stylesheet" href="/assets/main.css"><link rel="icon" href="assets/icon.svg"><link rel="manifest" href="/site.webmanifest">
<link rel="preload" as="font" href="/assets/font.woff2"><link rel="modulepreload" href="/assets/app.js">
<script type="importmap">{"imports": {"app": "/assets/app.js"}, "scopes": {"/x/": {"y": "./assets/app.js"}}}</script>
<script type="module" src="/assets/app.js"></script><style>@import "/assets/extra.css"; body { background: url(assets/pixel.png) }</style>
<script>fetch('/assets/data.json'); const sample = "fetch('https://api.example.com/')"; // fetch('https://x.example')
const pattern = /"https:\\/\\//; import('/assets/app.js');</script>
<script type="application/ld+json">{"@context": "https://schema.org"}</script></head>
<body><h1 id="top-heading">Home</h1><a name="old">old</a>
<a href="#top-heading">here</a><a href="guide/">guide</a><a href="/guide/install">install</a><a href="guide/install.html#step-1">step</a>
<a href="/guide/index.html?x=1#über">umlaut</a><a href="mailto:a@example.com">mail</a><a href="https://example.com/">away</a><a href="#">top</a>
<a href="guide/a%20b.html">space</a><a href="javascript:void(0)">js</a><a href="tel:+1">call</a><a href="guide/install#:~:text=hello">text</a>
<img src="assets/pixel.png" srcset="assets/pixel.png 1x, /assets/pixel.png 2x" alt=""><img src="data:image/png;base64,AAAA" alt="">
<picture><source srcset="assets/pixel.png 100w,assets/pixel.png 200w" media="(min-width: 1px)"></picture>
<video poster="assets/pixel.png" src="assets/clip.mp4"></video><iframe src="guide/install"></iframe><object data="assets/icon.svg"></object>
<svg><use href="assets/icon.svg#shape"/><use xlink:href="#shape"/></svg><div style="background-image: url('assets/pixel.png')"></div>
<form action="/search"><input name="q"></form><pre>&lt;script src="https://cdn.example.com/x.js"&gt;</pre></body></html>`,
  'guide/index.html':
    '<!doctype html><base href="/guide/"><h1 id="über">Guide</h1><a href="install">install</a><a href="../">home</a>',
  'guide/install.html':
    '<!doctype html><h2 id="step-1">Step</h2><a href="./">guide</a><a href="../index.html#old">old</a>',
  'guide/a b.html':
    '<!doctype html><meta http-equiv="refresh" content="0; url=/guide/install"><p>moved</p>',
  'assets/main.css':
    '@charset "utf-8"; @namespace svg url(http://www.w3.org/2000/svg); @font-face { src: url("font.woff2") } /* url(https://x.example/) */ a { fill: url(#g) }',
  'assets/extra.css':
    '.a { background: image-set("pixel.png" 1x) } .b { background: url(data:image/gif;base64,AA==) }',
  'assets/icon.svg':
    '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="shape"/><image href="pixel.png"/></svg>',
  'assets/app.js':
    'import { a } from "./lib.js"; export const url = "https://example.com/"; const html = `<script src="https://cdn.example.com/">`;',
  'assets/lib.js': 'export const a = 1;',
  'assets/font.woff2': 'font',
  'assets/pixel.png': 'png',
  'assets/clip.mp4': 'mp4',
  'assets/data.json': '{}',
  'site.webmanifest': '{"icons": [{"src": "assets/icon.svg"}], "start_url": "/"}',
};

/** One way to break the site: text added to a page, a file removed, or a file added. */
export interface Breakage {
  readonly name: string;
  readonly kind: string;
  readonly add?: string;
  readonly remove?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly level?: string;
}

const AWAY = 'https://cdn.example.net/x';
const head = (name: string, add: string, kind = 'external-load'): Breakage => ({ name, kind, add });

export const BREAKAGES: readonly Breakage[] = [
  { name: 'no entry page', kind: 'no-entry-page', remove: 'index.html' },
  { name: 'a missing page', kind: 'broken-link', remove: 'guide/install.html' },
  { name: 'a missing style sheet', kind: 'missing-asset', remove: 'assets/main.css' },
  { name: 'a missing imported style sheet', kind: 'missing-asset', remove: 'assets/extra.css' },
  { name: 'a missing script', kind: 'missing-asset', remove: 'assets/app.js' },
  {
    name: 'a missing module that a module imports',
    kind: 'missing-asset',
    remove: 'assets/lib.js',
  },
  { name: 'a missing font', kind: 'missing-asset', remove: 'assets/font.woff2' },
  { name: 'a missing icon', kind: 'missing-asset', remove: 'assets/icon.svg' },
  { name: 'a missing manifest', kind: 'missing-asset', remove: 'site.webmanifest' },
  { name: 'a missing video', kind: 'missing-asset', remove: 'assets/clip.mp4' },
  head(
    'srcset to a missing image',
    '<img srcset="assets/pixel.png 1x, assets/none.png 2x">',
    'missing-asset',
  ),
  head(
    'a style attribute to a missing image',
    '<p style="background:url(&quot;none.png&quot;)">',
    'missing-asset',
  ),
  head('a fragment that no page has', '<a href="/guide/install#step-9">', 'missing-fragment'),
  head('a fragment of the same page', '<a href="#nowhere">', 'missing-fragment'),
  head('a name in the wrong case', '<a href="/Guide/install">', 'wrong-case'),
  head('an asset in the wrong case', '<img src="/assets/Pixel.png">', 'wrong-case'),
  head('a slash after the address of a page', '<a href="/guide/install/">', 'broken-link'),
  head('.html after the address of a folder', '<a href="/guide.html">', 'broken-link'),
  head('broken percent signs', '<a href="/guide/%zz">', 'bad-address'),
  head('an encoded slash', '<a href="/guide%2finstall">', 'bad-address'),
  head('an area', '<map><area href="/nowhere"></map>', 'broken-link'),
  head(
    'a refresh to a missing page',
    '<meta http-equiv="Refresh" content="5;URL=\'/nowhere\'">',
    'missing-asset',
  ),
  head('a refresh to elsewhere', `<meta http-equiv=refresh content="0; url=${AWAY}">`),
  head('a script from elsewhere', `<script src="${AWAY}.js"></script>`),
  head('a script without a scheme', '<script src="//cdn.example.net/x.js"></script>'),
  head('a style sheet from elsewhere', `<link rel="stylesheet" href="${AWAY}.css">`),
  head('an image from elsewhere', `<img src="${AWAY}.png">`),
  head('a srcset from elsewhere', `<img srcset="${AWAY}.png 2x">`),
  head(
    'a preloaded image set from elsewhere',
    `<link rel=preload as=image imagesrcset="${AWAY}.png 2x">`,
  ),
  head('a frame from elsewhere', `<iframe src="${AWAY}"></iframe>`),
  head('an embedded file from elsewhere', `<embed src="${AWAY}"><object data="${AWAY}"></object>`),
  head('a film from elsewhere', `<video poster="${AWAY}"><source src="${AWAY}"></video>`),
  head('a preconnect', '<link rel="preconnect" href="https://fonts.example.net">'),
  head('a dns-prefetch', '<link rel="dns-prefetch" href="//fonts.example.net">'),
  head('a preload', `<link rel="preload" as="script" href="${AWAY}">`),
  head(
    'an import map to elsewhere',
    `<script type="importmap">{"imports":{"z":"${AWAY}"}}</script>`,
  ),
  head('url() in a style element', `<style>a{background:url( '${AWAY}' )}</style>`),
  head('@import in a style element', `<style>@import url(${AWAY}.css) screen;</style>`),
  head('an escaped @import', '<style>@import "https\\3a //cdn.example.net/x.css";</style>'),
  head('a style attribute from elsewhere', `<p style="background:url(${AWAY})">`),
  head('fetch in an inline script', `<script>fetch( "${AWAY}" )</script>`),
  head('import() in an inline script', `<script>import('${AWAY}')</script>`),
  head('an import in a module', `<script type="module">import x from "${AWAY}"</script>`),
  head(
    'XMLHttpRequest',
    `<script>const r = new XMLHttpRequest(); r.open('GET', '${AWAY}')</script>`,
  ),
  head('a WebSocket', '<script>new WebSocket("wss://live.example.net/")</script>'),
  head('a beacon', `<script>navigator.sendBeacon("${AWAY}", 1)</script>`),
  head('an image made by a script', `<script>const i = new Image(); i.src = "${AWAY}"</script>`),
  head('a template with a gap', '<script>fetch(`https://cdn.example.net/${x}`)</script>'),
  head(
    'an SVG image from elsewhere',
    `<svg><image href="${AWAY}"/><use xlink:href="${AWAY}#a"/></svg>`,
  ),
  head('a form to elsewhere', `<form action="${AWAY}"></form>`, 'external-form'),
  head('a button to elsewhere', `<button formaction="${AWAY}">`, 'external-form'),
  head('a file on the disk of the reader', '<img src="file:///C:/x.png">', 'local-address'),
  {
    name: 'a base elsewhere',
    kind: 'external-load',
    files: { 'b.html': '<base href="https://other.example.net/"><img src="x.png">' },
  },
  {
    name: 'a base that moves relative links',
    kind: 'broken-link',
    files: { 'b.html': '<base href="/assets/"><a href="guide/">x</a>' },
  },
  {
    name: 'a style file from elsewhere',
    kind: 'external-load',
    files: { 'assets/more.css': `a{background:url(${AWAY})}` },
  },
  {
    name: 'a script file that fetches',
    kind: 'external-load',
    files: { 'assets/more.js': `void fetch("${AWAY}")` },
  },
  {
    name: 'an SVG file from elsewhere',
    kind: 'external-load',
    files: { 'assets/more.svg': `<svg><image href="${AWAY}"/></svg>` },
  },
  {
    name: 'an icon of the manifest',
    kind: 'missing-asset',
    files: { 'site.webmanifest': '{"icons":[{"src":"none.png"}]}' },
  },
  {
    name: 'a page beyond 8 MiB',
    kind: 'page-too-large',
    files: { 'big.html': ' '.repeat(8 * 1024 * 1024 + 1) },
  },
];
