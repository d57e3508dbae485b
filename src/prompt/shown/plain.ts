import { stripInvisible } from '../../ground/text/escape.ts';
import { withinScreen } from './screen.ts';
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
  ['a formula', /\$\$|\$`|\$[^\s$][^$\n]*[^\s$]\$/],
];
const DRAWING = /^(?:`{3,}|~{3,})[ \t]*(?:mermaid|geojson|topojson|stl|math)\b/i;

/**
 * Reads a text of which the server does not say what its page shows. Comments are left out; with
 * anything else that may be hidden, nothing of the text is read, and `unknown` says why.
 */
export function readPlain(markdown: string): Shown {
  const { text, removed: invisible } = stripInvisible(markdown);
  // The comment never ends, so that not each of them is searched for its end.
  if (text.lastIndexOf('<!--') > text.lastIndexOf('-->')) return unread(['HTML'], invisible);
  const code: string[] = [];
  const removed = new Set<string>();
  const rest = text.replace(CODE_OR_COMMENT, (match) => {
    if (match.startsWith('<')) {
      removed.add('comments');
      return '';
    }
    // A private character, which the text does not have any more, keeps its place.
    code.push(match);
    return '\ue000';
  });
  const unknown = UNCLEAR.filter(([, pattern]) => pattern.test(rest)).map(([what]) => what);
  if (removed.size > 0 && code.some((one) => one.includes('<')))
    unknown.push('a comment next to code');
  if (code.some((one) => withinScreen(one) !== one)) unknown.push('a long run of spaces');
  if (code.some((one) => DRAWING.test(one))) unknown.push('a diagram or a formula');
  if (unknown.length > 0) return unread(unknown, invisible);
  const shown = rest.replace(/\ue000/g, () => code.shift() ?? '');
  return { text: shown.trim(), removed: [...removed], invisible, drawn: [], unknown };
}

function unread(unknown: readonly string[], invisible: number): Shown {
  return { text: '', removed: [], invisible, drawn: [], unknown };
}
