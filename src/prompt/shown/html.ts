import { parseDocument } from 'htmlparser2';
import { betweenTicks, fenced, stripInvisible } from '../../ground/text/escape.ts';
import { imageAddress, linkAddress, wholeCommit } from './addresses.ts';
import { withinScreen } from './screen.ts';
import type { Shown, ToRead } from './shown.ts';

type Node = ReturnType<typeof parseDocument>['childNodes'][number];
type Element = Extract<Node, { readonly attribs: object }>;
/** Text within a line, or blocks. */
type Piece = string | readonly string[];
type Read = (page: Page, element: Element) => Piece;

const line: Read = (page, { children }) => page.line(children);
const blocks: Read = (page, { children }) => page.flow(children);
const nothing: Read = () => '';
const unseen =
  (kind: string): Read =>
  (page, { children }) => {
    if (children.length > 0) page.removed.add(kind);
    return '';
  };

const quotedMail = unseen('quoted mail');

/**
 * The elements and classes (with a dot) of the pages that GitHub renders, with what each becomes; a
 * class comes before the element that has it. An element that is not here is left out. Any other
 * class changes nothing, unless it hides: an author cannot set one.
 */
const TABLE: readonly (readonly [names: string, read: Read])[] = [
  [
    `abbr b bdo big cite dfn em g-emoji i ins kbd mark picture q rb relative-time rtc ruby samp span strong themed-picture time
     tt u var wbr .team-mention .user-mention`,
    line,
  ],
  [
    'caption center dd div dl dt figcaption figure p section summary tbody td tfoot th thead tr',
    blocks,
  ],
  ['h1 h2 h3 h4 h5 h6 h7 h8', heading],
  ['br', () => '\n'],
  ['hr', () => ['---']],
  ['ul', (page, list) => items(page, list, () => '- ')],
  ['ol', numbered],
  ['li', blocks],
  ['.footnotes', (page, { children }) => within(page, 'isNotes', () => page.flow(children))],
  ['blockquote .markdown-alert', (page, { children }) => [quoted(page.flow(children))]],
  ['code', code],
  ['pre', codeBlock],
  ['table markdown-accessiblity-table', table],
  ['details', folded],
  ['a', link],
  ['img video', image],
  ['.emoji', (page, { attribs }) => page.visible(attribs['alt'] ?? '')],
  ['del s strike', (page, { children }) => around('~~', page.line(children))],
  ['sub sup small', small],
  ['rt', (page, { children }) => `(${page.line(children)})`],
  ['.task-list-item-checkbox', (_page, { attribs }) => ('checked' in attribs ? '[x] ' : '[ ] ')],
  ['math-renderer .render-needs-enrichment', drawn],
  ['.js-suggested-changes-blob .blob-wrapper', snippet],
  ['.email-fragment', mailText],
  ['.email-hidden-reply .email-quoted-reply .email-signature-reply', quotedMail],
  ['rp script style template', unseen('hidden elements')],
  // Parts that GitHub adds, such as buttons.
  [
    `clipboard-copy col colgroup input source svg tool-tip .anchor .data-footnote-backref .email-hidden-toggle .sr-only
     .zeroclipboard-container`,
    nothing,
  ],
];

const READERS = new Map(
  TABLE.flatMap(([names, read]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, read] as const),
  ),
);

/** Classes of GitHub's styles that hide. */
const HIDING_CLASS =
  /^(?:d-(?:\w+-)?none|hid(?:e|den)|show-on-focus|(?!overflow-|.*-overflow-).*-hidden)$/;
/** The declarations of GitHub's styles that hide nothing. */
const HARMLESS_STYLE =
  /^(?:(?:text-align|list-style(?:-type)?|min-height):.*|max-(?:width|height): ?[1-9][\w.%]*|display: ?(?:inline|block))?$/i;
const HIDING = ['hidden', 'aria-hidden', 'inert', 'popover'] as const;
// No page nests like this.
const DEEPEST = 200;
// Each makes the text smaller: text in four of them cannot be read.
const MOST_SMALLER = 3;
/** What GitHub draws from code in these languages. */
const DRAWN = new Map([
  ['mermaid', 'diagram'],
  ['math', 'formula'],
  ['geojson', 'map'],
  ['topojson', 'map'],
  ['stl', '3D model'],
]);

/** Reads what the page shows of a text. */
export function readHtml(written: ToRead & { readonly html: string }): Shown {
  const page = new Page(written);
  const text = page.flow(parseDocument(written.html).childNodes).join('\n\n');
  const { removed, invisible, drawn: kinds, unknown } = page;
  return { text, removed: [...removed], invisible, drawn: [...kinds], unknown: [...unknown] };
}

/** A page that is being read. */
class Page {
  readonly body: string;
  readonly isInstruction: boolean;
  readonly removed = new Set<string>();
  readonly drawn = new Set<string>();
  readonly unknown = new Set<string>();
  invisible = 0;
  /** Within a block of code: spaces and line ends stay. */
  isCode = false;
  /** Within the footnotes. */
  isNotes = false;
  smaller = 0;
  #depth = 0;

  constructor({ body, isInstruction = false }: ToRead) {
    this.body = body;
    this.isInstruction = isInstruction;
  }

  /** The blocks of a part of the page. */
  flow(nodes: readonly Node[]): string[] {
    const found: string[] = [];
    let text = '';
    const endLine = () => {
      const tidied = tidy(text);
      if (tidied !== '') found.push(tidied);
      text = '';
    };
    for (const node of nodes) {
      const piece = this.#read(node);
      if (typeof piece === 'string') {
        text += piece;
        continue;
      }
      endLine();
      found.push(...piece);
    }
    endLine();
    return found;
  }

  /** A part of the page as text within a line. */
  line(nodes: readonly Node[]): string {
    let text = '';
    for (const node of nodes) {
      const piece = this.#read(node);
      text += typeof piece === 'string' ? piece : `\n${piece.join('\n')}\n`;
    }
    return text;
  }

  visible(text: string): string {
    const stripped = stripInvisible(text);
    this.invisible += stripped.removed;
    return stripped.text;
  }

  #read(node: Node): Piece {
    if (node.type === 'text') {
      const text = this.visible(node.data);
      if (this.isCode) return text;
      return text.replace(/[\s\p{Zs}]+/gu, ' ');
    }
    // A comment, for example.
    if (!('attribs' in node)) return '';
    if (this.#depth >= DEEPEST) return unseen('too deeply nested text')(this, node);
    this.#depth += 1;
    const piece = this.#readerOf(node)(this, node);
    this.#depth -= 1;
    return piece;
  }

  #readerOf({ name, attribs }: Element): Read {
    const classes = (attribs['class'] ?? '').split(/\s+/).filter(Boolean);
    const known = classes.find((one) => READERS.has(`.${one}`));
    const read = READERS.get(known === undefined ? name : `.${known}`);
    // What GitHub adds is not the author's text; a reply by mail says itself what it hides.
    if (read === nothing || read === quotedMail) return read;
    const isHiding =
      HIDING.some((attribute) => attribute in attribs) ||
      classes.some((one) => HIDING_CLASS.test(one));
    // GitHub gives images a size and a background, and they have no text.
    if (isHiding || (name !== 'img' && !isHarmless(attribs['style'] ?? '')))
      return unseen('hidden elements');
    if (read !== undefined) return read;
    this.unknown.add(`<${[name, ...classes].join('.')}>`);
    return nothing;
  }
}

function isHarmless(style: string): boolean {
  return style.split(';').every((declaration) => HARMLESS_STYLE.test(declaration.trim()));
}

/** Without spaces at the ends of lines, and at those of the text. */
function tidy(text: string): string {
  const lines = text.split('\n').map((one) => one.trim());
  return lines.join('\n').replace(/ {2,}/g, ' ').trim();
}

function around(mark: string, text: string): string {
  if (text.trim() === '') return '';
  return mark + text + mark;
}

/** Reads with a property of the page set. */
function within<T>(page: Page, state: 'isCode' | 'isNotes', read: () => T): T {
  const before = page[state];
  page[state] = true;
  const result = read();
  page[state] = before;
  return result;
}

function heading(page: Page, { name, children }: Element): Piece {
  const text = tidy(page.line(children)).replaceAll('\n', ' ');
  if (text === '') return [];
  return [`${'#'.repeat(Number(name.slice(1)))} ${text}`];
}

function quoted(parts: readonly string[]): string {
  return parts
    .join('\n\n')
    .replace(/^(?=.)/gm, '> ')
    .replace(/^$/gm, '>');
}

/** A list as one block; a list in an item is further to the right. */
function items(page: Page, list: Element, mark: (item: Element) => string): Piece {
  const texts = list.children.flatMap((child) => {
    // Text between the items has no mark.
    const lead = 'attribs' in child ? mark(child) : '';
    const text = page
      .flow([child])
      .join('\n')
      .replace(/\n(?=.)/g, `\n${' '.repeat(lead.length)}`);
    if (text === '') return [];
    return [lead + text];
  });
  if (texts.length === 0) return [];
  return [texts.join('\n')];
}

function numbered(page: Page, list: Element): Piece {
  let number = Number(list.attribs['start'] ?? 1) - 1;
  return items(page, list, (item) => {
    number = Number(item.attribs['value'] ?? number + 1);
    if (page.isNotes) return `[^${number}]: `;
    return `${number}. `;
  });
}

function code(page: Page, { children }: Element): Piece {
  const text = within(page, 'isCode', () => page.line(children));
  if (page.isCode) return text;
  const words = text.replace(/\s+/g, ' ').trim();
  if (words === '') return '';
  return betweenTicks(words);
}

function codeBlock(page: Page, { attribs, parent, children }: Element): Piece {
  const outer = parent !== null && 'attribs' in parent ? parent.attribs['class'] : '';
  const language =
    attribs['lang'] ?? /\bhighlight-(?:source|text)-([\w-]+)/.exec(outer ?? '')?.[1] ?? '';
  const kind = DRAWN.get(language.toLowerCase());
  if (kind !== undefined) return draw(page, kind);
  const whole = within(page, 'isCode', () => page.line(children));
  const text = withinScreen(whole);
  if (text !== whole) page.removed.add('text after long runs of spaces');
  const lines = text.split('\n').map((one) => one.trimEnd());
  const trimmed = lines
    .join('\n')
    .replace(/\n{4,}/g, '\n\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
  if (trimmed === '') return [];
  return [fenced(trimmed, language)];
}

function draw(page: Page, kind: string): Piece {
  page.drawn.add(kind);
  return `[${kind}]`;
}

function drawn(page: Page, { name, attribs }: Element): Piece {
  if (name === 'math-renderer') return draw(page, 'formula');
  return [draw(page, DRAWN.get(attribs['data-type'] ?? '') ?? 'drawing')].flat();
}

function table(page: Page, element: Element): Piece {
  const parts = partsOf(element);
  const rows = parts
    .filter(isRow)
    .map((row) =>
      row.children
        .filter((cell) => 'attribs' in cell)
        .map((cell) => page.flow([cell]).join(' ').replaceAll('\n', ' ').replaceAll('|', '\\|')),
    );
  // Such as its caption.
  const above = page.flow(parts.filter((part) => !isRow(part)));
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  if (width === 0) return above;
  return [...above, lines.toSpliced(1, 0, `|${' --- |'.repeat(width)}`).join('\n')];
}

function isRow(node: Node): node is Element {
  return 'attribs' in node && node.name === 'tr';
}

/** The rows of a table and what is between them, without those of a table in it. */
function partsOf(element: Element): Node[] {
  return element.children.flatMap((child) => {
    const isPart = 'attribs' in child && /^(?:table|t(?:head|body|foot))$/.test(child.name);
    if (isPart) return partsOf(child);
    return [child];
  });
}

/** A part that a reader opens: closed, only its summary is seen. */
function folded(page: Page, { attribs, children }: Element): Piece {
  if ('open' in attribs) return page.flow(children);
  page.removed.add('folded parts');
  const summary = children.find((child) => 'attribs' in child && child.name === 'summary');
  if (summary === undefined) return [];
  return page.flow([summary]);
}

function link(page: Page, element: Element): Piece {
  const { attribs } = element;
  const text = linkText(page, element);
  if ('data-footnote-ref' in attribs) return `[^${text}]`;
  const href = attribs['href'] ?? '';
  const commit = wholeCommit(href, text);
  if (commit !== undefined) return commit;
  const address = linkAddress(href, text.trim(), page.body);
  if (address === undefined || text.trim() === '') return text;
  return `[${text}](${page.visible(address)})`;
}

/** `#4`, `acme/docs#4 (comment)` and the like. */
const ISSUE_NUMBER = /^(?:[\w.-]+(?:\/[\w.-]+)?)?#\d+(?: \([\w ]+\))?$/;

/**
 * The text of a link. In an instruction, only the number of one to an issue: in a list, GitHub adds
 * the title, which another person wrote.
 */
function linkText(page: Page, { attribs, children }: Element): string {
  const text = page.line(children);
  const isIssue = page.isInstruction && /\bissue-link\b/.test(attribs['class'] ?? '');
  if (!isIssue || ISSUE_NUMBER.test(text.trim())) return text;
  const number = /\/\d+(?=[#/?]|$)/.exec(attribs['href'] ?? '')?.[0];
  return number?.replace('/', '#') ?? '';
}

function image(page: Page, { attribs }: Element): Piece {
  return `![](${page.visible(imageAddress(attribs, page.body) ?? '')})`;
}

function small(page: Page, { name, children }: Element): Piece {
  page.smaller += 1;
  const text = page.smaller > MOST_SMALLER ? '' : page.line(children);
  if (page.smaller > MOST_SMALLER) page.removed.add('too deeply nested text');
  page.smaller -= 1;
  if (text.trim() === '' || text.startsWith('[^')) return text;
  return `<${name}>${text}</${name}>`;
}

/** What a person answered by mail, where line ends stay unless it is Markdown. */
function mailText(page: Page, { children }: Element): Piece {
  if (children.some((child) => 'attribs' in child && child.name === 'p'))
    return page.flow(children);
  const text = within(page, 'isCode', () => page.line(children)).trim();
  if (text === '') return [];
  return [text];
}

const SIGNS: Readonly<Record<string, string>> = {
  'blob-code-addition': '+',
  'blob-code-deletion': '-',
};

/** Lines of a file that a link names, or a change that a reviewer suggests: what it removes and adds. */
function snippet(page: Page, element: Element): Piece {
  let language = '';
  const lines = within(page, 'isCode', () =>
    cellsOf(element).map((cell) => {
      const change = /\bblob-code-(?:addition|deletion)\b/.exec(cell.attribs['class'] ?? '')?.[0];
      const text = page.line(cell.children).replace(/\n$/, '');
      if (change === undefined) return text;
      language = 'suggestion';
      return `${SIGNS[change]}${text}`;
    }),
  );
  // Of another shape: nothing that is seen is lost.
  if (lines.length === 0) return page.flow(element.children);
  return [fenced(lines.join('\n'), language)];
}

/** The cells with the lines of a file. */
function cellsOf(element: Element): Element[] {
  return element.children.flatMap((child) => {
    if (!('attribs' in child)) return [];
    const isLine = /\bblob-code\b/.test(child.attribs['class'] ?? '');
    if (isLine) return [child];
    return cellsOf(child);
  });
}
