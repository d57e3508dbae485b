import { describe, expect, it } from 'vitest';
import type { DoctorInputs, ExportInputs } from '../../src/inputs/inputs.ts';
import { makeExportInputs } from '../support/make-inputs.ts';
import { MERGED, startMerge, WORKFLOW_TOKEN } from '../support/merge.ts';
import { REPOSITORY } from '../support/world/names.ts';
import type { World } from '../support/world.ts';

async function findings(world: World, content: ExportInputs['content']) {
  const { url, keys } = world.platform;
  const inputs: DoctorInputs = {
    mode: 'doctor',
    baseUrl: url,
    adminApiKey: keys.admin,
    assistantApiKey: undefined,
    githubToken: undefined,
    checked: ['export'],
    export: makeExportInputs({ baseUrl: url, domain: 'acme.example.com', content }),
    refresh: undefined,
    rollback: undefined,
    agent: undefined,
    search: undefined,
    problems: [],
  };
  const { recorded } = await world.doctor(inputs);
  return new Map((recorded.findings ?? []).map((one) => [one.what, one]));
}

const NAME = 'GitHub App acme-docs';

function withApp(publisher = 'acme-docs') {
  return { publish: undefined, publisher, token: WORKFLOW_TOKEN } as const;
}

describe('the doctor about publishing', () => {
  it('An App that makes deployments is found, and the event is named', async () => {
    await using world = await startMerge();
    world.github.addDeployment({ repository: REPOSITORY, sha: MERGED, creator: 'acme-docs[bot]' });
    const found = await findings(world, withApp('acme-docs/production'));
    expect(found.get(NAME)).toMatchObject({ outcome: 'ok', detail: expect.stringContaining('deployment_status') });
    expect(found.get('Content of an export')).toBeUndefined();
  });

  it('Deployments of a workflow do not make an App', async () => {
    await using world = await startMerge();
    world.github.addDeployment({ repository: REPOSITORY, sha: MERGED, creator: 'github-actions[bot]' });
    const found = await findings(world, withApp());
    expect(found.get(NAME)).toMatchObject({ outcome: 'warning', fix: expect.stringContaining('check_run') });
  });

  it('A missing permission is named with the lines to add', async () => {
    await using world = await startMerge();
    world.github.setToken(WORKFLOW_TOKEN, { kind: 'workflow', permissions: { contents: 'read' } });
    const found = await findings(world, withApp());
    expect(found.get(NAME)).toMatchObject({ outcome: 'warning', fix: expect.stringContaining('deployments: read') });
  });

  it('Without publish and publisher it warns with the lines to add, and publish: false silences it', async () => {
    await using world = await startMerge();
    const found = await findings(world, { publish: undefined });
    expect(found.get('Content of an export')).toMatchObject({ outcome: 'warning' });
    expect(found.get('Content of an export')?.fix).toContain('publish: true');
    expect((await findings(world, { publish: false })).get('Content of an export')).toBeUndefined();
  });

  it.each([
    [404, 'unknown'],
    [400, 'ok'],
    [405, 'error'],
  ])('The endpoint of updates that answers %i to an unknown id is %s', async (status, outcome) => {
    await using world = await startMerge();
    world.platform.inject({ match: { path: '/update-status/', times: 9 }, status, body: { error: 'no' } });
    const content = { publish: true, projectId: 'project-1', token: undefined } as const;
    const found = await findings(world, content);
    expect(found.get('Publishing on request')).toMatchObject({ outcome });
    expect(world.calls({ method: 'POST', path: '/v1/project/' })).toEqual([]);
  });
});
