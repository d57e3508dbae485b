import { cut } from '../../text/escape.ts';
import { copyText } from '../../text/pieces.ts';

const LEVELS = ['error', 'warning', 'note'] as const;
export type Level = (typeof LEVELS)[number];

type FindingKind =
  | 'no-entry-page'
  | 'broken-link'
  | 'missing-asset'
  | 'missing-fragment'
  | 'wrong-case'
  | 'other-form'
  | 'bad-address'
  | 'external-load'
  | 'external-form'
  | 'local-address'
  | 'page-too-large'
  | 'unreadable'
  | 'no-text'
  | 'page-count';

/** What is wrong, wherever that is. */
export interface Judged {
  readonly level: Level;
  readonly kind: FindingKind;
  /** One sentence without a full stop. */
  readonly reason: string;
}

/** One thing that is wrong with an unpacked site. */
export interface Finding extends Judged {
  /** Path of the file in the site; empty if it is about the whole. */
  readonly page: string;
  /** The address as the page gives it, cut; empty if there is none. */
  readonly target: string;
}

export interface Counts {
  /** HTML files. */
  readonly pages: number;
  readonly files: number;
  /** References that were checked, repeated ones included. */
  readonly references: number;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
}

export interface Verification extends Counts {
  /** The first ten, errors first. */
  readonly first: readonly Finding[];
}

/** Of each level, so that many warnings do not push errors out. */
const MOST_KEPT = 10_000;
const LONGEST_TARGET = 300;
const SHOWN = 10;

/**
 * Collects findings: each once, all of them counted, and kept up to a number that memory and a
 * report have room for. Beyond that number a repeated finding is counted again, since `#keys` must
 * not grow without end either.
 */
export class FindingList {
  readonly kept: Finding[] = [];
  readonly counts: Record<Level, number> = { error: 0, warning: 0, note: 0 };
  /** Of each finding that is kept. */
  readonly #keys = new Set<string>();

  add(finding: Finding): void {
    // Copied: a part of a text keeps the whole page in memory.
    const target = copyText(cut(finding.target, { chars: LONGEST_TARGET }));
    const key = `${finding.kind}\n${finding.page}\n${target}`;
    if (this.#keys.has(key)) return;
    this.counts[finding.level] += 1;
    if (this.counts[finding.level] > MOST_KEPT) return;
    this.#keys.add(key);
    this.kept.push({ ...finding, target });
  }

  /** The first ten, errors first. */
  first(): Finding[] {
    const sorted = LEVELS.flatMap((level) => this.kept.filter((item) => item.level === level));
    return sorted.slice(0, SHOWN);
  }
}
