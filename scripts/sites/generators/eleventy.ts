import { type Dialect, IMAGE, relativeLink, writeBody } from '../source.ts';
import { type Generator, sectionsOf } from './generator.ts';

const dialect: Dialect = {
  link: (from, to) => relativeLink(from, to, '.html'),
  image: (_, name) => name,
  callout: (kind, title, body) =>
    `<aside class="${kind}">\n${title === '' ? '' : `<p><strong>${title}</strong></p>\n`}\n${body}\n\n</aside>`,
  details: (title, body) => `<details><summary>${title}</summary>\n\n${body}\n\n</details>`,
  // Tabs without a script, as many themes make them.
  tabs: (tabs) => {
    const inputs = tabs.map(
      ({ label }, at) =>
        `<input type="radio" name="tabs" id="tab-${at}"${at === 0 ? ' checked' : ''}><label for="tab-${at}">${label}</label>`,
    );
    const panels = tabs.map(({ text }) => `<div class="panel">\n\n${text}\n\n</div>`);
    return `<div class="tabs">${inputs.join('')}\n\n${panels.join('\n\n')}\n\n</div>`;
  },
};

const CONFIGURATION = `import { HtmlBasePlugin, IdAttributePlugin } from '@11ty/eleventy';
export default function (config) {
  config.addPlugin(HtmlBasePlugin);
  config.addPlugin(IdAttributePlugin);
  config.addPassthroughCopy('pages/site.css');
  config.addPassthroughCopy('pages/*.png');
  return { dir: { input: 'pages', includes: '../layouts', output: 'site' }, pathPrefix: PREFIX };
}
`;

const STYLE = `.tabs { display: flex; flex-wrap: wrap; }
.tabs .panel { display: none; order: 1; width: 100%; }
.tabs input:nth-of-type(1):checked ~ .panel:nth-of-type(1),
.tabs input:nth-of-type(2):checked ~ .panel:nth-of-type(2),
.tabs input:nth-of-type(3):checked ~ .panel:nth-of-type(3) { display: block; }
`;

export const eleventy: Generator = {
  name: 'eleventy',
  files: (pages, { basePath }) => {
    const items = Array.from(sectionsOf(pages, 'en').values()).flat();
    const menu = items.map((page) => `<li><a href="/${page.id}.html">${page.title}</a></li>`);
    const layout = `<!doctype html>
<html lang="{{ language }}">
<head><meta charset="utf-8"><title>{{ title }}</title><link rel="stylesheet" href="/site.css?v=1"></head>
<body><header>Lantern</header><nav><ul>${menu.join('')}</ul></nav>
<main><h1>{{ title }}</h1>{{ content }}</main><footer>Built {{ page.date | date: "%Y-%m-%d" }}</footer></body>
</html>
`;
    return new Map<string, string | Buffer>([
      ['eleventy.config.js', CONFIGURATION.replace('PREFIX', JSON.stringify(`${basePath}/`))],
      ['layouts/page.liquid', layout],
      ['pages/site.css', STYLE],
      [`pages/${IMAGE.name}`, IMAGE.bytes],
      ...pages.map((page) => {
        const head = `---\ntitle: ${page.title}\nlanguage: ${page.language}\nlayout: page.liquid\npermalink: ${page.id}.html\n---\n`;
        return [`pages/${page.id}.md`, `${head}\n${writeBody(page, dialect)}\n`] as const;
      }),
    ]);
  },
  build: ['eleventy', '--quiet'],
  output: 'site',
};
