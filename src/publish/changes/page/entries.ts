import type { Comparison, Excerpt } from '../../../bundle/compare/comparison.ts';

export const KINDS = ['added', 'changed', 'moved', 'removed'] as const;
export type Kind = (typeof KINDS)[number];

/** One line of the page. */
export interface Entry {
  readonly kind: Kind;
  readonly path: string;
  readonly title: string;
  /** Where a page moved to, or where the address of one that is gone leads. */
  readonly target?: string | undefined;
  readonly words?: { readonly added: number; readonly removed: number } | undefined;
  readonly headings: readonly { readonly text: string; readonly isNew: boolean }[];
  readonly excerpts: readonly Excerpt[];
}

const NOTHING = { headings: [], excerpts: [] } as const;

/** Everything that changed, by path. */
export function entriesOf({ added, changed, moved, removed }: Comparison): Entry[] {
  const found: Entry[] = [
    ...added.map(({ path, title }) => ({ ...NOTHING, kind: 'added' as const, path, title })),
    ...changed.map(toEntry),
    ...moved.map(({ from, to, title }) => ({ ...NOTHING, kind: 'moved' as const, path: from, title, target: to })),
    ...removed.map(({ path, title, redirect }) => ({
      ...NOTHING,
      kind: 'removed' as const,
      path,
      title,
      target: redirect,
    })),
  ];
  return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function toEntry(page: Comparison['changed'][number]): Entry {
  const { path, title, wordsAdded, wordsRemoved = 0, headings, excerpts = [] } = page;
  return {
    kind: 'changed',
    path,
    title,
    words: wordsAdded === undefined ? undefined : { added: wordsAdded, removed: wordsRemoved },
    headings: [
      ...(headings?.added ?? []).map((text) => ({ text, isNew: true })),
      ...(headings?.removed ?? []).map((text) => ({ text, isNew: false })),
    ],
    excerpts,
  };
}

export interface Section {
  /** Such as `/guide`; `/` for pages at the top of the site. */
  readonly name: string;
  /** Pages that it has now. */
  readonly pages: number;
  readonly entries: readonly Entry[];
}

/** The sections of the comparison that have an entry, by name. */
export function sectionsOf(entries: readonly Entry[], { sections }: Comparison): Section[] {
  const pages = new Map(sections.map(({ section, pages: count }) => [section, count]));
  const found = new Map<string, Entry[]>();
  for (const entry of entries) {
    const name = sectionOf(entry, pages);
    const own = found.get(name);
    if (own === undefined) found.set(name, [entry]);
    else own.push(entry);
  }
  return [...found]
    .map(([name, own]) => ({ name, pages: pages.get(name) ?? 0, entries: own }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The nearest folder above the page that is a section; a page that moved belongs to where it is now. */
function sectionOf({ kind, path, target }: Entry, sections: ReadonlyMap<string, unknown>): string {
  const parts = (kind === 'moved' ? (target ?? path) : path).split('/').slice(1, -1);
  for (let depth = parts.length; depth > 0; depth -= 1) {
    const name = `/${parts.slice(0, depth).join('/')}`;
    if (sections.has(name)) return name;
  }
  return '/';
}
