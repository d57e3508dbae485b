import { expect, test } from 'vitest';
import { SECRET_INPUTS, startActionWorld } from '../support/world/built-action.ts';

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
  expect(world.platform.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(world.github.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('Doctor fails if something would fail, and still shows the whole table', async () => {
  await using world = await startActionWorld();
  const result = await world.step({
    mode: 'doctor',
    ...SECRET_INPUTS,
    timeout: '30',
    secrettoken: 'X',
  });
  expect(result.exitCode).toBe(1);
  expect(result.outputs['error-code']).toBe('checks-failed');
  expect(result.summary).toContain('did you mean secret-token?');
  expect(result.summary).toContain('| ✅ | Address |');
  expect(result.log).toContain(
    '❌ Inputs: timeout: "30" is not allowed; it must be a duration such as 90s, 30m or 2h',
  );
});
