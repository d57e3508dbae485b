import { describe, expect, it } from 'vitest';
import { type Answer, startLiveSite, staticHost } from '../../support/live-site.ts';
import { makeDestination, SECRET_TOKEN } from '../../support/make-inputs.ts';
import { ALL_RIGHTS, REPOSITORY } from '../../support/world/names.ts';
import { startWorld, type World } from '../../support/world.ts';
import { tarGz } from '../bundle/archives.ts';

const OWN = 'ghs_deploymentTokenForTests012345678';
const OLD = { 'index.html': '<title>Docs</title><p>Version 1</p>' };
const NEW = { 'index.html': '<title>Docs</title><p>Version 2</p>' };

async function startExported(): Promise<World> {
  const world = await startWorld({
    github: {
      tokens: {
        [SECRET_TOKEN]: { permissions: ALL_RIGHTS },
        [OWN]: { kind: 'workflow', permissions: { deployments: 'write' } },
      },
      repositories: [{ fullName: REPOSITORY, id: 11 }],
    },
  });
  const archive = tarGz(Object.entries(NEW).map(([name, content]) => ({ name, content })));
  await world.platform.addExportJob({ jobId: 'job-2', archive });
  return world;
}

const states = ({ github }: World) => github.deployments[0]?.statuses.map(({ state }) => state) ?? [];

function publish(world: World, url: string) {
  const live = { url, timeoutMs: 60_000, onNotLive: 'fail', headers: {} } as const;
  const deployment = { environment: 'docs-site', token: OWN };
  return world.export({ exportJobId: 'job-2', to: makeDestination(), live, deployment });
}

describe('a deployment of a site that is checked', () => {
  it('succeeds when readers get the export, and not when the link is delivered', async () => {
    await using world = await startExported();
    const seen: string[][] = [];
    let delivered: number | undefined;
    const host: Answer = staticHost(() => {
      if (world.secret() !== undefined) delivered ??= world.clock.now();
      return delivered !== undefined && world.clock.now() - delivered > 10_000 ? NEW : OLD;
    });
    await using site = await startLiveSite((request) => {
      if (world.secret() !== undefined) seen.push(states(world));
      return host(request);
    });
    const { facts } = await publish(world, site.url);
    expect(facts.live).toMatchObject({ live: true });
    expect(seen.length).toBeGreaterThan(3);
    expect(new Set(seen.map((row) => row.join()))).toEqual(new Set(['in_progress']));
    expect(states(world)).toEqual(['in_progress', 'success']);
    expect(world.github.deployments[0]?.statuses[1]).toMatchObject({ environmentUrl: site.url });
  });

  it('fails with a site that does not show it, although the link was delivered', async () => {
    await using world = await startExported();
    await using site = await startLiveSite(staticHost(() => OLD));
    const { error } = await publish(world, site.url);
    expect(error?.code).toBe('checks-failed');
    expect(world.secret()).toBeDefined();
    expect(states(world)).toEqual(['in_progress', 'failure']);
  });
});
