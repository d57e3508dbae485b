import { type Dialect, IMAGE, type SourcePage, writeBody } from '../source.ts';
import type { Generator } from './generator.ts';
import { componentTabs, mdx } from './mdx.ts';

const dialect: Dialect = {
  ...mdx,
  // From the top: a translation may link to a page that is not translated.
  link: (_, to) => `/${to.replace(/^de\//, '')}.mdx`,
  image: (_, name) => `./${name}`,
  tabs: componentTabs('TabItem', (label) => `value="${label}" label="${label}"`),
};

const TABS = "import Tabs from '@theme/Tabs';\nimport TabItem from '@theme/TabItem';\n";
const TRANSLATIONS = 'i18n/de/docusaurus-plugin-content-docs/current';

function fileOf(page: SourcePage): readonly [string, string] {
  const path =
    page.language === 'de' ? `${TRANSLATIONS}/${page.id.replace(/^de\//, '')}` : `docs/${page.id}`;
  const slug = page.id.endsWith('index') ? '---\nslug: /\n---\n' : '';
  return [`${path}.mdx`, `${slug}${TABS}\n# ${page.title}\n\n${writeBody(page, dialect)}\n`];
}

export const docusaurus: Generator = {
  name: 'docusaurus',
  files: (pages, { basePath }) => {
    const config = {
      title: 'Lantern',
      url: 'https://docs.lantern.example',
      baseUrl: `${basePath}/`,
      onBrokenLinks: 'throw',
      i18n: { defaultLocale: 'en', locales: ['en', 'de'] },
      presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]],
      themeConfig: {
        navbar: { title: 'Lantern', items: [{ type: 'localeDropdown', position: 'right' }] },
      },
    };
    return new Map<string, string | Buffer>([
      // Its own modules are CommonJS, which the package above it is not.
      ['package.json', '{ "private": true }\n'],
      ['docusaurus.config.mjs', `export default ${JSON.stringify(config)}`],
      [`docs/${IMAGE.name}`, IMAGE.bytes],
      [`${TRANSLATIONS}/${IMAGE.name}`, IMAGE.bytes],
      ...pages.map(fileOf),
    ]);
  },
  build: ['docusaurus', 'build'],
  output: 'build',
};
