import { expect, test } from 'vitest';
import { runStep } from '../../support/runner.ts';
import { SECRET_INPUTS, startStage, stepOf } from '../export/stage.ts';

test('doctor runs as a step, shows its table, writes nothing and is green where nothing would fail', async () => {
  await using stage = await startStage();
  const result = await runStep(stepOf(stage, { mode: 'doctor', ...SECRET_INPUTS }));
  expect(result.exitCode, result.log).toBe(0);
  expect(result.outputs.status).toBe('completed');
  expect(result.summary).toContain('| ✅ | Address |');
  expect(JSON.parse(result.outputs.report ?? '')).toMatchObject({ mode: 'doctor', checked: ['export'] });
  expect(stage.platform.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(stage.github.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('doctor is red where something would fail, and still shows the whole table', async () => {
  await using stage = await startStage();
  const result = await runStep(stepOf(stage, { mode: 'doctor', ...SECRET_INPUTS, timeout: '30', secretname: 'X' }));
  expect(result.exitCode).toBe(1);
  expect(result.outputs['error-code']).toBe('checks-failed');
  expect(result.summary).toContain('did you mean secret-name?');
  expect(result.summary).toContain('| ✅ | Address |');
  expect(result.log).toContain('❌ Inputs: timeout: "30" is not allowed; it must be a duration; write 30m');
});
