/**
 * MDX as plain Markdown, for reading: imports and exports are left out, components become blocks of
 * their content, and expressions disappear except for texts. Own code, because the MDX parser and
 * its dependencies are larger than the emulator; what this cannot read stays unchanged.
 */

/** The Markdown of a page in MDX, without its front matter. */
export function plainMdx(source: string): string {
  return splitCode(withoutModules(source))
    .map(({ text, isCode }) => (isCode ? text : plainElements(text)))
    .join('');
}

interface Part {
  readonly text: string;
  readonly isCode: boolean;
}

// Fenced blocks and code spans: nothing in them is MDX.
const CODE =
  /^ {0,3}(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?\n)?[ \t]*\1[`~]*[ \t]*$|(`+)(?!`)[^\n]*?[^`\n]\2(?!`)/gm;

function splitCode(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(CODE)) {
    parts.push(
      { text: text.slice(from, match.index), isCode: false },
      { text: match[0], isCode: true },
    );
    from = match.index + match[0].length;
  }
  return [...parts, { text: text.slice(from), isCode: false }];
}

/**
 * Statements begin at the first column outside code, and end at the end of the line that closes
 * their brackets.
 */
function withoutModules(source: string): string {
  const kept: string[] = [];
  /** What closes the block of code that a line is in. */
  let fence: string | undefined;
  let depth = 0;
  let isStatement = false;
  for (const line of source.split('\n')) {
    if (!isStatement) {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]?.slice(0, 3);
      if (fence === undefined) fence = mark;
      else if (fence === mark) fence = undefined;
      isStatement = fence === undefined && /^(import|export)\b(?=[\s{*'"])/.test(line);
    }
    if (!isStatement) {
      kept.push(line);
      continue;
    }
    depth += depthOf(line);
    // A blank line ends a statement with unclosed brackets.
    if (depth <= 0 || line.trim() === '') {
      isStatement = false;
      depth = 0;
    }
  }
  return kept.join('\n');
}

/** How many more brackets a line opens than it closes, without those in texts. */
function depthOf(line: string): number {
  const code = line.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g, '');
  return (code.match(/[({[]/g)?.length ?? 0) - (code.match(/[)}\]]/g)?.length ?? 0);
}

const VALUE = String.raw`"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\}`;
// A tag begins with a letter directly after `<`; an address in angle brackets has a colon there.
const TAG = new RegExp(
  String.raw`<(/?)([A-Za-z][\w.-]*)((?:\s+(?:[\w:@.-]+(?:\s*=\s*(?:${VALUE}))?|\{\.\.\.[^{}]*\}))*)\s*(/?)>|<(/?)>`,
  'g',
);
const ATTRIBUTE = new RegExp(String.raw`([\w:@.-]+)\s*=\s*(${VALUE})`, 'g');
const EXPRESSION = /\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g;

function plainElements(text: string): string {
  /** The addresses of links whose end tags are still to come. */
  const openLinks: string[] = [];
  return text
    .replace(TAG, (_, closing: string | undefined, name = '', attributes = '', selfClosing = '') =>
      plainTag(
        {
          isEnd: closing === '/',
          name,
          attributes: readAttributes(attributes),
          isEmpty: selfClosing === '/',
        },
        openLinks,
      ),
    )
    .replace(EXPRESSION, plainExpression);
}

function plainExpression(expression: string): string {
  return literalOf(expression) ?? '';
}

function literalOf(expression: string): string | undefined {
  return /^\{\s*(["'`])((?:(?!\1)[^\\$])*)\1\s*\}$/.exec(expression)?.[2];
}

function readAttributes(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', raw = '']) => [
      name,
      raw.startsWith('{') ? (literalOf(raw) ?? '') : raw.slice(1, -1),
    ]),
  );
}

interface Tag {
  readonly isEnd: boolean;
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly isEmpty: boolean;
}

/**
 * Links and images stay links and images; any other element becomes its content, under its title if
 * it has one.
 */
function plainTag({ isEnd, name, attributes, isEmpty }: Tag, openLinks: string[]): string {
  const text = (key: string) => attributes.get(key)?.trim() || undefined;
  if (name === 'a') {
    if (isEnd) return openLinks.length > 0 ? `](${openLinks.pop()})` : '';
    const href = text('href');
    if (href === undefined || isEmpty) return '';
    openLinks.push(addressOf(href));
    return '[';
  }
  const image = text('src');
  if (!isEnd && image !== undefined && /^(img|image|frame)$/i.test(name))
    return `![${text('alt') ?? ''}](${addressOf(image)})`;
  if (name === 'br') return '\n';
  if (/^(b|i|em|strong|span|sup|sub|kbd|code|u|small|mark)$/.test(name)) return '';
  if (isEnd) return '\n\n';
  const title = text('title') ?? text('label') ?? text('name');
  const href = text('href');
  if (title === undefined) return '\n\n';
  return `\n\n**${href === undefined ? title : `[${title}](${addressOf(href)})`}**\n\n`;
}

function addressOf(href: string): string {
  return /[\s()<>]/.test(href) ? `<${href.replace(/[<>\n]/g, '')}>` : href;
}
