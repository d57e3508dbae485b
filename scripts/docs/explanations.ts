import type { DocsSource } from './source.ts';

/**
 * The sections of the pages about errors, as a module of paragraphs. A copy of the action has no
 * pages, so that a link is its words.
 */
export function renderExplanations({ errors }: DocsSource): string {
  const sections = errors.map(({ code, cause, remedy, text }) => {
    const paragraphs = [cause, `What to do: ${remedy}`, ...text.trim().split(/\n\n+/)];
    return [code, paragraphs.map(plain)];
  });
  return `// Generated from scripts/docs/errors.yml by \`npm run docs\`. Do not edit.

import type { ErrorCode } from '../ground/errors.ts';

/** The section about each error code, in paragraphs. The first one says what the code means. */
export const EXPLANATIONS: Readonly<Record<ErrorCode, readonly string[]>> = ${JSON.stringify(Object.fromEntries(sections), undefined, 2)};
`;
}

/** A paragraph in one line, or a list with an item a line, without links. */
function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\n(?!- )/g, ' ');
}
