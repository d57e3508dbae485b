import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DOMAIN, type Laptop, openLaptop } from './harness.ts';

function configure({ folder }: Laptop, sites: object, top: object = {}): Promise<void> {
  return writeFile(join(folder, 'docs-courier.yml'), JSON.stringify({ ...top, sites }));
}

const linkIn = ({ folder }: Laptop, name: string) => readFile(join(folder, name), 'utf8');
const starts = ({ platform }: Laptop) => platform.requests.filter(({ path }) => path === '/v1/static-export/jobs');

describe('a configuration file with several sites', () => {
  test('is read for the site that is named, with the keys at the top below its own', async () => {
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
    [['doctor', '--site', ''], /site is missing/],
    [['refresh', '--all', '--to', 'file:x'], /--to is of one site/],
    [['refresh', '--all', '--site', 'guide'], /--site is of one site/],
    [['export', '--all', '--site', 'guide'], /--all belongs to refresh/],
  ])('%j is an error, and nothing is sent', async (args, message) => {
    await using laptop = await openLaptop();
    await configure(laptop, { guide: { domain: DOMAIN, to: 'file:a' }, api: { domain: DOMAIN, to: 'file:b' } });
    const { exitCode, stderr } = await laptop.run(args);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
    expect(laptop.platform.requests).toEqual([]);
  });

  test.each([
    [{ guide: { domian: 'x' } }, /unknown key domian; did you mean domain\?/],
    [{ guide: { path: 'x' } }, /unknown key path; did you mean paths\?/],
    [{ 'a b': {} }, /the name of a site/],
    [{ guide: 'text' }, /a mapping of keys is wanted/],
    [{}, /it has no site/],
    [{ guide: { 'admin-api-key': 'x' } }, /admin-api-key is a secret/],
  ])('with %j cannot be used', async (sites, message) => {
    await using laptop = await openLaptop();
    await configure(laptop, sites);
    const { exitCode, stderr } = await laptop.run(['export', '--site', 'guide']);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });
});

describe('refresh --all', () => {
  test('refreshes what is due, goes on after a failure, and ends with the worst exit code', async () => {
    await using laptop = await openLaptop();
    await laptop.run(['export', '--domain', DOMAIN, '--to', 'file:due', '--to', 'file:fresh']);
    const before = { due: await linkIn(laptop, 'due'), fresh: await linkIn(laptop, 'fresh') };
    await configure(laptop, {
      due: { to: 'file:due', 'refresh-before': '10000h' },
      never: { to: 'file:never' },
      fresh: { to: 'file:fresh', 'refresh-before': '1s' },
    });
    const { exitCode, stderr, stdout } = await laptop.run(['refresh', '--all', '--json', '--summary', 'all.md']);
    expect(await linkIn(laptop, 'due')).not.toBe(before.due);
    expect(await linkIn(laptop, 'fresh')).toBe(before.fresh);
    expect(stderr).toMatch(/^due {4}refreshed, works until /m);
    expect(stderr).toMatch(/^never {2}failed \([a-z-]+\)$/m);
    expect(stderr).toMatch(/^fresh {2}not due$/m);
    expect(stderr).toMatch(/^error: never: /m);
    expect(exitCode).toBeGreaterThan(0);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'failed',
      sites: [
        { site: 'due', exitCode: 0, changed: true },
        { site: 'never', exitCode },
        { site: 'fresh', changed: false },
      ],
    });
    expect(stdout).not.toContain('X-Signature');
    expect(await linkIn(laptop, 'all.md')).toContain('| `due` | refreshed');
  });

  test('sends nothing where two sites have one destination, or one has none', async () => {
    await using laptop = await openLaptop();
    await configure(laptop, { a: { to: 'file:x' }, b: { to: ['file:y', 'file:x'] }, c: {} });
    const { exitCode, stderr } = await laptop.run(['refresh', '--all']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('a and b have the same destination');
    expect(stderr).toContain('c has no destination');
    expect(laptop.platform.requests).toEqual([]);
  });

  test('refreshes 200 sites with three requests at most for each that is due', async () => {
    await using laptop = await openLaptop();
    const names = Array.from({ length: 200 }, (_, index) => `site-${index}`);
    for (let from = 0; from < names.length; from += 10) {
      const to = names.slice(from, from + 10).map((name) => `--to=file:${name}`);
      expect((await laptop.run(['export', '--domain', DOMAIN, ...to])).exitCode).toBe(0);
    }
    const due = new Set(names.filter((_, index) => index % 10 === 0));
    const entry = (name: string) => ({ to: `file:${name}`, 'refresh-before': due.has(name) ? '10000h' : '1s' });
    await configure(laptop, Object.fromEntries(names.map((name) => [name, entry(name)])));
    const sent = laptop.platform.requests.length;
    const { exitCode, stderr } = await laptop.run(['refresh', '--all']);
    expect(exitCode).toBe(0);
    expect(stderr.match(/^site-\d+ +refreshed/gm)).toHaveLength(20);
    expect(stderr.match(/^site-\d+ +not due$/gm)).toHaveLength(180);
    expect(laptop.platform.requests.length - sent).toBeLessThanOrEqual(200 + due.size * 3);
    expect(starts(laptop)).toHaveLength(20);
  });
});
