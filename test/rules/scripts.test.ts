import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const FILTERS = Object.entries<string>(scripts)
  .filter(([, line]) => line.includes('vitest run'))
  .flatMap(([name, line]) => {
    const words = line.split('vitest run')[1]?.split(' ') ?? [];
    return words.filter((word) => word.includes('/')).map((filter) => ({ name, filter }));
  });

// Vitest says that it found no file, but only to whoever runs the script, which takes hours.
test.each(FILTERS)('`npm run $name` names a file of tests that exists: $filter', ({ filter }) => {
  const found = globSync('test/**/*.test.ts', { cwd: ROOT });
  expect(found.filter((path) => path.includes(filter))).not.toEqual([]);
});
