import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MUTATIONS } from '../../scripts/mutations.ts';

const ROOT = join(import.meta.dirname, '../..');

test.each(MUTATIONS)(
  '`npm run mutate` finds the rule that it changes in the sources: $name',
  ({ file, from }) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    expect(text.split(from)).toHaveLength(2);
  },
);
