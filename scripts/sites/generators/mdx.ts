import type { Dialect, Tab } from '../source.ts';

/** What generators that read MDX have in common: braces are code in it. */
export const mdx = {
  details: (title: string, body: string) =>
    `<details>\n<summary>${title}</summary>\n\n${body}\n\n</details>`,
  callout: (kind: string, title: string, body: string) =>
    `:::${kind}${title === '' ? '' : `[${title}]`}\n\n${body}\n\n:::`,
  prose: (text: string) => text.replaceAll('{', '\\{'),
} satisfies Partial<Dialect>;

/** Tabs as components; `attribute` names the label. */
export function componentTabs(item: string, attributes: (label: string) => string) {
  return (tabs: readonly Tab[]) => {
    const items = tabs.map(
      ({ label, text }) => `<${item} ${attributes(label)}>\n\n${text}\n\n</${item}>`,
    );
    return `<Tabs>\n${items.join('\n')}\n</Tabs>`;
  };
}
