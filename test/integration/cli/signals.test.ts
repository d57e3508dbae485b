import { expect, test } from 'vitest';
import { DOMAIN, openLaptop } from './harness.ts';
import { Courier } from './process.ts';

const START = { method: 'POST', path: /\/v1\/static-export\/jobs$/ };

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)(
  'A second %s ends a run that still waits for the reply to its start, with exit code %i',
  async (signal, code) => {
    await using laptop = await openLaptop();
    laptop.platform.inject({ match: START, delayMs: 60_000 });
    const courier = new Courier(laptop, ['export', '--domain', DOMAIN, '--extract-to', 'site']);
    const isStarting = () => laptop.platform.requests.some(({ method }) => method === 'POST');
    await courier.until(isStarting);
    courier.kill(signal);
    await courier.until(() => courier.stderr.includes(`Received ${signal}`));
    courier.kill(signal);
    expect(await courier.ended(), courier.stderr).toBe(code);
  },
);

test('A run that does not end in time after SIGTERM exits with code 143', async () => {
  await using laptop = await openLaptop();
  laptop.platform.inject({ match: START, delayMs: 60_000 });
  const courier = new Courier(laptop, ['export', '--domain', DOMAIN, '--extract-to', 'site']);
  await courier.until(() => laptop.platform.requests.some(({ method }) => method === 'POST'));
  courier.kill('SIGTERM');
  expect(await courier.ended(), courier.stderr).toBe(143);
});
