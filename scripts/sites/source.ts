import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Pages of documentation that no generator has its own form of yet. */
const PAGES = join(import.meta.dirname, 'pages');
/** An image of 1 by 1 pixel. */
export const IMAGE = {
  name: 'lantern.png',
  bytes: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** One tab of several, of which a reader sees one at a time. */
export interface Tab {
  readonly label: string;
  readonly text: string;
}

/** What generators write in different ways. `text` is Markdown. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'note' | 'tip' | 'warning'; readonly title: string; readonly text: string }
  | { readonly kind: 'details'; readonly title: string; readonly text: string }
  | { readonly kind: 'tabs'; readonly tabs: readonly Tab[] };

export interface SourcePage {
  /** Its path without an ending, such as `de/guide/install`. */
  readonly id: string;
  readonly language: 'en' | 'de';
  /** Its first heading, which is not in `parts`. */
  readonly title: string;
  readonly parts: readonly Part[];
}

/** How a site differs from the first one that is built. */
export type Change = 'none' | 'word' | 'renamed';

/** The page in which a word changes, and the one that is renamed. */
export const CHANGED_PAGE = 'guide/limits';
export const RENAMED_PAGE = { from: 'guide/offices', to: 'guide/stations' };

/** The words that only one part of one kind contains, and the page with it. */
export const HIDDEN_WORDS = [
  { in: 'code', word: 'vestibule', page: 'guide/install' },
  { in: 'tab', word: 'firefly', page: 'guide/install' },
  { in: 'table', word: 'quagmire', page: 'guide/limits' },
  { in: 'callout', word: 'lighthouse', page: 'guide/offices' },
  { in: 'accordion', word: 'reliquary', page: 'guide/encryption' },
  { in: 'second language', word: 'Leuchtturmwärter', page: 'de/guide/limits' },
  { in: 'end of a long page', word: 'perspicacious', page: 'reference/settings' },
] as const;

/** The pages of the site, sorted by their ids. */
export function readSource(change: Change): SourcePage[] {
  const files = readdirSync(PAGES, { recursive: true, encoding: 'utf8' });
  const ids = files.filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -3));
  return ids
    .map((id) =>
      readPage(id, applyChange(id, readFileSync(join(PAGES, `${id}.md`), 'utf8'), change)),
    )
    .map((page) => (change === 'renamed' ? { ...page, id: renamed(page.id) } : page))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function applyChange(id: string, text: string, change: Change): string {
  if (change === 'word' && id === CHANGED_PAGE) return text.replace('ninety', 'thirty');
  if (change !== 'renamed') return text;
  // The links to the page, whose last part is its name.
  const [from, to] = [RENAMED_PAGE.from, RENAMED_PAGE.to].map((name) => posix.basename(name));
  return text.replace(new RegExp(`(\\]\\((?:[\\w./-]*/)?)${from}(?=[)#])`, 'g'), `$1${to}`);
}

function renamed(id: string): string {
  // Its translation is renamed too: generators find it by the name.
  return id.endsWith(RENAMED_PAGE.from)
    ? id.slice(0, -RENAMED_PAGE.from.length) + RENAMED_PAGE.to
    : id;
}

function readPage(id: string, text: string): SourcePage {
  const title = /^# (.*)\n/.exec(text)?.[1];
  if (title === undefined) throw new Error(`${id} does not begin with a heading`);
  const body = text.slice(text.indexOf('\n') + 1);
  const pieces = body.split(/^:::(\w+)(?: (.*))?\n([\s\S]*?)^:::\n/m);
  const parts: Part[] = [];
  for (let at = 0; at < pieces.length; at += 4) {
    const [before = '', kind, name = '', inside = ''] = pieces.slice(at, at + 4);
    if (before.trim() !== '') parts.push({ kind: 'text', text: before.trim() });
    if (kind !== undefined) parts.push(readPart(id, kind, name, inside.trim()));
  }
  return { id, language: id.startsWith('de/') ? 'de' : 'en', title, parts };
}

function readPart(id: string, kind: string, title: string, text: string): Part {
  if (kind === 'tabs') return { kind, tabs: readTabs(text) };
  if (kind === 'details') return { kind, title, text };
  if (kind === 'note' || kind === 'tip' || kind === 'warning') return { kind, title, text };
  throw new Error(`${id} has a part of the unknown kind ${kind}`);
}

function readTabs(text: string): Tab[] {
  const [, ...pieces] = text.split(/^== (.*)\n/m);
  return pieces.flatMap((label, at) =>
    at % 2 === 0 ? [{ label, text: (pieces[at + 1] ?? '').trim() }] : [],
  );
}

/** How one generator writes what differs between them. */
export interface Dialect {
  /** The address of another page, or of an image, as a page gives it. */
  readonly link: (from: SourcePage, to: string) => string;
  readonly image: (from: SourcePage, name: string) => string;
  readonly callout: (kind: 'note' | 'tip' | 'warning', title: string, body: string) => string;
  readonly details: (title: string, body: string) => string;
  readonly tabs: (tabs: readonly Tab[]) => string;
  /** Text outside of code, such as for MDX, in which braces are code. */
  readonly prose?: (text: string) => string;
}

/** The parts of a page in the form of a generator, without its title. */
export function writeBody(page: SourcePage, dialect: Dialect): string {
  const text = (markdown: string) => writeMarkdown(page, markdown, dialect);
  return page.parts
    .map((part) => {
      if (part.kind === 'text') return text(part.text);
      if (part.kind === 'details') return dialect.details(part.title, text(part.text));
      if (part.kind === 'tabs')
        return dialect.tabs(part.tabs.map((tab) => ({ ...tab, text: text(tab.text) })));
      return dialect.callout(part.kind, part.title, text(part.text));
    })
    .join('\n\n');
}

function writeMarkdown(page: SourcePage, markdown: string, dialect: Dialect): string {
  const { prose = (text) => text } = dialect;
  return markdown
    .split(/(^```[\s\S]*?^```$|`[^`\n]+`)/m)
    .map((piece, at) => (at % 2 === 1 ? piece : prose(writeAddresses(page, piece, dialect))))
    .join('');
}

function writeAddresses(page: SourcePage, text: string, dialect: Dialect): string {
  return text.replace(
    /(!?)\[([^\]]*)\]\(([^)]*)\)/g,
    (_, mark: string, label: string, raw: string) => {
      if (mark === '!') return `![${label}](${dialect.image(page, raw)})`;
      const [path = '', fragment] = raw.split('#');
      const id = posix.join(posix.dirname(page.id), path);
      return `[${label}](${dialect.link(page, id)}${fragment === undefined ? '' : `#${fragment}`})`;
    },
  );
}

/** The path from one page's file to another's. */
export function relativeLink(from: SourcePage, to: string, ending = '.md'): string {
  const path = posix.relative(posix.dirname(from.id), to);
  return `${path.startsWith('.') ? '' : './'}${path}${ending}`;
}

/** Each line with four spaces more, as Python's Markdown wants what is inside. */
export function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '    ');
}
