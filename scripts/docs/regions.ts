/**
 * A generated part of a page is between `<!-- generated: PART -->` and `<!-- end -->`, each on a
 * separate line. Everything else on the page is written manually.
 */
const BEGIN = /^<!-- generated: (.+) -->$/;
const END = '<!-- end -->';
// A misspelt mark would be shown, or skipped, unnoticed.
const ALMOST = /<!--\s*(?:generated|end\b|docs\b)/i;

export interface Region {
  /** What is generated, such as `inputs mode base-url`. */
  readonly part: string;
  /** Index of the line with the begin mark, and of the line with the end mark. */
  readonly begin: number;
  readonly end: number;
}

/**
 * Throws with path and line if a begin mark has no end mark, an end mark has no begin mark, or a
 * mark is misspelt.
 */
export function findRegions(path: string, text: string): Region[] {
  const regions: Region[] = [];
  let open: { part: string; begin: number } | undefined;
  for (const [at, line] of text.split('\n').entries()) {
    const fail = (what: string) => new Error(`${path}:${at + 1}: ${what}`);
    const part = BEGIN.exec(line)?.[1];
    if (part !== undefined) {
      if (open !== undefined)
        throw fail(
          `the part "${open.part}" of line ${open.begin + 1} has no ${END} before this one`,
        );
      open = { part, begin: at };
    } else if (line === END) {
      if (open === undefined) throw fail(`${END} has no begin mark`);
      regions.push({ ...open, end: at });
      open = undefined;
    } else if (ALMOST.test(line)) {
      throw fail(`not a mark: ${line.trim()}`);
    }
  }
  if (open !== undefined)
    throw new Error(`${path}:${open.begin + 1}: the part "${open.part}" has no ${END}`);
  return regions;
}

/** The text with each of its regions filled by `render`, which gets the words of the begin mark. */
export function fillRegions(path: string, text: string, render: (words: string) => string): string {
  const lines = text.split('\n');
  for (const { part, begin, end } of findRegions(path, text).reverse()) {
    lines.splice(begin + 1, end - begin - 1, '', ...render(part).split('\n'), '');
  }
  return lines.join('\n');
}
