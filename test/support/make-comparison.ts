import type { Comparison } from '../../src/site/compare/comparison.ts';

/** Two equal exports, with the changes that a test needs. */
export function makeComparison(parts: Partial<Comparison> = {}): Comparison {
  const counts = { pages: 120, files: 300, bytes: 4_000_000 };
  return {
    version: 1,
    from: { jobId: 'job-1', ...counts },
    to: { jobId: 'job-2', ...counts },
    basis: 'content',
    added: [],
    removed: [],
    moved: [],
    changed: [],
    unchanged: 120,
    assets: { added: 0, removed: 0, changed: 0 },
    lost: [],
    sections: [],
    ...parts,
  };
}
