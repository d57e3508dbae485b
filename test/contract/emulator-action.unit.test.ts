import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { ACTION } from '../../src/ground/published.ts';

const root = resolve(import.meta.dirname, '../..');
const named = z.record(z.string(), z.looseObject({ description: z.string() }));
const action = z
  .looseObject({ inputs: named, outputs: named })
  .parse(parse(readFileSync(join(root, 'emulator/action.yml'), 'utf8')));

const step = z.looseObject({
  id: z.optional(z.string()),
  uses: z.optional(z.string()),
  with: z.optional(z.record(z.string(), z.unknown())),
});
const workflow = z.looseObject({
  jobs: z.record(z.string(), z.looseObject({ steps: z.array(step) })),
});

const sources = ['examples', '.github/workflows']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
  .filter((path) => path.endsWith('.yml') && !path.endsWith('docs-queries.yml'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  .map(({ path, text }) => ({ path, text, steps: stepsOf(text) }))
  .filter(({ steps }) => steps.length > 0);

function stepsOf(text: string): z.infer<typeof step>[] {
  return Object.values(workflow.parse(parse(text)).jobs)
    .flatMap(({ steps }) => steps)
    .filter(({ uses = '' }) => uses === `${ACTION}/emulator` || uses === './emulator');
}

describe('the emulator as an action', () => {
  it('An example and the checks of this repository use the emulator action', () => {
    expect(sources.map(({ path }) => path)).toEqual([
      'examples/try-on-emulator.yml',
      '.github/workflows/ci.yml',
    ]);
  });

  it.each(sources)('The emulator action in $path gets only inputs that it has', ({ steps }) => {
    const given = steps.flatMap(({ with: inputs = {} }) => Object.keys(inputs));
    expect(given.filter((name) => action.inputs[name] === undefined)).toEqual([]);
  });

  it.each(sources)(
    'The emulator action in $path is asked only for outputs that it has',
    ({ steps, text }) => {
      const ids = steps.flatMap(({ id }) => id ?? []);
      const read = [...text.matchAll(/steps\.([\w-]+)\.outputs\.([\w-]+)/g)].filter(([, id = '']) =>
        ids.includes(id),
      );
      expect(read.length).toBeGreaterThan(0);
      expect(
        read.flatMap(([, , output = '']) => (action.outputs[output] === undefined ? output : [])),
      ).toEqual([]);
    },
  );
});
