import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import { createResults, isOutputName } from '../../../src/ci/github/runner.ts';
import type { OutputValues } from '../../../src/ci/port.ts';
import type { OutputName } from '../../../src/inputs/catalog.ts';
import { readEnvFile } from '../../support/runner/env-file.ts';

async function openFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'outputs-'));
  const path = (name: string) => join(folder, name);
  await writeFile(path('output'), '');
  const env = { GITHUB_OUTPUT: path('output'), GITHUB_STEP_SUMMARY: path('summary'), RUNNER_TEMP: path('temp') };
  return {
    env,
    results: createResults(env),
    outputs: async () => readEnvFile(await readFile(path('output'), 'utf8')),
    summary: () => readFile(path('summary'), 'utf8'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

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

test('every output comes out as it went in, and no other one appears, whatever the value holds', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (report, reason) => {
      await using files = await openFiles();
      files.results.writeOutputs({ report, 'job-id': reason });
      const { values, error } = await files.outputs();
      expect(error).toBeUndefined();
      // The runner's reader takes a lone carriage return and CRLF for line ends as they are.
      expect(values).toEqual({ report, 'job-id': reason });
    }),
    { numRuns: process.env.SOAK ? 10_000 : 300 },
  );
});

test('an output of a megabyte comes out as it went in', async () => {
  await using files = await openFiles();
  const report = 'x\n'.repeat(512 * 1024);
  files.results.writeOutputs({ report, status: 'completed' });
  expect((await files.outputs()).values).toEqual({ report, status: 'completed' });
});

test('names of outputs are those of action.yml and nothing from data', () => {
  expectTypeOf<keyof OutputValues>().toEqualTypeOf<OutputName>();
  expect(isOutputName('job-id')).toBe(true);
  for (const name of ['__proto__', 'constructor', 'x', 'job-id\n', 'JOB-ID', ''])
    expect(isOutputName(name)).toBe(false);
});

test('a value under a name that is no output is left out', async () => {
  await using files = await openFiles();
  const values: OutputValues = { status: 'completed', ...JSON.parse('{"evil":"x","__proto__":"y"}') };
  files.results.writeOutputs(values);
  expect((await files.outputs()).values).toEqual({ status: 'completed' });
});

test('a summary that the runner would drop as too large is cut below its limit, at a whole character, and says so', async () => {
  await using files = await openFiles();
  files.results.writeSummary('ä'.repeat(1024 * 1024));
  const text = await files.summary();
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(901 * 1024);
  expect(text).toContain('The summary is cut here');
  expect(text).not.toContain('\uFFFD');
});

test('a report that cannot be written costs its path and nothing else', async () => {
  await using files = await openFiles();
  expect(createResults({ ...files.env, RUNNER_TEMP: '' }).writeReport('{}')).toBeUndefined();
  expect(createResults({ ...files.env, RUNNER_TEMP: files.env.GITHUB_OUTPUT }).writeReport('{}')).toBeUndefined();
  expect(await readFile(files.results.writeReport('{"a":1}') ?? '', 'utf8')).toBe('{"a":1}');
});
