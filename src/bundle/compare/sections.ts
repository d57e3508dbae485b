import type { Changes } from './compare.ts';
import type { SectionChanges } from './comparison.ts';

type Counts = Omit<SectionChanges, 'section'>;

/** Where changes are: by the first part of the addresses, or the second where all pages have the first in common. */
export function findSections(
  pages: readonly string[],
  { added, removed, moved, changed }: Omit<Changes, 'redirectOf'>,
): SectionChanges[] {
  const depth = commonDepth([...pages, ...removed.map(({ path }) => path)]);
  const sections = new Map<string, Record<keyof Counts, number>>();
  const count = (what: keyof Counts, paths: readonly string[]) => {
    for (const path of paths) {
      const section = sectionOf(path, depth);
      const counts = sections.get(section) ?? { pages: 0, added: 0, removed: 0, moved: 0, changed: 0 };
      counts[what] += 1;
      sections.set(section, counts);
    }
  };
  count('pages', pages);
  count('added', added.map(pathOf));
  count('removed', removed.map(pathOf));
  count(
    'moved',
    moved.map(({ to }) => to),
  );
  count('changed', changed.map(pathOf));
  return [...sections]
    .map(([section, counts]) => ({ section, ...counts }))
    .sort((a, b) => sumOf(b) - sumOf(a) || (a.section < b.section ? -1 : 1));
}

function pathOf({ path }: { readonly path: string }): string {
  return path;
}

function sumOf({ added, removed, moved, changed }: SectionChanges): number {
  return added + removed + moved + changed;
}

/** How many parts all addresses begin with: such as 1 where every page is below `/docs`. */
function commonDepth(paths: readonly string[]): number {
  const inner = paths.filter((path) => path !== '/').map((path) => path.split('/').slice(1));
  const [first] = inner;
  if (first === undefined) return 0;
  let depth = 0;
  while (inner.every((parts) => parts.length > depth + 1 && parts[depth] === first[depth])) depth += 1;
  return depth;
}

/** A page that is in no folder is at the top, unless other pages are below it. */
function sectionOf(path: string, depth: number): string {
  const parts = path.split('/').slice(1);
  const top = `/${parts.slice(0, depth).join('/')}`;
  return parts.length > depth + 1 ? `/${parts.slice(0, depth + 1).join('/')}` : top;
}
