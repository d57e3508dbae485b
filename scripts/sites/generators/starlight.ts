import { type Dialect, IMAGE, writeBody } from '../source.ts';
import type { Generator } from './generator.ts';
import { componentTabs, mdx } from './mdx.ts';

const CALLOUTS = { note: 'note', tip: 'tip', warning: 'caution' } as const;
const CONTENT = `import { defineCollection } from 'astro:content';
import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`;
const TABS = "import { Tabs, TabItem } from '@astrojs/starlight/components';\n";

export const starlight: Generator = {
  name: 'starlight',
  files: (pages, { basePath }) => {
    const dialect: Dialect = {
      ...mdx,
      // Astro adds no base to links in pages.
      link: (_, to) => `${basePath}/${to.replace(/(?:^|(?<=\/))index$/, '')}`.replace(/\/*$/, '/'),
      image: (_, name) => `${basePath}/${name}`,
      callout: (kind, title, body) => mdx.callout(CALLOUTS[kind], title, body),
      tabs: componentTabs('TabItem', (label) => `label="${label}"`),
    };
    const options = {
      title: 'Lantern',
      locales: { root: { label: 'English', lang: 'en' }, de: { label: 'Deutsch', lang: 'de' } },
      sidebar: ['guide', 'operate', 'reference'].map((directory) => ({
        label: directory,
        items: [{ autogenerate: { directory } }],
      })),
    };
    const config = `import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';
export default defineConfig({
  site: 'https://docs.lantern.example',
  base: ${JSON.stringify(`${basePath}/`)},
  integrations: [starlight(${JSON.stringify(options)})],
});
`;
    return new Map<string, string | Buffer>([
      ['astro.config.mjs', config],
      ['src/content.config.ts', CONTENT],
      [`public/${IMAGE.name}`, IMAGE.bytes],
      ['public/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
      ...pages.map(
        (page) =>
          [
            `src/content/docs/${page.id}.mdx`,
            `---\ntitle: ${page.title}\n---\n${TABS}\n${writeBody(page, dialect)}\n`,
          ] as const,
      ),
    ]);
  },
  build: ['astro', 'build'],
  output: 'dist',
};
