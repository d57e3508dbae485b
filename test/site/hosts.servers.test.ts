import { expect, test } from 'vitest';
import { namedHosts, pageWith } from './hosts.ts';
import { SNIPPETS } from './snippets.ts';

test.each(SNIPPETS)(
  'An air-gapped site names the hosts of this, and no other: $name',
  async ({ html, hosts }) => {
    expect(await namedHosts(pageWith(html))).toEqual(hosts.toSorted());
  },
);
