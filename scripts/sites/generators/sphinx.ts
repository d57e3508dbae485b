import { type Dialect, IMAGE, relativeLink, writeBody } from '../source.ts';
import { type Generator, sectionsOf } from './generator.ts';

const dialect: Dialect = {
  link: relativeLink,
  image: (_, name) => name,
  callout: (kind, title, body) =>
    title === '' ? `:::{${kind}}\n${body}\n:::` : `:::{admonition} ${title}\n${body}\n:::`,
  details: (title, body) => `:::{dropdown} ${title}\n${body}\n:::`,
  tabs: (tabs) =>
    `::::{tab-set}\n${tabs.map(({ label, text }) => `:::{tab-item} ${label}\n${text}\n:::`).join('\n')}\n::::`,
};

const CONFIGURATION = `project = "Lantern"
extensions = ["myst_parser", "sphinx_design"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
html_theme = "alabaster"
`;

export const sphinx: Generator = {
  name: 'sphinx',
  files: (pages) => {
    const tree = Array.from([...sectionsOf(pages, 'en'), ...sectionsOf(pages, 'de')], ([, list]) =>
      list.filter((page) => page.id !== 'index').map((page) => page.id),
    ).flat();
    const contents = `\n\n:::{toctree}\n:hidden:\n\n${tree.join('\n')}\n:::\n`;
    return new Map<string, string | Buffer>([
      ['source/conf.py', CONFIGURATION],
      [`source/${IMAGE.name}`, IMAGE.bytes],
      ...pages.map((page) => {
        const end = page.id === 'index' ? contents : '\n';
        return [
          `source/${page.id}.md`,
          `# ${page.title}\n\n${writeBody(page, dialect)}${end}`,
        ] as const;
      }),
    ]);
  },
  build: ['sphinx-build', '-q', '-b', 'html', '-d', 'doctrees', 'source', 'site'],
  output: 'site',
};
