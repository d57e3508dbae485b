import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publishPresentation } from '../../src/publish/summary.ts';

const read = (path: string) =>
  readFileSync(join(import.meta.dirname, '../..', path), 'utf8').replace(/\s+/g, ' ');
const delivery = {
  updated: true,
  stateWritten: true,
  name: 'DOCS_URL',
  target: 'repository acme/docs',
} as const;

describe('when a secret is read', () => {
  it.each([
    'docs/how-to/refresh-on-a-schedule.md',
    'docs/how-to/troubleshooting.md',
    'docs/explanation/life-of-a-link.md',
  ])('The page %s says that a secret is read when a run is queued', (path) => {
    expect(read(path)).toMatch(/when (a|the|its) (job|run) is queued/);
  });

  it('The summary of every export that wrote a secret says when the secret is read', () => {
    const report = {
      version: 1,
      mode: 'export',
      startedAt: '',
      elapsedMs: 1,
      status: 'completed',
      delivery,
    } as const;
    expect(publishPresentation.summary(report, 0)).toMatch(
      /reads the secret when its (job|run) is queued/,
    );
  });
});

describe('the advice for schedules', () => {
  it.each(['docs/how-to/refresh-on-a-schedule.md'])(
    'The page %s explains pods, delays, idle repositories and how often a schedule runs',
    (path) => {
      const text = read(path);
      for (const part of [
        /a running pod does not notice/i,
        /60 days without activity/,
        /start(s)? late when GitHub is busy/,
        /refresh-before: 12h/,
      ]) {
        expect(text).toMatch(part);
      }
    },
  );

  it.each(['examples/export-on-merge.yml', 'examples/refresh-on-schedule.yml'])(
    'The example %s has the concurrency group of its secret',
    (path) => {
      expect(read(path)).toContain('{ group: docs-bundle, queue: max }');
    },
  );

  it('The documentation has one formula for refresh-before, and its worked example is correct', () => {
    const page = read('docs/how-to/refresh-on-a-schedule.md');
    expect(page.match(/≥/g)).toHaveLength(1);
    expect(page).toContain('**B ≥ 2 × I + D + T**');
    const [, interval, late, took, sum] =
      /2 × (\d+) h \+ (\d+) h \+ ([\d.]+) h = ([\d.]+) h/.exec(page) ?? [];
    expect(2 * Number(interval) + Number(late) + Number(took)).toBe(Number(sum));
    const [, before] = /`refresh-before: (\d+)h`/.exec(page) ?? [];
    expect(Number(sum)).toBeLessThanOrEqual(Number(before));
    const [, cron] = /cron: '\d+ \*\/(\d+) /.exec(read('examples/refresh-on-schedule.yml')) ?? [];
    expect(cron, 'the example runs at the interval of the formula').toBe(interval);
  });
});
