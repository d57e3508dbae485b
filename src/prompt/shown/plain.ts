import { stripInvisible } from '../../text/escape.ts';
import type { Shown } from './shown.ts';

/** Blocks and words of code, and comments: whichever begins first. */
const CODE_OR_COMMENT =
  /^(`{3,}|~{3,})[^`\n]*(?:\n(?:[\s\S]*?\n)? {0,3}\1[`~]*[ \t]*$|\n[\s\S]*|(?![\s\S]))|(?<![\\`])(`+)(?!`)[^\n]{0,2000}?[^`\n]\2(?!`)|<!--[\s\S]*?-->/gm;

/** Markdown of which the source says more, or less, than a page shows. */
const UNCLEAR: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['HTML', /<[A-Za-z/!?]/],
  ['an image', /!\[/],
  ['a link with a title', /\]\([^()\n]*\s["'(]/],
  ['a footnote or a definition of a link', /\[\^|^[ >]*\[[^\]\n]*\]:/m],
  ['a table', /^(?=[^|\n]*\|)(?=[^\n-]*-)[ >|:-]+$/m],
  ['code whose end is unclear', /`|^[ >]*~~~/m],
  ['a long run of spaces', /\s{200}/],
];
const FORMULA = /\$\$|\$`|\$[^\s$][^$\n]*[^\s$]\$/;
const DRAWING = /^(?:`{3,}|~{3,})[ \t]*(?:mermaid|geojson|topojson|stl)\b/im;

/**
 * Reads a text of which the server does not say what its page shows. Comments are left out; with
 * anything else that may be hidden, nothing of the text is read, and `unknown` says why.
 */
export function readPlain(markdown: string): Shown {
  const { text, removed: invisible } = stripInvisible(markdown);
  // The comment never ends, so that not each of them is searched for its end.
  if (text.lastIndexOf('<!--') > text.lastIndexOf('-->'))
    return { text: '', removed: [], invisible, drawn: [], unknown: ['HTML'] };
  const code: string[] = [];
  let hasComments = false;
  const rest = text.replace(CODE_OR_COMMENT, (match) => {
    if (match.startsWith('<')) {
      hasComments = true;
      return '';
    }
    // A private character, which the text does not have any more, keeps its place.
    code.push(match);
    return '\ue000';
  });
  const unknown = UNCLEAR.filter(([, pattern]) => pattern.test(rest)).map(([what]) => what);
  if (hasComments && code.some((one) => one.includes('<'))) unknown.push('a comment next to code');
  const drawn: string[] = [];
  if (code.some((one) => DRAWING.test(one))) drawn.push('diagram');
  if (FORMULA.test(rest) || code.some((one) => /^[`~]+[ \t]*math\b/.test(one)))
    drawn.push('formula');
  const removed = hasComments ? ['comments'] : [];
  if (unknown.length > 0 || drawn.length > 0)
    return { text: '', removed, invisible, drawn, unknown };
  const shown = rest.replace(/\ue000/g, () => code.shift() ?? '');
  return { text: shown.trim(), removed, invisible, drawn, unknown };
}
