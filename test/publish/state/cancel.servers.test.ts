import { expect, test } from 'vitest';
import { createOctokit } from '../../../src/github/client.ts';
import { Http } from '../../../src/http/http.ts';
import { failure } from '../../support/failure.ts';
import { fakeTimers } from '../../support/fake-timers.ts';
import { SECRET_TOKEN } from '../../support/make-inputs.ts';
import { startWorld, type World } from '../../support/world.ts';

const ROUTE = 'GET /repos/acme/docs/actions/secrets/public-key';

function connect({ github, log, clock }: World, signal: AbortSignal, timeoutMs?: number) {
  return createOctokit({
    token: SECRET_TOKEN,
    apiUrl: github.url,
    signal,
    timeoutMs,
    http: new Http({ clock, log, random: () => 0, signal }),
  });
}

const asked = ({ github }: World) =>
  github.requests.filter(({ path }) => path.includes('public-key')).length;

test('A call to GitHub that hangs ends when the run is cancelled', async () => {
  await using world = await startWorld();
  world.github.inject({ match: { path: 'public-key' }, delayMs: 600_000 });
  const cancel = new AbortController();
  const octokit = await connect(world, cancel.signal);
  const failed = failure(octokit.request(ROUTE));
  await expect.poll(() => asked(world)).toBe(1);
  cancel.abort('SIGINT');
  expect(await failed).toMatchObject({ code: 'cancelled' });
});

test('A call that hangs is given up after its time limit and repeated', async () => {
  using timers = fakeTimers();
  await using world = await startWorld();
  world.github.inject({ match: { path: 'public-key' }, delayMs: 600_000 });
  const octokit = await connect(world, new AbortController().signal, 5000);
  const call = octokit.request(ROUTE);
  await expect.poll(() => asked(world)).toBe(1);
  timers.pass(5000);
  expect((await call).status).toBe(200);
  expect(asked(world)).toBe(2);
});

test('The time limit of a call that has ended does not affect the next one', async () => {
  using timers = fakeTimers();
  await using world = await startWorld();
  const octokit = await connect(world, new AbortController().signal, 5000);
  await octokit.request(ROUTE);
  timers.pass(6000);
  expect((await octokit.request(ROUTE)).status).toBe(200);
  expect(asked(world)).toBe(2);
});
