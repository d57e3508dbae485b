import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/ground/text/json.ts';
import { tarGz } from '../site/archives.ts';
import { expectError } from '../support/failure.ts';
import { bundleInputs, makeDestination } from '../support/make-inputs.ts';
import { MERGED, PUSH, startMerge, WORKFLOW_TOKEN } from '../support/merge.ts';
import { assertStamp } from '../support/schemas.ts';
import { startWorld, type World } from '../support/world.ts';

const SITE = {
  'index.html': '<title>Docs</title><h1>Docs</h1>',
  'guide/start.html': '<title>Start</title><p>Start.',
};

/** Its pages say that they are of version v1. */
const TUTORIAL = join(import.meta.dirname, '../../docs/tutorial');

async function startExported(
  files: Readonly<Record<string, string>> = SITE,
): Promise<World & { readonly archive: Buffer }> {
  const world = await startWorld();
  const archive = tarGz(Object.entries(files).map(([name, content]) => ({ name, content })));
  await world.platform.addExportJob({ jobId: 'job-1', archive });
  return Object.assign(world, { archive });
}

const textAt = (world: World, path: string) => readFileSync(join(world.workspace, path), 'utf8');

/** A run that adds a stamp to the site in the workspace. */
function stamped(world: World, folder = 'out') {
  const extractTo = join(world.workspace, folder);
  return {
    exportJobId: 'job-1',
    add: ['stamp'],
    bundle: bundleInputs({ extractTo, clean: true }),
  } as const;
}

describe('a site with a stamp', () => {
  test('The stamp names the site, the export and its content, and nothing that is secret', async () => {
    await using world = await startExported();
    const { error, facts, log } = await world.export(stamped(world));
    expect(error).toBeUndefined();
    const text = textAt(world, 'out/docs-courier.json');
    assertStamp(text);
    expect(parseJson(text)).toEqual({
      version: 1,
      site: 'acme.example.com',
      project: null,
      exportJobId: 'job-1',
      exportedAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/),
      commit: null,
      label: null,
      pages: 2,
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      release: expect.stringMatching(/^\d+\.\d+\.\d+ \(a checkout\)$/),
    });
    for (const secret of [
      'octocat',
      world.platform.keys.admin,
      facts.bundleUrl ?? 'none',
      world.root,
    ]) {
      expect(text).not.toContain(secret);
    }
    expect(log.text('info')).toContain('Added to the site: docs-courier.json.');
  });

  test('Every file of the platform is as the archive has it, and so is the archive', async () => {
    await using world = await startExported();
    const bundle = bundleInputs({
      extractTo: join(world.workspace, 'out'),
      bundlePath: join(world.workspace, 'd.tgz'),
    });
    const { error } = await world.export({ ...stamped(world), bundle });
    expect(error).toBeUndefined();
    for (const [name, content] of Object.entries(SITE))
      expect(textAt(world, `out/${name}`)).toBe(content);
    expect(readFileSync(join(world.workspace, 'd.tgz')).equals(world.archive)).toBe(true);
    expect(parseJson(textAt(world, 'd.tgz.manifest.json'))).not.toHaveProperty('added');
  });

  test('The manifest lists the stamp as added and not as a file of the export, so clean replaces it', async () => {
    await using world = await startExported();
    await world.export(stamped(world));
    expect(parseJson(textAt(world, 'out.manifest.json'))).toMatchObject({
      files: [{ path: 'guide/start.html' }, { path: 'index.html' }],
      added: [{ path: 'docs-courier.json', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    expect((await world.export(stamped(world))).error).toBeUndefined();
    writeFileSync(join(world.workspace, 'out/docs-courier.json'), '{}');
    const { error } = await world.export(stamped(world));
    expect(error?.message).toMatch(/no export made .*docs-courier\.json". Nothing was replaced/);
  });

  test('A later export that is compared with this one by its manifest does not count the stamp as removed', async () => {
    await using world = await startExported();
    await world.export(stamped(world));
    const compareWith = { kind: 'file', path: join(world.workspace, 'out.manifest.json') } as const;
    const { facts, error } = await world.export({
      ...stamped(world, 'next'),
      add: [],
      compareWith,
    });
    expect(error).toBeUndefined();
    expect(facts.changes).toMatchObject({
      removed: 0,
      added: 0,
      changed: 0,
      assets: { removed: 0, added: 0 },
    });
  });

  test('A site in a folder of the archive has its stamp in that folder, next to its start page', async () => {
    await using world = await startExported({ 'site/index.html': '<title>Docs</title>' });
    await world.export(stamped(world));
    expect(existsSync(join(world.workspace, 'out/site/docs-courier.json'))).toBe(true);
    expect(parseJson(textAt(world, 'out.manifest.json'))).toMatchObject({
      added: [{ path: 'site/docs-courier.json' }],
    });
    expect((await world.export(stamped(world))).error).toBeUndefined();
  });

  test('A refresh stamps the site with the time of its export, and not with its own', async () => {
    await using world = await startExported();
    await world.export({ ...stamped(world), to: makeDestination() });
    const first = textAt(world, 'out/docs-courier.json');
    world.clock.advance(7 * 86_400_000);
    const { error } = await world.refresh({
      add: ['stamp'],
      bundle: stamped(world, 'fresh').bundle,
    });
    expect(error).toBeUndefined();
    expect(textAt(world, 'fresh/docs-courier.json')).toBe(first);
  });

  test('A refresh stamps the site with the commit that was published for the export', async () => {
    await using world = await startMerge();
    const content = { publish: true, projectId: 'project-1', token: WORKFLOW_TOKEN } as const;
    const { bundle } = stamped(world);
    const { error } = await world.export(
      { to: makeDestination(), add: ['stamp'], bundle, content },
      PUSH,
    );
    expect(error).toBeUndefined();
    const first = textAt(world, 'out/docs-courier.json');
    expect(parseJson(first)).toMatchObject({ commit: { id: MERGED } });
    world.clock.advance(7 * 86_400_000);
    const fresh = { add: ['stamp'], bundle: stamped(world, 'fresh').bundle } as const;
    expect((await world.refresh(fresh)).error).toBeUndefined();
    expect(textAt(world, 'fresh/docs-courier.json')).toBe(first);
  });

  test('The stamp has the version that was exported, or the project of an export by project', async () => {
    await using world = await startWorld({
      platform: { projectId: 'proj_1', sites: { acme: TUTORIAL } },
    });
    const { bundle } = stamped(world);
    const by = { add: ['stamp'], bundle } as const;
    expect((await world.export({ ...by, exportVersion: 'v1' })).error).toBeUndefined();
    expect(parseJson(textAt(world, 'out/docs-courier.json'))).toMatchObject({
      label: 'v1',
      project: null,
    });
    expect(
      (await world.export({ ...by, domain: undefined, projectId: 'proj_1' })).error,
    ).toBeUndefined();
    expect(parseJson(textAt(world, 'out/docs-courier.json'))).toMatchObject({
      site: null,
      project: 'proj_1',
      label: null,
    });
  });

  test('A dry run lists what would be added', async () => {
    await using world = await startExported();
    const { facts } = await world.export({ ...stamped(world), dryRun: true });
    expect(facts.planned).toContainEqual({ action: 'add files to the site', target: 'stamp' });
  });
});

describe('a site with a search', () => {
  const textsOfSearch = (world: World, folder: string) =>
    readdirSync(join(world.workspace, folder, 'docs-courier'), {
      recursive: true,
      withFileTypes: true,
    })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]);

  test('A site that links to its added search may be verified, compared, both or neither, and the search has the same bytes', async () => {
    const linking = { ...SITE, 'find.html': '<a href="/docs-courier/search.html">' };
    await using world = await startExported(linking);
    await world.export(stamped(world, 'earlier'));
    const earlier = { kind: 'file', path: join(world.workspace, 'earlier.manifest.json') } as const;
    const runs = [
      { folder: 'verified', verify: 'strict', compareWith: { kind: 'none' } },
      { folder: 'compared', verify: 'off', compareWith: earlier },
      { folder: 'both', verify: 'strict', compareWith: earlier },
      { folder: 'neither', verify: 'off', compareWith: { kind: 'none' } },
    ] as const;
    for (const { folder, verify, compareWith } of runs) {
      const bundle = bundleInputs({ extractTo: join(world.workspace, folder), verify });
      const { error } = await world.export({
        exportJobId: 'job-1',
        add: ['search'],
        bundle,
        compareWith,
      });
      expect(error, folder).toBeUndefined();
    }
    const [first, ...others] = runs.map(({ folder }) => textsOfSearch(world, folder));
    expect(first?.find(([name]) => name === 'terms-0.js')?.[1]).toContain('start,');
    for (const other of others) expect(other).toEqual(first);
  });

  test('A page that is too large to be read is a finding, and the search has the other pages', async () => {
    const large = `<h1>Large</h1><p>${'filler '.repeat(1_300_000)}</p>`;
    await using world = await startExported({ ...SITE, 'large.html': large });
    const bundle = bundleInputs({ extractTo: join(world.workspace, 'out'), verify: 'report' });
    const { error, log } = await world.export({ exportJobId: 'job-1', add: ['search'], bundle });
    expect(error).toBeUndefined();
    expect(log.text('warning')).toContain(
      'large.html: the file is larger than 8 MiB and was not checked',
    );
    const texts = JSON.stringify(textsOfSearch(world, 'out'));
    expect(texts).toContain('guide/start.html');
    expect(texts).not.toContain('large.html');
  });
});

describe('a site that has a file at one of our paths', () => {
  test.each([
    'docs-courier.json',
    'Docs-Courier.JSON',
    'doc\u017f-courier.json',
    'docs-courier/other.html',
    'DOCS-COURIER/index.html',
    'docs-courier',
  ])(
    'A site with %s is a mistake before anything is published, and the file stays',
    async (name) => {
      await using world = await startExported({ ...SITE, [name]: 'theirs' });
      mkdirSync(join(world.workspace, 'out'));
      const { error } = await world.export({ ...stamped(world), to: makeDestination() });
      expectError(error, { code: 'config', message: `the site has ${name} already` });
      expect(world.secret()).toBeUndefined();
      expect(existsSync(join(world.workspace, 'out/index.html'))).toBe(false);
      expect((await world.export({ ...stamped(world), add: [] })).error).toBeUndefined();
      expect(textAt(world, `out/${name}`)).toBe('theirs');
    },
  );

  test('A site with docs-courier-guide.html has no file at our paths', async () => {
    await using world = await startExported({
      ...SITE,
      'docs-courier-guide.html': '<title>Guide</title>',
    });
    expect((await world.export(stamped(world))).error).toBeUndefined();
  });
});
