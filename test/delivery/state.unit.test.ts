import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideResume, latestRecord } from '../../src/delivery/jobs.ts';
import {
  isDue,
  readClaim,
  readState,
  type StateBinding,
  type StateRecord,
  writeClaim,
  writeState,
} from '../../src/delivery/state.ts';

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
  written: { at: '2026-03-01T10:00:00.000Z' },
  runs: [{ id: '501', job: 'export', state: 'done', jobId: 'job-1', order: 4 }],
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
    history: fc.array(
      fc.record({ job: id, pages: fc.nat(), later: id }, { requiredKeys: ['job'] }),
    ),
    number: fc.nat(),
    baseUrl: fc.constant(PLACE.baseUrl),
    domain: fc.domain(),
    jobId: id,
    expiresAt: fc
      .date({ min: new Date('2024-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    runs: fc.array(
      fc.record(
        {
          id,
          job: id,
          state: fc.constantFrom('starting' as const, 'started' as const, 'done' as const),
          jobId: id,
        },
        { requiredKeys: ['id', 'job', 'state'] },
      ),
    ),
  },
  { requiredKeys: ['version', 'baseUrl'] },
);

describe('reading a state', () => {
  test('A state is valid for the destination it was written for, complete, also with fields of a later version', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(readState(PLACE, writeState(PLACE, state))).toEqual({
          kind: 'valid',
          record: state,
        });
      }),
      { numRuns: RUNS },
    );
  });

  const REFUSED: StateRecord = {
    version: 2,
    baseUrl: 'https://other.example.com',
    domain: 'dosc.example.com',
    number: 3,
  };

  test('A state that never had a job, of a misspelt site, counts as that of the site of the run', () => {
    const binding = { ...PLACE, domain: 'docs.example.com' };
    const record = { version: 2, baseUrl: PLACE.baseUrl, domain: 'docs.example.com', number: 3 };
    for (const runs of [undefined, [{ id: '1', job: 'export', state: 'publishing' as const }]]) {
      const text = writeState(PLACE, { ...REFUSED, runs });
      expect(readState(binding, text)).toEqual({ kind: 'valid', record: { ...record, runs } });
    }
    expect(readState({ ...PLACE, projectId: 'p-1' }, writeState(PLACE, REFUSED))).toEqual({
      kind: 'valid',
      record: { version: 2, baseUrl: PLACE.baseUrl, projectId: 'p-1', number: 3 },
    });
  });

  test('A start without a reply at another address of the platform is forgotten', () => {
    const runs = [{ id: '1', job: 'export', state: 'starting' as const }];
    const text = writeState(PLACE, { ...REFUSED, runs });
    const record = {
      version: 2,
      baseUrl: PLACE.baseUrl,
      domain: 'docs.example.com',
      number: 3,
      runs: [],
    };
    expect(readState({ ...PLACE, domain: 'docs.example.com' }, text)).toEqual({
      kind: 'valid',
      record,
    });
    const started = writeState(PLACE, {
      ...REFUSED,
      runs: [{ ...runs[0], id: '1', job: 'export', state: 'started', jobId: 'job-1' }],
    });
    expect(readState({ ...PLACE, domain: 'docs.example.com' }, started)).toMatchObject({
      kind: 'foreign',
    });
  });

  test.each<[string, Partial<StateRecord>]>([
    ['has a job', { jobId: 'job-1' }],
    ['has a history', { history: [{ job: 'job-1' }] }],
    ['may have started an export', { runs: [{ id: '1', job: 'export', state: 'starting' }] }],
    [
      'has a link that may arrive',
      { unanswered: [{ token: 't', by: 'export', at: '2026-03-01T10:00:00.000Z', run: '1/a' }] },
    ],
  ])('A state of another site that %s is not ours', (_what, more) => {
    const binding = { ...PLACE, baseUrl: REFUSED.baseUrl, domain: 'docs.example.com' };
    expect(readState(binding, writeState(binding, { ...REFUSED, ...more }))).toMatchObject({
      kind: 'foreign',
      why: 'it belongs to the site dosc.example.com',
    });
  });

  test.each<[string, Partial<StateBinding>]>([
    ['with another key', { adminApiKey: 'svc_anotherKey0123456789' }],
    ['for another destination', { address: 'github://github.com/repo/acme/site/docs_bundle_url' }],
    ['on another host', { address: 'github://ghe.acme.com/repo/acme/docs/docs_bundle_url' }],
    ['for another platform', { baseUrl: 'https://other.example.com' }],
  ])('A state written %s is not valid', (_what, other) => {
    expect(readState(PLACE, writeState({ ...PLACE, ...other }, STATE)).kind).toBe(
      // The address is part of the state and is compared with the run's address.
      other.baseUrl === undefined ? 'bad-signature' : 'valid',
    );
    expect(readState({ ...PLACE, ...other }, writeState(PLACE, STATE)).kind).toBe(
      other.baseUrl === undefined ? 'bad-signature' : 'foreign',
    );
  });

  test.each([
    ['domain', { domain: 'other.example.com' }, 'the site docs.example.com'],
    ['projectId', { projectId: 'project-2' }, 'the project project-1'],
  ])(
    'A state of another %s is not ours, and says whose it is; a run that names none uses it',
    (_name, other, owner) => {
      const text = writeState(PLACE, { ...STATE, projectId: 'project-1' });
      const own = { ...PLACE, domain: 'docs.example.com', projectId: 'project-1' };
      expect(readState({ ...own, ...other }, text)).toMatchObject({
        kind: 'foreign',
        what: `the link of ${owner}`,
        isLink: true,
      });
      for (const binding of [own, PLACE]) expect(readState(binding, text).kind).toBe('valid');
    },
  );

  test('A field that was added to a signed state makes its signature invalid', () => {
    const signed = JSON.parse(writeState(PLACE, STATE));
    for (const more of [
      { note: 'x' },
      { runs: [{ ...signed.runs[0], note: 'x' }] },
      { written: { ...signed.written, x: 1 } },
    ]) {
      const read = readState(PLACE, JSON.stringify({ ...signed, ...more }));
      expect(read).toMatchObject({ kind: 'bad-signature', job: 'job-1' });
    }
  });

  test.each([1, 3])('A state with version %i cannot be read', (version) => {
    const text = JSON.stringify({ ...JSON.parse(writeState(PLACE, STATE)), version });
    expect(readState(PLACE, text).kind).toBe('unreadable');
  });

  test('Changing any one character of a state invalidates it, or leaves its content unchanged', () => {
    const text = writeState(PLACE, STATE);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.stringMatching(/^[A-Za-z0-9"{}:,]$/), (at, char) => {
        const read = readState(PLACE, text.slice(0, at) + char + text.slice(at + 1));
        if (read.kind === 'valid') expect(read.record).toEqual(STATE);
        else expect(['foreign', 'unreadable', 'bad-signature']).toContain(read.kind);
      }),
      { numRuns: RUNS },
    );
  });

  test.each([
    ['', 'missing'],
    ['  \n', 'missing'],
    ['null', 'missing'],
    ['[]', 'missing'],
    ['{}', 'missing'],
    ['none', 'missing'],
    ['not JSON', 'foreign'],
    [JSON.stringify({ ...STATE, version: 3, signature: 'x' }), 'unreadable'],
    [JSON.stringify(STATE), 'foreign'],
    [JSON.stringify({ ...STATE, jobId: '../x', signature: 'x' }), 'unreadable'],
    [JSON.stringify({ ...STATE, signature: 'x' }), 'bad-signature'],
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
    expect(Object.keys(JSON.parse(text)).sort()).toEqual(
      [...Object.keys(STATE), 'signature'].sort(),
    );
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
  ])(
    'With an expiry of %s and %i minutes to spare, whether a refresh is due is %s',
    (expiresAt, minutes, due) => {
      expect(isDue(expiresAt, nowMs, minutes * 60_000)).toBe(due);
    },
  );
});

describe('a claim', () => {
  const claim = {
    token: 't',
    by: 'export',
    job: 'job-1',
    order: 3,
    at: '2026-03-01T10:00:00.000Z',
    run: '7/docs',
  } as const;
  test('A claim is valid for its number and its destination, with the key that it was written with', () => {
    const text = writeClaim(PLACE, 7, claim);
    expect(readClaim(PLACE, 7, text)).toEqual(claim);
    expect(readClaim(PLACE, 8, text)).toBeUndefined();
    expect(readClaim({ ...PLACE, address: 'file:///other' }, 7, text)).toBeUndefined();
    expect(
      readClaim({ ...PLACE, adminApiKey: 'svc_anotherKey0123456789' }, 7, text),
    ).toBeUndefined();
    expect(readClaim(PLACE, 7, text.replace('job-1', 'job-2'))).toBeUndefined();
    expect(readClaim(PLACE, 7, 'none')).toBeUndefined();
    expect(text).not.toContain(PLACE.adminApiKey);
  });
});

describe('resuming', () => {
  const run = { runId: '501', runAttempt: 2, job: 'export' };
  const domain = 'docs.example.com';
  const at = (record: StateRecord) => ({
    situationAtStart: { kind: 'known', record } as const,
    whyChanged: '',
  });
  const starting: StateRecord = {
    ...STATE,
    runs: [{ id: '501', job: 'export', state: 'starting', order: 4 }],
  };

  test('A later attempt attaches to the job of an earlier one, started or completed', () => {
    const attach = { kind: 'attach', jobId: 'job-1', order: 4 };
    expect(decideResume(at(STATE), run, domain)).toEqual(attach);
    const runs = [
      { id: '502', job: 'export', state: 'done', jobId: 'job-2', order: 5 } as const,
      { id: '501', job: 'export', state: 'started', jobId: 'job-1', order: 4 } as const,
    ];
    const started: StateRecord = { ...STATE, runs };
    expect(decideResume(at(started), run, domain)).toEqual(attach);
  });

  test.each([
    ['a first attempt', { run: { ...run, runAttempt: 1 } }],
    ['another run', { run: { ...run, runId: '502' } }],
    ['another job of the workflow', { run: { ...run, job: 'refresh' } }],
    ['another site', { domain: 'other.example.com' }],
    ['no state', at({ version: 2, baseUrl: PLACE.baseUrl, domain })],
  ])('With %s a new export starts without a warning', (_what, change) => {
    const given = { ...at(STATE), run, domain, ...change };
    expect(decideResume(given, given.run, given.domain)).toEqual({ kind: 'start' });
  });

  test('A killed attempt that had no job id yet causes a warning', () => {
    expect(decideResume(at(starting), run, domain)).toMatchObject({
      kind: 'start',
      warning: expect.stringContaining('export-job-id'),
    });
  });

  test('Only a later attempt of the same run, job and site attaches', () => {
    fc.assert(
      fc.property(anyState, id, fc.nat(3), id, (state, runId, runAttempt, job) => {
        const resume = decideResume(at(state), { runId, runAttempt, job }, domain);
        const isOwn = state.runs?.some((one) => one.id === runId && one.job === job) === true;
        const same = isOwn && (state.domain ?? domain) === domain && runAttempt > 1;
        if (!same) expect(resume.kind).toBe('start');
      }),
      { numRuns: RUNS },
    );
  });
});

test('An error about two projects of one domain names the projects', () => {
  const newer = { ...STATE, projectId: 'project-1', jobOrder: 2 };
  const older = { ...STATE, projectId: 'project-2', jobOrder: 1 };
  expect(() => latestRecord([older, newer])).toThrow('different sites: project-1 and project-2.');
});
