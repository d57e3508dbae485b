import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/ground/errors.ts';
import { REPOSITORY } from '../../src/ground/published.ts';
import { documentation, helpAddress, pageLink } from '../../src/run/report.ts';

const docs = join(import.meta.dirname, '../../docs');

/** The headings of a page, as they are in addresses. */
function anchorsOf(page: string): readonly string[] {
  const headings = readFileSync(join(docs, page), 'utf8').match(/^#+ .*$/gm) ?? [];
  return headings.map((heading) =>
    heading.replace(/^#+ /, '').replaceAll('`', '').toLowerCase().replaceAll(' ', '-'),
  );
}

test.each(ERROR_CODES)('The address for %s is a heading of a page of the documentation', (code) => {
  const [, page = '', anchor] = /^.*\bdocs\/([^#]+)#(.+)$/.exec(helpAddress(code)) ?? [];
  expect(anchorsOf(page)).toContain(anchor);
});

test('Every page that a message or a summary names exists, with its heading', () => {
  const src = join(import.meta.dirname, '../../src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const named = files.flatMap((file) =>
    [
      ...readFileSync(join(src, file), 'utf8').matchAll(
        /(?:documentation\(|pageLink\('[^']+', )'([^']+)'\)/g,
      ),
    ].map(([, page]) => page ?? ''),
  );
  expect(named.length).toBeGreaterThan(3);
  for (const address of named) {
    const [page = '', anchor] = address.split('#');
    expect(existsSync(join(docs, page)), address).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(page), address).toContain(anchor);
  }
});

test('While the documentation has no address, messages have the path of a page as plain text, and no dead link', () => {
  const isPublished = !new URL(REPOSITORY).hostname.endsWith('example.com');
  if (isPublished) return expect(documentation('index.md')).toMatch(/^https:/);
  expect(helpAddress('config')).toBe('docs/reference/errors-setup.md#error-config');
  expect(documentation('how-to/roll-back.md')).toBe('docs/how-to/roll-back.md');
  expect(pageLink('roll back', 'how-to/roll-back.md')).toBe(
    'roll back (`docs/how-to/roll-back.md`)',
  );
});
