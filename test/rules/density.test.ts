import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { measureDensity } from '../../scripts/measure/sources.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * What a line of `src` may hold, as a whole: no file and no function has a limit of its own. Lower
 * a limit when the sources got lighter; to raise one is a decision of the maintainers.
 */
const MOST = { nodesPerLine: 6.95, conditionals: 820 };

test('A line of the sources says one thing: few nodes of syntax, and few conditional expressions', () => {
  const { nodesPerLine, conditionals } = measureDensity(ROOT);
  expect(nodesPerLine, 'syntax nodes in a line of code').toBeLessThanOrEqual(MOST.nodesPerLine);
  expect(conditionals, 'conditional expressions').toBeLessThanOrEqual(MOST.conditionals);
});

const flag = z.object({ type: z.literal('Literal'), value: z.boolean() });
const call = z.object({
  type: z.enum(['CallExpression', 'NewExpression']),
  callee: z.looseObject({ property: z.optional(z.looseObject({ name: z.string() })) }),
  arguments: z.array(z.unknown()),
  start: z.number(),
  end: z.number(),
});
/** Of Node.js and of libraries, which have only this form. */
const FOREIGN = ['addRaw', 'getFileNameLowLevel', 'getLines', 'includes', 'literal', 'push'];

/** The calls in a source that pass a bare true or false. */
function bareFlags(source: string): string[] {
  const found: string[] = [];
  JSON.stringify(parseAst(source, { lang: 'ts' }), (_, node: unknown) => {
    const { data } = call.safeParse(node);
    const isForeign = FOREIGN.includes(data?.callee.property?.name ?? '');
    if (data?.arguments.some((one) => flag.safeParse(one).success) && !isForeign)
      found.push(source.slice(data.start, data.end));
    return node;
  });
  return found;
}

test('What true or false means is read where it is passed: it is a field, or there are two functions', () => {
  expect(bareFlags('wrap(line, false); new Writer(true); list.includes(true)')).toHaveLength(2);
  for (const file of readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.ts'))
      expect(bareFlags(readFileSync(join(ROOT, 'src', file), 'utf8'))).toEqual([]);
  }
});
