import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { overtaken } from '../../../../src/publish/state/change.ts';
import { decideResume } from '../../../../src/publish/state/jobs.ts';
import {
  isDue,
  readState,
  type StateBinding,
  type StateRecord,
  writeState,
} from '../../../../src/publish/state/state.ts';

const PLACE: StateBinding = {
  adminApiKey: 'svc_adminKeyForTests0123456789',
  baseUrl: 'https://api.docs.example.com',
  address: 'github://github.com/repo/acme/docs/docs_bundle_url',
};
const STATE: StateRecord = {
  version: 2,
  domain: 'docs.example.com',
  baseUrl: PLACE.baseUrl,
  jobId: 'job-1',
  expiresAt: '2026-03-01T12:00:00.000Z',
  requestedAt: '2026-03-01T09:30:00.000Z',
  written: { at: '2026-03-01T10:00:00.000Z' },
  run: { id: '501', job: 'export', state: 'done', jobId: 'job-1' },
};
const RUNS = Number(process.env.SOAK ? 10_000 : 1_000);

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/);
const anyState: fc.Arbitrary<StateRecord> = fc.record(
  {
    version: fc.constant(2 as const),
    projectId: id,
    written: fc.record({ at: fc.constant('2026-03-01T10:00:00.000Z'), link: id }),
    // Fields that a later version may add.
    audits: fc.array(fc.record({ jobId: id })),
    history: fc.array(fc.record({ job: id, pages: fc.nat(), later: id }, { requiredKeys: ['job'] })),
    count: fc.nat(),
    baseUrl: fc.constant(PLACE.baseUrl),
    domain: fc.domain(),
    jobId: id,
    expiresAt: fc
      .date({ min: new Date('2024-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    run: fc.record(
      { id, job: id, state: fc.constantFrom('starting' as const, 'started' as const, 'done' as const), jobId: id },
      { requiredKeys: ['id', 'job', 'state'] },
    ),
  },
  { requiredKeys: ['version', 'baseUrl'] },
);

describe('reading a state', () => {
  test('A state is valid for the destination it was written for, complete, also with fields of a later version', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(readState(PLACE, writeState(PLACE, state))).toEqual({ kind: 'valid', record: state });
      }),
      { numRuns: RUNS },
    );
  });

  test.each<[string, Partial<StateBinding>]>([
    ['with another key', { adminApiKey: 'svc_anotherKey0123456789' }],
    ['for another destination', { address: 'github://github.com/repo/acme/site/docs_bundle_url' }],
    ['on another host', { address: 'github://ghe.acme.com/repo/acme/docs/docs_bundle_url' }],
    ['for another platform', { baseUrl: 'https://other.example.com' }],
  ])('A state written %s is not valid', (_what, other) => {
    expect(readState(PLACE, writeState({ ...PLACE, ...other }, STATE)).kind).toBe(
      // The address is part of the state and is compared with the run's address.
      other.baseUrl === undefined ? 'ignored' : 'valid',
    );
    expect(readState({ ...PLACE, ...other }, writeState(PLACE, STATE)).kind).toBe('ignored');
  });

  test.each([
    ['domain', { domain: 'other.example.com' }, 'the site docs.example.com'],
    ['projectId', { projectId: 'project-2' }, 'the project project-1'],
  ])('A state of another %s is ignored, and says whose it is; a run that names none uses it', (_name, other, owner) => {
    const text = writeState(PLACE, { ...STATE, projectId: 'project-1' });
    const own = { ...PLACE, domain: 'docs.example.com', projectId: 'project-1' };
    expect(readState({ ...own, ...other }, text)).toMatchObject({ kind: 'ignored', owner });
    for (const binding of [own, PLACE]) expect(readState(binding, text).kind).toBe('valid');
  });

  test('A field that was added to a signed state makes its signature invalid', () => {
    const signed = JSON.parse(writeState(PLACE, STATE));
    for (const more of [
      { note: 'x' },
      { run: { ...signed.run, note: 'x' } },
      { written: { ...signed.written, x: 1 } },
    ]) {
      const read = readState(PLACE, JSON.stringify({ ...signed, ...more }));
      expect(read).toMatchObject({ kind: 'ignored' });
    }
  });

  test.each([1, 3])('A state with version %i is ignored', (version) => {
    const text = JSON.stringify({ ...JSON.parse(writeState(PLACE, STATE)), version });
    expect(readState(PLACE, text).kind).toBe('ignored');
  });

  test('Changing any one character of a state invalidates it, or leaves its content unchanged', () => {
    const text = writeState(PLACE, STATE);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.stringMatching(/^[A-Za-z0-9"{}:,]$/), (at, char) => {
        const read = readState(PLACE, text.slice(0, at) + char + text.slice(at + 1));
        if (read.kind === 'valid') expect(read.record).toEqual(STATE);
        else expect(read.kind).toBe('ignored');
      }),
      { numRuns: RUNS },
    );
  });

  test.each([
    ['', 'missing'],
    ['  \n', 'missing'],
    ['null', 'ignored'],
    ['[]', 'ignored'],
    ['{}', 'ignored'],
    ['not JSON', 'ignored'],
    [JSON.stringify({ ...STATE, version: 3, signature: 'x' }), 'ignored'],
    [JSON.stringify(STATE), 'ignored'],
    [JSON.stringify({ ...STATE, jobId: '../x', signature: 'x' }), 'ignored'],
  ])('The text %j counts as %s', (text, kind) => {
    expect(readState(PLACE, text).kind).toBe(kind);
  });

  test('No text is valid without a signature, and none throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string({ maxLength: 200 })), (text) => {
        expect(readState(PLACE, text).kind).not.toBe('valid');
      }),
      { numRuns: RUNS },
    );
  });

  test('A state contains neither the key nor anything derived from it except the signature', () => {
    const text = writeState(PLACE, STATE);
    expect(text).not.toContain(PLACE.adminApiKey);
    expect(Object.keys(JSON.parse(text)).sort()).toEqual([...Object.keys(STATE), 'signature'].sort());
  });
});

describe('a refresh that is due', () => {
  const nowMs = Date.parse('2026-03-01T10:00:00Z');
  test.each([
    ['2026-03-01T12:00:00Z', 60, false],
    ['2026-03-01T11:00:01Z', 60, false],
    ['2026-03-01T11:00:00Z', 60, true],
    ['2026-03-01T10:30:00Z', 60, true],
    ['2026-03-01T09:00:00Z', 60, true],
    ['2026-03-01T09:59:59Z', 0, true],
    [undefined, 0, true],
    ['soon', 60, true],
  ])('With an expiry of %s and %i minutes to spare, whether a refresh is due is %s', (expiresAt, minutes, due) => {
    expect(isDue({ expiresAt }, { nowMs, refreshBeforeMs: minutes * 60_000 })).toBe(due);
  });
});

describe('a state that a run wrote over while another run wrote the link', () => {
  const hoursAfter = (hours: number) => Date.parse('2026-03-01T10:00:00Z') + hours * 3_600_000;
  const run = { id: '502', job: 'export', jobId: 'job-2', requestedAt: '2026-03-01T10:00:00.000Z' };
  test.each([
    ['started', 23, undefined],
    ['started', 25, 'job-1'],
    ['failed', 1, 'job-1'],
  ] as const)(
    'If a newer export was marked as %s %i hours ago, the state then names the job %s',
    (state, hours, jobId) => {
      expect(overtaken({ ...STATE, run: { ...run, state } }, hoursAfter(hours)).jobId).toBe(jobId);
    },
  );
});

describe('resuming', () => {
  const run = { runId: '501', runAttempt: 2, job: 'export' };
  const domain = 'docs.example.com';
  const verdict = { kind: 'fits' } as const;
  const at = (record: StateRecord | undefined) => ({ record, verdict });
  const starting: StateRecord = { ...STATE, run: { id: '501', job: 'export', state: 'starting' } };

  test('A later attempt attaches to the job of an earlier one, started or completed', () => {
    const attach = { kind: 'attach', jobId: 'job-1', requestedAtMs: undefined };
    expect(decideResume({ state: at(STATE), run, domain })).toEqual(attach);
    const started: StateRecord = { ...STATE, run: { id: '501', job: 'export', state: 'started', jobId: 'job-1' } };
    expect(decideResume({ state: at(started), run, domain })).toEqual(attach);
  });

  test.each([
    ['a first attempt', { run: { ...run, runAttempt: 1 } }],
    ['another run', { run: { ...run, runId: '502' } }],
    ['another job of the workflow', { run: { ...run, job: 'refresh' } }],
    ['another site', { domain: 'other.example.com' }],
    ['no state', { state: at(undefined) }],
  ])('With %s a new export starts without a warning', (_what, change) => {
    expect(decideResume({ state: at(STATE), run, domain, ...change })).toEqual({ kind: 'start' });
  });

  test('A killed attempt that had no job id yet causes a warning', () => {
    expect(decideResume({ state: at(starting), run, domain })).toMatchObject({
      kind: 'start',
      warning: expect.stringContaining('export-job-id'),
    });
  });

  test('Only a later attempt of the same run, job and site attaches', () => {
    fc.assert(
      fc.property(anyState, id, fc.nat(3), id, (state, runId, runAttempt, job) => {
        const resume = decideResume({ state: at(state), run: { runId, runAttempt, job }, domain });
        const same = state.run?.id === runId && state.run.job === job && state.domain === domain && runAttempt > 1;
        if (!same) expect(resume.kind).toBe('start');
      }),
      { numRuns: RUNS },
    );
  });
});
