import { describe, expect, it } from 'vitest';
import type { DoctorInputs, ExportInputs } from '../../src/inputs/inputs.ts';
import { makeDestination, makeExportInputs, makeUpdateInputs } from '../support/make-inputs.ts';
import { deploymentEvent, startMerge, WORKFLOW_TOKEN } from '../support/merge.ts';
import type { RunOptions, World } from '../support/world.ts';

async function findings(
  world: World,
  content: ExportInputs['content'],
  change: Partial<DoctorInputs> = {},
  event: RunOptions = { eventName: 'push' },
) {
  const { url, keys } = world.platform;
  const inputs = {
    mode: 'doctor',
    baseUrl: url,
    adminApiKey: keys.admin,
    checked: ['export'],
    export: makeExportInputs({ baseUrl: url, domain: 'acme.example.com', content }),
    problems: [],
    ...change,
  } as DoctorInputs;
  const { recorded } = await world.doctor(inputs, event);
  return new Map((recorded.findings ?? []).map((one) => [one.what, one]));
}

const content = { publish: true, projectId: 'project-1', token: undefined } as const;

describe('the doctor about publishing', () => {
  it('Without publish and publisher it warns with the lines to add, and publish: false or publisher silences it', async () => {
    await using world = await startMerge();
    const found = await findings(world, { publish: undefined });
    expect(found.get('Content of an export')).toMatchObject({ outcome: 'warning' });
    expect(found.get('Content of an export')?.fix).toContain('publish: true');
    for (const content of [
      { publish: false },
      { publish: undefined, publisher: 'acme-docs' },
    ] as const) {
      expect((await findings(world, content)).get('Content of an export')).toBeUndefined();
    }
  });

  it.each([
    [404, 'unknown'],
    [400, 'ok'],
    [405, 'error'],
  ])('The endpoint of updates that answers %i to an unknown id is %s', async (status, outcome) => {
    await using world = await startMerge();
    world.platform.inject({
      match: { path: '/update-status/', times: 9 },
      status,
      body: { error: 'no' },
    });
    const found = await findings(world, content);
    expect(found.get('Publishing on request')).toMatchObject({ outcome });
    expect(world.calls({ method: 'POST', path: '/v1/project/' })).toEqual([]);
  });

  it.each([
    [{}, 'pull_request'],
    [{ force: true }, 'push'],
  ])(
    'An export with %j on %s is an error, also without a destination',
    async (given, eventName) => {
      await using world = await startMerge();
      const exported = makeExportInputs({ content, ...given });
      const found = await findings(world, content, { export: exported }, { eventName });
      expect(found.get('Content of an export')).toMatchObject({ outcome: 'error' });
    },
  );

  it('On a success of the publisher the destination is found right, as in a run', async () => {
    await using world = await startMerge();
    const content = { publish: undefined, publisher: 'acme-docs', token: WORKFLOW_TOKEN };
    const exported = makeExportInputs({ content, to: makeDestination() });
    const found = await findings(world, content, { export: exported }, deploymentEvent());
    expect(found.get('Destination of the link')).toMatchObject({ outcome: 'ok' });
  });
});

describe('the doctor about mode publish', () => {
  it('It says that no request shows the project without publishing, and sends none that would', async () => {
    await using world = await startMerge();
    const update = makeUpdateInputs({ baseUrl: world.platform.url });
    const change = { checked: ['publish'], export: undefined, publish: update } as const;
    const found = await findings(world, { publish: false }, change);
    expect(found.get('Project')).toMatchObject({ outcome: 'unknown' });
    expect(found.get('Project')?.detail).toContain('project project-1');
    expect(found.get('Publishing on request')).toMatchObject({ outcome: 'unknown' });
    expect(world.calls({ method: 'POST', path: '' })).toEqual([]);
    world.platform.inject({
      match: { method: 'GET', path: '/update-status/' },
      status: 405,
      body: { error: 'no' },
    });
    const missing = await findings(world, { publish: false }, change);
    expect(missing.get('Publishing on request')).toMatchObject({ outcome: 'error' });
    expect(missing.get('Publishing on request')?.fix).toContain("the platform's GitHub App");
    const refused = await findings(world, { publish: false }, change, deploymentEvent());
    expect(refused.get('Event')).toMatchObject({ outcome: 'error' });
  });
});
