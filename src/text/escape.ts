/**
 * Text from outside on its way to a person: into a log line, a summary, a comment. The runner takes commands from log lines,
 * and GitHub's Markdown takes HTML, images, mentions and references from text; none of it may act.
 */

// Everything that some reader of lines takes for the end of one.
const LINE_BREAKS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
// Controls, format characters (bidi, zero width, tags), private use, unassigned and lone surrogates: nothing of it is text.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u115f\u1160\u3164\uffa0]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;
const ZERO_WIDTH_SPACE = '\u200b';

/** Cuts at a code point and says so with an ellipsis; `maxChars` counts UTF-16 units and includes the ellipsis. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, Math.max(0, maxChars - 1));
  const last = cut.charCodeAt(cut.length - 1);
  const endsInHalf = last >= 0xd800 && last <= 0xdbff;
  return `${endsInHalf ? cut.slice(0, -1) : cut}…`;
}

/** The lines of a text, each without any character that could end or hide it. Tabs become spaces. */
export function visibleLines(text: string): string[] {
  return text.split(LINE_BREAKS).map((line) => line.replaceAll('\t', '  ').replace(INVISIBLE, ''));
}

// The runner looks for `##[command]` anywhere in a line, and for `::command` behind leading white space.
function disarm(line: string): string {
  const broken = line.replaceAll('##[', '##\\[');
  return /^\s*::/.test(broken) ? `| ${broken}` : broken;
}

/** Lines that the runner prints as they are and never obeys. */
export function inertLines(text: string): string[] {
  return visibleLines(text).map(disarm);
}

/** One inert line: for log messages, error messages and annotation texts. */
export function plainLine(text: string, maxChars = 500): string {
  const line = visibleLines(cutText(text, maxChars * 2))
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');
  return disarm(cutText(line, maxChars));
}

/** Text as text inside Markdown: no markup, no HTML, no mention, no reference, no link; one line. */
export function escapeMarkdown(text: string, maxChars = 500): string {
  return (
    plainLine(text, maxChars)
      .replace(/[\\`*_{}[\]()#~$^<>&|]/g, escapeCharacter)
      // These mean something only at the start of a line.
      .replace(/^([-+=/])/, '\\$1')
      .replace(/^(\d{1,9})([.)])/, '$1\\$2')
      .replaceAll('@', `@${ZERO_WIDTH_SPACE}`)
      .replace(/\\#(?=\d)/g, `\\#${ZERO_WIDTH_SPACE}`)
      .replace(/\bGH-(?=\d)/gi, `$&${ZERO_WIDTH_SPACE}`)
      .replaceAll('://', `:${ZERO_WIDTH_SPACE}//`)
      .replace(/www\./gi, `$&${ZERO_WIDTH_SPACE}`)
  );
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '|': '&#124;' };

// HTML's own characters as entities, since a backslash does not help everywhere; the pipe, since it would split a table's row.
function escapeCharacter(character: string): string {
  return ENTITIES[character] ?? `\\${character}`;
}

function longestRun(text: string, char: string): number {
  let longest = 0;
  for (let at = 0, run = 0; at < text.length; at += 1) {
    run = text[at] === char ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** Text as an inline code span, whatever backticks it holds; empty text gives an empty string. */
export function codeSpan(text: string, maxChars = 500): string {
  const line = plainLine(text, maxChars);
  if (line === '') return '';
  const fence = '`'.repeat(longestRun(line, '`') + 1);
  const padding = /^`|`$|^ .* $/.test(line) ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** Text as a fenced block, with a fence longer than any inside. */
export function codeBlock(text: string, options: { language?: string; maxChars?: number } = {}): string {
  const body = visibleLines(cutText(text, options.maxChars ?? 10_000)).join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(body, '`') + 1));
  return `${fence}${options.language ?? ''}\n${body}\n${fence}`;
}

/** A link, only where the address is plain https; otherwise the address as code. `label` is Markdown already. */
export function link(label: string, url: string): string {
  return /^https:\/\/[A-Za-z0-9\-._~/%?&=+:@#]+$/.test(url) && url.length <= 2000
    ? `[${label}](${url})`
    : codeSpan(url);
}
