import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest';
import { commandLineStep } from '../../src/ci/github/command-line.ts';
import { actionStep } from '../../src/ci/github/core.ts';
import { createResults } from '../../src/ci/github/results.ts';
import { namesOf, type OutputValues } from '../../src/ci/port.ts';
import { fieldOf } from '../../src/ground/text/json.ts';
import { OUTPUTS, type OutputName } from '../../src/values/catalog.ts';
import { readEnvFile } from '../support/runner/env-file.ts';

/**
 * The two ways in which a step writes: `@actions/core`, which reads the variables of this process,
 * and the command line.
 */
const REPORT_SCHEMA = join(import.meta.dirname, '../../schemas/report.schema.json');

const STEPS = ['the action', 'the command line'] as const;

async function openFiles(step: (typeof STEPS)[number]) {
  const folder = await mkdtemp(join(tmpdir(), 'outputs-'));
  const path = (name: string) => join(folder, name);
  await writeFile(path('output'), '');
  const env = {
    GITHUB_OUTPUT: path('output'),
    GITHUB_STEP_SUMMARY: path('summary'),
    RUNNER_TEMP: path('temp'),
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const writer = step === 'the action' ? actionStep : commandLineStep({ env, write: () => {} });
  return {
    env,
    results: createResults(env, writer),
    outputs: async () => readEnvFile(await readFile(path('output'), 'utf8')),
    summary: () => readFile(path('summary'), 'utf8'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

afterEach(() => vi.unstubAllEnvs());

const hostile = fc.oneof(
  fc.string({ maxLength: 2000 }),
  fc
    .array(
      fc.constantFrom(
        'EOF',
        'ghadelimiter_',
        '<<',
        '=',
        '\n',
        '\r',
        '\r\n',
        '\u2028',
        'status',
        'name=x',
        '\0',
        '::',
        'ä',
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join('')),
);

test.each(STEPS)(
  'Every output arrives unchanged, and no other output appears, whatever the value contains: %s',
  async (step) => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (report, reason) => {
        await using files = await openFiles(step);
        files.results.writeOutputs({ report, 'job-id': reason });
        const { values, error } = await files.outputs();
        expect(error).toBeUndefined();
        // The runner's reader reads a lone carriage return and CRLF as line ends.
        expect(values).toEqual({ report, 'job-id': reason });
      }),
      { numRuns: process.env.SOAK ? 10_000 : 300 },
    );
  },
);

test.each(STEPS)('An output of a megabyte arrives unchanged: %s', async (step) => {
  await using files = await openFiles(step);
  const report = 'x\n'.repeat(512 * 1024);
  files.results.writeOutputs({ report, status: 'completed' });
  expect((await files.outputs()).values).toEqual({ report, status: 'completed' });
});

test('Names of outputs are those of action.yml', () => {
  expectTypeOf<keyof OutputValues>().toEqualTypeOf<OutputName>();
});

test.each(
  STEPS.flatMap((step) =>
    ['job_id', '__proto__', 'constructor'].map((name) => [step, name] as const),
  ),
)(
  'A value under a name that is not an output is an error, and nothing is written: %s, %s',
  async (step, name) => {
    await using files = await openFiles(step);
    const values: OutputValues = { status: 'completed', ...JSON.parse(`{"${name}":"x"}`) };
    expect(() => files.results.writeOutputs(values)).toThrow(`${name} is not an output`);
    expect((await files.outputs()).values).toEqual({});
  },
);

test('A misspelt name of an output does not compile', () => {
  // @ts-expect-error It is job-id.
  const values: OutputValues = { job_id: 'exp_1' };
  expect(() => namesOf(values)).toThrow('job_id');
});

test('Each fact of the table of outputs is a field of the report, or one that is too secret or too large for it', () => {
  const schema: unknown = JSON.parse(readFileSync(REPORT_SCHEMA, 'utf8'));
  const facts = Object.values(OUTPUTS).flatMap((output) => ('fact' in output ? output.fact : []));
  const known = (fact: string) =>
    fieldOf(schema, ...fact.split('.').flatMap((name) => ['properties', name])) !== undefined;
  expect(facts.filter((fact) => !known(fact))).toEqual(['bundleUrl', 'matrix']);
});

test.each(STEPS)(
  'A summary that is too large for the runner is cut below its limit, at a whole character, and says so: %s',
  async (step) => {
    await using files = await openFiles(step);
    await files.results.writeSummary('ä'.repeat(1024 * 1024));
    const text = await files.summary();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(901 * 1024);
    expect(text).toContain('The summary is cut here');
    expect(text).not.toContain('\uFFFD');
  },
);

test.each(STEPS)('A report that cannot be written costs only its path: %s', async (step) => {
  await using files = await openFiles(step);
  expect(
    createResults({ ...files.env, RUNNER_TEMP: '' }, actionStep).writeReport('{}'),
  ).toBeUndefined();
  expect(
    createResults({ ...files.env, RUNNER_TEMP: files.env.GITHUB_OUTPUT }, actionStep).writeReport(
      '{}',
    ),
  ).toBeUndefined();
  expect(await readFile(files.results.writeReport('{"a":1}') ?? '', 'utf8')).toBe('{"a":1}');
});
