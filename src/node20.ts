/** What Node.js 20 lacks, on which older runners start the action and the npm package still runs. */

/** As `URL.parse`; undefined instead of null. */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  return URL.canParse(text, base?.toString()) ? new URL(text, base) : undefined;
}

/** As `Map.groupBy`. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(item);
  }
  return groups;
}
