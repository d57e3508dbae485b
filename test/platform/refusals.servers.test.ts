import { describe, expect, it } from 'vitest';
import { hintOf } from '../support/make-run.ts';
import { startPullRequest } from '../support/world/pull-request.ts';
import { startWorld } from '../support/world.ts';

describe('what a refusal of the platform means', () => {
  it.each([
    [402, "The organization's plan does not include this search."],
    [
      403,
      'not be allowed from the address of this machine; or the organization does not have this search',
    ],
    [401, 'may have expired (after 90 days, unless chosen otherwise) or been revoked'],
  ])('A search that is refused with %i is not about static export', async (status, said) => {
    await using world = await startWorld();
    world.platform.inject({
      match: { path: '/discovery/', times: 9 },
      status,
      body: { error: 'no' },
    });
    const { error } = await world.search({ domain: 'acme' });
    expect(hintOf(error)).toContain(said);
    expect(hintOf(error)).not.toContain('static export');
  });

  it.each([402, 403])(
    'A message to the agent that is refused with %i is not about static export',
    async (status) => {
      await using world = await startPullRequest();
      world.platform.inject({
        match: { path: '/v2/agent/', times: 9 },
        status,
        body: { error: 'no' },
      });
      const { error } = await world.agent(world.say('maya', '/docs-agent --job job-1 do it'));
      expect(hintOf(error)).toContain('the docs agent');
      expect(hintOf(error)).not.toContain('static export');
    },
  );

  it('An update that is refused with 403 is about the project', async () => {
    await using world = await startWorld();
    world.platform.inject({ match: { path: '/v1/project/' }, status: 403, body: { error: 'no' } });
    const content = { publish: true, projectId: 'project-1', token: undefined } as const;
    const { error } = await world.export({ content });
    expect(hintOf(error)).toContain('updates of the project');
  });
});
