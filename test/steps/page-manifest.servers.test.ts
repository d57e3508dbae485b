import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ExportInputs } from '../../src/inputs/inputs.ts';
import { changesSections } from '../../src/steps/changes/changes-summary.ts';
import { tarGz } from '../site/archives.ts';
import { expectError } from '../support/failure.ts';
import { type SiteReply, startLiveSite, staticHost } from '../support/live-site.ts';
import { bundleInputs } from '../support/make-inputs.ts';
import { assertPageManifest } from '../support/schemas.ts';
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
    const content = expect.stringMatching(/^[\w-]{43}$/);
    assertPageManifest(manifestIn(world, 'old'));
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
    assertPageManifest(manifestIn(world, 'old'));
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
    expectError(error, { code: 'checks-failed', message: '4 fewer (80.0%) than the 5' });
    expect(error?.message).toContain('4 addresses have no page and no redirect');
  });
});

describe('compare-with: live', () => {
  const LIVE = { kind: 'live' } as const;

  /** A run of job `new` that compares with what the site at this address lists. */
  const sinceLive = (world: World, url: string, more: Partial<ExportInputs> = {}) =>
    listed(world, 'new', {
      compareWith: LIVE,
      bundle: bundleInputs({
        extractTo: join(world.workspace, 'new'),
        servedAt: { url: `${url}/`, path: '' },
      }),
      ...more,
    });

  test('The second run says what changed since the first, from the published site alone', async () => {
    await using world = await startWith({ old: OLD, new: NEW });
    let published: Files = {};
    await using site = await startLiveSite((request) => staticHost(() => published)(request));
    const first = await listed(world, 'old', {
      compareWith: LIVE,
      bundle: bundleInputs({
        extractTo: join(world.workspace, 'old'),
        servedAt: { url: `${site.url}/`, path: '' },
      }),
    });
    expect(first.error).toBeUndefined();
    expect(first.facts.notCompared).toBe(
      'No manifest seen: a first deployment, or not readable without a login.',
    );
    published = { ...OLD, [MANIFEST]: manifestIn(world, 'old') };
    const second = await sinceLive(world, site.url);
    expect(second.error).toBeUndefined();
    expect(second.facts.notCompared).toBeUndefined();
    expect(second.facts.changes).toMatchObject({ added: 1, changed: 2, moved: 1, removed: 1 });
    // No page of the site, and nothing but its list.
    expect(site.requests.map(({ path }) => path.replace(/\?.*/, ''))).toEqual([
      `/${MANIFEST}`,
      `/${MANIFEST}`,
    ]);
  });

  test('A copy that is served at another address than before has changed in no page', async () => {
    const link = (to: string) => `<a href="/documentation/${to}">a link</a>`;
    const built: Files = {
      'index.html': page('Docs', `${link('guide/')} ${link('gone')}`),
      'guide/index.html': page('Guide', link('')),
      'app.html': '<script src="/documentation/app.js"></script><div id="app"></div>',
      'app.js': '1',
    };
    await using world = await startWith({ old: built, new: built });
    let published: Files = {};
    await using site = await startLiveSite((request) => staticHost(() => published)(request));
    const at = (path: string, jobId: string) => ({
      compareWith: LIVE,
      bundle: bundleInputs({
        extractTo: join(world.workspace, jobId),
        servedAt: { url: `${site.url}${path}/`, path },
      }),
    });
    const first = await listed(world, 'old', at('/first', 'old'));
    expect(first.error).toBeUndefined();
    expect(readFileSync(join(world.workspace, 'old/index.html'), 'utf8')).toContain(
      '"/first/guide/"',
    );
    published = { [`second/${MANIFEST}`]: manifestIn(world, 'old') };
    const second = await listed(world, 'new', at('/second', 'new'));
    expect(second.error).toBeUndefined();
    expect(second.facts.changes).toMatchObject({ changed: 0, unchanged: 3, newlyBroken: 0 });
    expect(manifestIn(world, 'new')).toBe(manifestIn(world, 'old'));
    expect(JSON.parse(manifestIn(world, 'new'))).toMatchObject({
      broken: [{ target: '/gone', pages: ['/'] }],
    });
  });

  test('A built site is compared with the published one too, and no key is needed', async () => {
    await using world = await startWith({ old: OLD });
    await listed(world, 'old');
    const files = { [MANIFEST]: manifestIn(world, 'old') };
    await using site = await startLiveSite(staticHost(() => files));
    for (const [path, text] of Object.entries(NEW)) world.write(`build/${path}`, text);
    const { error, facts } = await world.export({
      from: join(world.workspace, 'build'),
      domain: undefined,
      adminApiKey: '',
      baseUrl: '',
      compareWith: LIVE,
      bundle: bundleInputs({
        servedAt: { url: `${site.url}/`, path: '' },
        allowPrivateHosts: true,
      }),
    });
    expect(error).toBeUndefined();
    expect(facts.changes).toMatchObject({ added: 1, changed: 2, moved: 1, removed: 1 });
  });

  test('A list from the published site holds nothing back: verify: new only reports', async () => {
    await using world = await startWith({ old: OLD, new: NEW });
    await listed(world, 'old');
    const files = { [MANIFEST]: manifestIn(world, 'old') };
    await using site = await startLiveSite(staticHost(() => files));
    const { error, facts } = await sinceLive(world, site.url, {
      bundle: bundleInputs({
        extractTo: join(world.workspace, 'new'),
        servedAt: { url: `${site.url}/`, path: '' },
        verify: 'new',
      }),
    });
    expect(error).toBeUndefined();
    expect(facts.changes).toMatchObject({ newlyBroken: 2 });
  });

  test.each<[string, () => SiteReply, string]>([
    ['a page of an application', () => ({ body: '<title>App</title>' }), `${MANIFEST} is not JSON`],
    [
      'a login page',
      () => ({ body: '<form><input type="password"></form>' }),
      'it answers with a login page',
    ],
    [
      'a redirect to a login',
      () => ({ status: 302, headers: { location: '/login' } }),
      'the site redirects to the login page /login',
    ],
    [
      'a redirect to another host',
      () => ({ status: 302, headers: { location: 'https://evil.example/x' } }),
      'redirects to another origin',
    ],
    ['no access', () => ({ status: 401 }), 'the site answered 401'],
    ['a server that fails', () => ({ status: 503 }), 'the site answered 503'],
    ['a connection that is reset', () => ({ isReset: true }), ''],
    ['a file of another program', () => ({ body: '{"name":"app"}' }), 'is not a list of pages'],
    ['a file that is too large', () => ({ body: Buffer.alloc(64 * 1024 * 1024 + 1, 32) }), ''],
    [
      'a command for the runner',
      () => ({
        body: '{"version":1,"pages":[{"path":"/a\\n::error::x","title":"","content":"0"}]}',
      }),
      'is invalid',
    ],
  ])('From %s comes one line, no figures, and the export continues', async (_, answer, why) => {
    await using world = await startWith({ new: NEW });
    await using site = await startLiveSite(answer);
    const { error, facts, log } = await sinceLive(world, site.url);
    expect(error).toBeUndefined();
    expect(facts.comparison).toBeUndefined();
    expect(facts.notCompared).toContain('The published site lists no pages: ');
    expect(facts.notCompared).toContain(why);
    expect(facts.notCompared).not.toContain('\n');
    expect(log.text('warning')).toContain(`Not compared. ${facts.notCompared}`);
  });

  test('Titles of the list are escaped in summary and page', async () => {
    await using world = await startWith({ new: NEW });
    const content = 'a'.repeat(43);
    const title = '<img src=x onerror=alert(1)>|`@octocat';
    const pages = [{ path: '/gone', title, content }];
    const body = JSON.stringify({ version: 1, pages, broken: [] });
    await using site = await startLiveSite(() => ({ body }));
    const { facts } = await sinceLive(world, site.url);
    const html = readFileSync(facts.changesPage ?? '', 'utf8');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).not.toContain('<img src=x');
    const summary = facts.comparison && changesSections(facts.comparison);
    expect(summary).not.toMatch(/<img|(?<!\\)@octocat/);
  });
});

describe('verify: new', () => {
  const withNew = (world: World, jobId: string) => ({
    ...since(world, 'old'),
    bundle: bundleInputs({
      extractTo: join(world.workspace, jobId),
      clean: true,
      verify: 'new' as const,
    }),
  });

  test('A run fails for the links that it broke, and leaves the folder as it was', async () => {
    await using world = await startWith({ old: OLD, new: NEW });
    await listed(world, 'old');
    const { error, facts } = await listed(world, 'new', withNew(world, 'new'));
    expectError(error, {
      code: 'checks-failed',
      message: '2 links newly broken, such as /gone on /guide',
    });
    expect(existsSync(join(world.workspace, 'new'))).toBe(false);
    expect(facts.changes).toMatchObject({ newlyBroken: 2 });
  });

  test('A run does not fail for links that were broken before', async () => {
    const same = {
      ...OLD,
      // As a menu would have it, and a style that gets a new name with each build.
      'added.html': page('Added', 'It is new. <a href="/gone">gone</a>'),
      'a-89abcdef.css': 'a{background:url(/missing.png)}',
    };
    await using world = await startWith({ old: OLD, new: same });
    await listed(world, 'old');
    const { error, facts } = await listed(world, 'new', withNew(world, 'new'));
    expect(error).toBeUndefined();
    expect(facts.bundle?.verification?.errors).toBe(4);
  });

  test('A list without broken links, which decides nothing, is an error before anything starts', async () => {
    await using world = await startWith({ old: OLD, new: NEW });
    const extractTo = join(world.workspace, 'old');
    await listed(world, 'old', { bundle: bundleInputs({ extractTo, verify: 'off' }) });
    const { error } = await listed(world, 'new', withNew(world, 'new'));
    expectError(error, { code: 'config', message: 'does not say which links were broken' });
  });
});
