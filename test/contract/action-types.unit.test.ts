import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { readCatalog } from '../../scripts/catalog.ts';
import { CONTEXT_PARTS } from '../../src/inputs/read-agent.ts';
import { AGENT_JOB_STATUSES } from '../../src/platform/contract.ts';
import { STATUSES } from '../../src/run/report.ts';
import { ADDED_PARTS, PERMISSIONS } from '../../src/values/values.ts';

const root = resolve(import.meta.dirname, '../..');
const values = { 'allowed-values': z.optional(z.array(z.string())) };
const typing = z.looseObject({
  type: z.enum(['string', 'boolean', 'integer', 'float', 'enum', 'list']),
  ...values,
  'list-item': z.optional(z.looseObject({ type: z.string(), ...values })),
});
const types = z
  .strictObject({ inputs: z.record(z.string(), typing), outputs: z.record(z.string(), typing) })
  .parse(parse(readFileSync(join(root, 'action-types.yml'), 'utf8')));
const { inputs, outputs } = readCatalog(join(root, 'action.yml'));

// A maintainer decides whether a limit rises, in the issue, before the code is written.
test('The action has at most 74 inputs and 24 outputs', () => {
  expect(inputs.length).toBeLessThanOrEqual(74);
  expect(outputs.length).toBeLessThanOrEqual(24);
});

describe('action-types.yml', () => {
  it('The file action-types.yml types every input and output of action.yml, and no other', () => {
    expect(Object.keys(types.inputs)).toEqual(inputs.map(({ name }) => name));
    expect(Object.keys(types.outputs)).toEqual(outputs.map(({ name }) => name));
  });

  it('The file action-types.yml gives each enumeration the values that the program accepts', () => {
    expect(types.inputs['required-permission']?.['allowed-values']).toEqual([...PERMISSIONS]);
    expect(types.inputs.add?.['list-item']?.['allowed-values']).toEqual([...ADDED_PARTS]);
    expect(types.inputs.context?.['list-item']?.['allowed-values']).toEqual([
      ...CONTEXT_PARTS,
      'none',
    ]);
    expect(types.outputs.status?.['allowed-values']).toEqual([...STATUSES]);
    expect(types.outputs['agent-status']?.['allowed-values']).toEqual([...AGENT_JOB_STATUSES]);
  });

  it('The description of an input lists every value of its enumeration', () => {
    const missing = inputs.flatMap(({ name, text }) =>
      (types.inputs[name]?.['allowed-values'] ?? [])
        .filter((value) => !text.includes(`\`${value}\``))
        .map((value) => `${name}: ${value}`),
    );
    expect(missing).toEqual([]);
  });

  it('Defaults fit their types', () => {
    const booleans = inputs
      .filter(({ default: value }) => value === 'true' || value === 'false')
      .map(({ name }) => name);
    const takesBoth = (name: string) =>
      types.inputs[name]?.type === 'boolean' ||
      ['false', 'true'].every((value) => types.inputs[name]?.['allowed-values']?.includes(value));
    expect(booleans.filter((name) => !takesBoth(name))).toEqual([]);
    const numbers = inputs
      .filter(({ default: value }) => /^\d+$/.test(value))
      .map(({ name }) => name);
    expect(numbers.filter((name) => types.inputs[name]?.type !== 'integer')).toEqual([]);
  });
});
