import type { Page } from './page.ts';

/** A page's text under one heading, as plain text on one line. */
interface PageSection {
  readonly heading: string;
  readonly text: string;
}

const HEADING = /^(#{1,3})[ \t]+(.+?)[ \t]*#*[ \t]*$/;

/** Splits at headings of the first three levels, except for `#` inside code. */
export function splitSections(page: Page): PageSection[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: page.title, lines: [] }];
  let fence: string | undefined;
  for (const line of page.body.split(/\r?\n/)) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1]?.slice(0, 3);
    // Such a line begins a block of code, or ends one that the same mark began.
    if (fence === undefined) fence = mark;
    else if (fence === mark) fence = undefined;
    const heading = fence === undefined && !mark ? HEADING.exec(line) : null;
    if (heading?.[2]) sections.push({ heading: plainText(heading[2]), lines: [] });
    else if (!mark) sections.at(-1)?.lines.push(line);
  }
  return sections
    .map(({ heading, lines }) => ({ heading, text: plainText(lines.join('\n')) }))
    .filter(({ heading, text }) => text !== '' || heading !== page.title);
}

/**
 * Markdown without its marks, in their order: links, the lines below table heads, quotes and lists,
 * callouts, code and emphasis. For reading and searching, not for HTML.
 */
function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*\|?[ \t:|-]+\|[ \t:|-]*$/gm, ' ')
    .replace(/^[ \t]*(>|[-*+]|\d+\.)[ \t]+/gm, '')
    .replace(/\[!\w+\]/g, '')
    .replace(/[`*|]|(?<=\s)_|_(?=\s)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
