import { describe, expect, it } from 'vitest';
import { MANNERS, showHint } from '../../src/ci/hints.ts';
import type { Cause, OutputValues, Results } from '../../src/ci/port.ts';
import { CourierError } from '../../src/ground/errors.ts';
import { publishPresentation } from '../../src/publish/summary.ts';
import type { Presentation } from '../../src/run/context.ts';
import { EXPLANATIONS } from '../../src/run/explanations.ts';
import { finish } from '../../src/run/finish.ts';
import type { RunFacts } from '../../src/run/report.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { recordingLog } from '../support/recording-log.ts';
import { assertReport } from '../support/schemas.ts';

interface Facts extends RunFacts {
  readonly bundleUrl: string;
  readonly comparison: object;
}

interface Run {
  readonly mode?: string;
  readonly cause?: Cause;
  readonly facts?: Partial<Facts>;
  readonly presentation?: Presentation<Facts>;
  readonly error?: CourierError;
  readonly results?: Partial<Results>;
}

async function finishRun({
  mode = 'export',
  cause,
  facts = {},
  presentation,
  error,
  results,
}: Run) {
  const log = recordingLog();
  const clock = fakeClock();
  const written: { outputs: OutputValues; summary: string } = { outputs: {}, summary: '' };
  const recording: Results = {
    writeOutputs: (values) => {
      written.outputs = values;
    },
    writeSummary: async (markdown) => {
      written.summary = markdown;
    },
    writeReport: () => '/report.json',
    ...results,
  };
  const startedAt = new Date('2026-03-01T12:00:00Z');
  const end = {
    mode,
    cause,
    release: { version: '1.0.0', commit: undefined },
    startedAt,
    startMs: 0,
    results: recording,
    log,
    clock,
    runner: {
      showHint: (hint: Parameters<typeof showHint>[0]) => showHint(hint, MANNERS.workflow),
    },
  };
  const known = { status: 'completed', ...facts } as const;
  const exitCode = await finish(end, { facts: known, presentation, error });
  return { exitCode, log, ...written };
}

const FULL_DISK = new CourierError({ code: 'io', message: 'No space is left.' });

function fail(): never {
  throw FULL_DISK;
}

describe('the end of a run', () => {
  it('The log of a dry run lists each write too', async () => {
    const planned = [
      {
        action: 'start an export of docs.example.com',
        target: 'POST https://api.example.com/v1/static-export/jobs',
      },
      { action: 'write the link', target: 'secret DOCS_URL of repository acme/app' },
    ];
    const { log } = await finishRun({ facts: { status: 'completed', planned } });
    for (const { action, target } of planned)
      expect(log.text()).toContain(`not done: ${action}: ${target}`);
  });

  it.each([
    ['timed-out', 'timed-out', 1],
    ['cancelled', 'cancelled', 1],
    ['refused', 'refused', 1],
    ['network', 'failed', 1],
  ] as const)('A run that ends with %s is %s, exit code %i', async (code, status, exitCode) => {
    const error = new CourierError({ code, message: 'It ended.' });
    const end = await finishRun({ error });
    expect(end.exitCode).toBe(exitCode);
    expect(end.outputs).toMatchObject({
      status,
      'error-code': code,
      'report-path': '/report.json',
    });
  });

  it('A report that is too large for an output keeps its scalars and the error', async () => {
    const comparison = {
      pages: Array.from({ length: 5000 }, (_, index) => `/guide/page-${index}`),
    };
    const facts = {
      planned: [{ action: 'x'.repeat(70_000), target: 'y' }],
      comparison,
      jobId: 'exp_1',
      pageCount: 12,
    };
    const error = new CourierError({
      code: 'network',
      message: `No reply.\n${'z'.repeat(10_000)}`,
    });
    const report = (await finishRun({ facts, error })).outputs.report ?? '';
    assertReport(report);
    expect(Buffer.byteLength(report)).toBeLessThan(8192);
    expect(JSON.parse(report)).toMatchObject({
      jobId: 'exp_1',
      pageCount: 12,
      truncated: true,
      error: { code: 'network' },
    });
    expect(Object.keys(JSON.parse(report)).slice(0, 3)).toEqual(['version', 'mode', 'startedAt']);
  });

  it.each([
    ['comment', 0],
    ['merge', 1],
    ['change-request', 1],
    ['push', 1],
    ['manual', 1],
    ['schedule', 1],
  ] as const)('A run by %s that is refused in agent mode ends with %i', async (cause, exitCode) => {
    expect((await finishRun({ mode: 'agent', cause, facts: { status: 'refused' } })).exitCode).toBe(
      exitCode,
    );
  });

  it.each(['completed', 'detached', 'skipped'] as const)(
    'A run that ends as %s passes',
    async (status) => {
      expect(await finishRun({ facts: { status } })).toMatchObject({
        exitCode: 0,
        outputs: { status },
      });
    },
  );

  it('A run whose outputs cannot be written fails, and is still reported in log and summary', async () => {
    const end = await finishRun({
      facts: { status: 'completed' },
      results: { writeOutputs: fail },
    });
    expect(end.exitCode).toBe(1);
    expect(end.log.text('error')).toContain('No space is left.');
    expect(end.summary).toContain('No space is left.');
  });

  it('A failed run keeps its reason if its outputs cannot be written either', async () => {
    const error = new CourierError({ code: 'job-failed', message: 'The job failed.' });
    expect(
      (await finishRun({ error, results: { writeOutputs: fail } })).log.text('error'),
    ).toContain('The job failed.');
  });

  it('A run reports every fact except the link, and those that a mode leaves out', async () => {
    const facts = {
      status: 'completed',
      bundleUrl: 'https://x.example/',
      comparison: { worse: [] },
    } as const;
    const reportOf = ({ outputs }: Awaited<ReturnType<typeof finishRun>>) =>
      JSON.parse(outputs.report ?? '');
    const found = await finishRun({ mode: 'search', facts });
    expect(reportOf(found)).toMatchObject({ comparison: { worse: [] } });
    expect(reportOf(found)).not.toHaveProperty('bundleUrl');
    // The comparison of an export has a separate file, and can be large. The stage is for a run
    // that is cancelled, and the others are for the summary.
    expect(publishPresentation.unreported).toEqual([
      'comparison',
      'stage',
      'keepsSite',
      'servedAt',
      'handsOnLink',
      'countedAt',
    ]);
    const unreported = ['comparison'] as const;
    const exported = await finishRun({
      facts,
      presentation: { summary: () => '', unreported },
    });
    expect(reportOf(exported)).not.toHaveProperty('comparison');
  });

  it('A summary that cannot be written does not change the result of a run', async () => {
    const end = await finishRun({
      facts: { status: 'completed' },
      results: { writeSummary: fail },
    });
    expect(end).toMatchObject({ exitCode: 0, outputs: { status: 'completed' } });
    expect(end.log.text('warning')).toContain('No space is left.');
  });

  it('A failed run says what happened, what to do, and what its error code means', async () => {
    const hint = {
      text: 'Wait longer:',
      inputs: { timeout: '1h' },
      permissions: { contents: 'read' },
    } as const;
    const error = new CourierError({
      code: 'timed-out',
      message: 'It did not finish within 30m.',
      hint,
    });
    const { log, outputs, summary } = await finishRun({ error });
    expect(log.text('error')).toBe(
      `It did not finish within 30m.\nWait longer:\npermissions:\n  contents: read\nwith:\n  timeout: 1h`,
    );
    expect(JSON.parse(outputs.report ?? '')).toMatchObject({
      error: { code: 'timed-out', hint: expect.stringContaining('1h') },
    });
    expect(summary).toContain(
      `About the error code \`timed-out\`: ${EXPLANATIONS['timed-out'][0]}`,
    );
    // A copy of the action has no pages, and no command that prints them.
    expect(`${summary}${log.text('error')}`).not.toMatch(/\.md\b|explain/);
  });
});
