import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DOMAIN, type Laptop, openLaptop } from './harness.ts';

function configure({ folder }: Laptop, sites: object, top: object = {}): Promise<void> {
  return writeFile(join(folder, 'docs-courier.yml'), JSON.stringify({ ...top, sites }));
}

const linkIn = ({ folder }: Laptop, name: string) => readFile(join(folder, name), 'utf8');

describe('a configuration file with several sites', () => {
  test('A file with several sites is read for the specified site, whose keys override those at the top', async () => {
    await using laptop = await openLaptop();
    const top = { domain: DOMAIN, to: 'file:top' };
    await configure(laptop, { guide: { to: 'file:guide', paths: ['docs/**'] }, api: {} }, top);
    expect((await laptop.run(['export', '--site', 'guide'])).exitCode).toBe(0);
    expect((await fetch(await linkIn(laptop, 'guide'))).status).toBe(200);
    const env = { DOCS_COURIER_SITE: 'api' };
    expect((await laptop.run(['export'], { env })).exitCode).toBe(0);
    expect((await fetch(await linkIn(laptop, 'top'))).status).toBe(200);
  });

  test.each([
    [['export'], /site is missing: guide, api/],
    [['export', '--site', 'guid'], /The configuration file has no site guid; did you mean guide\?/],
    [['doctor', '--site', ''], /--site is empty/],
  ])(
    'The arguments %j are an error for a file with several sites, and nothing is sent',
    async (args, message) => {
      await using laptop = await openLaptop();
      await configure(laptop, {
        guide: { domain: DOMAIN, to: 'file:a' },
        api: { domain: DOMAIN, to: 'file:b' },
      });
      const { exitCode, stderr } = await laptop.run(args);
      expect(stderr).toMatch(message);
      expect(exitCode).toBe(2);
      expect(laptop.platform.requests).toEqual([]);
    },
  );

  test.each([
    [{ guide: { domian: 'x' } }, /unknown key domian; did you mean domain\?/],
    [{ guide: { path: 'x' } }, /unknown key path; did you mean paths\?/],
    [{ 'a b': {} }, /the name of a site/],
    [{ guide: 'text' }, /this must be a mapping, with each key/],
    [{}, /it has no site/],
    [{ guide: { 'admin-api-key': 'x' } }, /admin-api-key is a secret/],
  ])('A file with the sites %j is an error', async (sites, message) => {
    await using laptop = await openLaptop();
    await configure(laptop, sites);
    const { exitCode, stderr } = await laptop.run(['export', '--site', 'guide']);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });
});

describe('two sites with one destination', () => {
  test.each([
    ['the same text', 'file:link', 'file:link'],
    ['another text', 'file:link', 'file:./guide/../link'],
    ['a state', 'file:link', 'file:link.state.json'],
    ['another case', 'github:repo/acme/app/DOCS_URL', 'github:repo/Acme/App/DOCS_URL'],
  ])(
    'Two sites with one destination (%s) are refused by every command that reads the file',
    async (_, a, b) => {
      await using laptop = await openLaptop();
      await configure(laptop, { guide: { to: a }, api: { to: b } }, { domain: DOMAIN });
      for (const args of [
        ['export', '--site', 'guide'],
        ['doctor', '--site', 'api'],
        ['plan'],
        ['refresh', '--site', 'api'],
      ]) {
        const { exitCode, stderr } = await laptop.run([
          ...args,
          '--config-file',
          'docs-courier.yml',
        ]);
        expect(stderr).toContain('guide and api have the same destination');
        expect(exitCode).toBe(2);
      }
      expect(laptop.platform.requests).toEqual([]);
    },
  );
});
