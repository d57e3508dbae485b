import { describe, expect, test } from 'vitest';
import type { PermissionName, RepositorySeed } from '../../../emulator/src/github/emulator.ts';
import { makeDestination, SECRET_TOKEN } from '../../support/make-inputs.ts';
import { TARGETS } from '../../support/world/delivery.ts';
import { ALL_RIGHTS, HOUR_MS, REPOSITORY, STATE } from '../../support/world/names.ts';
import { startWorld, type World } from '../../support/world.ts';

const DAY_MS = 24 * HOUR_MS;
const OWN = 'ghs_deploymentTokenForTests012345678';
const SHA = 'a'.repeat(40);

const recording = { to: makeDestination(), deployment: { environment: 'docs-site', token: OWN } };
const RUN = { runId: '501', sha: SHA, actor: 'maya' };

function start(
  permissions: Partial<Record<PermissionName, 'read' | 'write'>> = { deployments: 'write' },
  seed: Partial<RepositorySeed> = {},
) {
  return startWorld({
    github: {
      tokens: { [SECRET_TOKEN]: { permissions: ALL_RIGHTS }, [OWN]: { kind: 'workflow', permissions } },
      repositories: [{ fullName: REPOSITORY, id: 11, ...seed }],
    },
  });
}

const shown = ({ github }: World) =>
  github.deployments.map(({ environment, sha, statuses }) => [environment, sha, ...statuses.map(({ state }) => state)]);

describe('with deployment-environment', () => {
  test('an export is a deployment of its commit, in progress and then successful', async () => {
    await using world = await start();
    const { facts, error } = await world.export(recording, { run: RUN });
    expect(error).toBeUndefined();
    expect(shown(world)).toEqual([['docs-site', SHA, 'in_progress', 'success']]);
    const [deployment] = world.github.deployments;
    expect(deployment).toMatchObject({
      task: 'docs-courier',
      description: 'Export of acme.example.com',
      payload: { version: 1, count: 1 },
    });
    expect(JSON.stringify(deployment)).not.toMatch(/sig=|svc_/);
    expect(facts.deployment).toMatchObject({ environment: 'docs-site', id: deployment?.id, state: 'success' });
    const [create] = world.github.requests.filter(
      ({ method, path }) => method === 'POST' && path.endsWith('/deployments'),
    );
    expect(JSON.parse(create?.body ?? '')).toMatchObject({ ref: SHA, auto_merge: false, required_contexts: [] });
    // The first request of the run that could change anything: a missing permission ends it before an export is started.
    expect(world.writes()[0]).toBe('POST /repos/acme/docs/deployments');
  });

  test('the earlier deployment becomes inactive, also in production', async () => {
    await using world = await start();
    const production = { ...recording, deployment: { environment: 'production', token: OWN } };
    await world.export(production, { run: RUN });
    world.clock.advance(DAY_MS);
    await world.export(production, { run: { ...RUN, runId: '502', sha: 'b'.repeat(40) } });
    expect(shown(world)).toEqual([
      ['production', SHA, 'in_progress', 'success', 'inactive'],
      ['production', 'b'.repeat(40), 'in_progress', 'success'],
    ]);
  });

  test('an export that fails is a failed deployment, and the earlier one stays', async () => {
    await using world = await start();
    await world.export(recording, { run: RUN });
    world.clock.advance(DAY_MS);
    const { error, facts } = await world.export({ ...recording, minPages: 99 }, { run: { ...RUN, runId: '502' } });
    expect(error).toMatchObject({ code: 'checks-failed' });
    expect(facts.deployment).toMatchObject({ state: 'failure' });
    expect(shown(world).map((row) => row.slice(2))).toEqual([
      ['in_progress', 'success'],
      ['in_progress', 'failure'],
    ]);
    expect(world.github.deployments[1]?.statuses[1]).toMatchObject({ description: 'Failed: checks-failed' });
  });

  test('a run that is cancelled ends its deployment', async () => {
    await using world = await start();
    const cancel = new AbortController();
    const { error } = await world.export(recording, {
      run: RUN,
      signal: cancel.signal,
      onRecord: ({ jobId }) => void (jobId !== undefined && cancel.abort('SIGTERM')),
    });
    expect(error).toMatchObject({ code: 'cancelled' });
    expect(shown(world).map((row) => row.slice(2))).toEqual([['in_progress', 'error']]);
  });

  test('a run that detaches leaves no deployment in progress', async () => {
    await using world = await start();
    const { facts } = await world.export({ ...recording, timeoutMs: 0, onTimeout: 'detach' }, { run: RUN });
    expect(facts.status).toBe('detached');
    expect(shown(world).map((row) => row.slice(2))).toEqual([['in_progress', 'inactive']]);
  });

  test('a rollback is a deployment of the earlier commit, and a refresh is none', async () => {
    await using world = await start();
    await world.export(recording, { run: RUN });
    world.clock.advance(DAY_MS);
    await world.export(recording, { run: { ...RUN, runId: '502', sha: 'b'.repeat(40) } });
    world.clock.advance(DAY_MS);
    expect((await world.rollback(recording, { run: { sha: 'c'.repeat(40) } })).error).toBeUndefined();
    world.clock.advance(DAY_MS);
    expect((await world.refresh({ ...recording, refreshBeforeMs: 90 * DAY_MS })).facts.changed).toBe(true);
    expect(shown(world)).toEqual([
      ['docs-site', SHA, 'in_progress', 'success', 'inactive'],
      ['docs-site', 'b'.repeat(40), 'in_progress', 'success', 'inactive'],
      ['docs-site', SHA, 'in_progress', 'success'],
    ]);
    expect(world.github.deployments[2]?.description).toMatch(/^Rollback: Export job .* is live again, in place of /);
  });

  test.each([
    ['deployments: write', { deployments: 'read' } as const],
    ['any right to deployments', {}],
  ])('a token without %s ends the run before anything is started', async (_right, permissions) => {
    await using world = await start(permissions);
    const { error } = await world.export(recording, { run: RUN });
    expect(error).toMatchObject({ code: 'forbidden', hint: { permissions: { deployments: 'write' } } });
    expect(world.platform.requests).toHaveLength(0);
    expect(world.secret()).toBeUndefined();
  });

  test('a commit that the repository does not have ends it likewise', async () => {
    await using world = await start(undefined, { commits: [] });
    const { error } = await world.export(recording, { run: RUN });
    expect(error).toMatchObject({ code: 'config', message: expect.stringContaining(`no deployment of commit ${SHA}`) });
    expect(world.platform.requests).toHaveLength(0);
  });

  test('a deployment whose run was killed is ended by the next success', async () => {
    await using world = await start();
    await world.export(recording, { run: RUN });
    await world.export({ ...recording, minPages: 99 }, { run: { ...RUN, runId: '502' } });
    // As if that run had been killed before it could say how it ended.
    world.github.deployments[1]?.statuses.pop();
    world.clock.advance(DAY_MS + 1000);
    await world.export(recording, { run: { ...RUN, runId: '503' } });
    expect(shown(world).map((row) => row.slice(2))).toEqual([
      ['in_progress', 'success', 'inactive'],
      ['in_progress', 'inactive'],
      ['in_progress', 'success'],
    ]);
  });

  test('a state that cannot be reported is a warning: the link was written', async () => {
    await using world = await start();
    world.github.inject({
      match: { method: 'POST', path: '/statuses', nth: 2, times: 9 },
      status: 500,
      body: { message: 'no' },
    });
    const { error, log, facts } = await world.export(recording, { run: RUN });
    expect(error).toBeUndefined();
    expect(facts.secret).toMatchObject({ updated: true });
    expect(log.text()).toMatch(/^Reporting the state of deployment \d+ failed\. .* answered 500/m);
  });

  test('a job whose own environment has the same name is warned', async () => {
    await using world = await start();
    const runUrl = `https://github.com/${REPOSITORY}/actions/runs/501`;
    const { log: quiet } = await world.export(recording, { run: RUN });
    expect(quiet.text()).not.toContain('Use another name');
    const [first] = world.github.deployments;
    if (first === undefined) throw new Error('no deployment');
    const creator = first.creator;
    const status = { id: 1, state: 'in_progress', creator, logUrl: `${runUrl}/job/7`, createdAt: 0 } as const;
    world.github.deployments.push({ ...first, id: 99_999, task: 'deploy', payload: '', statuses: [status] });
    const { log } = await world.export(recording, { run: RUN });
    expect(log.text()).toContain('Use another name in deployment-environment');
  });

  test('an earlier state is noticed where the destination itself shows nothing of it', async () => {
    await using world = await start();
    const file = {
      addresses: [{ scheme: 'file', path: `${world.workspace}/link` }],
      credentials: makeDestination().credentials,
    } as const;
    const inputs = { ...recording, to: file };
    await world.export(inputs, { run: RUN });
    const { readFileSync, writeFileSync } = await import('node:fs');
    const paths = [`${world.workspace}/link`, `${world.workspace}/link.state.json`];
    const earlier = paths.map((path) => readFileSync(path, 'utf8'));
    world.clock.advance(DAY_MS);
    await world.export(inputs, { run: { ...RUN, runId: '502' } });
    world.clock.advance(DAY_MS);
    // Link and state fit each other: whoever can write both has put both back.
    for (const [index, path] of paths.entries()) writeFileSync(path, earlier[index] ?? '');
    // GitHub may show a payload as a text.
    const last = world.github.deployments.pop();
    if (last !== undefined) world.github.deployments.push({ ...last, payload: JSON.stringify(last.payload) });
    const refreshed = await world.refresh({ ...inputs, refreshBeforeMs: 90 * DAY_MS });
    expect(refreshed.error).toMatchObject({
      code: 'integrity',
      message: expect.stringMatching(
        /^The state has count 1, and deployment \d+ of environment docs-site was made for count 2/,
      ),
    });
    expect((await world.rollback(inputs)).error).toMatchObject({ code: 'integrity' });
    const unguarded = await world.refresh({ to: file, refreshBeforeMs: 90 * DAY_MS });
    expect(unguarded.facts.changed).toBe(true);
    // An export goes on from the higher count, whatever the state says.
    world.clock.advance(DAY_MS);
    expect((await world.export(inputs, { run: { ...RUN, runId: '503' } })).error).toBeUndefined();
    expect(JSON.parse(readFileSync(paths[1] ?? '', 'utf8'))).toMatchObject({ count: 3 });
    expect((await world.refresh({ ...inputs, refreshBeforeMs: 90 * DAY_MS })).facts.changed).toBe(true);
  });

  test('a count that was signed for another destination, or by nobody, says nothing', async () => {
    await using world = await start();
    await world.export(recording, { run: RUN });
    const [deployment] = world.github.deployments;
    if (deployment === undefined) throw new Error('no deployment');
    world.github.deployments.push({
      ...deployment,
      id: 99_999,
      payload: { version: 1, count: 99, signature: 'x'.repeat(43) },
    });
    world.clock.advance(DAY_MS);
    expect((await world.refresh({ ...recording, refreshBeforeMs: 90 * DAY_MS })).error).toBeUndefined();
    expect(JSON.parse(world.github.variable(TARGETS.repository, STATE)?.value ?? '')).toMatchObject({ count: 1 });
  });

  test('nothing is made in a dry run', async () => {
    await using world = await start();
    const { facts } = await world.export({ ...recording, dryRun: true }, { run: RUN });
    expect(facts.planned?.at(-1)).toEqual({
      action: 'make a deployment',
      target: `environment docs-site of ${REPOSITORY}`,
    });
    expect(world.writes()).toEqual([]);
  });
});
