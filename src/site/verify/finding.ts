import { cut } from '../../ground/text/escape.ts';
import { copyText } from '../../ground/text/pieces.ts';

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
  | 'moved-unsure'
  | 'page-too-large'
  | 'unreadable'
  | 'no-text'
  | 'loose-file'
  | 'no-address'
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
  /** Path of the first file that has it; empty if it is about the whole site. */
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
const LONGEST_KEY = 600;
const SHOWN = 10;

/** A finding, how many pages have it, and the last of them. */
interface Kept {
  readonly finding: Finding;
  pages: number;
  lastPage: string;
}

/**
 * Collects findings: each once, all of them counted, and kept up to a number that memory and a
 * report have room for. Beyond that number a repeated finding is counted again, since `#kept` must
 * not grow without end either.
 */
export class FindingList {
  readonly counts: Record<Level, number> = { error: 0, warning: 0, note: 0 };
  readonly #kept = new Map<string, Kept>();

  /**
   * `identity`: what is wrong, if the pages that have it write its address in several ways. Pages
   * come one after the other.
   */
  add(finding: Finding, identity = finding.target): void {
    const key = cut(`${finding.kind}\n${identity}\n${finding.reason}`, { chars: LONGEST_KEY });
    const known = this.#kept.get(key);
    if (known !== undefined) {
      if (known.lastPage !== finding.page) known.pages += 1;
      known.lastPage = finding.page;
      return;
    }
    this.counts[finding.level] += 1;
    if (this.counts[finding.level] > MOST_KEPT) return;
    // Copied: a part of a text keeps the whole page in memory.
    const target = copyText(cut(finding.target, { chars: LONGEST_TARGET }));
    const kept = { finding: { ...finding, target }, pages: 1, lastPage: finding.page };
    this.#kept.set(copyText(key), kept);
  }

  /** Each with the number of pages that have it, and the first of them. */
  all(): Finding[] {
    return Array.from(this.#kept.values(), ({ finding, pages }) => {
      if (pages === 1) return finding;
      return { ...finding, reason: `${finding.reason} (on ${pages} pages)` };
    });
  }

  /** The first ten, errors first. */
  first(): Finding[] {
    const all = this.all();
    const sorted = LEVELS.flatMap((level) => all.filter((item) => item.level === level));
    return sorted.slice(0, SHOWN);
  }
}
