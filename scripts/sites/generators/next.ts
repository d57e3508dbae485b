import MarkdownIt from 'markdown-it';
import { type Dialect, IMAGE, type SourcePage, type Tab, writeBody } from '../source.ts';
import { type Generator, sectionsOf } from './generator.ts';

/** Markdown as JSX, in which braces are code and white space is joined. */
const markdown = new MarkdownIt({ html: true, xhtmlOut: true });
const plain = new MarkdownIt();
const asCode = (text: string) => `{${JSON.stringify(text)}}`;
markdown.renderer.rules.text = (tokens, at) => asCode(tokens[at]?.content ?? '');
markdown.renderer.rules.softbreak = () => '{" "}';
markdown.renderer.rules.code_inline = (tokens, at) =>
  `<code>${asCode(tokens[at]?.content ?? '')}</code>`;
markdown.renderer.rules.fence = (tokens, at) =>
  `<pre><code className="language-${tokens[at]?.info}">${asCode(tokens[at]?.content ?? '')}</code></pre>`;
for (const renderer of [markdown, plain]) {
  renderer.core.ruler.push('anchors', ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      if (token.type !== 'heading_open') continue;
      const text = tokens[at + 1]?.content ?? '';
      token.attrSet('id', text.toLowerCase().replace(/[^\w]+/g, '-'));
    }
  });
}

const jsx = (text: string) =>
  markdown
    .render(text)
    .replace(/<a href/g, '<Link href')
    .replace(/<\/a>/g, '</Link>');
/** In the Markdown of a page, a component is a comment in a paragraph until the page is rendered. */
const COMPONENT = /<!--([\w+/=]+)-->/g;
const component = (code: string) => `<!--${Buffer.from(code).toString('base64')}-->`;

function dialectOf(basePath: string): Dialect {
  return {
    link: (_, to) => `/${to.replace(/(?:^|\/)index$/, '')}`,
    image: (_, name) => `${basePath}/${name}`,
    callout: (kind, title, body) =>
      component(`<Callout kind="${kind}" title="${title}">${jsx(body)}</Callout>`),
    details: (title, body) => component(`<Accordion title="${title}">${jsx(body)}</Accordion>`),
    tabs: (tabs: readonly Tab[]) => {
      const labels = JSON.stringify(tabs.map(({ label }) => label));
      const panels = tabs.map(({ label, text }) => `<div key="${label}">${jsx(text)}</div>`);
      return component(`<Tabs labels={${labels}} panels={[${panels.join(',')}]} />`);
    },
  };
}

function pageCode(page: SourcePage, dialect: Dialect): string {
  const body = bodyOf(page, dialect);
  return `import Link from 'next/link';
import { Accordion, Callout, Tabs } from '${'../'.repeat(page.id === 'index' ? 1 : page.id.replace(/\/?index$/, '').split('/').length + 1)}parts.jsx';
export const metadata = { title: ${JSON.stringify(page.title)} };
export default async function Page() {
  await new Promise((done) => setTimeout(done));
  return <div lang="${page.language}"><h1>{${JSON.stringify(page.title)}}</h1>${body}</div>;
}
`;
}

/** The longest page is one text for the scripts of the page, whose bytes React counts. */
const LONG_PAGE = /reference\/settings$/;

function bodyOf(page: SourcePage, dialect: Dialect): string {
  const text = writeBody(page, dialect);
  if (LONG_PAGE.test(page.id)) {
    const html = `${plain.render(text)}<p><a href="${dialect.image(page, '')}">Lantern – überall</a></p>`;
    return `<div dangerouslySetInnerHTML={{ __html: ${JSON.stringify(html)} }} />`;
  }
  return jsx(text).replace(COMPONENT, (_, code: string) => Buffer.from(code, 'base64').toString());
}

const PARTS = `'use client';
import { useId, useState } from 'react';
export function Callout({ kind, title, children }) {
  return <aside className={kind} aria-label={title || kind}>{title && <p aria-hidden="true">{title}</p>}<div>{children}</div></aside>;
}
export function Accordion({ title, children }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return <div><h3><button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>{title}</button></h3><div id={id} role="region" hidden={!isOpen}>{children}</div></div>;
}
export function Tabs({ labels, panels }) {
  const [open, setOpen] = useState(0);
  const id = useId();
  return <div><div role="tablist">{labels.map((label, at) => <button key={label} type="button" role="tab" aria-selected={at === open} aria-controls={id + at} onClick={() => setOpen(at)}>{label}</button>)}</div>{panels.map((panel, at) => <div key={at} id={id + at} role="tabpanel" hidden={at !== open}>{panel}</div>)}</div>;
}
`;

export const next: Generator = {
  name: 'next',
  files: (pages, { basePath }) => {
    const menu = Array.from(sectionsOf(pages, 'en').values())
      .flat()
      .map(
        (page) =>
          `<li><Link href="/${page.id === 'index' ? '' : page.id}">{${JSON.stringify(page.title)}}</Link></li>`,
      );
    const layout = `import Link from 'next/link';
export default function Layout({ children }) {
  return <html lang="en"><body><header>Lantern</header><nav><ul>${menu.join('')}</ul></nav><main>{children}</main><footer>By the people of Lantern</footer></body></html>;
}
`;
    // With the id of a deployment, Next.js makes none for the build; older ones make both.
    const config = { output: 'export', basePath, images: { unoptimized: true } };
    return new Map<string, string | Buffer>([
      [
        'next.config.mjs',
        `export default { ...${JSON.stringify(config)}, deploymentId: process.env.DEPLOYMENT, generateBuildId: () => process.env.BUILD, turbopack: { root: import.meta.dirname } };\n`,
      ],
      ['package.json', '{ "private": true }\n'],
      ['parts.jsx', PARTS],
      ['app/layout.jsx', layout],
      [
        'app/loading.jsx',
        'export default function Loading() { return <p>Loading the page</p>; }\n',
      ],
      [`public/${IMAGE.name}`, IMAGE.bytes],
      ...pages.map((page) => {
        const folder = page.id.replace(/(?:^|\/)index$/, '');
        return [
          `app/${folder === '' ? '' : `${folder}/`}page.jsx`,
          pageCode(page, dialectOf(basePath)),
        ] as const;
      }),
    ]);
  },
  build: ['next', 'build'],
  output: 'out',
};
