import { expect, test } from 'vitest';
import { expectError, failure } from '../support/failure.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { link, openDelivery, TARGETS } from '../support/world/delivery.ts';
import { DOMAIN, HOUR_MS, NAME, STATE } from '../support/world/names.ts';
import { startWorld } from '../support/world.ts';

const READ_DATE = { method: 'GET', path: /\/secrets\/DOCS_BUNDLE_URL$/ };

test.each([
  ['answers 500 to every read after it', { status: 500, body: {} }],
  [
    'answers 403 to every read after it',
    { status: 403, body: { message: 'Resource not accessible by integration' } },
  ],
  ['cuts every read after it', { reset: 'before' }],
] as const)(
  'A write that was accepted although GitHub %s is not reported as refused, and the next refresh uses it',
  async (_what, fault) => {
    await using world = await startWorld();
    await (await openDelivery(world)).deliver({ jobId: 'job-1', link: link(world, 24) });
    await world.platform.addExportJob({ jobId: 'job-2', domain: DOMAIN });
    const delivery = await openDelivery(world);
    const made = link(world, 48, 'b');
    // The first read of the date comes before the PUT.
    world.github.inject({ match: { ...READ_DATE, nth: 2, times: Infinity }, ...fault });
    const error = await failure(delivery.deliver({ jobId: 'job-2', link: made }));
    expect(String(error)).not.toContain('still has its previous value');
    expect(world.secret()).toBe(made.url);
    world.github.clearFaults();
    expect((await world.refresh()).facts).toMatchObject({ changed: true, jobId: 'job-2' });
  },
);

test('A state that was put back to one of before the claims is reported with both times, before any request to the platform', async () => {
  const hour = fakeClock({ now: Date.parse('2026-03-01T10:00:00Z') });
  await using world = await startWorld({ clock: hour });
  await (await openDelivery(world)).deliver({ jobId: 'job-1', link: link(world, 24) });
  const earlier = world.github.variable(TARGETS.repository, STATE)?.value ?? '';
  hour.advance(HOUR_MS);
  await (await openDelivery(world)).deliver({ jobId: 'job-2', link: link(world, 24, 'b') });
  const newest = world.secret();
  hour.advance(HOUR_MS);
  // A person removes all variables, and writes an old state.
  const secret = world.github.secret(TARGETS.repository, NAME);
  world.github.reset();
  world.github.setSecret(TARGETS.repository, {
    name: NAME,
    value: newest ?? '',
    updatedAt: secret?.updatedAt,
  });
  world.github.setVariable(TARGETS.repository, { name: STATE, value: earlier });
  const error = (await world.refresh({ refreshBeforeMs: 100 * HOUR_MS })).error;
  expect(error).toMatchObject({ code: 'integrity' });
  for (const part of [
    /last written at 2026-03-01T11:00:0\d/,
    /knows of was at 2026-03-01T10:00:0\d/,
    /an earlier state was put back/,
  ]) {
    expectError(error, { message: part });
  }
  expect(world.platform.requests).toEqual([]);
  expect(world.secret()).toBe(newest);
});

test('A link that was deleted manually is made again, even if the state says that it is valid', async () => {
  await using world = await startWorld();
  await world.platform.addExportJob({ jobId: 'job-1', domain: DOMAIN });
  await (await openDelivery(world)).deliver({ jobId: 'job-1', link: link(world, 48) });
  const { value: text = '' } = world.github.variable(TARGETS.repository, STATE) ?? {};
  // Removes all secrets and variables.
  world.github.reset();
  world.github.setVariable(TARGETS.repository, { name: STATE, value: text });
  expect((await world.refresh({ refreshBeforeMs: HOUR_MS })).facts).toMatchObject({
    changed: true,
  });
  expect(world.secret()).toBe(world.recorded.bundleUrl);
});
