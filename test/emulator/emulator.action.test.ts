import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runJob, runStep, type StepOptions, type StepResult } from '../support/runner.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');

function stepOf(
  part: 'start' | 'stop',
  options: Omit<StepOptions, 'actionFile' | 'main'>,
): StepOptions {
  return {
    ...options,
    actionFile: join(CHECKOUT, 'emulator/action.yml'),
    main: join(CHECKOUT, `dist/emulator/${part}.js`),
  };
}

/**
 * Runs the emulator's step in a workspace with the folder `docs`, and its post step at the end of
 * the test.
 */
async function start(inputs: Readonly<Record<string, string>>): Promise<StepResult> {
  const workspace = await mkdtemp(join(tmpdir(), 'emulator-action-'));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  await cp(join(CHECKOUT, 'docs/tutorial'), join(workspace, 'docs'), { recursive: true });
  const { steps } = await runJob({ workspace, steps: [stepOf('start', { inputs })] });
  const [step] = steps;
  if (step === undefined) throw new Error('no step ran');
  const env = Object.fromEntries(
    Object.entries(step.state).map(([name, value]) => [`STATE_${name}`, value]),
  );
  onTestFinished(async () => {
    await runStep(stepOf('stop', { inputs: {}, env }));
    for (const name of ['base-url', 'github-api-url']) {
      const url = step.outputs[name];
      if (url !== undefined) await expect(fetch(url)).rejects.toThrow('fetch failed');
    }
  });
  return step;
}

test('The emulator action emulates GitHub too, with tokens that have the permissions in their outputs', async () => {
  const { exitCode, outputs, log } = await start({
    github: 'true',
    'github-repositories': 'acme/app\nacme/site',
    'github-environments': 'production',
    'github-collaborators': 'maya=write',
  });
  expect(exitCode, log).toBe(0);
  const {
    'github-api-url': url = '',
    'secret-token': secretToken = '',
    'workflow-token': workflowToken = '',
  } = outputs;
  const ask = (path: string, token: string) =>
    fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}`, 'user-agent': 'test' } });
  for (const path of [
    '/repos/acme/app/actions/secrets/public-key',
    '/repos/acme/site/environments/production/secrets/public-key',
  ]) {
    const reply = await ask(path, secretToken);
    expect(reply.status, path).toBe(200);
    expect(await reply.json()).toMatchObject({
      key: expect.any(String),
      key_id: expect.any(String),
    });
    expect((await ask(path, workflowToken)).status, path).toBe(403);
  }
  const person = await ask('/repos/acme/app/collaborators/maya/permission', workflowToken);
  expect(await person.json()).toMatchObject({ permission: 'write' });
  for (const secret of [
    secretToken,
    workflowToken,
    outputs['admin-api-key'] ?? '',
    outputs['assistant-api-key'] ?? '',
  ])
    expect(log).not.toContain(secret);
});

test('Without `github: true` the emulator action emulates only the platform, and refuses inputs without effect', async () => {
  const alone = await start({});
  expect(alone.exitCode, alone.log).toBe(0);
  expect(Object.keys(alone.outputs).sort()).toEqual([
    'admin-api-key',
    'assistant-api-key',
    'base-url',
    'log-path',
    'project-id',
  ]);
  const wrong = await start({ 'github-repositories': 'acme/app' });
  expect(wrong.exitCode).toBe(1);
  expect(wrong.log).toContain('github-repositories is read only with github: true.');
});

test('A missing folder fails the step with its name', async () => {
  const { exitCode, log } = await start({ site: 'documentation' });
  expect(exitCode).toBe(1);
  expect(log).toContain('documentation is not a folder.');
});
