import { describe, expect, test } from 'vitest';
import {
  cutState,
  earlierExports,
  exportBefore,
  exportsOf,
  historyAfter,
  liveExport,
} from '../../src/delivery/history.ts';
import type { StateRecord } from '../../src/delivery/state.ts';

const EMPTY: StateRecord = { version: 2, baseUrl: 'https://api.docs.example.com' };

/**
 * The state after each of the jobs went live, at noon of day 1, day 2, …; `<` marks a rollback to
 * the job.
 */
function stateAfter(...jobs: readonly string[]): StateRecord {
  let state = EMPTY;
  for (const [index, job] of jobs.entries()) {
    const jobId = job.replace('<', '');
    const at = `2026-03-${String(index + 1).padStart(2, '0')}T12:00:00.000Z`;
    const details = { pages: 10 + index, by: 'maya' };
    const mode = job.startsWith('<') ? 'rollback' : 'export';
    state = {
      ...state,
      ...historyAfter(state, { jobId, mode, details, run: '7/roll' }, at),
      jobId,
    };
  }
  return state;
}

const shown = (state: StateRecord) =>
  exportsOf(state).map(({ job, withdrawn }) =>
    job === state.jobId ? `${job} live` : withdrawn === undefined ? job : `${job} withdrawn`,
  );

describe('the exports of a destination', () => {
  test.each<[jobs: string, history: readonly string[], before: readonly string[]]>([
    ['a', ['a live'], []],
    ['a b c', ['c live', 'b', 'a'], ['b', 'a']],
    ['a b b', ['b live', 'a'], ['a']],
    ['a b c <b', ['c withdrawn', 'b live', 'a'], ['a']],
    ['a b c <a', ['c withdrawn', 'b withdrawn', 'a live'], []],
    // After a rollback, a rollback of the next export restores what was live before it, not the
    // withdrawn export.
    ['a b c <b d', ['d live', 'c withdrawn', 'b', 'a'], ['b', 'a']],
    // A withdrawn export can be restored by its id.
    ['a b c <b <c', ['c live', 'b', 'a'], ['b', 'a']],
  ])(
    'The history after the exports %s shows the live and withdrawn ones',
    (jobs, history, before) => {
      const state = stateAfter(...jobs.split(' '));
      expect(shown(state)).toEqual(history);
      expect(earlierExports(state).map(({ job }) => job)).toEqual(before);
    },
  );

  test('An export that was live before, and is forced into place again, is shown as forced', () => {
    const placing = { jobId: 'a', mode: 'export', details: { forced: true }, run: '8/x' } as const;
    const { history } = historyAfter(stateAfter('a', 'b'), placing, '2026-03-09T12:00:00.000Z');
    expect(history?.find(({ job }) => job === 'a')).toMatchObject({ forced: true, pages: 10 });
  });

  test('The history has at most 20 exports, and the oldest is removed first', () => {
    const state = stateAfter(...Array.from({ length: 25 }, (_, index) => `job-${index}`));
    expect(state.history).toHaveLength(20);
    expect(state.history?.at(-1)?.job).toBe('job-5');
  });

  test('The history begins with the export of a state without a history', () => {
    const former: StateRecord = {
      ...EMPTY,
      jobId: 'old',
      written: { at: '2026-02-01T12:00:00.000Z' },
    };
    expect(liveExport(former)).toEqual({ job: 'old', at: '2026-02-01T12:00:00.000Z' });
    const details = { pages: 3 };
    const placing = { jobId: 'new', mode: 'export', details, run: '8/docs' } as const;
    const next = historyAfter(former, placing, '2026-03-01T12:00:00.000Z');
    expect(next.history?.map(({ job }) => job)).toEqual(['new', 'old']);
  });

  test('The history says who restored which export instead of which, until another job is live', () => {
    const state = stateAfter('a', 'b', '<a');
    expect(state.rollback).toEqual({
      at: '2026-03-03T12:00:00.000Z',
      from: 'b',
      by: 'maya',
      run: '7/roll',
    });
    const placing = { mode: 'export', details: {}, run: '8/docs' } as const;
    const at = '2026-03-04T12:00:00.000Z';
    expect(historyAfter(state, { ...placing, jobId: 'a' }, at)).toMatchObject({
      rollback: state.rollback,
    });
    expect(historyAfter(state, { ...placing, jobId: 'c' }, at)).toMatchObject({
      rollback: undefined,
    });
  });

  test('The history keeps what was known about a job, and adds what was not', () => {
    const state = stateAfter('a');
    const details = { pages: 99, manifest: 'f'.repeat(64), by: 'omar' };
    const placing = { jobId: 'a', mode: 'export', details, run: '8/docs' } as const;
    const { history } = historyAfter(state, placing, '2026-03-04T12:00:00.000Z');
    expect(history).toEqual([
      { job: 'a', at: '2026-03-01T12:00:00.000Z', pages: 10, manifest: 'f'.repeat(64), by: 'maya' },
    ]);
  });

  test('The history is cut to what a store can contain, and the live export stays', () => {
    const state = stateAfter(...Array.from({ length: 20 }, (_, index) => `job-${index}`), '<job-0');
    const fits = (limit: number) => (cut: StateRecord) => JSON.stringify(cut).length <= limit;
    const cut = cutState(state, fits(1000));
    expect(JSON.stringify(cut).length).toBeLessThanOrEqual(1000);
    expect(cut.history?.[0]?.job).toBe('job-19');
    expect(cut.history?.at(-1)?.job).toBe('job-0');
    expect(cutState(state, fits(0)).history?.map(({ job }) => job)).toEqual(['job-0']);
    expect(cutState(state, fits(100_000))).toBe(state);
  });

  test('Former runs are removed first, and the last two only before the last five exports of the history', () => {
    const runs = Array.from({ length: 5 }, (_, index) => ({
      id: `${index}`,
      job: 'docs',
      state: 'done' as const,
    }));
    const state = {
      ...stateAfter(...Array.from({ length: 20 }, (_, index) => `job-${index}`)),
      runs,
    };
    const sizeOf = (exports: number, count: number) =>
      JSON.stringify({
        ...state,
        history: state.history?.slice(0, exports),
        runs: runs.slice(0, count),
      }).length;
    const cut = (size: number) => {
      const { history, runs: kept } = cutState(state, (one) => JSON.stringify(one).length <= size);
      return [history?.length, kept?.length];
    };
    expect(cut(sizeOf(20, 2))).toEqual([20, 2]);
    expect(cut(sizeOf(5, 2))).toEqual([5, 2]);
    expect(cut(sizeOf(5, 1))).toEqual([5, 1]);
    expect(cut(sizeOf(4, 1))).toEqual([4, 1]);
  });
});

describe('exports with the same content', () => {
  const base: StateRecord = { version: 2, baseUrl: 'https://api.docs.example.com' };
  const exported = (
    state: StateRecord,
    jobId: string,
    fingerprint: string | undefined,
  ): StateRecord => {
    const placing = { jobId, mode: 'export', details: { fingerprint }, run: jobId } as const;
    return { ...state, ...historyAfter(state, placing, '2026-01-01T00:00:00Z'), jobId };
  };

  test('They are one entry, with the job of the last one', () => {
    const bad = exported(exported(exported(base, 'good', 'a'), 'bad', 'b'), 'bad-again', 'b');
    expect(exportsOf(bad).map(({ job }) => job)).toEqual(['bad-again', 'good']);
    expect(exportBefore(bad, { fingerprint: 'b' })).toMatchObject({
      export: { job: 'good' },
      isKnownToDiffer: true,
    });
  });

  test('An export whose content is not known is a separate entry, and may be gone back to', () => {
    const two = exported(exported(base, 'first', undefined), 'second', undefined);
    expect(exportBefore(two, {})).toMatchObject({
      export: { job: 'first' },
      isKnownToDiffer: false,
    });
  });

  test('The same content further back is passed over', () => {
    const three = exported(exported(exported(base, 'good', 'a'), 'other', 'b'), 'good-again', 'a');
    expect(exportBefore(three, { fingerprint: 'a' })).toMatchObject({ export: { job: 'other' } });
    const back = { ...three, jobId: 'other', history: three.history?.slice(1) };
    expect(exportBefore(back, { fingerprint: 'a' })).toBeUndefined();
  });
});
