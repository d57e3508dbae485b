import { describe, expect, test } from 'vitest';
import { type Contract, findMiswirings } from '../../scripts/lint/wiring.ts';

const contract: Contract = {
  inputs: new Set(['mode', 'base-url', 'domain']),
  required: new Set(['mode', 'base-url']),
  outputs: new Set(['job-id', 'site-path']),
};
const find = (uses: string) => (uses === 'us/us@v1' ? contract : undefined);

function workflow(...lines: string[]): string {
  return ['on: push', 'jobs:', '  one:', '    steps:', ...lines.map((line) => `      ${line}`)].join('\n');
}

const GOOD = ['- id: us', '  uses: us/us@v1', '  with: { mode: export, base-url: x }'];

describe('inputs and outputs of our actions', () => {
  test('Existing inputs and outputs are not findings', () => {
    const text = workflow(...GOOD, '- run: ls $SITE', '  env: { SITE: "${{ steps.us.outputs.site-path }}" }');
    expect(findMiswirings(text, find)).toEqual([]);
  });

  test('An unknown input is a finding, and so is the required input that is missing', () => {
    const text = workflow('- uses: us/us@v1', '  with: { mode: export, base-ulr: x }');
    expect(findMiswirings(text, find)).toEqual([
      'job one: us/us@v1 has no input base-ulr',
      'job one: us/us@v1 needs the input base-url',
    ]);
  });

  test('An unknown output is a finding wherever the job reads it', () => {
    const text = `${workflow(...GOOD)}\n    outputs:\n      id: \${{ steps.us.outputs.jobid }}`;
    expect(findMiswirings(text, find)).toEqual(['job one: step us has no output jobid']);
  });

  test('Other actions are not checked', () => {
    const text = workflow(
      '- id: a',
      '  uses: others/action@v1',
      '  with: { anything: 1 }',
      '- run: echo',
      '  env: { A: "${{ steps.a.outputs.b }}" }',
    );
    expect(findMiswirings(text, find)).toEqual([]);
  });
});
