import { Buffer } from 'node:buffer';
import type { Comparison } from './comparison.ts';

const LISTS = ['removed', 'moved', 'added', 'changed'] as const;

/**
 * The output `changes`: what changed, without excerpts, at most `maxBytes` of JSON. Where that is too little, lists are cut at
 * whole entries, those that hurt most last, and `truncated` is true.
 */
export function changesOutput({ from, to, ...comparison }: Comparison, maxBytes: number): string {
  const whole = {
    version: 1,
    from: { jobId: from.jobId, pages: from.pages },
    to: { jobId: to.jobId, pages: to.pages },
    added: comparison.added,
    removed: comparison.removed,
    moved: comparison.moved.map(({ from: path, to: target }) => ({ from: path, to: target })),
    changed: comparison.changed.map(({ path, title, wordsAdded, wordsRemoved }) => ({
      path,
      title,
      wordsAdded,
      wordsRemoved,
    })),
    unchanged: comparison.unchanged,
    assets: comparison.assets,
  };
  const text = JSON.stringify(whole);
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const lists: Record<(typeof LISTS)[number], unknown[]> = { added: [], removed: [], moved: [], changed: [] };
  const cut = { ...whole, ...lists, truncated: true };
  let left = maxBytes - Buffer.byteLength(JSON.stringify(cut));
  for (const name of LISTS) {
    for (const entry of whole[name]) {
      left -= Buffer.byteLength(JSON.stringify(entry)) + 1;
      if (left < 0) return JSON.stringify(cut);
      lists[name].push(entry);
    }
  }
  return JSON.stringify(cut);
}
