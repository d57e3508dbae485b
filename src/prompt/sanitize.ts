import MarkdownIt from 'markdown-it';
import { stripInvisible } from '../text/characters.ts';
import { toVisibleText } from './visible-text.ts';

export interface Sanitized {
  readonly text: string;
  /** Invisible characters taken out. */
  readonly removed: number;
}

export type Sanitize = (markdown: string) => Sanitized;

// Raw HTML is kept on the way, so that the next step sees all elements, Markdown's and the text's own, as one tree.
const markdown = new MarkdownIt('commonmark', { html: true });
// No destinations, titles or alternative texts: a person reading the page sees none of them.
markdown.renderer.rules['link_open'] = () => '';
markdown.renderer.rules['link_close'] = () => '';
markdown.renderer.rules['image'] = () => '';
markdown.renderer.rules['fence'] = (tokens, index) => `<pre>${escapeHtml(tokens[index]?.content ?? '')}</pre>`;
markdown.renderer.rules['code_block'] = (tokens, index) => `<pre>${escapeHtml(tokens[index]?.content ?? '')}</pre>`;

// A line end stays text: two tokens for each line would be most of the work for a text of short lines, and the space around it is
// trimmed later.
markdown.inline.ruler.at('newline', (state, silent) => {
  if (state.src.charCodeAt(state.pos) !== 0x0a) return false;
  if (!silent) state.pending += '\n';
  state.pos += 1;
  return true;
});

// What takes more is built to take more: texts of people are stable after one or two passes.
const MAX_PASSES = 6;
// GitHub's own limit for a description or a comment; what is longer is cut before it is read.
const MAX_CHARS = 65_536;

/**
 * Markdown of anyone to the text that a person sees on the page, written as simple Markdown. Repeated until nothing changes,
 * so that nothing can be built that turns into something hidden by the removal of something else.
 */
export function sanitize(text: string): Sanitized {
  const visible = stripInvisible(text.slice(0, MAX_CHARS));
  let { removed } = visible;
  let now = visible.text;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    // Entities can spell invisible characters, so each pass looks for them again.
    const next = stripInvisible(toVisibleText(markdown.render(now)));
    removed += next.removed;
    if (next.text === now) return { text: now, removed };
    now = next.text;
  }
  return { text: disarm(now), removed };
}

// For a text that does not come to rest: nothing stays that Markdown or HTML could read as markup.
function disarm(text: string): string {
  const letters = text.replace(/[^\p{L}\p{N}\p{M}\p{Zs}\n,.:;'"?!/]/gu, ' ');
  const lines = letters.split('\n').map((line) =>
    line
      .replace(/\p{Zs}+/gu, ' ')
      .trim()
      .replace(/^(\d{1,9})\./, '$1'),
  );
  return lines
    .join('\n')
    .replace(/\n{2,}/g, '\n\n')
    .trim();
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
