import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measureDensity } from '../../scripts/measure/sources.ts';

/**
 * What a line of `src` may hold, as a whole: no file and no function has a limit of its own. Lower
 * a limit when the sources got lighter; to raise one is a decision of the maintainers.
 */
const MOST = { nodesPerLine: 6.95, conditionals: 820 };

test('A line of the sources says one thing: few nodes of syntax, and few conditional expressions', () => {
  const { nodesPerLine, conditionals } = measureDensity(join(import.meta.dirname, '../..'));
  expect(nodesPerLine, 'syntax nodes in a line of code').toBeLessThanOrEqual(MOST.nodesPerLine);
  expect(conditionals, 'conditional expressions').toBeLessThanOrEqual(MOST.conditionals);
});
