import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LiveInputs } from '../../../src/inputs/inputs.ts';
import { stampAddress } from '../../../src/steps/live/stamp.ts';
import { tarGz } from '../../site/archives.ts';
import { expectError } from '../../support/failure.ts';
import { startLiveSite, staticHost } from '../../support/live-site.ts';
import { bundleInputs, makeDestination } from '../../support/make-inputs.ts';
import { startWorld, type World } from '../../support/world.ts';

const STAMP = 'docs-courier.json';
const page = (title: string, text: string) =>
  `<title>${title}</title><main><h1>${title}</h1><p>${text}</p></main>`;

/** 30 pages, of which the last one changes. */
function pages(text: string): Readonly<Record<string, string>> {
  const all = Array.from({ length: 30 }, (_, at) => [
    `p${at}.html`,
    page(`Page ${at}`, `Text ${at}.`),
  ]);
  return {
    'index.html': page('Docs', 'Start here.'),
    ...Object.fromEntries(all),
    'p29.html': page('Page 29', text),
  };
}
const OLD = pages('Version 1.');
const NEW = pages('Version 2.');

async function startExported(): Promise<World> {
  const world = await startWorld();
  for (const [jobId, files] of Object.entries({ 'job-1': OLD, 'job-2': NEW })) {
    const archive = tarGz(Object.entries(files).map(([name, content]) => ({ name, content })));
    await world.platform.addExportJob({ jobId, archive });
  }
  return world;
}

/** An export with a stamp into `folder`. */
function stamped(world: World, jobId: string, folder: string) {
  const bundle = bundleInputs({ extractTo: join(world.workspace, folder) });
  return { exportJobId: jobId, to: makeDestination(), add: ['stamp'], bundle } as const;
}

const liveAt = (url: string, more: Partial<LiveInputs> = {}): LiveInputs => ({
  ...{ url, timeoutMs: 300_000, onNotLive: 'fail', headers: {} },
  ...more,
});

const stampIn = (world: World, folder: string) =>
  readFileSync(join(world.workspace, folder, STAMP), 'utf8');

/** Paths that were asked for, without their query. */
function pathsOf(requests: readonly { readonly path: string }[]): string[] {
  return requests.map(({ path }) => path.replace(/\?.*$/, ''));
}

describe('a site with the stamp of this export', () => {
  test('Three pages are fetched instead of twenty, the changed one first, after the stamp', async () => {
    await using world = await startExported();
    const compareWith = { kind: 'previous' } as const;
    await world.export(stamped(world, 'job-1', 'old'));
    const before = world.secret();
    const files = () =>
      world.secret() === before ? OLD : { ...NEW, [STAMP]: stampIn(world, 'new') };
    await using site = await startLiveSite((request) => staticHost(files)(request));
    const { error, facts } = await world.export({
      ...stamped(world, 'job-2', 'new'),
      compareWith,
      live: liveAt(site.url),
    });
    expect(error).toBeUndefined();
    expect(facts.live).toMatchObject({ live: true, stamp: { of: 'this export', jobId: 'job-2' } });
    expect(facts.live?.pages.map(({ path }) => path)).toEqual(['/p29', '/', '/p1']);
    const asked = pathsOf(site.requests);
    const last = asked.slice(asked.lastIndexOf(`/${STAMP}`));
    expect(last[0]).toBe(`/${STAMP}`);
    expect(new Set(last.slice(1))).toEqual(new Set(['/p29.html', '/', '/p1.html']));
  });

  test('A stamp alone is not enough: a page that shows something else is not live', async () => {
    await using world = await startExported();
    const files = () => ({
      ...OLD,
      'index.html': page('Docs', 'Out of order.'),
      [STAMP]: stampIn(world, 'new'),
    });
    await using site = await startLiveSite((request) =>
      staticHost(world.secret() === undefined ? () => OLD : files)(request),
    );
    const live = liveAt(site.url, { timeoutMs: 20_000 });
    const { error, facts } = await world.export({ ...stamped(world, 'job-2', 'new'), live });
    expectError(error, {
      code: 'checks-failed',
      message: 'Its stamp has the content of this export: export job job-2 of acme.example.com',
    });
    expect(facts.live?.pages).toHaveLength(3);
  });

  test('A later step that only checks the site reads its stamp without adding one', async () => {
    await using world = await startExported();
    await world.export(stamped(world, 'job-2', 'new'));
    await using site = await startLiveSite(
      staticHost(() => ({ ...NEW, [STAMP]: stampIn(world, 'new') })),
    );
    const { facts } = await world.refresh({ exportJobId: 'job-2', live: liveAt(site.url) });
    expect(facts.live).toMatchObject({ live: true, stamp: { of: 'this export' } });
    expect(facts.live?.pages).toHaveLength(3);
  });
});

describe('a site with another stamp or none', () => {
  test('The message names the export that is there', async () => {
    await using world = await startExported();
    await world.export(stamped(world, 'job-1', 'old'));
    await using site = await startLiveSite(
      staticHost(() => ({ ...OLD, [STAMP]: stampIn(world, 'old') })),
    );
    const compareWith = { kind: 'previous' } as const;
    const live = liveAt(site.url, { timeoutMs: 10_000 });
    const { error, facts } = await world.export({
      ...stamped(world, 'job-2', 'new'),
      compareWith,
      live,
    });
    expectError(error, {
      code: 'checks-failed',
      message: '- Its stamp names another export: export job job-1 of acme.example.com, requ',
    });
    expect(facts.live?.stamp).toMatchObject({ of: 'another export', jobId: 'job-1' });
    expect(facts.live?.pages).toHaveLength(20);
  });

  test('A site that shows all pages is live, and a warning names the export of its stamp', async () => {
    await using world = await startExported();
    await world.export(stamped(world, 'job-1', 'old'));
    await using site = await startLiveSite(
      staticHost(() => ({ ...NEW, [STAMP]: stampIn(world, 'old') })),
    );
    const { error, facts, log } = await world.export({
      ...stamped(world, 'job-2', 'new'),
      live: liveAt(site.url),
    });
    expect(error).toBeUndefined();
    expect(facts.live?.pages).toHaveLength(20);
    expect(log.text('warning')).toContain('Its stamp names another export: export job job-1');
  });

  test.each([
    [
      'a page that says that nothing was found',
      { body: '<h1>Not found</h1>' },
      `${STAMP} is not JSON`,
    ],
    [
      'a stamp that is larger than 64 KiB',
      { body: `{"version":1,"x":"${'x'.repeat(70_000)}"}` },
      'larger',
    ],
    ['a stamp of a later version', { body: '{"version":2,"fingerprint":""}' }, 'has version 2'],
    ['an error', { status: 503 }, 'the site answered 503'],
  ])('With %s, all pages are compared, and the report says why', async (_, reply, why) => {
    await using world = await startExported();
    const host = staticHost(() => NEW);
    await using site = await startLiveSite((request) =>
      request.path.includes(STAMP) ? reply : host(request),
    );
    const { error, facts } = await world.export({
      ...stamped(world, 'job-2', 'new'),
      live: liveAt(site.url),
    });
    expect(error).toBeUndefined();
    expect(facts.live).toMatchObject({
      live: true,
      stamp: { of: 'none', text: expect.stringContaining(why) },
    });
    expect(facts.live?.pages).toHaveLength(20);
  });

  test('The texts of a stamp cannot begin a command of the log', async () => {
    await using world = await startExported();
    await world.export(stamped(world, 'job-1', 'old'));
    const forged = {
      ...JSON.parse(stampIn(world, 'old')),
      site: 'x\n::set-output name=a::b',
      label: '\u001b[31m',
    };
    await using site = await startLiveSite(
      staticHost(() => ({ ...NEW, [STAMP]: JSON.stringify(forged) })),
    );
    const { facts, log } = await world.export({
      ...stamped(world, 'job-2', 'new'),
      live: liveAt(site.url),
    });
    const text = `${log.text('warning')}${facts.live?.stamp?.text}`;
    expect(text).toContain('export job job-1 of x ::set-output');
    expect(text).not.toMatch(/^::|\u001b/m);
  });

  test('Without a stamp to expect, a site is not asked for one in each round', async () => {
    await using world = await startExported();
    await using site = await startLiveSite(staticHost(() => NEW));
    await world.export({ exportJobId: 'job-2', to: makeDestination(), live: liveAt(site.url) });
    expect(pathsOf(site.requests).filter((path) => path === `/${STAMP}`)).toHaveLength(1);
  });
});

test.each([
  ['https://docs.example.com', 'index.html', 'https://docs.example.com/docs-courier.json'],
  ['https://example.com/docs', 'index.html', 'https://example.com/docs/docs-courier.json'],
  ['https://example.com/docs', 'docs/index.html', 'https://example.com/docs-courier.json'],
  ['https://docs.example.com', 'docs/index.html', 'https://docs.example.com/docs-courier.json'],
])('A site at %s with the start page %s has its stamp at %s', (url, entryPage, address) => {
  expect(stampAddress(url, entryPage).href).toBe(address);
});
