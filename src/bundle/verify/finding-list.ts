import { cut } from '../../text/cut.ts';
import { type Finding, LEVELS, type Level } from '../facts.ts';
import { ownText } from './copied-text.ts';

const MOST_KEPT = 10_000;
const LONGEST_TARGET = 300;
const SHOWN = 10;

/** Collects findings: each once, counted all, and kept up to a number that memory and a report can hold. */
export interface FindingList {
  add(finding: Finding): void;
  readonly kept: readonly Finding[];
  readonly counts: Readonly<Record<Level, number>>;
  /** The first ten, errors first. */
  first(): Finding[];
}

export function createFindingList(): FindingList {
  const kept: Finding[] = [];
  const counts: Record<Level, number> = { error: 0, warning: 0, note: 0 };
  const seen = new Set<string>();
  return {
    kept,
    counts,
    add(finding) {
      const target = ownText(cut(finding.target, { chars: LONGEST_TARGET }));
      const key = `${finding.kind}\n${finding.page}\n${target}`;
      if (seen.has(key)) return;
      counts[finding.level] += 1;
      if (kept.length >= MOST_KEPT) return;
      seen.add(key);
      kept.push({ ...finding, target });
    },
    first: () => LEVELS.flatMap((level) => kept.filter((finding) => finding.level === level)).slice(0, SHOWN),
  };
}
