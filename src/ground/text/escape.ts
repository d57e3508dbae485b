import { hideCredentials } from './hide-credentials.ts';

/**
 * Characters that a person does not see and a model reads: controls, bidi and zero-width
 * characters, tags, private use, unassigned and lone surrogates (Unicode categories Cc, Cf, Co, Cn,
 * Cs), variation selectors, and letters without a shape. They are removed from everything that is
 * shown or sent, except a single joiner that a script or an emoji needs.
 */
// Default_Ignorable_Code_Point contains the Hangul, Khmer and Mongolian fillers, which are letters
// without ink; the blank Braille pattern is a symbol without ink.
const UNSEEN =
  '[\\p{Cf}\\p{Co}\\p{Cn}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\u{2800}]|(?![\\n\\t])\\p{Cc}';
// In these scripts a joiner between two letters, or its absence, is spelling.
const JOINING =
  'Arab Beng Deva Gujr Guru Khmr Knda Mlym Mong Mymr Nkoo Orya Sinh Syrc Taml Telu Tibt'.split(' ');
const JOINING_LETTER = `(?=[\\p{L}\\p{M}])[${JOINING.map((script) => `\\p{scx=${script}}`).join('')}]`;
const PICTURE = '\\p{Extended_Pictographic}';
const NEEDED = [
  `(?<=${JOINING_LETTER})[\\u200c\\u200d](?=${JOINING_LETTER})`,
  // Ends a word of Malayalam.
  '(?<=\\u0d4d)\\u200d',
  `(?<=[${PICTURE}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=${PICTURE})`,
  `(?<=${PICTURE})\\ufe0f`,
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
].join('|');
// Made when it is needed: its sets of Unicode take a tenth of the start of a run.
let invisible: RegExp | undefined;
/** A text without a character that could be invisible, as most are. */
const ONLY_ASCII = /^[\n\t -~]*$/;
/**
 * Colour codes of a terminal, as they are and as JSON and programs escape them. They are removed,
 * so that a secret with colours inside is found.
 */
export const COLOURS = /(?:\u001b|\\(?:u001b|x1b|e|033))\[[\d;:?]*[ -/]*[@-~]/gi;
const LINE_ENDS = /\r\n|[\r\v\f\u{85}\u{2028}\u{2029}]/gu;

/**
 * Spaces of any width, and characters that take no room: a person cannot distinguish them. For
 * patterns with the flag `u`.
 */
export const BLANK = '[\\s\\p{Cf}\\p{Default_Ignorable_Code_Point}]';

/**
 * The text without invisible characters, and how many these were. Colour codes are removed without
 * counting, and every kind of line end becomes `\n`.
 */
export function stripInvisible(text: string): { readonly text: string; readonly removed: number } {
  const plain = text.replace(COLOURS, '').replace(LINE_ENDS, '\n');
  if (ONLY_ASCII.test(plain)) return { text: plain, removed: 0 };
  invisible ??= new RegExp(`(?=${UNSEEN})(?!${NEEDED})[^]`, 'gu');
  let removed = 0;
  const visible = plain.replace(invisible, () => {
    removed += 1;
    return '';
  });
  return { text: visible, removed };
}

/**
 * The text with spaces for line ends: for names, and for a line of a diff, which only `\n` ends.
 */
export function oneLine(text: string): string {
  return text.replace(LINE_ENDS, '\n').replaceAll('\n', ' ');
}

/** Bytes in UTF-8, which is what limits count. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** Length of the longest run of backticks. */
function longestTicks(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), (run) => run[0].length));
}

/**
 * The text, or the beginning of it that fits, cut at a code point, with a note that it was cut. The
 * limit includes the note, in UTF-16 units or in bytes of UTF-8. Only this function cuts text from
 * outside: a cut can halve a secret, and `createRedact` finds the half by the ellipsis after it.
 */
export function cut(
  text: string,
  limit: { readonly chars: number } | { readonly bytes: number },
  note = '…',
): string {
  if ('chars' in limit) {
    if (text.length <= limit.chars) return text;
    return beginning(text, limit.chars - note.length) + note;
  }
  if (Buffer.byteLength(text) <= limit.bytes) return text;
  return beginningInBytes(text, limit.bytes - Buffer.byteLength(note)) + note;
}

/**
 * The part of a text around the position `at`, with an ellipsis at each end that was cut off.
 */
export function cutAround(text: string, at: number, chars: number): string {
  if (text.length <= chars) return text;
  // What follows the position explains more: only a quarter is before it.
  const before = Math.floor(chars / 4);
  // Near the end, all that follows is shown, and the ellipsis takes the place of one character.
  const from = Math.max(0, Math.min(at - before, text.length - chars + 1));
  if (from === 0) return cut(text, { chars });
  // Without the second half of a surrogate pair, whose first half was cut off.
  return cut(`…${text.slice(from).replace(/^[\udc00-\udfff]/, '')}`, { chars });
}

// Without the first half of a surrogate pair, whose second half is cut off.
function beginning(text: string, chars: number): string {
  return text.slice(0, Math.max(0, chars)).replace(/[\ud800-\udbff]$/, '');
}

function beginningInBytes(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, bytes)));
  return text.slice(0, read);
}

/**
 * The functions below make text from outside safe for a log line, a summary or a comment. The
 * runner takes commands from log lines, and GitHub's Markdown takes HTML, images, mentions and
 * references from text: text from outside must cause none of these.
 */

const ZERO_WIDTH_SPACE = '\u200b';

/**
 * The lines of a text, without credentials, invisible characters and line ends; tabs become spaces.
 * All text from outside that a person is shown goes through this function.
 */
export function visibleLines(text: string): string[] {
  return hideCredentials(stripInvisible(text).text)
    .split('\n')
    .map((line) => line.replaceAll('\t', '  '));
}

// GitHub's runner looks for `##[command]` anywhere in a line, Azure Pipelines for `##[…]` and
// `##vso[…]`, TeamCity for `##teamcity[…]`.
const COMMAND_IN_LINE = /##(?=[A-Za-z]{0,20}\[)/g;
// At the start of a line: `::command` of GitHub and Gitea; `---`, `+++`, `~~~` and `^^^` of
// Buildkite, which open and fold its groups; the sections of GitLab; the folds of Travis CI.
const COMMAND_AT_START =
  /^\s*(?:::|---|\+\+\+|~~~|\^\^\^|section_(?:start|end):|travis_(?:fold|time):)/;

/** The line, changed so that no CI system takes it or a part of it for a command. */
function disarm(line: string): string {
  const broken = line.replace(COMMAND_IN_LINE, '##\\');
  if (COMMAND_AT_START.test(broken)) return `| ${broken}`;
  return broken;
}

/** The lines of a text, which no CI system takes for commands. */
export function inertLines(text: string): string[] {
  return visibleLines(text).map(disarm);
}

/** One inert line: for log messages, error messages and annotation texts. */
export function plainLine(text: string, maxChars = 500): string {
  // Cut well after the part that is shown, since half of a credential would not be recognized.
  const line = visibleLines(cut(text, { chars: maxChars * 2 + 1000 }))
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');
  return disarm(cut(line, { chars: maxChars }));
}

/**
 * Text as text inside Markdown: no markup, no HTML, no mention, no reference, no link; one line.
 */
export function escapeMarkdown(text: string, maxChars = 500): string {
  return (
    plainLine(text, maxChars)
      .replace(/[\\`*_{}[\]()#~$^<>&|]/g, escapeCharacter)
      // Only at the start of a line: lists, headings, and commands such as `/close`.
      .replace(/^([-+=/])/, '\\$1')
      .replace(/^(\d{1,9})([.)])/, '$1\\$2')
      // Mentions, references and addresses, which GitHub would make links.
      .replaceAll('@', `@${ZERO_WIDTH_SPACE}`)
      .replace(/\\#(?=\d)/g, `\\#${ZERO_WIDTH_SPACE}`)
      .replace(/\bGH-(?=\d)/gi, `$&${ZERO_WIDTH_SPACE}`)
      .replaceAll('://', `:${ZERO_WIDTH_SPACE}//`)
      // Inside of `www`: after it, GitHub would take the zero-width space for a part of the host
      // name.
      .replace(/ww(?=w\.)/gi, `$&${ZERO_WIDTH_SPACE}`)
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '|': '&#124;',
};

/** Text as text in an element or an attribute of HTML or XML. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

// Characters of HTML become entities, since a backslash does not escape them everywhere; so does
// the pipe, which would split the row of a table.
function escapeCharacter(character: string): string {
  return ENTITIES[character] ?? `\\${character}`;
}

/**
 * Text as an inline code span, whatever backticks it contains; empty text gives an empty string.
 */
export function codeSpan(text: string, maxChars = 500): string {
  const line = plainLine(text, maxChars);
  if (line === '') return '';
  return betweenTicks(line);
}

/** A line between more backticks than it has in a row, so that all of it is text. */
export function betweenTicks(line: string): string {
  const fence = '`'.repeat(longestTicks(line) + 1);
  // Markdown removes one space from both ends, so that a backtick or a space there needs another.
  const padding = /^`|`$|^ .* $/.test(line) ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** Text as a fenced block, with a fence longer than any inside. */
export function codeBlock(
  text: string,
  options: { language?: string; maxChars?: number } = {},
): string {
  const lines = visibleLines(cut(text, { chars: options.maxChars ?? 10_000 }));
  return fenced(lines.join('\n'), options.language);
}

/** Lines between fences that are longer than any run of backticks in them. */
export function fenced(lines: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestTicks(lines) + 1));
  return `${fence}${language}\n${lines}\n${fence}`;
}

/**
 * A link, only if the address is plain https; otherwise the address as code. `label` is Markdown
 * already.
 */
export function link(label: string, url: string): string {
  const isPlain = /^https:\/\/[A-Za-z0-9\-._~/%?&=+:@#]{1,2000}$/.test(url);
  if (isPlain && hideCredentials(url) === url) return `[${label}](${url})`;
  return codeSpan(url);
}
