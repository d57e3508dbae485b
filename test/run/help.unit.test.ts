import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/ground/errors.ts';
import { documentation, helpFor, pageLink } from '../../src/run/report.ts';

const docs = join(import.meta.dirname, '../../docs');

/** The headings of a page, as they are in addresses. */
function anchorsOf(page: string): readonly string[] {
  const headings = readFileSync(join(docs, page), 'utf8').match(/^#+ .*$/gm) ?? [];
  return headings.map((heading) =>
    heading.replace(/^#+ /, '').replaceAll('`', '').toLowerCase().replaceAll(' ', '-'),
  );
}

test.each(ERROR_CODES)(
  'Each error code has one section, on a page about errors, that its address names: %s',
  (code) => {
    const [page = '', ...others] = ['setup', 'remote', 'bundle']
      .map((name) => `reference/errors-${name}.md`)
      .filter((name) => anchorsOf(name).includes(`error-${code}`));
    expect(others).toEqual([]);
    const published = documentation(`${page}#error-${code}`);
    expect(helpFor(code, undefined)).toBe(published);
  },
);

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

test('Until the documentation is published, messages name the command that prints a section, and no page', () => {
  expect(documentation('index.md')).toBeUndefined();
  expect(pageLink('roll back', 'how-to/roll-back.md')).toBe('roll back');
  expect(helpFor('config', 'npx --yes ./docs-courier.tgz')).toBe(
    'npx --yes ./docs-courier.tgz explain config',
  );
  expect(helpFor('config', undefined)).toBeUndefined();
});
