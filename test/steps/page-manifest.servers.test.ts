import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ExportInputs } from '../../src/inputs/inputs.ts';
import { tarGz } from '../site/archives.ts';
import { bundleInputs } from '../support/make-inputs.ts';
import { startWorld, type World } from '../support/world.ts';

type Files = Readonly<Record<string, string>>;

const MANIFEST = 'docs-courier.manifest.json';
const page = (title: string, text: string) =>
  `<title>${title}</title><main><h1>${title}</h1><p>${text}</p></main>`;

const OLD: Files = {
  'index.html': page('Docs', 'Start. <a href="/gone">gone</a> <a href="/guide/">guide</a>'),
  'guide/index.html': page('Guide', 'How to. <img src="/missing.png" alt="x">'),
  'moved-from.html': page('A page', 'It only has a new address. <a href="/lost">lost</a>'),
  'removed.html': page('Removed', 'It was here.'),
  'old.html': '<meta http-equiv="refresh" content="0; url=/guide/">',
  'app.html': '<script src="/app-0123456789abcdef.js"></script><div id="app"></div>',
  'app-0123456789abcdef.js': '1',
  '404.html': page('Not found', 'Nothing.'),
};
const NEW: Files = {
  'index.html': page('Docs', 'Start. <a href="/gone">gone</a> <a href="/removed">removed</a>'),
  'guide/index.html': page('Guide', 'How to do it. <a href="/gone">gone</a>'),
  'moved-to.html': page('A page', 'It only has a new address. <a href="/lost">lost</a>'),
  'added.html': page('Added', 'It is new.'),
  'app.html': '<script src="/app-fedcba9876543210.js"></script><div id="app"></div>',
  'app-fedcba9876543210.js': '1',
};

async function startWith(jobs: Readonly<Record<string, Files>>): Promise<World> {
  const world = await startWorld();
  for (const [jobId, files] of Object.entries(jobs)) {
    const archive = tarGz(Object.entries(files).map(([name, content]) => ({ name, content })));
    await world.platform.addExportJob({ jobId, archive });
  }
  return world;
}

/** An export that lists the pages of the site in its folder, which is named as its job. */
function listed(world: World, jobId: string, more: Partial<ExportInputs> = {}) {
  const extractTo = join(world.workspace, jobId);
  return world.export({
    exportJobId: jobId,
    add: ['manifest'],
    bundle: bundleInputs({ extractTo, clean: true }),
    ...more,
  });
}

const manifestIn = (world: World, jobId: string) =>
  readFileSync(join(world.workspace, jobId, MANIFEST), 'utf8');

/** A comparison with the list of pages in the folder of an earlier job. */
const since = (world: World, jobId: string) =>
  ({ compareWith: { kind: 'file', path: join(world.workspace, jobId, MANIFEST) } }) as const;

describe('add: manifest', () => {
  test('The file has each page with its title and content, the broken links, and nothing else', async () => {
    await using world = await startWith({ old: OLD });
    expect((await listed(world, 'old')).error).toBeUndefined();
    const content = expect.stringMatching(/^[\w-]{43,64}$/);
    expect(JSON.parse(manifestIn(world, 'old'))).toStrictEqual({
      version: 1,
      pages: [
        { path: '/', title: 'Docs', content },
        { path: '/app', title: '/app', content },
        { path: '/guide', title: 'Guide', content },
        { path: '/moved-from', title: 'A page', content },
        { path: '/removed', title: 'Removed', content },
      ],
      broken: [
        { target: '/missing.png', pages: ['/guide'] },
        { target: '/gone', pages: ['/'] },
        { target: '/lost', pages: ['/moved-from'] },
      ],
    });
  });

  test('The same site has the same file, whatever its build hashes and the job are', async () => {
    const built = { ...OLD, 'app.html': NEW['app.html'] ?? '', 'app-fedcba9876543210.js': '1' };
    await using world = await startWith({ old: OLD, again: built });
    await listed(world, 'old');
    await listed(world, 'again');
    expect(manifestIn(world, 'again')).toBe(manifestIn(world, 'old'));
  });

  test('A site that is not verified names no broken links, since not all of its files were read', async () => {
    await using world = await startWith({ old: OLD });
    const extractTo = join(world.workspace, 'old');
    await listed(world, 'old', { bundle: bundleInputs({ extractTo, verify: 'off' }) });
    expect(JSON.parse(manifestIn(world, 'old'))).not.toHaveProperty('broken');
  });

  test('Search, stamp and list are made in one run, and each has the same content as alone', async () => {
    await using world = await startWith({ old: OLD });
    await listed(world, 'old');
    const alone = manifestIn(world, 'old');
    const { error, facts } = await listed(world, 'old', { add: ['search', 'stamp', 'manifest'] });
    expect(error).toBeUndefined();
    expect(manifestIn(world, 'old')).toBe(alone);
    expect(facts.bundle?.sitePath).toBe(join(world.workspace, 'old'));
    const stamp = readFileSync(join(world.workspace, 'old/docs-courier.json'), 'utf8');
    expect(JSON.parse(stamp)).toMatchObject({ pages: 6 });
  });

  test('A site with a file at the path of the list is refused', async () => {
    await using world = await startWith({ old: { ...OLD, [MANIFEST]: '{}' } });
    const { error } = await listed(world, 'old');
    expect(error?.message).toContain(`the site has ${MANIFEST} already`);
  });
});

describe('compare-with a list of pages', () => {
  test('Added, changed, moved and removed pages are found without the earlier bundle', async () => {
    await using world = await startWith({ old: OLD, new: NEW });
    await listed(world, 'old');
    const { error, facts } = await listed(world, 'new', since(world, 'old'));
    expect(error).toBeUndefined();
    expect(facts.comparison).toMatchObject({
      from: { pages: 5 },
      to: { jobId: 'new', pages: 5 },
      basis: 'pages',
      added: [{ path: '/added', title: 'Added' }],
      changed: [
        { path: '/', title: 'Docs' },
        { path: '/guide', title: 'Guide' },
      ],
      moved: [{ from: '/moved-from', to: '/moved-to', title: 'A page' }],
      removed: [{ path: '/removed', title: 'Removed' }],
      unchanged: 1,
      lost: [
        { path: '/moved-from', movedTo: '/moved-to', links: 0 },
        { path: '/removed', links: 1, linkedFrom: ['/'] },
      ],
    });
    expect(facts.comparison).not.toHaveProperty('assets.added');
  });

  test('Only links that this export broke are newly broken: a moved page keeps its own', async () => {
    await using world = await startWith({ old: OLD, new: NEW });
    await listed(world, 'old');
    const { facts, log } = await listed(world, 'new', since(world, 'old'));
    expect(facts.comparison?.newlyBroken).toEqual([
      { target: '/gone', pages: ['/guide'] },
      { target: '/removed', pages: ['/'] },
    ]);
    expect(facts.changes).toMatchObject({ newlyBroken: 2, lost: 2 });
    expect(log.text('info')).toContain('Compared with the list of pages of the site: 1 page added');
    expect(log.text('info')).toContain('2 links newly broken');
    const shown = readFileSync(facts.changesPage ?? '', 'utf8');
    expect(shown).toContain('2 newly broken links</h2>');
    expect(shown).toContain('other files were not compared');
  });

  test('A site that is compared with its own list has not changed', async () => {
    await using world = await startWith({ old: OLD });
    await listed(world, 'old');
    const { facts } = await listed(world, 'old', since(world, 'old'));
    expect(facts.changes).toMatchObject({
      ...{ added: 0, changed: 0, moved: 0, removed: 0, unchanged: 5 },
      ...{ lost: 0, newlyBroken: 0 },
    });
  });

  test('A redirect of the new site, as a page or as a rule, keeps the address of a page', async () => {
    const redirects = {
      'removed.html': '<meta http-equiv="refresh" content="0; url=/added">',
      _redirects: '/moved-from /file.pdf\n',
      'file.pdf': '%PDF',
    };
    await using world = await startWith({ old: OLD, new: { ...NEW, ...redirects } });
    await listed(world, 'old');
    const { facts } = await listed(world, 'new', since(world, 'old'));
    expect(facts.changes).toMatchObject({ lost: 0 });
  });

  test('Guards count the pages of the list', async () => {
    await using world = await startWith({
      old: OLD,
      new: { 'index.html': OLD['index.html'] ?? '' },
    });
    await listed(world, 'old');
    const { error } = await listed(world, 'new', {
      ...since(world, 'old'),
      maxPageDrop: { unit: 'pages', most: 1 },
      forbidLostAddresses: 'fail',
    });
    expect(error?.code).toBe('checks-failed');
    expect(error?.message).toContain('4 fewer (80.0%) than the 5');
    expect(error?.message).toContain('4 addresses have no page and no redirect');
  });
});
