import { describe, expect, it } from 'vitest';
import type { OutputValues } from '../../src/ci/github-actions/results.ts';
import { CourierError } from '../../src/errors.ts';
import { type Finish, finish } from '../../src/modes/finish.ts';
import type { RunFacts } from '../../src/report/report.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { recordingLog } from '../support/recording-log.ts';

function finishRun(end: Partial<Finish<RunFacts>>) {
  const log = recordingLog();
  const written: { outputs: OutputValues; summary: string } = { outputs: {}, summary: '' };
  const exitCode = finish({
    mode: 'export',
    startedAt: new Date('2026-03-01T12:00:00Z'),
    startMs: 0,
    clock: fakeClock(),
    log,
    facts: {},
    results: {
      writeOutputs: (values) => {
        written.outputs = values;
      },
      writeSummary: (markdown) => {
        written.summary = markdown;
      },
      writeReport: () => '/report.json',
    },
    ...end,
  });
  return { exitCode, log, ...written };
}

describe('the end of a run', () => {
  it('lists each write of a dry run in the log too', () => {
    const planned = [
      { action: 'start an export of docs.example.com', target: 'POST https://api.example.com/v1/static-export/jobs' },
      { action: 'write the link', target: 'secret DOCS_URL of repository acme/app' },
    ];
    const { log } = finishRun({ facts: { status: 'completed', planned } });
    for (const { action, target } of planned) expect(log.text()).toContain(`not done: ${action}: ${target}`);
  });

  it.each([
    ['timed-out', 'timed-out', 1],
    ['cancelled', 'cancelled', 1],
    ['refused', 'refused', 1],
    ['network', 'failed', 1],
  ] as const)('with %s is %s, exit code %i', (code, status, exitCode) => {
    const error = new CourierError({ code, message: 'It ended.' });
    const end = finishRun({ error });
    expect(end.exitCode).toBe(exitCode);
    expect(end.outputs).toMatchObject({ status, 'error-code': code, 'report-path': '/report.json' });
  });

  it('of a stranger refused in agent mode is not red', () => {
    expect(finishRun({ mode: 'agent', facts: { status: 'refused' } }).exitCode).toBe(0);
  });

  it.each(['completed', 'detached', 'skipped'] as const)('as %s is green', (status) => {
    expect(finishRun({ facts: { status } })).toMatchObject({ exitCode: 0, outputs: { status } });
  });

  it('keeps the report JSON where it is too large for an output', () => {
    const reason = 'x'.repeat(70_000);
    const { outputs } = finishRun({ facts: { status: 'completed', reason } });
    expect(JSON.parse(outputs.report ?? '')).toMatchObject({ version: 1, status: 'completed', truncated: true });
  });
});
