import { describe, expect, it } from 'vitest';
import type { DoctorInputs, ExportInputs } from '../../src/inputs/inputs.ts';
import { makeExportInputs } from '../support/make-inputs.ts';
import { startMerge } from '../support/merge.ts';
import type { World } from '../support/world.ts';

async function findings(world: World, content: ExportInputs['content']) {
  const { url, keys } = world.platform;
  const inputs: DoctorInputs = {
    mode: 'doctor',
    baseUrl: url,
    adminApiKey: keys.admin,
    assistantApiKey: undefined,
    githubToken: undefined,
    projectId: undefined,
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

describe('the doctor about publishing', () => {
  it('Without publish and publisher it warns with the lines to add, and publish: false or publisher silences it', async () => {
    await using world = await startMerge();
    const found = await findings(world, { publish: undefined });
    expect(found.get('Content of an export')).toMatchObject({ outcome: 'warning' });
    expect(found.get('Content of an export')?.fix).toContain('publish: true');
    for (const content of [{ publish: false }, { publish: undefined, publisher: 'acme-docs' }] as const) {
      expect((await findings(world, content)).get('Content of an export')).toBeUndefined();
    }
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
