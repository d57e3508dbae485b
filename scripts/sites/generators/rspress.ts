import { type Dialect, IMAGE, writeBody } from '../source.ts';
import { type Generator, sectionsOf } from './generator.ts';
import { componentTabs, mdx } from './mdx.ts';

const dialect: Dialect = {
  ...mdx,
  // The language is part of the path to a page unless it is the first.
  link: (_, to) => `/${to}`,
  image: (_, name) => `/${name}`,
  details: (title, body) => `:::details ${title}\n\n${body}\n\n:::`,
  callout: (kind, title, body) => `:::${kind} ${title}\n\n${body}\n\n:::`,
  tabs: componentTabs('Tab', (label) => `label="${label}"`),
};

const TABS = "import { Tab, Tabs } from '@rspress/core/theme';\n";

export const rspress: Generator = {
  name: 'rspress',
  files: (pages, { basePath }) => {
    const sidebar = (language: 'en' | 'de', start: string) => ({
      [start]: Array.from(sectionsOf(pages, language), ([text, items]) => ({
        text,
        items: items.map((page) => ({ text: page.title, link: `/${page.id}` })),
      })),
    });
    const config = {
      root: 'docs',
      title: 'Lantern',
      base: `${basePath}/`,
      lang: 'en',
      locales: [
        { lang: 'en', label: 'English' },
        { lang: 'de', label: 'Deutsch' },
      ],
      themeConfig: { sidebar: { ...sidebar('en', '/'), ...sidebar('de', '/de/') } },
    };
    return new Map<string, string | Buffer>([
      ['rspress.config.mjs', `export default ${JSON.stringify(config)}`],
      [`docs/public/${IMAGE.name}`, IMAGE.bytes],
      ...pages.map((page) => {
        const path = page.language === 'de' ? page.id : `en/${page.id}`;
        return [
          `docs/${path}.mdx`,
          `${TABS}\n# ${page.title}\n\n${writeBody(page, dialect)}\n`,
        ] as const;
      }),
    ]);
  },
  build: ['rspress', 'build'],
  output: 'doc_build',
};
