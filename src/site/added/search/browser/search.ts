/**
 * The script of the search page. Everything from the index is shown as text: nothing here makes
 * HTML of it.
 */
import { excerptOf } from '../excerpt.ts';
import { IndexProblem, type SectionText } from '../format.ts';
import { LoadedIndex } from '../loaded-index.ts';
import type { RankedPage } from '../query.ts';
import { WordReader } from '../words.ts';
import { addressOf, loadScript } from './script-files.ts';

const PAGES_AT_ONCE = 10;
// A key that follows sooner belongs to the same word.
const PAUSE_MS = 80;

const field = required('q', HTMLInputElement);
const form = required('form', HTMLFormElement);
const status = required('status', HTMLElement);
const list = required('results', HTMLElement);
const more = required('more', HTMLButtonElement);

let index: LoadedIndex | undefined;
/** The number of the latest search: an earlier one that ends later shows nothing. */
let latest = 0;
let shown = PAGES_AT_ONCE;
/**
 * Whether the query in the address was submitted, or came with the page: the next one then gets a
 * separate entry in the history.
 */
let isFinished = true;

function required<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`The page has no element ${id}.`);
}

/** Searches for the text in the field, and shows what is found or why it cannot be searched. */
async function search(): Promise<void> {
  latest += 1;
  const number = latest;
  const query = field.value.trim();
  if (query === '') {
    document.title = 'Search';
    show([], '');
    return;
  }
  try {
    index ??= await LoadedIndex.open(loadScript);
    const { pages, terms } = await index.rank(query);
    const sections = await sectionsOf(index, pages.slice(0, shown));
    // A later search has begun.
    if (number !== latest) return;
    const items = pages.slice(0, shown).map((page) => itemOf(page, sections, terms));
    document.title = `${query} – Search`;
    show(items, messageOf(query, pages.length));
    more.hidden = pages.length <= shown;
  } catch (error) {
    if (number !== latest) return;
    const reason = error instanceof IndexProblem ? `${error.message} ` : '';
    show([], `${reason}Search is not available.`);
    // A fault of this script: the console of the browser shows it.
    if (!(error instanceof IndexProblem)) throw error;
  }
}

/** The sections of some results by their numbers, all loaded before any result is shown. */
async function sectionsOf(
  from: LoadedIndex,
  pages: readonly RankedPage[],
): Promise<ReadonlyMap<number, SectionText>> {
  const numbers = pages.flatMap(({ sections }) => sections);
  return new Map(
    await Promise.all(numbers.map(async (number) => [number, await from.section(number)] as const)),
  );
}

function messageOf(query: string, count: number): string {
  if (count === 0) return `No page was found for “${query}”.`;
  return count === 1 ? '1 page was found.' : `${count.toLocaleString('en')} pages were found.`;
}

/** Shows results with a message above them; the button for more is hidden until it is needed. */
function show(items: readonly HTMLElement[], message: string): void {
  list.replaceChildren(...items);
  more.hidden = true;
  // Set again, the same message would be read out again by a screen reader.
  if (status.textContent !== message) status.textContent = message;
}

/** A page of the results: its title, its best section with an excerpt, and links to others. */
function itemOf(
  { sections }: RankedPage,
  texts: ReadonlyMap<number, SectionText>,
  terms: ReadonlySet<string>,
): HTMLElement {
  const item = document.createElement('li');
  const loaded = sections.flatMap((section) => texts.get(section) ?? []);
  const [first, ...others] = loaded;
  // Never: a page of the results has a section, and its text was loaded.
  if (first === undefined) return item;
  if (first.language !== '') item.lang = first.language;
  const reader = new WordReader(first.language);
  const heading = document.createElement('h2');
  heading.append(linkTo(first, first.title));
  item.append(heading);
  if (first.heading !== '') item.append(paragraph('section', [first.heading]));
  const pieces = excerptOf(first.text, terms, reader).map(({ text, isMarked }) =>
    isMarked ? marked(text) : text,
  );
  if (pieces.length > 0) item.append(paragraph('excerpt', pieces));
  const withHeading = others.filter((section) => section.heading !== '');
  if (withHeading.length > 0)
    item.append(
      paragraph(
        'others',
        withHeading.flatMap((one) => [linkTo(one, one.heading), ' ']),
      ),
    );
  return item;
}

function linkTo(section: SectionText, text: string): HTMLElement {
  const link = document.createElement('a');
  link.href = addressOf(section);
  link.textContent = text;
  return link;
}

function paragraph(kind: string, content: readonly (string | HTMLElement)[]): HTMLElement {
  const element = document.createElement('p');
  element.className = kind;
  element.append(...content);
  return element;
}

function marked(text: string): HTMLElement {
  const element = document.createElement('mark');
  element.textContent = text;
  return element;
}

/**
 * Puts the query into the address, so that it can be sent to someone, and found again with the back
 * button.
 */
function putQueryIntoAddress(): void {
  const address = new URL(location.href);
  if (field.value.trim() === '') address.searchParams.delete('q');
  else address.searchParams.set('q', field.value.trim());
  if (address.href === location.href) return;
  // A query that was finished stays in the history; one that is being typed does not.
  if (isFinished) history.pushState(undefined, '', address);
  else history.replaceState(undefined, '', address);
  isFinished = false;
}

function searchFromAddress(): void {
  field.value = new URL(location.href).searchParams.get('q') ?? '';
  shown = PAGES_AT_ONCE;
  void search();
}

let timer: ReturnType<typeof setTimeout> | undefined;
field.addEventListener('input', (event) => {
  // While a word is put together from keys (Japanese, Chinese, Korean), it is not finished.
  if (event instanceof InputEvent && event.isComposing) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    shown = PAGES_AT_ONCE;
    putQueryIntoAddress();
    void search();
  }, PAUSE_MS);
});
field.addEventListener('compositionend', () => field.dispatchEvent(new Event('input')));
form.addEventListener('submit', (event) => {
  event.preventDefault();
  clearTimeout(timer);
  shown = PAGES_AT_ONCE;
  putQueryIntoAddress();
  isFinished = true;
  void search();
});
more.addEventListener('click', () => {
  const last = list.children.length;
  shown += PAGES_AT_ONCE;
  void search().then(() => list.children[last]?.querySelector('a')?.focus());
});
window.addEventListener('popstate', searchFromAddress);

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === '/' && event.target !== field) {
    event.preventDefault();
    field.select();
    return;
  }
  const step = STEPS[event.key];
  if (step === undefined) return;
  const stops: Element[] = [field, ...list.querySelectorAll('h2 a')];
  const at = document.activeElement === null ? -1 : stops.indexOf(document.activeElement);
  const next = at < 0 ? undefined : stops[at + step];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
});

searchFromAddress();
if (field.value === '') field.focus();
