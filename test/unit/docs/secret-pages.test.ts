import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportPresentation } from '../../../src/modes/export/summary.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8').replace(/\s+/g, ' ');
const secret = { updated: true, stateWritten: true, name: 'DOCS_URL', target: 'repository acme/docs' } as const;

describe('that a secret is read when a run is queued', () => {
  it.each([
    'docs/how-to/refresh-on-a-schedule.md',
    'docs/how-to/troubleshooting.md',
    'docs/explanation/life-of-a-link.md',
  ])('stands in %s', (path) => {
    expect(read(path)).toMatch(/when (a|the|its) (job|run) is queued/);
  });

  it('stands in the summary of every export that wrote one', () => {
    const report = { version: 1, mode: 'export', startedAt: '', elapsedMs: 1, status: 'completed', secret } as const;
    expect(exportPresentation.summary(report, 0)).toMatch(/reads the secret when its (job|run) is queued/);
  });
});

describe('what a schedule must be told about', () => {
  it.each(['README.md', 'docs/how-to/refresh-on-a-schedule.md'])(
    'stands in %s: pods, delays, idle repositories, how often',
    (path) => {
      const text = read(path);
      for (const part of [
        /no pod notices/i,
        /60 days without activity/,
        /start(s)? late when GitHub is busy/,
        /refresh-before: 12h/,
      ]) {
        expect(text).toMatch(part);
      }
    },
  );

  it.each(['README.md', 'examples/export-on-merge.yml', 'examples/refresh-on-schedule.yml'])(
    'stands in %s: one concurrency group for one secret',
    (path) => {
      expect(read(path)).toMatch(/concurrency: group: docs-bundle/);
    },
  );

  it('the worked example of the README comes out as it says', () => {
    const [, interval, late, took, sum] =
      /`2 \* (\d+) \+ (\d+) \+ ([\d.]+) = ([\d.]+) h`/.exec(read('README.md')) ?? [];
    expect(2 * Number(interval) + Number(late) + Number(took)).toBe(Number(sum));
    expect(Number(sum)).toBeLessThanOrEqual(12);
  });
});
