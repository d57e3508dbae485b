import { expect, test } from 'vitest';
import { makeDestination } from '../../support/make-inputs.ts';
import { NAME, REPOSITORY, STATE, TARGET } from '../../support/world/names.ts';
import { startWorld, type World } from '../../support/world.ts';

const RENAMED = 'globex/handbook';
const environment = { scope: 'environment', repository: REPOSITORY, environment: 'prod' } as const;
const EVERY_SITE = [
  ['a repository', { scope: 'repository', repository: REPOSITORY }],
  ['an environment', environment],
  ['another repository', { scope: 'repository', repository: 'acme/site' }],
] as const;

/** A run in a repository with this name. `id`: what the runner says; undefined: nothing. */
function inRepository(repository: string, id?: number) {
  return { run: { repository, repositoryId: id } };
}

function renamedTarget<T extends { readonly repository: string }>(target: T): T {
  return { ...target, repository: RENAMED };
}

async function startTwo(): Promise<World> {
  const world = await startWorld();
  world.github.addRepository({ fullName: REPOSITORY, id: 11, environments: ['prod'] });
  return world;
}

test.each(EVERY_SITE)(
  'After %s and its owner were renamed, a refresh continues with the state, and an export too',
  async (_, target) => {
    await using world = await startTwo();
    const to = makeDestination({ target });
    const { facts } = await world.export({ to });
    const isOwn = target.repository === REPOSITORY;
    world.github.renameRepository(target.repository, RENAMED);
    const later = makeDestination({ target: renamedTarget(target) });
    const runner = inRepository(isOwn ? RENAMED : REPOSITORY);
    const refreshed = await world.refresh({ to: later }, runner);
    expect(refreshed.error).toBeUndefined();
    expect(refreshed.facts).toMatchObject({ status: 'completed', jobId: facts.jobId });
    const again = await world.export({ to: later }, { run: { ...runner.run, runId: '777' } });
    expect(again.facts).toMatchObject({ status: 'completed', delivery: { updated: true } });
    expect(again.log.text('warning')).toBe('');
  },
);

test('The id that the runner says of its own repository is that of GitHub, which is not asked', async () => {
  await using world = await startTwo();
  await world.export({ to: makeDestination() }, inRepository(REPOSITORY, 11));
  const asked = () =>
    world.github.requests.filter(({ path }) => path === `/repos/${REPOSITORY}`).length;
  expect(asked()).toBe(0);
  expect((await world.refresh()).error).toBeUndefined();
  expect(asked()).toBe(1);
});

test('A state that is copied into a new repository with the former name does not count there', async () => {
  await using world = await startTwo();
  await world.export({ to: makeDestination() });
  const value = world.github.variable(TARGET, STATE)?.value ?? '';
  world.github.renameRepository(REPOSITORY, RENAMED);
  world.github.addRepository({ fullName: REPOSITORY, id: 99 });
  world.github.setVariable(TARGET, { name: STATE, value });
  const { error } = await world.refresh();
  expect(error?.message).toMatch(/^The signature of the variable .* is invalid/);
  expect(world.github.secret(TARGET, NAME)).toBeUndefined();
});

test('The state of an organization is bound to its id', async () => {
  await using world = await startTwo();
  const target = { scope: 'organization', organization: 'acme', visibility: 'all' } as const;
  const to = makeDestination({ target });
  expect((await world.export({ to })).error).toBeUndefined();
  expect((await world.refresh({ to })).error).toBeUndefined();
  const paths = world.github.requests.map(({ path }) => path);
  expect(paths.filter((path) => path === '/orgs/acme')).toHaveLength(2);
});
