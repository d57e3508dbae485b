import MarkdownIt from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { type Environment, environments, footnoteReference, lengthOf, splitFootnotes } from './footnotes.ts';
import { type GfmHtml, HtmlWriter } from './html-writer.ts';
import { blockMath, inlineMath } from './math.ts';
import type { Losses } from './removed.ts';

/**
 * GitHub's Markdown to HTML, with everything left out that GitHub draws instead of showing as text. markdown-it rather than
 * micromark (mdast-util-gfm): both follow the specification, but micromark took 4 to 6 s for 64 KiB of `**a`, `_a_ ` or `[a](`,
 * where markdown-it took 50 ms.
 */

const withLinks = createParser();
// Brackets that cannot become a link need no search for their ends, which is most of the work for a text of brackets.
const withoutLinks = createParser().disable(['link', 'image']);
const MAY_LINK = /\]\(|\]:/;

function createParser() {
  const parser = new MarkdownIt('default', { html: true, maxNesting: 100 });
  parser.use(footnotes);
  // GitHub has no footnotes in place, and compares labels without case. The plugin's own list of the footnotes in use takes time
  // that grows with the square of their number.
  parser.inline.ruler.disable('footnote_inline');
  parser.inline.ruler.at('footnote_ref', footnoteReference);
  parser.core.ruler.disable('footnote_tail');
  // A line end stays text: two tokens for each line would be most of the work for a text of short lines, and the white space
  // around it is trimmed later. Two blanks or a backslash before it break the line, which is the same here.
  parser.inline.ruler.at('newline', (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== 0x0a) return false;
    if (!silent) state.pending += '\n';
    state.pos += 1;
    return true;
  });
  parser.inline.ruler.before('escape', 'math', inlineMath);
  parser.block.ruler.before('fence', 'math', blockMath, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
  return parser;
}

/** `losses` takes what is left out on the way. */
export function toHtml(source: string, losses: Losses): GfmHtml {
  const env: Environment = { used: { numbers: new Map() } };
  environments.set(env, env);
  const tokens = (MAY_LINK.test(source) ? withLinks : withoutLinks).parse(source, env);
  for (const [label, { href, title = '' }] of Object.entries(env.references ?? {})) {
    losses.add('link definitions', label.length + href.length + title.length);
  }
  const writer = new HtmlWriter(source, losses);
  const { text, notes } = splitFootnotes(tokens);
  writer.writeBlocks(text);
  for (const [label, number] of env.used.numbers) writer.writeFootnote(number, notes.get(label) ?? []);
  for (const [label, unused] of notes) {
    if (!env.used.numbers.has(label)) losses.add('unused footnotes', lengthOf(unused));
  }
  return writer.end();
}
