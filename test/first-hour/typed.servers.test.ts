import { expect, test } from 'vitest';
import { typeIt } from './typed.ts';
import { TYPED } from './typed-table.ts';

test.each(TYPED)('A mistake is answered with what is wrong and what to type: $did', async (typed) => {
  const { exitCode, log } = await typeIt(typed);
  for (const text of typed.says) expect(log).toContain(text);
  for (const text of typed.never ?? []) expect(log).not.toContain(text);
  expect(exitCode, log).toBe(typed.exitCode ?? (typed.step === undefined ? 2 : 1));
});
