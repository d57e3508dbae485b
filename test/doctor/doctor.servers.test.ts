import { describe, expect, it } from 'vitest';
import { type CheckRow, doctorPresentation } from '../../src/doctor/finding.ts';
import { CourierError } from '../../src/ground/errors.ts';
import type { DoctorInputs } from '../../src/inputs/inputs.ts';
import { readInputs } from '../../src/inputs/read.ts';
import type { InputSource } from '../../src/values/reader.ts';
import { ADMIN_KEY, ASSISTANT_KEY, SECRET_TOKEN } from '../support/make-inputs.ts';
import { DOMAIN, NAME } from '../support/world/names.ts';
import { startWorld, type World } from '../support/world.ts';

type Given = Readonly<Record<string, string>>;

const TOKEN = SECRET_TOKEN;
const DELIVERY = { to: `github:secret/${NAME}`, 'secret-token': TOKEN };
const EXPORTING = { domain: DOMAIN, 'admin-api-key': ADMIN_KEY };
const DELIVERING = { ...EXPORTING, ...DELIVERY };

function sourceOf(given: Given): InputSource {
  const known = (name: string) => given[name] ?? '';
  return {
    value: known,
    unknownNames: () => Object.keys(given).filter((name) => name === 'secrettoken'),
  };
}

function readDoctorInputs(given: Given, workspace = '/workspace'): DoctorInputs {
  const inputs = readInputs(sourceOf({ mode: 'doctor', ...given }), {
    repository: 'acme/docs',
    workspace,
  });
  if (inputs.mode !== 'doctor') throw new Error('not doctor');
  return inputs;
}

async function examine(world: World, given: Given) {
  const inputs = readDoctorInputs({ 'base-url': world.platform.url, ...given }, world.workspace);
  const keys = { admin: inputs.adminApiKey, assistant: inputs.assistantApiKey };
  const { facts, error, log } = await world.doctor(inputs, { keys });
  const findings = facts.findings ?? [];
  return {
    ending: error ?? facts,
    findings,
    log,
    of: (what: string) => findings.find((one) => one.what === what),
  };
}

const outcomes = (findings: readonly CheckRow[]) =>
  Object.fromEntries(findings.map(({ what, outcome }) => [what, outcome]));

describe('the modes that doctor checks', () => {
  it.each<[Given, readonly string[]]>([
    [EXPORTING, ['export']],
    [{ domain: DOMAIN }, ['export']],
    [{ domain: DOMAIN, ...DELIVERY }, ['export']],
    [{ 'project-id': 'p', 'extract-to': 'site' }, ['export']],
    [DELIVERY, ['refresh']],
    [{ ...DELIVERY, 'refresh-before': '12h', domain: DOMAIN }, ['export', 'refresh']],
    [{ 'project-id': 'p', 'admin-api-key': ADMIN_KEY }, ['publish']],
    [{ 'project-id': 'p', 'github-token': 'ghs_x' }, ['publish', 'agent']],
    [{ 'project-id': 'p', branch: 'docs' }, ['publish']],
    [{ 'project-id': 'p', 'agent-job-id': 'j' }, ['agent']],
    [{ 'project-id': 'p', context: 'diff,docs', domain: 'acme' }, ['agent']],
    [{ domain: 'acme', 'assistant-api-key': ASSISTANT_KEY }, ['search']],
    [{ domain: 'acme' }, ['search']],
    [{ query: 'x' }, ['search']],
    [{ 'admin-api-key': ADMIN_KEY }, []],
  ])('The modes that doctor checks follow from the inputs: %j', (given, modes) => {
    expect(readDoctorInputs(given).checked).toEqual(modes);
  });
});

describe('doctor', () => {
  it.each([200, 405])(
    'A reply of %i about a job that does not exist is a warning, and says nothing about the key',
    async (status) => {
      await using world = await startWorld();
      world.platform.inject({
        match: { path: '/v1/static-export/jobs/', times: 9 },
        status,
        body: { message: 'no' },
      });
      const { of } = await examine(world, DELIVERING);
      expect(of('Address')).toMatchObject({
        outcome: 'warning',
        detail: expect.stringContaining(`answers ${status}`),
      });
      expect(of('Admin API key')).toMatchObject({ outcome: 'unknown' });
    },
  );

  it('Doctor does not call a wrong key accepted if the address answers 404 whatever the key is', async () => {
    await using world = await startWorld();
    world.platform.inject({
      match: { path: '/docs-courier-doctor', times: 9 },
      status: 404,
      body: { error: 'no' },
    });
    const { of } = await examine(world, {
      domain: DOMAIN,
      'admin-api-key': 'svc_wrongKeyForTests0123456789',
    });
    expect(of('Admin API key')).toMatchObject({
      outcome: 'unknown',
      detail: expect.stringContaining('known only when a run uses it: the address answers 404'),
    });
  });

  it('Doctor says that a key was accepted for reading, and that only a start shows whether it may write', async () => {
    await using world = await startWorld();
    const { of } = await examine(world, EXPORTING);
    const detail = 'The platform accepts it for reading: without it, it answers 401.';
    expect(of('Admin API key')).toMatchObject({ outcome: 'ok', detail });
    expect(of('Plan')).toMatchObject({
      outcome: 'unknown',
      detail: expect.stringContaining('may be read-only'),
    });
  });

  it.each([
    [401, ['may have expired', 'does not have static export']],
    [402, ["organization's plan"]],
    [403, ['lack write access', 'from the address of this machine', 'does not have static export']],
  ])(
    "A refusal with %i shows the platform's words first, and then every cause",
    async (status, causes) => {
      await using world = await startWorld();
      world.platform.inject({
        match: { path: '/docs-courier-doctor' },
        status,
        body: { error: 'Not for you.' },
      });
      const { of, ending } = await examine(world, EXPORTING);
      expect(of('Admin API key')).toMatchObject({
        outcome: 'error',
        detail: `The platform answers ${status}: Not for you.`,
      });
      expect(ending).toMatchObject({ hint: expect.stringMatching(/^Correct it\. /) });
      for (const cause of causes) expect(of('Admin API key')?.fix).toContain(cause);
    },
  );

  it.each([
    [
      { 'project-id': 'project-1' },
      '/v1/static-export/project-1/jobs/docs-courier-doctor',
      'by project',
    ],
    [
      { 'project-id': 'project-1', 'extract-to': 'site' },
      '/v1/static-export/project-1/jobs/',
      'by project',
    ],
    [
      { domain: DOMAIN, 'project-id': 'project-1', publish: 'true' },
      '/v1/static-export/jobs/',
      'by domain',
    ],
  ])('With %j Doctor asks the form of the API that the run uses', async (given, path, form) => {
    await using world = await startWorld();
    const { of } = await examine(world, { 'admin-api-key': ADMIN_KEY, ...given });
    const asked = world.platform.requests
      .map((one) => one.path)
      .filter((one) => one.includes('docs-courier-doctor'));
    expect(asked[0]).toContain(path);
    expect(of('Address')).toMatchObject({ outcome: 'ok', detail: expect.stringContaining(form) });
  });

  it('Doctor finds nothing wrong with an export that would work, and writes nothing', async () => {
    await using world = await startWorld();
    const { ending, findings } = await examine(world, DELIVERING);
    expect(ending).toMatchObject({
      status: 'completed',
      reason: expect.stringContaining('nothing was changed'),
    });
    expect(outcomes(findings)).toMatchObject({
      Inputs: 'ok',
      Address: 'ok',
      Clock: 'ok',
      'Admin API key': 'ok',
      Plan: 'unknown',
      Site: 'unknown',
      'Destination of the link': 'ok',
      State: 'ok',
      'Temporary folder': 'ok',
    });
    expect(world.writes()).toEqual([]);
    expect(world.platform.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(world.files()).toEqual([]);
  });

  it('Doctor shows everything that is wrong in one run, each with its fix, and fails', async () => {
    await using world = await startWorld();
    world.github.setToken(TOKEN, { permissions: {} });
    const { ending, findings, log, of } = await examine(world, {
      domain: DOMAIN,
      'admin-api-key': 'svc_wrongKeyForTests0123456789',
      timeout: '30',
      secrettoken: 'X',
      'extract-to': '.git/site',
      ...DELIVERY,
    });
    expect(ending).toBeInstanceOf(CourierError);
    expect(ending).toMatchObject({
      code: 'checks-failed',
      message: expect.stringContaining('- Admin API key: '),
    });
    const details = findings.filter(({ what }) => what === 'Inputs').map(({ detail }) => detail);
    expect(details).toEqual([
      'unknown input secrettoken; did you mean secret-token?',
      'timeout: "30" is not allowed; it must be a duration such as 90s, 30m or 2h',
    ]);
    expect(of('Admin API key')).toMatchObject({
      outcome: 'error',
      fix: expect.stringContaining('API keys page'),
    });
    expect(log.text()).toContain(
      '❌ Admin API key: The platform answers 401: The API key is unknown.\n   What to do: The key in admin-api-key may have expired',
    );
  });

  it('Doctor names the permission that the token of the secret lacks, and the folder that is not writable', async () => {
    await using world = await startWorld();
    world.github.setToken(TOKEN, { permissions: {} });
    const { findings } = await examine(world, {
      ...DELIVERING,
      'extract-to': '.git/site',
    });
    const secret = `github:secret/${NAME}: secret ${NAME} of repository acme/docs`;
    expect(outcomes(findings)).toMatchObject({
      [secret]: 'error',
      State: 'unknown',
      Destinations: 'error',
    });
    const destination = findings.find(({ what }) => what === secret);
    expect(destination?.fix).toContain(
      'secret-token needs the repository permission "Secrets: Read and write".',
    );
    expect(destination?.fix).toContain('permission-secrets: write');
  });

  it('Doctor does not ask for rate limits, which a GitHub Enterprise Server can have turned off', async () => {
    await using world = await startWorld();
    const { of } = await examine(world, DELIVERING);
    expect(of('Destination of the link')).toMatchObject({ outcome: 'ok' });
    expect(world.github.requests.length).toBeGreaterThan(0);
    expect(world.github.requests.filter(({ path }) => path.includes('rate_limit'))).toEqual([]);
  });

  it('Doctor continues if no server answers at the address', async () => {
    await using world = await startWorld();
    const { findings } = await examine(world, {
      'base-url': 'http://127.0.0.1:9',
      ...DELIVERING,
    });
    expect(outcomes(findings)).toMatchObject({ Address: 'error', 'Destination of the link': 'ok' });
  });

  it('Doctor says that a refresh without a state would fail, unless if-no-state is skip', async () => {
    await using world = await startWorld();
    const given = { 'admin-api-key': ADMIN_KEY, ...DELIVERY };
    expect((await examine(world, given)).of('State')).toMatchObject({ outcome: 'error' });
    const skipping = await examine(world, { ...given, 'if-no-state': 'skip' });
    expect(skipping.of('State')).toMatchObject({ outcome: 'warning' });
    expect(skipping.ending).toMatchObject({ status: 'completed' });
  });

  it('Doctor searches once to check key and site', async () => {
    await using world = await startWorld();
    const right = await examine(world, {
      domain: 'acme',
      'assistant-api-key': ASSISTANT_KEY,
      query: 'install',
    });
    expect(right.of('Assistant API key and site')).toMatchObject({ outcome: 'ok' });
    const wrong = await examine(world, {
      domain: 'acme',
      'assistant-api-key': 'svc_dsc_unknown0123456789',
      query: 'install',
    });
    expect(wrong.of('Assistant API key and site')).toMatchObject({ outcome: 'error' });
  });

  it('Doctor warns if the clocks differ', async () => {
    await using world = await startWorld();
    world.platform.inject({
      match: { path: '/docs-courier-doctor' },
      status: 404,
      body: { error: 'no' },
      headers: { date: new Date(world.clock.now() - 3_600_000).toUTCString() },
    });
    const { of } = await examine(world, EXPORTING);
    expect(of('Clock')).toMatchObject({
      outcome: 'warning',
      detail: expect.stringContaining('1 h apart'),
    });
  });

  it('Doctor tries each permission of the agent that a read can show', async () => {
    await using world = await startWorld();
    world.github.setToken('ghs_workflowTokenForTests0123456789abc', {
      permissions: { pull_requests: 'write' },
    });
    const { of } = await examine(world, {
      'admin-api-key': ADMIN_KEY,
      'project-id': 'project-1',
      'github-token': 'ghs_workflowTokenForTests0123456789abc',
    });
    expect(
      of('Permission pull-requests'),
      JSON.stringify(of('Permission pull-requests')),
    ).toMatchObject({
      outcome: 'ok',
    });
    expect(of('Permission pull-requests: write')).toMatchObject({ outcome: 'unknown' });
    expect(of('Permission contents')).toMatchObject({
      outcome: 'warning',
      fix: expect.stringContaining('contents: read'),
    });
  });
});

it('What only a run can show is last, under its own heading, and does not count as a check', async () => {
  await using world = await startWorld();
  const { findings, log } = await examine(world, EXPORTING);
  const unseen = findings.filter(({ outcome }) => outcome === 'unknown');
  expect(unseen.length).toBeGreaterThan(0);
  const common = {
    version: 1,
    mode: 'doctor',
    status: 'completed',
    startedAt: '',
    elapsedMs: 1,
  } as const;
  const summary = doctorPresentation.summary({ ...common, findings }, 0);
  const [seenPart = '', unseenPart = ''] = summary.split('### Only a run can show this');
  expect(seenPart).toContain(`none of ${findings.length - unseen.length} checks failed`);
  expect(seenPart).toContain('✅');
  expect(seenPart).not.toContain('❔');
  for (const { what } of unseen) expect(unseenPart).toContain(what);
  expect(unseenPart.split('✅ works')[0]).not.toContain('✅');
  const text = log.text();
  expect(text.lastIndexOf('✅')).toBeLessThan(text.indexOf('Only a run can show this:'));
});

it('The table of doctor shows mark, check, finding and fix, and text from outside stays inert', () => {
  const report = {
    version: 1,
    mode: 'doctor',
    status: 'failed',
    startedAt: '',
    elapsedMs: 1,
  } as const;
  const findings: CheckRow[] = [
    { what: 'Address', outcome: 'ok', detail: 'It answers.' },
    {
      what: 'State',
      outcome: 'error',
      detail: '<img src=x> @acme/team',
      fix: 'Run an export first.',
    },
    {
      what: 'Token',
      outcome: 'warning',
      detail: 'It lacks a scope.',
      fix: 'With a GitHub App:\n- id: app-token',
    },
  ];
  const summary = doctorPresentation.summary({ ...report, checked: ['export'], findings }, 0);
  expect(summary).toContain('## 🩺 Doctor: 1 of 3 checks failed');
  expect(summary).toContain('| ✅ | Address | It answers. |');
  expect(summary).toContain('Run an export first.');
  expect(summary).toContain('| With a GitHub App, as shown below. |');
  expect(summary).toContain('```yaml\n- id: app-token\n```');
  expect(summary).not.toMatch(/<img|@acme/);
});
