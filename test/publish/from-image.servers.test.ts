import { expect, test } from 'vitest';
import { fieldOf } from '../../src/ground/text/json.ts';
import type { ExportInputs } from '../../src/inputs/inputs.ts';
import { expectError } from '../support/failure.ts';
import { startLiveSite, staticHost } from '../support/live-site.ts';
import { bundleInputs } from '../support/make-inputs.ts';
import { manifestAt, startImageRun } from '../support/registry-scenarios.ts';
import { SmallRegistry } from '../support/small-servers/registry.ts';
import type { RunOptions } from '../support/world.ts';

const page = (title: string) =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>Words of ${title}.</p></main>`;

async function start() {
  const run = await startImageRun(SmallRegistry.start());
  const { world, registry } = run;
  world.write('build/index.html', page('Start'));
  const take = (more: Partial<ExportInputs> = {}, options: RunOptions = {}) =>
    world.export(
      {
        ...run.inputs,
        from: `${world.workspace}/build`,
        domain: undefined,
        adminApiKey: '',
        baseUrl: '',
        ...more,
      },
      { ...run.options('1'), ...options },
    );
  return {
    ...run,
    take,
    tagged: async () => (await manifestAt(registry.host, 'latest'))?.digest,
    /** The requests that write a manifest under a tag. */
    tagWrites: () =>
      registry.requests.filter(({ method, path }) => method === 'PUT' && path.endsWith('/latest')),
  };
}

test('A given site is pushed as an image that names it, without a state and without the platform', async () => {
  await using run = await start();
  const { facts, error, log } = await run.take();
  expect(error).toBeUndefined();
  expect(await run.pull()).toEqual({ 'index.html': page('Start') });
  const index = await manifestAt(run.registry.host, 'latest');
  expect(fieldOf(index?.json, 'annotations', 'io.github.docs-courier.from')).toBe('build');
  expect(facts.image).toMatchObject({ unchanged: false, former: undefined });
  expect(facts.image?.reference).toContain(index?.digest);
  expect(log.text()).toContain('before: nothing');
  expect(await manifestAt(run.registry.host, 'latest.state')).toBeUndefined();
  expect(run.world.platform.requests).toEqual([]);
});

test('The same content moves no tag, and other content names the image that was there', async () => {
  await using run = await start();
  const first = await run.take();
  const former = first.facts.image?.reference;
  const again = await run.take();
  expect(again.facts.image).toMatchObject({ reference: former, unchanged: true });
  expect([first.facts.changed, again.facts.changed]).toEqual([true, false]);
  expect(run.tagWrites()).toHaveLength(1);
  run.world.write('build/index.html', page('Changed'));
  const changed = await run.take();
  expect(changed.error).toBeUndefined();
  expect(changed.facts.image).toMatchObject({ unchanged: false, former });
  expect(changed.log.text()).toContain(`before: ${former}`);
  expect(await run.pull()).toEqual({ 'index.html': page('Changed') });
});

test('A tag that was pushed from elsewhere is moved only with take-over', async () => {
  await using run = await start();
  expect((await run.export('1')).error).toBeUndefined();
  const before = await run.tagged();
  const refused = await run.take();
  expectError(refused.error, {
    code: 'config',
    message: `was not made from build: ${run.registry.host}`,
  });
  expect(await run.tagged()).toBe(before);
  const { to } = run.inputs;
  const taken = await run.take({ to: { ...to, takeOver: true } });
  expect(taken.error).toBeUndefined();
  expect(taken.facts.image?.former).toContain(before);
  run.world.write('other/index.html', page('Start'));
  const other = await run.take({ from: `${run.world.workspace}/other` });
  expect(other.error?.message).toContain('was not made from other');
});

test.each([
  ['an image', {}, /^What was delivered stays\. /],
  [
    'a folder',
    { to: undefined },
    /to no deployment\. If a later step or job deploys it, repeat this step after that\. /,
  ],
])(
  'If readers do not see a given site that became %s, no refresh or rollback is advised',
  async (_, inputs, hint) => {
    await using run = await start();
    await using site = await startLiveSite(staticHost(() => ({ 'index.html': page('Earlier') })));
    const extractTo = `${run.world.workspace}/site`;
    const bundle = bundleInputs({ extractTo, allowPrivateHosts: true });
    const live = { url: site.url, timeoutMs: 0, onNotLive: 'fail', headers: {} } as const;
    const { error } = await run.take({ ...inputs, bundle, live });
    expectError(error, { code: 'checks-failed', hint });
    expect(error?.hint).not.toMatch(/mode: (?:refresh|rollback)/);
  },
);

const OF_FORK = {
  number: 7,
  isOpen: true,
  isMerged: false,
  isOwn: false,
  branch: 'words',
  commit: 'd'.repeat(40),
};
test.each<[string, RunOptions]>([
  ["a fork's pull request", { eventName: 'pull_request_target', ci: { changeRequest: OF_FORK } }],
  [
    'a run that follows one',
    {
      eventName: 'workflow_run',
      payload: { workflow_run: { head_repository: { full_name: 'mallory/docs' } } },
    },
  ],
])('No image is pushed in %s', async (_, options) => {
  await using run = await start();
  const { error } = await run.take({}, options);
  expect(error).toMatchObject({ code: 'refused' });
  expect(run.registry.requests).toEqual([]);
});

test('An image of a given site is in the list of a dry run, and a check that fails pushes nothing', async () => {
  await using run = await start();
  const { facts } = await run.take({ dryRun: true });
  expect(facts.planned).toContainEqual({
    action: 'push the site as an image',
    target: `image:${run.registry.host}/acme/docs:latest`,
  });
  const { error } = await run.take({ minPages: 5 });
  expect(error).toMatchObject({ code: 'checks-failed' });
  expect(await run.tagged()).toBeUndefined();
});
