import { type Dialect, IMAGE, writeBody } from '../source.ts';
import { type Generator, sectionsOf } from './generator.ts';

const dialect: Dialect = {
  link: (_, to) => `/${to}`,
  image: (_, name) => `/${name}`,
  callout: (kind, title, body) => `::: ${kind === 'note' ? 'info' : kind} ${title}\n${body}\n:::`,
  details: (title, body) => `::: details ${title}\n${body}\n:::`,
  // Only code can be in tabs.
  tabs: (tabs) =>
    `::: code-group\n${tabs.map(({ label, text }) => codeOf(label, text)).join('\n')}\n:::`,
};

function codeOf(label: string, text: string): string {
  const code = /^```(\w+)\n([\s\S]*?)^```$/m.exec(text);
  if (code === null) return `\`\`\`txt [${label}]\n${text}\n\`\`\``;
  return `\`\`\`${code[1]} [${label}]\n${code[2]}\`\`\``;
}

export const vitepress: Generator = {
  name: 'vitepress',
  files: (pages, { basePath }) => {
    const sidebar = (language: 'en' | 'de') =>
      Array.from(sectionsOf(pages, language), ([text, items]) => ({
        text,
        items: items.map((page) => ({ text: page.title, link: `/${page.id}` })),
      }));
    const config = {
      title: 'Lantern',
      base: `${basePath}/`,
      locales: {
        root: { label: 'English', lang: 'en', themeConfig: { sidebar: sidebar('en') } },
        de: { label: 'Deutsch', lang: 'de', themeConfig: { sidebar: sidebar('de') } },
      },
      themeConfig: { search: { provider: 'local' } },
    };
    return new Map<string, string | Buffer>([
      ['.vitepress/config.mjs', `export default ${JSON.stringify(config)}`],
      [`public/${IMAGE.name}`, IMAGE.bytes],
      ...pages.map(
        (page) => [`${page.id}.md`, `# ${page.title}\n\n${writeBody(page, dialect)}\n`] as const,
      ),
    ]);
  },
  build: ['vitepress', 'build'],
  output: '.vitepress/dist',
};
