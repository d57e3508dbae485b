import { expect, test } from 'vitest';
import { hintOf } from '../support/make-run.ts';
import { START } from '../support/world/names.ts';
import { startWorld } from '../support/world.ts';

test('A sign-in page instead of the reply to a start is shown with the advice to check base-url', async () => {
  await using world = await startWorld();
  world.platform.inject({
    match: START,
    status: 200,
    body: '<html><title>Sign in to the portal</title></html>',
  });
  const { error } = await world.export();
  expect(error).toMatchObject({ code: 'protocol', mayHaveStarted: true });
  expect(hintOf(error)).toMatch(/^Set base-url to the address of the API/);
  expect(hintOf(error)).toContain('The reply begins: <html><title>Sign in to the portal');
  expect(hintOf(error)).not.toContain('running export');
});

test('A server error after a start says how to find the export, and does not advise to run again', async () => {
  await using world = await startWorld();
  world.platform.inject({ match: START, status: 502 });
  const { error } = await world.export();
  expect(hintOf(error)).toMatch(/^Look for a running export/);
});
