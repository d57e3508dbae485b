import { expect, test } from 'vitest';
import { SECRET_INPUTS, startActionWorld, writes } from '../support/world/built-action.ts';

test('Doctor as a step shows its table, writes nothing and passes if nothing would fail', async () => {
  await using world = await startActionWorld();
  const result = await world.step({ mode: 'doctor', ...SECRET_INPUTS });
  expect(result.exitCode, result.log).toBe(0);
  expect(result.outputs.status).toBe('completed');
  expect(result.summary).toContain('| ✅ | Address |');
  expect(JSON.parse(result.outputs.report ?? '')).toMatchObject({
    mode: 'doctor',
    checked: ['export'],
  });
  expect(writes(world)).toEqual([]);
});
