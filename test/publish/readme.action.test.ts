import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { runStep } from '../support/runner.ts';
import { SECRET_INPUTS, startActionWorld, stepWithSecret } from '../support/world/built-action.ts';

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const ROW = README.split('\n').find((line) => line.startsWith('| A re-run |')) ?? '';
const PLATFORM = readFileSync(
  join(import.meta.dirname, '../../docs/reference/platform.md'),
  'utf8',
);
const workflow = z.object({
  jobs: z.object({
    export: z.object({
      steps: z.array(z.object({ with: z.optional(z.record(z.string(), z.unknown())) })),
    }),
  }),
});

/**
 * The inputs of the step in the workflow above the table, without those that are about the
 * platform.
 */
function inputsOfWorkflow(): Record<string, string> {
  const [, yaml = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(README) ?? [];
  const [inputs = {}] = workflow
    .parse(parse(yaml))
    .jobs.export.steps.flatMap((step) => (step.with?.mode === 'export' ? [step.with] : []));
  const others = Object.entries(inputs).filter(
    ([name]) => !/^(?:mode|base-url|admin-api-key|domain)$/.test(name),
  );
  return Object.fromEntries(others.map(([name, value]) => [name, String(value)]));
}

test("A re-run does what the README's table says, for its workflow and for a step with a destination", async () => {
  expect(ROW).toContain('attaches to the job of the first attempt');
  expect(ROW).toContain('`to` or `image`');
  expect(ROW).toContain('the workflow above has neither');
  const inputs = inputsOfWorkflow();
  expect(inputs).toEqual({ 'extract-to': 'site' });
  await using world = await startActionWorld();
  const jobsOf = async (given: Record<string, string>) => {
    const before = world.platform.exportJobs.length;
    for (const runAttempt of [1, 2]) {
      const { exitCode, log } = await runStep(stepWithSecret(world, given, { runAttempt }));
      expect(exitCode, log).toBe(0);
    }
    return world.platform.exportJobs.length - before;
  };
  const without = Object.fromEntries(Object.keys(SECRET_INPUTS).map((name) => [name, '']));
  expect(await jobsOf({ ...without, ...inputs })).toBe(2);
  expect(await jobsOf({ 'extract-to': 'other' })).toBe(1);
});

test('The workflow of the README needs only the endpoints of the export, of which the README names the first', async () => {
  const [, rows = ''] = /^(\| Export \|[\s\S]*?)^\| Export by project /m.exec(PLATFORM) ?? [];
  const endpoints = [...rows.matchAll(/`([A-Z]+) (\/[^`]+)`/g)].map(
    ([, method = '', path = '']) => ({ method, path }),
  );
  expect(endpoints).toHaveLength(3);
  expect(README).toContain(`\`${endpoints[0]?.method} ${endpoints[0]?.path}\``);
  await using world = await startActionWorld();
  const without = Object.fromEntries(Object.keys(SECRET_INPUTS).map((name) => [name, '']));
  const { exitCode, log } = await runStep(
    stepWithSecret(world, { ...without, ...inputsOfWorkflow() }),
  );
  expect(exitCode, log).toBe(0);
  const asked = world.platform.requests.filter(({ path }) => !path.startsWith('/storage/'));
  const [job = ''] = world.platform.exportJobs.map(({ jobId }) => jobId);
  const asOnPage = asked.map(({ method, path }) => `${method} ${path.replace(job, '{jobId}')}`);
  expect(new Set(asOnPage)).toEqual(
    new Set(endpoints.map(({ method, path }) => `${method} ${path}`)),
  );
  expect(world.github.requests).toEqual([]);
});
