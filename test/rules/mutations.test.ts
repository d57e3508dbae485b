import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MUTATIONS } from '../../scripts/mutations.ts';

test.each(MUTATIONS)(
  '`npm run mutate` finds the rule that it changes in the sources: $name',
  ({ file, from }) => {
    const text = readFileSync(`${import.meta.dirname}/../../${file}`, 'utf8');
    expect(text.split(from)).toHaveLength(2);
  },
);
