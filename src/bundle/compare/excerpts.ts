import { cutAround } from '../../text/escape.ts';
import type { Redact } from '../../text/redact.ts';
import type { Excerpt } from './comparison.ts';

const MOST_EXCERPTS = 3;
const LONGEST_EXCERPT = 240;
const MOST_HEADINGS = 20;
const LONGEST_HEADING = 120;

/**
 * The first places where two versions of a page differ. A block of the one version that is nowhere in the other came or went;
 * where both have such a block at the same place, it was rewritten.
 */
export function findExcerpts(before: readonly string[], after: readonly string[], redact: Redact): Excerpt[] {
  const gone = withoutPair(before, after);
  const fresh = withoutPair(after, before);
  const excerpts: Excerpt[] = [];
  for (let i = 0, j = 0; (i < before.length || j < after.length) && excerpts.length < MOST_EXCERPTS; ) {
    const old = gone[i] === true ? before[i] : undefined;
    const now = fresh[j] === true ? after[j] : undefined;
    if (old !== undefined || now !== undefined) excerpts.push(excerptOf(redact(old ?? ''), redact(now ?? '')));
    if (old !== undefined || now === undefined) i += 1;
    if (now !== undefined || old === undefined) j += 1;
  }
  return excerpts;
}

/** Headings that came and went, in the order of the page. */
export function compareHeadings(before: readonly string[], after: readonly string[], redact: Redact) {
  const only = (list: readonly string[], other: readonly string[]) => {
    const alone = withoutPair(list, other);
    return list
      .filter((_, index) => alone[index])
      .slice(0, MOST_HEADINGS)
      .map((heading) => cutAround(redact(heading), 0, LONGEST_HEADING));
  };
  return { added: only(after, before), removed: only(before, after) };
}

/** Both texts around the first place where they differ. */
function excerptOf(before: string, after: string): Excerpt {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return { before: cutAround(before, at, LONGEST_EXCERPT), after: cutAround(after, at, LONGEST_EXCERPT) };
}

/** For each text of a list, whether the other one has no such text left for it. */
function withoutPair(texts: readonly string[], other: readonly string[]): boolean[] {
  const left = countOf(other);
  return texts.map((text) => !take(left, text));
}

function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, text: string): boolean {
  const left = counts.get(text) ?? 0;
  if (left > 0) counts.set(text, left - 1);
  return left > 0;
}
