import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExportInputs } from '../../src/inputs/inputs.ts';
import { type Given, readExport } from '../inputs/reading.ts';
import { tarGz } from '../site/archives.ts';
import { startLiveSite, staticHost } from '../support/live-site.ts';
import { startImageRun } from '../support/registry-scenarios.ts';
import { SmallRegistry } from '../support/small-servers/registry.ts';
import { DOMAIN } from '../support/world/names.ts';
import { startWorld, type World } from '../support/world.ts';

const PROJECT = 'proj_1';
const HANDBOOK = 'https://acme.github.io/handbook/';
const BY_PROJECT = { domain: '', 'project-id': PROJECT };
const SITE_JOB = 'job-site';

/** The inputs of a step, as a run reads them. */
function inputsOf(world: World, given: Given): Omit<ExportInputs, 'baseUrl' | 'adminApiKey'> {
  const step = { domain: DOMAIN, 'extract-to': 'site', 'served-at': HANDBOOK, ...given };
  const {
    baseUrl: _,
    adminApiKey: __,
    ...inputs
  } = readExport(step, { workspace: world.workspace });
  return inputs;
}

/** A run of a step, and what it leaves. */
async function run(world: World, given: Given = {}) {
  const { error, recorded, log } = await world.export(inputsOf(world, given));
  const inSite = (path: string) => readFileSync(join(world.workspace, 'site', path), 'utf8');
  const orders = world.platform.requests
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/jobs'))
    .map(({ path, body }) => `${path} ${body}`);
  return { error, recorded, log, inSite, orders };
}

/** A world with an export that is there already, of these files. */
async function worldWith(files: Readonly<Record<string, string>>): Promise<World> {
  const world = await startWorld();
  const members = Object.entries(files).map(([name, content]) => ({ name, content }));
  await world.platform.addExportJob({ jobId: SITE_JOB, domain: DOMAIN, archive: tarGz(members) });
  return world;
}

const ATTACHED = { 'export-job-id': SITE_JOB };
const site = (path: string, more = '') => ({
  'index.html': `<!DOCTYPE html><title>Docs</title><link rel="canonical" href="https://${DOMAIN}${path}/"><link rel="stylesheet" href="${path}/a.css">${more}<main><h1>Docs</h1><a href="${path}/guide">Guide</a></main>`,
  'guide.html': `<!DOCTYPE html><title>Guide</title><main><h1>Guide</h1><a href="${path}/">Docs</a></main>`,
  'a.css': `body{background:url(${path}/a.png)}`,
  'a.png': 'picture',
});
const SCRIPT = '<script src="app.js"></script>';

describe('an export by project', () => {
  it('For another path the platform is asked for /documentation, and each address gets the path of served-at', async () => {
    await using world = await startWorld({ platform: { projectId: PROJECT } });
    const { error, inSite, orders, log } = await run(world, { ...BY_PROJECT, verify: 'strict' });
    expect(error).toBeUndefined();
    expect(orders).toEqual([`/v1/static-export/${PROJECT}/jobs {"basePath":"/documentation"}`]);
    expect(inSite('index.html')).toContain('href="/handbook/install.html"');
    expect(inSite('index.html')).not.toContain('/documentation');
    expect(log.text('info')).toContain('The base path /documentation of the site was exchanged');
  });

  it.each(['/docs', '/documentation'])(
    'For %s the platform is asked, and nothing is exchanged',
    async (path) => {
      await using world = await startWorld({ platform: { projectId: PROJECT } });
      const given = {
        ...BY_PROJECT,
        'served-at': `https://docs.example.com${path}/`,
        verify: 'strict',
      };
      const { error, inSite, orders, log } = await run(world, given);
      expect(error).toBeUndefined();
      expect(orders).toEqual([`/v1/static-export/${PROJECT}/jobs {"basePath":"${path}"}`]);
      expect(inSite('index.html')).toContain(`href="${path}/install.html"`);
      expect(log.text('info')).not.toContain('exchanged');
    },
  );

  it('Without a path nothing is asked for and nothing is exchanged', async () => {
    await using world = await startWorld({ platform: { projectId: PROJECT } });
    const { error, orders, log } = await run(world, {
      ...BY_PROJECT,
      'served-at': 'https://docs.example.com/',
    });
    expect(error).toBeUndefined();
    expect(orders).toEqual([`/v1/static-export/${PROJECT}/jobs `]);
    expect(log.text('info')).not.toContain('exchanged');
  });

  it('With domain and project-id the export is by project, and the log says so', async () => {
    await using world = await startWorld({ platform: { projectId: PROJECT } });
    const { error, orders, log } = await run(world, { 'project-id': PROJECT });
    expect(error).toBeUndefined();
    expect(orders).toEqual([`/v1/static-export/${PROJECT}/jobs {"basePath":"/documentation"}`]);
    expect(log.text('info')).toContain(`served-at: the export is by project (${PROJECT})`);
  });
});

describe('an export that is there already', () => {
  it.each(['/documentation', '/docs', '/team/docs', '/handbook/v2', '/a/b/c/d/e/f'])(
    'The base path %s is read from the site and exchanged',
    async (path) => {
      await using world = await worldWith(site(path, SCRIPT));
      const { error, inSite } = await run(world, ATTACHED);
      expect(error).toBeUndefined();
      const right = site('/handbook', SCRIPT);
      expect(inSite('guide.html')).toBe(right['guide.html']);
      expect(inSite('a.css')).toBe(right['a.css']);
      expect(inSite('index.html')).toBe(right['index.html'].replace(DOMAIN, 'acme.github.io'));
    },
  );

  it('A site that has the path already stays as it is', async () => {
    await using world = await worldWith(site('/handbook', SCRIPT));
    const { error, inSite, log } = await run(world, ATTACHED);
    expect(error).toBeUndefined();
    expect(inSite('index.html')).toBe(site('/handbook', SCRIPT)['index.html']);
    expect(log.text('info')).not.toContain('was exchanged');
  });

  it.each(['guide.html', 'https://www.acme.example/guide.html'])(
    'A site whose addresses are such as %s stays as it is',
    async (address) => {
      const page = `<!DOCTYPE html><script src="app.js"></script><main><a href="${address}">Guide</a></main>`;
      await using world = await worldWith({ 'index.html': page, 'guide.html': page });
      const { error, inSite, log } = await run(world, ATTACHED);
      expect(error).toBeUndefined();
      expect(inSite('index.html')).toBe(page);
      expect(log.text('info')).toContain('No address that begins with one slash was found: ');
    },
  );

  it.each([
    ['/documentation/a.png', '/handbook/a.png'],
    ['/a.png', '/handbook/a.png'],
    ['/login.png', '/login.png'],
    ['a.png', 'a.png'],
  ])(
    'Of a site with scripts whose pages are relative, %s in a style sheet becomes %s',
    async (address, expected) => {
      const page = `<!DOCTYPE html><link rel="stylesheet" href="a.css">${SCRIPT}<main>Guide</main>`;
      const css = (path: string) => `body{background:url(${path})}`;
      await using world = await worldWith({
        'index.html': page,
        'a.css': css(address),
        'a.png': 'picture',
        'app.js': '',
      });
      const { error, inSite, log } = await run(world, ATTACHED);
      expect(error).toBeUndefined();
      expect(inSite('a.css')).toBe(css(expected));
      expect(inSite('index.html')).toBe(page);
      const isRelative = log
        .text('info')
        .includes('No address that begins with one slash was found: ');
      expect(isRelative).toBe(address === 'a.png');
      const isForeign = log.text('notice').includes('such as /login.png, leads to a file');
      expect(isForeign).toBe(address === '/login.png');
    },
  );

  it.each([
    ['/guide', '/handbook/guide'],
    ['/a.png', '/handbook/a.png'],
    ['/team/', '/handbook/team/'],
    ['/documentation/team/', '/handbook/team/'],
    ['/documentation/', '/handbook/'],
    ['/', '/handbook/'],
    ['/login', '/login'],
    ['/a/b/c/d/login', '/a/b/c/d/login'],
  ])('Of a site with the one absolute address %s, it becomes %s', async (address, expected) => {
    const files = {
      'index.html': `<!DOCTYPE html><title>Docs</title><main><a href="${address}">One</a></main>`,
      'guide.html': '<!DOCTYPE html><title>Guide</title><main><a href="index.html">Docs</a></main>',
      'team/index.html': '<!DOCTYPE html><title>Team</title><main>Team</main>',
      'a.png': 'picture',
    };
    await using world = await worldWith(files);
    const { error, inSite, log } = await run(world, ATTACHED);
    expect(error).toBeUndefined();
    expect(inSite('index.html')).toContain(`href="${expected}"`);
    expect(log.text('info')).not.toContain('No address that begins with one slash was found: ');
    const isUnchanged = log.text('notice').includes(`such as ${address}, leads to a file`);
    expect(isUnchanged).toBe(address === expected);
  });

  it.each([
    ['/documentation/', '/handbook/'],
    ['/documentation/team/', '/handbook/team/'],
    ['/', '/'],
  ])('Of a site with the one base %s, it becomes %s', async (base, expected) => {
    await using world = await worldWith({
      'index.html': `<!DOCTYPE html>${SCRIPT}<main><a href="team/">Team</a></main>`,
      'team/index.html': '<!DOCTYPE html><main><a href="../a.png">A</a></main>',
      '404.html': `<!DOCTYPE html><base href="${base}">${SCRIPT}<main><img src="a.png"></main>`,
      'a.png': 'picture',
      'team/a.png': 'picture',
      'app.js': '',
      'team/app.js': '',
    });
    const { error, inSite, log } = await run(world, ATTACHED);
    expect(error).toBeUndefined();
    expect(inSite('404.html')).toContain(`<base href="${expected}">`);
    expect(log.text('info').includes('No address that begins with one slash was found: ')).toBe(
      base === '/',
    );
  });

  it('A site for the top of a host without scripts is exchanged, and its canonical address stays', async () => {
    await using world = await worldWith({ ...site(''), _redirects: '/old/* /guide 301\n' });
    const { error, inSite } = await run(world, { ...ATTACHED, verify: 'strict' });
    expect(error).toBeUndefined();
    expect(inSite('_redirects')).toBe('/handbook/old/* /handbook/guide 301\n');
    expect(inSite('index.html')).toContain(`href="https://${DOMAIN}/"`);
    expect(inSite('index.html')).toContain('href="/handbook/guide"');
  });

  it('A site for the top of a host with scripts is an error before anything is delivered', async () => {
    await using world = await worldWith({ ...site('', SCRIPT), 'app.js': 'go("/guide")' });
    const { error } = await run(world, ATTACHED);
    expect(error).toMatchObject({
      code: 'config',
      message: expect.stringContaining('its scripts would not work below /handbook'),
    });
    expect(existsSync(join(world.workspace, 'site'))).toBe(false);
  });

  it('A site whose base names its own host is moved by its addresses from the top', async () => {
    const base = `https://${DOMAIN}/documentation/`;
    const files = site('/documentation');
    const based = Object.entries(files).map(([name, text]) => [
      name,
      String(text).replace('<head>', `<head><base href="${base}">`),
    ]);
    const page = `<!DOCTYPE html><head><base href="${base}"></head><a href="/documentation/guide">g</a>`;
    await using world = await worldWith({ ...Object.fromEntries(based), 'old.html': page });
    const { error, inSite } = await run(world, ATTACHED);
    expect(error).toBeUndefined();
    expect(inSite('old.html')).toBe(
      page
        .replaceAll(base, `${HANDBOOK.replace(/\/?$/, '')}/`)
        .replace('/documentation/', '/handbook/'),
    );
  });

  it('An archive beside the copy is an error if the site has another path', async () => {
    await using world = await worldWith(site('/documentation'));
    const given = {
      ...ATTACHED,
      'served-at': 'https://docs.example.com/docs/',
      'bundle-path': 'a.tgz',
    };
    const { error } = await run(world, given);
    expect(error).toMatchObject({
      code: 'config',
      message: expect.stringMatching(
        /served-at: .*\/documentation and not with \/docs.*bundle-path delivers/,
      ),
    });
    expect(world.files().filter((path) => /site|a\.tgz/.test(path))).toEqual([]);
  });

  it('A search index with a link to the start page is certain, so that a strict run passes', async () => {
    const index = (path: string) => `{"text":"[Home](${path}/)"}`;
    await using world = await worldWith({
      ...site('/documentation'),
      'search.json': index('/documentation'),
    });
    const { error, inSite } = await run(world, { ...ATTACHED, verify: 'strict' });
    expect(error).toBeUndefined();
    expect(inSite('search.json')).toBe(index('/handbook'));
  });

  it('A refresh reads the base path of its export too', async () => {
    await using world = await worldWith(site('/documentation'));
    const { bundle } = inputsOf(world, ATTACHED);
    const { error } = await world.refresh({ bundle, exportJobId: SITE_JOB, to: undefined });
    expect(error).toBeUndefined();
    expect(readFileSync(join(world.workspace, 'site/guide.html'), 'utf8')).toContain(
      '"/handbook/"',
    );
  });

  it.each([
    ['served-at', { 'served-at': HANDBOOK }],
    ['served-at, which the site was built for', { 'served-at': `https://${DOMAIN}/documentation` }],
  ])('A page that redirects below %s is complete without another host', async (_, given) => {
    const old = (url: string) => `<meta http-equiv="refresh" content="0; url=${url}guide">`;
    const origin = `https://${DOMAIN}/documentation/`;
    await using world = await worldWith({
      ...site('/documentation'),
      'old.html': `<!DOCTYPE html>${old(origin)}<link rel="canonical" href="${origin}guide">`,
    });
    const { error, inSite } = await run(world, { ...ATTACHED, ...given, verify: 'air-gapped' });
    expect(error).toBeUndefined();
    expect(inSite('old.html')).toContain(old(`${given['served-at'].replace(/\/?$/, '/')}`));
  });

  it('What is not certain fails a strict run, and is reported otherwise', async () => {
    const files = { ...site('/documentation'), 'app.js': 'x.replace(/documentation/g,"")' };
    await using world = await worldWith(files);
    const strict = await run(world, { ...ATTACHED, verify: 'strict' });
    expect(strict.error).toMatchObject({ code: 'checks-failed' });
    expect(existsSync(join(world.workspace, 'site'))).toBe(false);
    const { error, recorded, inSite } = await run(world, ATTACHED);
    expect(error).toBeUndefined();
    expect(recorded.bundle?.verification?.first[0]).toMatchObject({
      kind: 'moved-unsure',
      page: 'app.js',
    });
    expect(inSite('app.js')).toBe(files['app.js']);
  });

  it('What is not certain is a warning without a verification', async () => {
    await using world = await worldWith({
      ...site('/documentation'),
      'app.js': 'a=/documentation/.test(b)',
    });
    const { error, log } = await run(world, { ...ATTACHED, verify: 'off' });
    expect(error).toBeUndefined();
    expect(log.text('warning')).toContain('app.js: /documentation may be an address');
  });
});

it('The live check reads the copy below its path', async () => {
  await using world = await worldWith(site('/documentation'));
  const host = staticHost(() => site('/handbook'));
  await using live = await startLiveSite(({ path, headers }) => {
    if (!path.startsWith('/handbook/')) return { status: 404 };
    return host({ path: path.slice('/handbook'.length), headers });
  });
  const url = `${live.url}/handbook/`;
  const given = { ...ATTACHED, 'served-at': url, 'live-url': url, 'live-timeout': '0s' };
  const { error, recorded } = await run(world, given);
  expect(error).toBeUndefined();
  expect(recorded.live).toMatchObject({ live: true });
  const asked = live.requests.map(({ path }) => path.split('?')[0]);
  expect(asked).toContain('/handbook/guide.html');
});

describe('what changed', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  it('The manifest has the files of the export, and lists those that are not as in it', async () => {
    await using world = await worldWith(site('/documentation'));
    await run(world, ATTACHED);
    const manifest = JSON.parse(readFileSync(join(world.workspace, 'site.manifest.json'), 'utf8'));
    const hashes = (list: { path: string; sha256: string }[]) =>
      Object.fromEntries(list.map(({ path, sha256 }) => [path, sha256]));
    const exported = site('/documentation');
    expect(hashes(manifest.files)['guide.html']).toBe(sha256(exported['guide.html']));
    expect(hashes(manifest.moved)['guide.html']).toBe(sha256(site('/handbook')['guide.html']));
    expect(Object.keys(hashes(manifest.moved)).sort()).toEqual([
      'a.css',
      'guide.html',
      'index.html',
    ]);
  });

  it('Another address changes no page, and a later run replaces the copy', async () => {
    await using world = await worldWith(site('/documentation'));
    await run(world, ATTACHED);
    const given = {
      ...ATTACHED,
      clean: 'true',
      'served-at': 'https://docs.example.com/team/',
      'compare-with': 'site.manifest.json',
    };
    const { error, recorded, inSite } = await run(world, given);
    expect(error).toBeUndefined();
    expect(recorded.comparison).toMatchObject({
      added: [],
      removed: [],
      changed: [],
      unchanged: 2,
    });
    expect(inSite('guide.html')).toContain('href="/team/"');
  });

  it('A file of the copy that a person has changed is not replaced', async () => {
    await using world = await worldWith(site('/documentation'));
    await run(world, ATTACHED);
    writeFileSync(join(world.workspace, 'site/guide.html'), 'mine');
    const { error } = await run(world, { ...ATTACHED, clean: 'true' });
    expect(error).toMatchObject({ code: 'config', message: expect.stringContaining('guide.html') });
  });

  it('An image has the exchanged files, and is made again for another address only', async () => {
    await using image = await startImageRun(SmallRegistry.start());
    const { world } = image;
    const archive = tarGz(
      Object.entries(site('/documentation')).map(([name, content]) => ({ name, content })),
    );
    await world.platform.addExportJob({ jobId: SITE_JOB, domain: DOMAIN, archive });
    const push = (runId: string, url: string) => {
      const { bundle } = inputsOf(world, {
        ...ATTACHED,
        'extract-to': '',
        image: 'r.example.com/a/b:c',
        'served-at': url,
      });
      return image.export(runId, { bundle, exportJobId: SITE_JOB });
    };
    const first = await push('1', HANDBOOK);
    expect(first.error).toBeUndefined();
    const files = await image.pull();
    expect(Object.values(files).join('\n')).toContain('href="/handbook/guide"');
    expect((await push('2', HANDBOOK)).facts.image?.unchanged).toBe(true);
    expect((await push('3', 'https://docs.example.com/team/')).facts.image?.unchanged).toBe(false);
  });
});

describe('an image of an export that an earlier run has started', () => {
  const IMAGE = { image: 'r.example.com/a/b:c', clean: 'true' };
  const TEAM = 'https://docs.example.com/team/';
  const inSite = (world: World, path: string) =>
    readFileSync(join(world.workspace, 'site', path), 'utf8');

  it.each([
    ['another address warns of those of the image', HANDBOOK, '/handbook', false, HANDBOOK],
    ['another address creates a removed image for it', HANDBOOK, '/team', true, ''],
    ['the same address has no warning', TEAM, '/team', false, ''],
    ['an address warns if the image names none', '', '/documentation', false, 'an address that it'],
  ])(
    'A rollback exchanges the base path of its folder, and one to %s',
    async (_, earlier, path, isRemoved, warned) => {
      await using image = await startImageRun(SmallRegistry.start());
      const { world, registry } = image;
      const { bundle } = inputsOf(world, { ...IMAGE, 'served-at': earlier });
      const pushed: string[] = [];
      for (const jobId of ['job-1', 'job-2']) {
        const files = { ...site('/documentation'), 'text.html': `<main>Of ${jobId}</main>` };
        const members = Object.entries(files).map(([name, content]) => ({ name, content }));
        await world.platform.addExportJob({ jobId, domain: DOMAIN, archive: tarGz(members) });
        const { error, facts } = await image.export(jobId, { bundle, exportJobId: jobId });
        expect(error).toBeUndefined();
        pushed.push(facts.image?.reference ?? '');
      }
      const [, repository = '', digest = ''] = /^[^/]*\/(.*)@(.*)$/.exec(pushed[0] ?? '') ?? [];
      if (isRemoved) registry.remove(repository, digest);
      const there = inputsOf(world, { ...IMAGE, 'served-at': TEAM });
      const { error, facts, log } = await image.rollback('3', { bundle: there.bundle });
      expect(error).toBeUndefined();
      const warning = log.text('warning');
      if (warned === '') expect(warning).toBe('');
      else
        expect(warning).toMatch(
          new RegExp(
            `^${pushed[0]} is restored unchanged: .* ${warned}.* of this run: ${TEAM}\\.$`,
          ),
        );
      expect(facts.jobId).toBe('job-1');
      expect(inSite(world, 'guide.html')).toBe(site('/team')['guide.html']);
      expect(await image.pull()).toMatchObject({
        'guide.html': site(path)['guide.html'],
        'text.html': '<main>Of job-1</main>',
      });
    },
  );

  it('A re-run exchanges the base path of the export of the first attempt, and starts no other', async () => {
    await using image = await startImageRun(SmallRegistry.start());
    const { world } = image;
    const attempt = (runAttempt: number, servedAt: string) => {
      const project = { domain: '', 'project-id': world.platform.projectId };
      const inputs = inputsOf(world, { ...IMAGE, ...project, 'served-at': servedAt });
      const { run, ...options } = image.options('1');
      const { to } = image.inputs;
      return world.export({ ...inputs, to }, { ...options, run: { ...run, runAttempt } });
    };
    const first = await attempt(1, HANDBOOK);
    expect(first.error).toBeUndefined();
    const again = await attempt(2, TEAM);
    expect(again.error).toBeUndefined();
    expect(again.facts.jobId).toBe(first.facts.jobId);
    expect(world.calls({ method: 'POST', path: /jobs$/ })).toHaveLength(1);
    expect(inSite(world, 'index.html')).toContain('href="/team/install.html"');
    const { 'index.html': served } = await image.pull();
    expect(served).toContain('href="/team/install.html"');
  });
});
