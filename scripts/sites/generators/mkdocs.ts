import { type Dialect, IMAGE, indented, relativeLink, writeBody } from '../source.ts';
import type { Generator } from './generator.ts';

const dialect: Dialect = {
  link: relativeLink,
  image: (_, name) => name,
  callout: (kind, title, body) =>
    `!!! ${kind}${title === '' ? '' : ` "${title}"`}\n\n${indented(body)}`,
  details: (title, body) => `??? note "${title}"\n\n${indented(body)}`,
  tabs: (tabs) => tabs.map(({ label, text }) => `=== "${label}"\n\n${indented(text)}`).join('\n\n'),
};

/** Material for MkDocs and Zensical read the same project. */
function makeGenerator(name: string, build: readonly string[]): Generator {
  return {
    name,
    files: (pages, { basePath }) =>
      new Map<string, string | Buffer>([
        // JSON is YAML.
        ['mkdocs.yml', JSON.stringify(configure(basePath), undefined, 2)],
        [`docs/${IMAGE.name}`, IMAGE.bytes],
        ...pages.map(
          (page) =>
            [`docs/${page.id}.md`, `# ${page.title}\n\n${writeBody(page, dialect)}\n`] as const,
        ),
      ]),
    build,
    output: 'site',
  };
}

function configure(basePath: string) {
  return {
    site_name: 'Lantern',
    site_url: `https://docs.lantern.example${basePath}/`,
    // Fonts would be loaded from another host.
    theme: { name: 'material', font: false, features: ['content.code.copy'] },
    markdown_extensions: [
      'admonition',
      'pymdownx.details',
      'pymdownx.superfences',
      { 'pymdownx.tabbed': { alternate_style: true } },
      { toc: { permalink: true } },
    ],
  };
}

export const material = makeGenerator('material', ['mkdocs', 'build', '--quiet']);
export const zensical = makeGenerator('zensical', ['zensical', 'build', '-f', 'mkdocs.yml']);
