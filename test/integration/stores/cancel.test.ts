import { expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createOctokit } from '../../../src/github/client.ts';
import { Http } from '../../../src/http/http.ts';
import { failure } from '../../support/failure.ts';
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

test('A call to GitHub that hangs ends when the run is cancelled', async () => {
  await using world = await startWorld();
  world.github.inject({ match: { path: 'public-key' }, delayMs: 30_000 });
  const cancel = new AbortController();
  const octokit = await connect(world, cancel.signal);
  const startMs = systemClock.monotonicMs();
  setTimeout(() => cancel.abort('SIGINT'), 50);
  expect(await failure(octokit.request(ROUTE))).toMatchObject({ code: 'cancelled' });
  expect(systemClock.monotonicMs() - startMs).toBeLessThan(15_000);
});

test('A call that hangs is given up after its time limit and repeated', async () => {
  await using world = await startWorld();
  world.github.inject({ match: { path: 'public-key' }, delayMs: 30_000 });
  const octokit = await connect(world, new AbortController().signal, 500);
  const startMs = systemClock.monotonicMs();
  expect((await octokit.request(ROUTE)).status).toBe(200);
  expect(systemClock.monotonicMs() - startMs).toBeLessThan(15_000);
});

test('A call that was given up does not affect the next one', async () => {
  await using world = await startWorld();
  const octokit = await connect(world, new AbortController().signal, 500);
  await octokit.request(ROUTE);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect((await octokit.request(ROUTE)).status).toBe(200);
});
