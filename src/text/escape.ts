import { longestRun, stripInvisible } from './characters.ts';
import { cut } from './cut.ts';

/**
 * Text from outside on its way to a person: into a log line, a summary, a comment. The runner takes commands from log lines,
 * and GitHub's Markdown takes HTML, images, mentions and references from text; none of it may act.
 */

const ZERO_WIDTH_SPACE = '\u200b';

/** The lines of a text, each without any character that could end or hide it. Tabs become spaces. */
export function visibleLines(text: string): string[] {
  return stripInvisible(text)
    .text.split('\n')
    .map((line) => line.replaceAll('\t', '  '));
}

// GitHub's runner looks for `##[command]` anywhere in a line, Azure Pipelines for `##[…]` and `##vso[…]`, TeamCity for
// `##teamcity[…]`.
const COMMAND_IN_LINE = /##(?=[A-Za-z]{0,20}\[)/g;
// At the start of a line: `::command` of GitHub and Gitea; `---`, `+++`, `~~~` and `^^^` of Buildkite, which open and fold its
// groups; the sections of GitLab; the folds of Travis CI.
const COMMAND_AT_START = /^\s*(?:::|---|\+\+\+|~~~|\^\^\^|section_(?:start|end):|travis_(?:fold|time):)/;

function disarm(line: string): string {
  const broken = line.replace(COMMAND_IN_LINE, '##\\');
  return COMMAND_AT_START.test(broken) ? `| ${broken}` : broken;
}

/** Lines that no CI system takes for a command: each prints them as they are. */
export function inertLines(text: string): string[] {
  return visibleLines(text).map(disarm);
}

/** One inert line: for log messages, error messages and annotation texts. */
export function plainLine(text: string, maxChars = 500): string {
  const line = visibleLines(cut(text, { chars: maxChars * 2 }))
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');
  return disarm(cut(line, { chars: maxChars }));
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
  const body = visibleLines(cut(text, { chars: options.maxChars ?? 10_000 })).join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(body, '`') + 1));
  return `${fence}${options.language ?? ''}\n${body}\n${fence}`;
}

/** A link, only where the address is plain https; otherwise the address as code. `label` is Markdown already. */
export function link(label: string, url: string): string {
  return /^https:\/\/[A-Za-z0-9\-._~/%?&=+:@#]+$/.test(url) && url.length <= 2000
    ? `[${label}](${url})`
    : codeSpan(url);
}
