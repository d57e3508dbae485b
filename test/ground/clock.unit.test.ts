import { expect, test } from 'vitest';
import { takeTurn } from '../../src/ground/clock.ts';

test('What came during a computation is seen before the next step, and cancels it', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 1);
  const end = performance.now() + 5;
  while (performance.now() < end);
  expect(controller.signal.aborted).toBe(false);
  await expect(takeTurn(controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
});

test('Without a reason to stop, the next step follows', async () => {
  await expect(takeTurn(new AbortController().signal)).resolves.toBeUndefined();
});
