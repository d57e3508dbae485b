import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_CODES } from '../../../src/errors.ts';
import { helpAddress } from '../../../src/report/help.ts';

const docs = join(import.meta.dirname, '../../../docs');

test.each(ERROR_CODES)('the address for %s is a heading of a page of the documentation', (code) => {
  const [, page, anchor] = /\/docs\/([^#]+)#(.+)$/.exec(helpAddress(code)) ?? [];
  const headings = readFileSync(join(docs, page ?? ''), 'utf8').match(/^#+ .*$/gm) ?? [];
  const anchors = headings.map((heading) =>
    heading.replace(/^#+ /, '').replaceAll('`', '').toLowerCase().replaceAll(' ', '-'),
  );
  expect(anchors).toContain(anchor);
});
