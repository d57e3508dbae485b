import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BundleInputs } from '../../src/inputs/inputs.ts';
import type { OutputFile } from '../../src/inputs/output-files.ts';
import { checkOutputPaths } from '../../src/site/disk/destination.ts';
import { fingerprint } from '../../src/site/disk/fingerprint.ts';
import { checkReplaceable } from '../../src/site/disk/replaceable.ts';
import {
  findLeftovers,
  recoverDestination,
  Staging,
  writeMarker,
} from '../../src/site/disk/staging.ts';
import type { ReceiveStep } from '../../src/site/receive.ts';
import { startBundleServer } from '../support/bundle-server.ts';
import { failureOf } from '../support/failure.ts';
import { ADMIN_KEY } from '../support/make-inputs.ts';
import { listTree } from '../support/tree.ts';
import { NO_SERVERS, startWorld, type World } from '../support/world.ts';
import { tarGz } from './archives.ts';

const NEW = tarGz([
  { name: 'index.html', content: 'new' },
  { name: 'a/b.html', content: 'new b' },
]);

/** A site as a former export left it, with its manifest. */
function putOld(world: World): void {
  world.write('site/index.html', 'old');
  world.write('site/old/page.html', 'old page');
  const files = [
    { path: 'index.html', bytes: 3, sha256: sha256('old') },
    { path: 'old/page.html', bytes: 8, sha256: sha256('old page') },
  ];
  world.write('site.manifest.json', JSON.stringify({ version: 1, exportJobId: 'job-0', files }));
}

function bundleInputs(bundle: Partial<BundleInputs>): BundleInputs {
  return {
    bundlePath: undefined,
    extractTo: undefined,
    servedAt: undefined,
    clean: false,
    verify: 'report',
    allowPrivateHosts: false,
    ...bundle,
  };
}

function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

function contentOf({ workspace }: World, path: string): string {
  return readFileSync(join(workspace, path), 'utf8');
}

function hiddenIn({ workspace }: World): string[] {
  return readdirSync(workspace).filter((name) => name.startsWith('.'));
}

/** A run that stops at a step: gives the exit code and the signal. */
function stoppedAt(
  step: ReceiveStep,
  { workspace, runnerTemp }: World,
  { url }: { readonly url: string },
  ...how: readonly 'exit'[]
): Promise<unknown[]> {
  const receiver = join(import.meta.dirname, 'stopped-receiver.ts');
  return once(
    spawn(process.execPath, [receiver, url, workspace, runnerTemp, step, ...how]),
    'exit',
  );
}

describe('a process that is killed', () => {
  const steps: readonly ReceiveStep[] = [
    'staged',
    'fetched',
    'verified',
    'archive-published',
    'manifest-written',
    'former-moved',
    'site-published',
  ];

  test.each(
    steps.flatMap((step) => [
      { step, replaces: false },
      { step, replaces: true },
    ]),
  )(
    'A kill at "$step" (replaces: $replaces) leaves the folder old, absent or whole, and the next run fixes it',
    async ({ step, replaces }) => {
      await using world = await startWorld(NO_SERVERS);
      await using server = await startBundleServer(NEW);
      if (replaces) putOld(world);
      const site = join(world.workspace, 'site');
      expect(await stoppedAt(step, world, server)).toEqual([null, 'SIGKILL']);

      const isNew = step === 'site-published';
      if (isNew) expect(readdirSync(site).sort()).toEqual(['a', 'index.html']);
      else if (replaces && step !== 'former-moved')
        expect(readdirSync(site).sort()).toEqual(['index.html', 'old']);
      else expect(existsSync(site)).toBe(false);

      const bundle = {
        bundlePath: join(world.workspace, 'docs.tar.gz'),
        extractTo: site,
        clean: true,
      };
      const { workspace } = world;
      await checkReplaceable({ bundle: bundleInputs(bundle), workspace, secret: ADMIN_KEY });
      await world.receive({ url: server.url, bundle });
      expect(readdirSync(world.workspace).sort()).toEqual([
        'docs.tar.gz',
        'docs.tar.gz.manifest.json',
        'docs.tar.gz.sha256',
        'site',
        'site.manifest.json',
      ]);
      expect(readFileSync(join(site, 'a/b.html'), 'utf8')).toBe('new b');
    },
  );

  test('After a kill between the two renames, the next run restores the folder even if it fails', async () => {
    await using world = await startWorld(NO_SERVERS);
    await using server = await startBundleServer(NEW, [{}, { body: 'no archive at all' }]);
    putOld(world);
    await stoppedAt('former-moved', world, server);
    const bundle = { extractTo: join(world.workspace, 'site'), clean: true };
    await expect(world.receive({ url: server.url, bundle })).rejects.toMatchObject({
      code: 'protocol',
    });
    expect(contentOf(world, 'site/old/page.html')).toBe('old page');
  });
});

test.each<ReceiveStep>(['staged', 'fetched', 'verified', 'archive-published', 'former-moved'])(
  'A process that exits at "%s" removes its temporary folders, but never a former site that must be restored',
  async (step) => {
    await using world = await startWorld(NO_SERVERS);
    await using server = await startBundleServer(NEW);
    putOld(world);
    expect(await stoppedAt(step, world, server, 'exit')).toEqual([1, null]);
    const hidden = hiddenIn(world);
    if (step !== 'former-moved') {
      expect(hidden).toEqual([]);
      expect(contentOf(world, 'site/old/page.html')).toBe('old page');
      return;
    }
    expect(hidden).toHaveLength(1);
    expect(
      readFileSync(join(world.workspace, hidden[0] ?? '', 'former/old/page.html'), 'utf8'),
    ).toBe('old page');
    await world.receive({
      url: server.url,
      bundle: { extractTo: join(world.workspace, 'site'), clean: true },
    });
    expect(readdirSync(join(world.workspace, 'site')).sort()).toEqual(['a', 'index.html']);
    expect(hiddenIn(world)).toEqual([]);
  },
);

describe('a folder with the name of one of a killed run', () => {
  /** As in a checkout, with content that an attacker would like to publish. */
  function plant(world: World, name = '.site.courier-99999999-abcdef'): string {
    const folder = join(world.workspace, name);
    mkdirSync(join(folder, 'former'), { recursive: true });
    chmodSync(folder, 0o700);
    writeFileSync(join(folder, 'former/index.html'), 'planted');
    return folder;
  }

  async function receive(world: World, archive: Buffer): Promise<unknown> {
    await using server = await startBundleServer(archive);
    const bundle = { extractTo: join(world.workspace, 'site'), clean: true };
    return await world.receive({ url: server.url, bundle }).catch((error: unknown) => error);
  }

  test.each(['no marker', 'a marker that is not JSON', 'a marker of another key'])(
    'A folder like one of a killed run with %s never becomes the site, stays, and is reported',
    async (marker) => {
      await using world = await startWorld(NO_SERVERS);
      const folder = plant(world);
      if (marker === 'a marker that is not JSON') writeFileSync(join(folder, 'marker.json'), 'x');
      if (marker === 'a marker of another key')
        writeMarker(folder, join(world.workspace, 'site'), 'svc_anotherKey0123456789');
      // A run restores what it finds before it fails.
      expect(await receive(world, Buffer.from('no archive'))).toMatchObject({ code: 'protocol' });
      expect(readdirSync(world.workspace)).toEqual([basename(folder)]);
      expect(readFileSync(join(folder, 'former/index.html'), 'utf8')).toBe('planted');
      expect(world.log.text()).toContain(
        `${folder} is named like a folder of a run that was stopped`,
      );
      await receive(world, NEW);
      expect(contentOf(world, 'site/index.html')).toBe('new');
    },
  );

  test('An empty folder, as a run leaves that was killed before it wrote its marker, is removed', async () => {
    await using world = await startWorld(NO_SERVERS);
    mkdirSync(join(world.workspace, '.site.courier-99999999-abcdef'));
    await receive(world, NEW);
    expect(hiddenIn(world)).toEqual([]);
    expect(world.log.text()).not.toContain('is named like a folder');
  });

  test('A folder with a copied marker, or with one of another destination, is not restored', async () => {
    await using world = await startWorld(NO_SERVERS);
    const site = join(world.workspace, 'site');
    const real = plant(world);
    writeMarker(real, site, ADMIN_KEY);
    const copy = plant(world, '.site.courier-99999998-abcdef');
    copyFileSync(join(real, 'marker.json'), join(copy, 'marker.json'));
    const other = plant(world, '.page.courier-99999999-abcdef');
    writeMarker(other, site, ADMIN_KEY);
    expect(
      findLeftovers(site, ADMIN_KEY).map(({ folder, isOurs }) => [basename(folder), isOurs]),
    ).toEqual([
      [basename(copy), false],
      [basename(real), true],
    ]);
    expect(findLeftovers(join(world.workspace, 'page'), ADMIN_KEY)[0]?.isOurs).toBe(false);
    const renamed = join(world.workspace, '.site.courier-99999997-abcdef');
    renameSync(real, renamed);
    expect(findLeftovers(site, ADMIN_KEY).some(({ isOurs }) => isOurs)).toBe(false);
    renameSync(renamed, real);
    expect(findLeftovers(site, ADMIN_KEY).some(({ isOurs }) => isOurs)).toBe(true);
    chmodSync(real, 0o755);
    expect(findLeftovers(site, ADMIN_KEY).some(({ isOurs }) => isOurs)).toBe(false);
  });

  test.runIf(process.getuid?.() === 0)('A folder of another user is not restored', async () => {
    await using world = await startWorld(NO_SERVERS);
    const site = join(world.workspace, 'site');
    const folder = plant(world);
    writeMarker(folder, site, ADMIN_KEY);
    chownSync(folder, 65_534, 65_534);
    expect(findLeftovers(site, ADMIN_KEY)[0]?.isOurs).toBe(false);
  });

  test('Neither the folder of a process that still runs, nor a file, nor a symbolic link, is that of a killed run', async () => {
    await using world = await startWorld(NO_SERVERS);
    const site = join(world.workspace, 'site');
    const running = plant(world, `.site.courier-${process.pid}-abcdef`);
    writeMarker(running, site, ADMIN_KEY);
    world.write('.site.courier-99999998-abcdef', 'mine');
    symlinkSync(running, join(world.workspace, '.site.courier-99999999-abcdef'));
    expect(findLeftovers(site, ADMIN_KEY)).toEqual([]);
    await receive(world, NEW);
    expect(readFileSync(join(running, 'former/index.html'), 'utf8')).toBe('planted');
  });

  test('A manifest in the folder does not say which files an export made', async () => {
    await using world = await startWorld(NO_SERVERS);
    putOld(world);
    renameSync(join(world.workspace, 'site.manifest.json'), join(plant(world), 'manifest'));
    expect(await receive(world, NEW)).toMatchObject({ code: 'config' });
    expect(contentOf(world, 'site/index.html')).toBe('old');
  });

  test('A folder like one of a killed run does not make a destination count as in use without clean', async () => {
    await using world = await startWorld(NO_SERVERS);
    const folder = plant(world);
    const check = () =>
      checkOutputPaths({
        bundle: bundleInputs({ extractTo: join(world.workspace, 'site') }),
        workspace: world.workspace,
        runnerTemp: world.runnerTemp,
        home: undefined,
        outputFiles: [],
        secret: ADMIN_KEY,
      });
    await check();
    writeMarker(folder, join(world.workspace, 'site'), ADMIN_KEY);
    await expect(check()).rejects.toMatchObject({ code: 'config' });
  });
});

describe('the output files', () => {
  test('The output can be checked with sha256sum, and lists every file with its checksum', async () => {
    await using world = await startWorld(NO_SERVERS);
    await using server = await startBundleServer(NEW);
    const bundlePath = join(world.workspace, 'docs.tar.gz');
    const createdAt = new Date('2026-02-03T04:05:06Z');
    const origin = {
      domain: 'docs.example.com',
      jobId: 'job-9',
      pageCount: 2,
      createdAt,
    };
    const { facts } = await world.receive({ url: server.url, origin, bundle: { bundlePath } });
    const checked = execFileSync(
      'sha256sum',
      ['--check', '--strict', basename(facts.checksumPath ?? '')],
      {
        cwd: world.workspace,
      },
    );
    expect(String(checked)).toBe('docs.tar.gz: OK\n');
    expect(readFileSync(facts.checksumPath ?? '', 'utf8')).toBe(`${facts.sha256}  docs.tar.gz\n`);
    const manifest = JSON.parse(readFileSync(facts.manifestPath ?? '', 'utf8'));
    expect(manifest).toMatchObject({
      version: 1,
      site: 'docs.example.com',
      exportJobId: 'job-9',
      pages: 2,
      createdAt: createdAt.toISOString(),
    });
    expect(manifest.archive).toMatchObject({
      name: 'docs.tar.gz',
      bytes: NEW.length,
      sha256: facts.sha256,
    });
    expect(manifest.files).toEqual([
      { path: 'a/b.html', bytes: 5, sha256: sha256('new b') },
      { path: 'index.html', bytes: 3, sha256: sha256('new') },
    ]);
  });

  test('Without an archive, the manifest is the one beside the folder', async () => {
    await using world = await startWorld(NO_SERVERS);
    await using server = await startBundleServer(NEW);
    const extractTo = join(world.workspace, 'site');
    const { facts } = await world.receive({ url: server.url, bundle: { extractTo } });
    expect(facts.manifestPath).toBe(`${extractTo}.manifest.json`);
    const manifest = JSON.parse(readFileSync(facts.manifestPath ?? '', 'utf8'));
    expect(manifest).toMatchObject({ version: 1, archive: { sha256: facts.sha256 } });
    // The digest in the state is that of an archive's manifest.
    expect(facts.manifestSha256).toBeUndefined();
  });

  test('Others can read the output, whatever files of this process are by default', async () => {
    await using world = await startWorld(NO_SERVERS);
    await using server = await startBundleServer(NEW);
    const bundle = {
      bundlePath: join(world.workspace, 'docs.tar.gz'),
      extractTo: join(world.workspace, 'site'),
    };
    const usual = process.umask(0o077);
    await world.receive({ url: server.url, bundle }).finally(() => process.umask(usual));
    expect(statSync(bundle.extractTo).mode & 0o777).toBe(0o755);
    expect(statSync(bundle.bundlePath).mode & 0o777).toBe(0o644);
  });
});

test('A folder that becomes a symbolic link during the run is detected, and nothing is written through it', async () => {
  await using world = await startWorld(NO_SERVERS);
  await using server = await startBundleServer(NEW);
  const parent = join(world.workspace, 'out');
  const elsewhere = join(world.root, 'elsewhere');
  mkdirSync(parent);
  mkdirSync(elsewhere);
  const reached = (step: ReceiveStep) => {
    if (step !== 'fetched') return;
    renameSync(parent, join(world.workspace, 'moved'));
    symlinkSync(elsewhere, parent);
  };
  const received = world.receive({
    url: server.url,
    bundle: { extractTo: join(parent, 'site') },
    internals: { reached },
  });
  await expect(received).rejects.toMatchObject({ code: 'io' });
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('Nothing changes after an archive was refused', async () => {
  await using world = await startWorld(NO_SERVERS);
  const many = Array.from({ length: 300 }, (_, index) => ({
    name: `f${index}.html`,
    content: 'x'.repeat(2000),
  }));
  await using server = await startBundleServer(tarGz([...many, { name: '../out', content: 'x' }]));
  const received = world.receive({
    url: server.url,
    bundle: { extractTo: join(world.workspace, 'site') },
  });
  await expect(received).rejects.toMatchObject({ code: 'unsafe-archive' });
  const before = listTree(world.root);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(listTree(world.root)).toEqual(before);
  expect(before.filter((line) => line.includes('.html'))).toEqual([]);
});

describe('destinations', () => {
  function check(
    world: World,
    bundle: { bundlePath?: string; extractTo?: string; clean?: boolean },
    outputFiles: readonly OutputFile[] = [],
  ): Promise<void> {
    return checkOutputPaths({
      bundle: bundleInputs(bundle),
      workspace: world.workspace,
      runnerTemp: world.runnerTemp,
      home: join(world.workspace, 'home'),
      outputFiles,
      secret: ADMIN_KEY,
    });
  }

  test('Destinations in the workspace and in RUNNER_TEMP are accepted, also with missing parents', async () => {
    await using world = await startWorld(NO_SERVERS);
    await check(world, {
      bundlePath: join(world.workspace, 'out/docs.tar.gz'),
      extractTo: join(world.runnerTemp, 'deep/er/site'),
    });
    expect(readdirSync(world.workspace)).toEqual([]);
  });

  const bad: readonly (readonly [
    string,
    (world: World) => { bundlePath?: string; extractTo?: string },
  ])[] = [
    ['outside the workspace', ({ root }) => ({ extractTo: join(root, 'site') })],
    ['the root', () => ({ extractTo: '/' })],
    ['the workspace itself', ({ workspace }) => ({ extractTo: workspace })],
    ['RUNNER_TEMP itself', ({ runnerTemp }) => ({ extractTo: runnerTemp })],
    ['around the workspace', ({ root }) => ({ extractTo: root })],
    ['the home folder', ({ workspace }) => ({ extractTo: join(workspace, 'home') })],
    ['in .git', ({ workspace }) => ({ extractTo: join(workspace, '.git/site') })],
    ['.git itself', ({ workspace }) => ({ extractTo: join(workspace, '.GIT') })],
    ['out by dots', ({ workspace }) => ({ extractTo: `${workspace}/../site` })],
    ['relative', () => ({ extractTo: 'site' })],
    ['through a link', ({ workspace }) => ({ extractTo: join(workspace, 'link/site') })],
    ['a link', ({ workspace }) => ({ extractTo: join(workspace, 'link') })],
    ['a file for a folder', ({ workspace }) => ({ extractTo: join(workspace, 'file') })],
    ['a folder for a file', ({ workspace }) => ({ bundlePath: join(workspace, 'full') })],
    ['below a file', ({ workspace }) => ({ bundlePath: join(workspace, 'file/x.tgz') })],
    [
      'one in the other',
      ({ workspace }) => ({
        extractTo: join(workspace, 's'),
        bundlePath: join(workspace, 's/x.tgz'),
      }),
    ],
  ];

  test.each(bad)('A destination that is %s is refused, even with clean', async (_, place) => {
    await using world = await startWorld(NO_SERVERS);
    symlinkSync(world.root, join(world.workspace, 'link'));
    world.write('file', '');
    mkdirSync(join(world.workspace, 'full/of'), { recursive: true });
    await expect(check(world, { ...place(world), clean: true })).rejects.toMatchObject({
      code: 'config',
    });
  });

  test('A folder outside of the two that may be written is refused with the paths of both', async () => {
    await using world = await startWorld(NO_SERVERS);
    const { message } = await failureOf(check(world, { extractTo: join(world.root, 'site') }));
    expect(message).toContain(`in the working folder ${realpathSync(world.workspace)} nor`);
    expect(message).toContain(`temporary folder ${realpathSync(world.runnerTemp)}`);
  });

  test('A destination that an export made is refused without clean, and the error names clean only there', async () => {
    await using world = await startWorld(NO_SERVERS);
    putOld(world);
    mkdirSync(join(world.workspace, 'empty'));
    world.write('x.tgz', '');
    await check(world, { extractTo: join(world.workspace, 'empty') });
    const full = { extractTo: join(world.workspace, 'site') };
    await expect(check(world, full)).rejects.toMatchObject({
      code: 'config',
      hint: expect.objectContaining({ inputs: { clean: 'true' } }),
    });
    await check(world, { ...full, clean: true });
    // With clean, files of other programs would be refused all the same.
    world.write('site/notes.txt', 'my own');
    const cases = [
      { input: 'extract-to', bundle: full },
      { input: 'bundle-path', bundle: { bundlePath: join(world.workspace, 'x.tgz') } },
    ];
    for (const { input, bundle } of cases) {
      const hint = expect.objectContaining({ inputs: { [input]: '' } });
      for (const clean of [false, true])
        await expect(check(world, { ...bundle, clean })).rejects.toMatchObject({ hint });
    }
  });

  test.each(['.manifest.json', '.sha256'])(
    'A file of another kind at the %s of an archive is never replaced, even if it was created after the check',
    async (suffix) => {
      await using world = await startWorld(NO_SERVERS);
      const bundlePath = join(world.workspace, 'x.tgz');
      writeFileSync(`${bundlePath}${suffix}`, 'precious');
      await using server = await startBundleServer(NEW);
      for (const clean of [false, true]) {
        const refusal = {
          code: 'config',
          message: expect.stringContaining(`${bundlePath}${suffix}`),
        };
        await expect(check(world, { bundlePath, clean })).rejects.toMatchObject(refusal);
        await expect(
          world.receive({ url: server.url, bundle: { bundlePath, clean } }),
        ).rejects.toMatchObject(refusal);
      }
      expect(readdirSync(world.workspace)).toEqual([basename(`${bundlePath}${suffix}`)]);
      expect(readFileSync(`${bundlePath}${suffix}`, 'utf8')).toBe('precious');
    },
  );

  test('A destination is refused if its manifest or checksums would replace the site', async () => {
    await using world = await startWorld(NO_SERVERS);
    const bundlePath = join(world.workspace, 'x.tgz');
    for (const extractTo of [`${bundlePath}.manifest.json`, `${bundlePath}.sha256/site`]) {
      await expect(check(world, { bundlePath, extractTo, clean: true })).rejects.toMatchObject({
        code: 'config',
      });
    }
  });

  const shared: readonly (readonly [string, string, readonly (readonly [string, string])[]])[] = [
    ['a link in the site', 'is in the folder of extract-to', [['to', 'site/link.txt']]],
    [
      'a link in the site, by a symbolic link',
      'is in the folder of extract-to',
      [['to', 'alias/link.txt']],
    ],
    [
      'outputs in the site',
      'is in the folder of extract-to',
      [['output-file', 'site/deep/out.env']],
    ],
    ['a report at the folder itself', 'is in the folder of extract-to', [['junit', 'site']]],
    ['a link at the archive', 'bundle-path writes this file too', [['link-file', 'd.tgz']]],
    [
      'a link at the manifest of the archive',
      'bundle-path writes',
      [['to', 'd.tgz.manifest.json']],
    ],
    ['a link at the manifest of the site', 'extract-to writes', [['to', 'site.manifest.json']]],
    [
      'two results in one file',
      'summary writes this file too',
      [
        ['summary', 'x'],
        ['junit', 'x'],
      ],
    ],
  ];

  test.each(shared)(
    'Two outputs are never written to one path, nor into the site: %s',
    async (_, why, files) => {
      await using world = await startWorld(NO_SERVERS);
      const at = (path: string) => join(world.workspace, path);
      mkdirSync(at('site'));
      symlinkSync(at('site'), at('alias'));
      const outputFiles = files.map(([input, path]) => ({ input, path: at(path) }));
      const bundle = { extractTo: at('site'), bundlePath: at('d.tgz') };
      await expect(check(world, bundle, outputFiles)).rejects.toThrow(why);
      await check(world, bundle, [{ input: 'to', path: at('site.txt') }]);
    },
  );

  test('A name of 240 bytes can be exported and replaced, and a longer one is refused before the export starts', async () => {
    await using world = await startWorld(NO_SERVERS);
    await using server = await startBundleServer(NEW);
    const named = (count: number) => ({
      extractTo: join(world.workspace, '\u6587'.repeat(count)),
      clean: true,
    });
    await check(world, named(80));
    for (const _ of [1, 2]) await world.receive({ url: server.url, bundle: named(80) });
    expect(readFileSync(join(named(80).extractTo, 'index.html'), 'utf8')).toBe('new');
    await expect(check(world, named(81))).rejects.toThrow('its last part has more than 241 bytes');
  });
});

describe('what clean replaces', () => {
  const bundleOf = (world: World, more: { bundlePath?: string } = {}) => ({
    extractTo: join(world.workspace, 'site'),
    clean: true,
    ...more,
  });

  async function receive(
    world: World,
    bundle = bundleOf(world),
    reached?: (step: ReceiveStep) => void,
  ) {
    await using server = await startBundleServer(NEW);
    const env = { PATH: process.env['PATH'] };
    return await world.receive({
      url: server.url,
      bundle,
      env,
      ...(reached && { internals: { reached } }),
    });
  }

  const refusalOf = (promise: Promise<unknown>) =>
    expect(promise).rejects.toMatchObject({ code: 'config' });

  test('Clean replaces the archive and the site of the previous export, but no changed file of them', async () => {
    await using world = await startWorld(NO_SERVERS);
    const bundle = bundleOf(world, { bundlePath: join(world.workspace, 'docs.tgz') });
    await receive(world, bundle);
    await receive(world, bundle);
    world.write('site/a/b.html', 'edited');
    await expect(receive(world, bundle)).rejects.toThrow(
      /no export made ".*site\/a\/b\.html"\. Nothing was replaced/,
    );
    world.write('site/a/b.html', 'new b');
    world.write('docs.tgz', 'edited');
    await expect(receive(world, bundle)).rejects.toThrow(
      /bundle-path: .* no export made ".*docs\.tgz"/,
    );
    expect(contentOf(world, 'docs.tgz')).toBe('edited');
  });

  test.each([['notes.md'], ['.github/workflows/ci.yml'], ['src/main.ts'], ['.hidden']])(
    'A file that no export made keeps the whole folder: %s',
    async (name) => {
      await using world = await startWorld(NO_SERVERS);
      putOld(world);
      const path = world.write(`site/${name}`, 'mine');
      const before = listTree(world.workspace);
      await expect(receive(world)).rejects.toThrow(`no export made "${path}"`);
      expect(listTree(world.workspace)).toEqual(before);
    },
  );

  test('A page that the manifest lists under another name is not that of an export', async () => {
    await using world = await startWorld(NO_SERVERS);
    putOld(world);
    renameSync(
      join(world.workspace, 'site/old/page.html'),
      join(world.workspace, 'site/old/copy.html'),
    );
    await expect(receive(world)).rejects.toThrow(
      /no export made ".*copy\.html"\. Nothing was replaced/,
    );
  });

  test.each([
    ['another version', { version: 2 }],
    ['no export job', { exportJobId: undefined }],
    ['no files', { files: undefined }],
  ])('A manifest with %s is ignored', async (_, change) => {
    await using world = await startWorld(NO_SERVERS);
    putOld(world);
    const path = join(world.workspace, 'site.manifest.json');
    const text = JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change });
    writeFileSync(path, text);
    await refusalOf(receive(world));
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('The error names three files, and how many more there are', async () => {
    await using world = await startWorld(NO_SERVERS);
    for (const name of ['a.md', 'b.md', 'c.md', 'd.md', 'e.md']) world.write(`site/${name}`, name);
    await expect(receive(world)).rejects.toThrow(/a\.md", ".*b\.md", ".*c\.md" and 2 more\./);
  });

  test('A manifest inside the folder, and a symbolic link to a file that the manifest lists, do not count', async () => {
    await using world = await startWorld(NO_SERVERS);
    putOld(world);
    renameSync(
      join(world.workspace, 'site.manifest.json'),
      join(world.workspace, 'site/site.manifest.json'),
    );
    await refusalOf(receive(world));
    renameSync(
      join(world.workspace, 'site/site.manifest.json'),
      join(world.workspace, 'site.manifest.json'),
    );
    renameSync(join(world.workspace, 'site/index.html'), join(world.workspace, 'index.html'));
    symlinkSync(join(world.workspace, 'index.html'), join(world.workspace, 'site/index.html'));
    await refusalOf(receive(world));
    expect(contentOf(world, 'index.html')).toBe('old');
    rmSync(join(world.workspace, 'site/index.html'));
    renameSync(join(world.workspace, 'index.html'), join(world.workspace, 'site/index.html'));
    renameSync(join(world.workspace, 'site.manifest.json'), join(world.workspace, 'list'));
    symlinkSync('list', join(world.workspace, 'site.manifest.json'));
    await refusalOf(receive(world));
  });

  test('A file that is added while the bundle is downloaded is found, and one that is added at the last moment stays', async () => {
    await using world = await startWorld(NO_SERVERS);
    const note = join(world.workspace, 'site/note.md');
    for (const step of ['fetched', 'former-moved'] as const) {
      rmSync(join(world.workspace, 'site'), { recursive: true, force: true });
      putOld(world);
      const write = (reached: ReceiveStep) => {
        if (reached !== step) return;
        world.write('site/note.md', 'mine');
      };
      const code = step === 'fetched' ? 'config' : 'io';
      await expect(receive(world, bundleOf(world), write)).rejects.toMatchObject({ code });
      expect(readFileSync(note, 'utf8')).toBe('mine');
    }
    // What was there before is not removed, neither by that run nor by a later one.
    await receive(world, { extractTo: join(world.workspace, 'other'), clean: true });
    const [kept = ''] = readdirSync(world.workspace).filter((name) =>
      name.startsWith('.site.courier-'),
    );
    expect(readFileSync(join(world.workspace, kept, 'former/index.html'), 'utf8')).toBe('old');
  });

  describe('in a git checkout', () => {
    const git = (world: World, ...args: string[]) => {
      const who = [
        '-c',
        'user.name=maya',
        '-c',
        'user.email=maya@example.com',
        '-c',
        'commit.gpgsign=false',
      ];
      return execFileSync('git', ['-C', world.workspace, ...who, ...args], {
        stdio: 'pipe',
        encoding: 'utf8',
      });
    };

    /** A committed site, without a manifest. */
    async function checkout(format = 'sha1'): Promise<World> {
      const world = await startWorld(NO_SERVERS);
      putOld(world);
      rmSync(join(world.workspace, 'site.manifest.json'));
      git(world, 'init', '--quiet', `--object-format=${format}`);
      git(world, 'add', '--all');
      git(world, 'commit', '--quiet', '--message=x');
      return world;
    }

    test.each(['sha1', 'sha256'])(
      'A tracked site without changes is replaced, with object ids of %s',
      async (format) => {
        await using world = await checkout(format);
        await receive(world);
        expect(contentOf(world, 'site/index.html')).toBe('new');
      },
    );

    test('A run that is cancelled while git is asked ends as cancelled', async () => {
      await using world = await checkout();
      const bundle = bundleInputs(bundleOf(world));
      const { workspace } = world;
      const env = { PATH: process.env['PATH'] };
      const check = checkReplaceable({
        bundle,
        workspace,
        env,
        secret: ADMIN_KEY,
        signal: AbortSignal.abort(),
      });
      await expect(check).rejects.toMatchObject({ code: 'cancelled' });
    });

    test('A tracked file that can be executed is replaced too', async () => {
      await using world = await checkout();
      chmodSync(join(world.workspace, 'site/index.html'), 0o755);
      git(world, 'commit', '--quiet', '--all', '--message=x');
      await receive(world);
      expect(contentOf(world, 'site/index.html')).toBe('new');
    });

    const kept: readonly (readonly [string, (world: World, site: string) => void])[] = [
      ['a file with a change', (_, site) => writeFileSync(join(site, 'index.html'), 'edit')],
      ['a file that is not tracked', (_, site) => writeFileSync(join(site, 'note.html'), 'x')],
      [
        'a file that is ignored',
        (world, site) => {
          world.write('.gitignore', '*.secret\n');
          writeFileSync(join(site, 'my.secret'), 'x');
        },
      ],
      ['no start page', (world) => git(world, 'rm', '--quiet', 'site/index.html')],
      [
        'package.json',
        (world, site) => {
          writeFileSync(join(site, 'package.json'), '{}');
          git(world, 'add', '--all');
        },
      ],
      [
        'Package.JSON, which is package.json on some systems',
        (world, site) => {
          writeFileSync(join(site, 'Package.JSON'), '{}');
          git(world, 'add', '--all');
        },
      ],
      ['.git', (_, site) => mkdirSync(join(site, '.git'))],
      [
        'a folder for a start page',
        (world, site) => {
          rmSync(join(site, 'index.html'));
          mkdirSync(join(site, 'index.html'));
          writeFileSync(join(site, 'index.html/page'), 'old');
          git(world, 'add', '--all');
        },
      ],
      [
        'a file of a merge that is not resolved',
        (world, site) => {
          const id = git(world, 'hash-object', '-w', join(site, 'index.html')).trim();
          git(world, 'rm', '--quiet', '--cached', 'site/index.html');
          const lines = [1, 2, 3].map((stage) => `100644 ${id} ${stage}\tsite/index.html\n`);
          execFileSync('git', ['-C', world.workspace, 'update-index', '--index-info'], {
            input: lines.join(''),
          });
        },
      ],
      [
        '.github',
        (world, site) => {
          mkdirSync(join(site, '.github'));
          writeFileSync(join(site, '.github/x.yml'), '');
          git(world, 'add', '--all');
        },
      ],
    ];
    test.each(kept)('A tracked folder is not replaced if it has %s', async (_, change) => {
      await using world = await checkout();
      change(world, join(world.workspace, 'site'));
      const before = listTree(join(world.workspace, 'site'));
      await refusalOf(receive(world));
      expect(listTree(join(world.workspace, 'site'))).toEqual(before);
    });

    test('Neither the settings and attributes of the checkout nor a git of the workspace start a program', async () => {
      await using world = await checkout();
      const ran = join(world.root, 'ran');
      const program = join(world.workspace, 'git');
      writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${ran}'\nexit 1\n`, { mode: 0o755 });
      for (const name of [
        'core.fsmonitor',
        'core.hooksPath',
        'filter.x.clean',
        'core.pager',
        'alias.ls-files',
      ]) {
        git(world, 'config', name, name === 'core.hooksPath' ? world.workspace : program);
      }
      copyFileSync(program, join(world.workspace, 'post-index-change'));
      world.write('site/.gitattributes', '* filter=x\n');
      await using server = await startBundleServer(NEW);
      const env = { PATH: `${world.workspace}:${process.env['PATH']}` };
      await refusalOf(world.receive({ url: server.url, bundle: bundleOf(world), env }));
      expect(existsSync(ran)).toBe(false);
    });
  });
});

// Reading all of it would take an hour. Windows would write it.
test.skipIf(process.platform === 'win32').each(['docs.tgz', 'site/video.bin'])(
  'A run that is cancelled while it is checked whether an export made %s does not read the rest of it',
  async (name) => {
    await using world = await startWorld(NO_SERVERS);
    const { workspace } = world;
    const at = (path: string) => join(workspace, path);
    const digest = sha256('');
    const file = { path: 'video.bin', sha256: digest };
    const manifest = JSON.stringify({
      version: 1,
      exportJobId: 'job-0',
      archive: { sha256: digest },
      files: [file],
    });
    for (const destination of ['docs.tgz', 'site'])
      writeFileSync(at(`${destination}.manifest.json`), manifest);
    mkdirSync(at('site'));
    writeFileSync(at(name), '');
    truncateSync(at(name), 2 ** 40);
    const bundle = bundleInputs({ bundlePath: at('docs.tgz'), extractTo: at('site'), clean: true });
    const cancel = new AbortController();
    const check = checkReplaceable({ bundle, workspace, secret: ADMIN_KEY, signal: cancel.signal });
    setImmediate(() => cancel.abort('SIGTERM'));
    await expect(check).rejects.toMatchObject({ code: 'cancelled' });
  },
);

describe('a destination that changes after it was checked', () => {
  /** Whole seconds: a time of JavaScript has no nanoseconds. */
  const WRITTEN = new Date('2026-01-02T03:04:05Z');
  const touchBack = (path: string) => utimesSync(path, WRITTEN, WRITTEN);

  /**
   * An archive and a site as an export left them, checked, with new content that is ready to
   * replace them.
   */
  async function ready(world: World, destination: 'site' | 'docs.tgz') {
    putOld(world);
    const { workspace } = world;
    const at = (name: string) => join(workspace, name);
    writeFileSync(at('docs.tgz'), 'old archive');
    const archive = { sha256: sha256('old archive') };
    const manifest = JSON.stringify({ version: 1, exportJobId: 'job-0', archive, files: [] });
    writeFileSync(at('docs.tgz.manifest.json'), manifest);
    const bundle = bundleInputs({ bundlePath: at('docs.tgz'), extractTo: at('site'), clean: true });
    const check = () => checkReplaceable({ bundle, workspace, secret: ADMIN_KEY });
    const staging = new Staging(at(destination), ADMIN_KEY);
    if (destination === 'docs.tgz') writeFileSync(staging.fresh, 'new archive');
    else writeFileSync(join(staging.makeFresh(), 'index.html'), 'new');
    for (const path of [at('docs.tgz'), at('site/old/page.html')]) touchBack(path);
    const path = at(destination);
    const found = await check();
    const expectRefusalAfter = (change: (path: string) => void) => {
      change(path);
      const before = listTree(workspace).filter((line) => !line.includes('.courier-'));
      expect(() => staging.publish(found)).toThrow(
        `${path} was changed after it was checked: it was not replaced.`,
      );
      staging.discard();
      expect(listTree(workspace)).toEqual(before);
    };
    return { at, check, staging, path, found, expectRefusalAfter };
  }

  const archiveChanges: readonly (readonly [string, (path: string) => void])[] = [
    ['it was written again', (path) => writeFileSync(path, 'my  archive')],
    [
      'it became shorter',
      (path) => {
        truncateSync(path, 3);
        touchBack(path);
      },
    ],
    [
      'another file took its place',
      (path) => {
        writeFileSync(`${path}.other`, 'my  archive');
        touchBack(`${path}.other`);
        renameSync(`${path}.other`, path);
      },
    ],
    ['its mode changed', (path) => chmodSync(path, 0o640)],
    ['it was removed', (path) => rmSync(path)],
  ];

  test.each(archiveChanges)('An archive is not replaced if %s', async (_, change) => {
    await using world = await startWorld(NO_SERVERS);
    const { at, expectRefusalAfter } = await ready(world, 'docs.tgz');
    expectRefusalAfter(change);
    expect(existsSync(at('docs.tgz.sha256'))).toBe(false);
  });

  const siteChanges: readonly (readonly [string, (site: string) => void])[] = [
    ['a file came', (site) => writeFileSync(join(site, 'old/mine.md'), 'mine')],
    ['an empty folder came', (site) => mkdirSync(join(site, 'old/mine'))],
    ['a file is gone', (site) => rmSync(join(site, 'old/page.html'))],
    [
      'a file has another name',
      (site) => renameSync(join(site, 'old/page.html'), join(site, 'old/mine.html')),
    ],
    [
      'a file was edited, with the time from before',
      (site) => {
        const page = join(site, 'old/page.html');
        writeFileSync(page, 'my  page');
        touchBack(page);
      },
    ],
    [
      'all of it is another folder',
      (site) => {
        cpSync(site, `${site}.copy`, { recursive: true, preserveTimestamps: true });
        renameSync(site, `${site}.kept`);
        renameSync(`${site}.copy`, site);
      },
    ],
  ];

  test.each(siteChanges)('A site is not replaced if %s', async (_, change) => {
    await using world = await startWorld(NO_SERVERS);
    const { expectRefusalAfter } = await ready(world, 'site');
    expectRefusalAfter(change);
  });

  test('A site that was changed after it was checked is not moved at all', async () => {
    await using world = await startWorld(NO_SERVERS);
    const { staging, path, found } = await ready(world, 'site');
    writeFileSync(join(path, 'old/mine.md'), 'mine');
    const moved = () => lstatSync(path, { bigint: true }).ctimeNs;
    const before = moved();
    expect(() => staging.publish(found)).toThrow('was changed after it was checked');
    expect(moved()).toBe(before);
  });

  test('A file that another process writes to the old site while it is replaced is back in its place', async () => {
    await using world = await startWorld(NO_SERVERS);
    const { staging, path, found } = await ready(world, 'site');
    const away = () => {
      const former = join(dirname(staging.fresh), 'former');
      writeFileSync(join(former, 'old/mine.md'), 'mine');
    };
    expect(() => staging.publish(found, { away })).toThrow(
      'was changed after it was checked: it was not replaced.',
    );
    staging.discard();
    expect(readFileSync(join(path, 'old/mine.md'), 'utf8')).toBe('mine');
    expect(readFileSync(join(path, 'old/page.html'), 'utf8')).toBe('old page');
  });

  test('A file that was created and removed again is not a change', async () => {
    await using world = await startWorld(NO_SERVERS);
    const { staging, path, found } = await ready(world, 'site');
    writeFileSync(join(path, 'old/lock'), '');
    rmSync(join(path, 'old/lock'));
    staging.publish(found);
    expect(readdirSync(path)).toEqual(['index.html']);
  });

  test('A file that appears at the path of an archive at the last moment stays, and the former archive is kept', async () => {
    await using world = await startWorld(NO_SERVERS);
    const { staging, path, found } = await ready(world, 'docs.tgz');
    const away = () => writeFileSync(path, 'mine');
    expect(() => staging.publish(found, { away })).toThrow(
      /Another process wrote to .*docs\.tgz while it was replaced/,
    );
    staging.discard();
    expect(readFileSync(path, 'utf8')).toBe('mine');
    const [kept = ''] = readdirSync(world.workspace).filter((name) =>
      name.startsWith('.docs.tgz.courier-'),
    );
    expect(readFileSync(join(world.workspace, kept, 'former'), 'utf8')).toBe('old archive');
  });

  test('A file that appears at an empty path stays', async () => {
    await using world = await startWorld(NO_SERVERS);
    const { check, staging, path } = await ready(world, 'docs.tgz');
    for (const name of ['', '.manifest.json']) rmSync(`${path}${name}`);
    const found = await check();
    const away = () => writeFileSync(path, 'mine');
    expect(() => staging.publish(found, { away })).toThrow(
      'was changed after it was checked: it was not replaced.',
    );
    staging.discard();
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  test('New content that this run did not make is reported', async () => {
    await using world = await startWorld(NO_SERVERS);
    const { staging, path, found } = await ready(world, 'site');
    const away = () => {
      renameSync(staging.fresh, join(world.workspace, 'made'));
      mkdirSync(staging.fresh);
    };
    expect(() => staging.publish(found, { away })).toThrow(
      `The folder that contains ${path} was replaced`,
    );
  });

  test('Nothing is moved if the folder around the destination leads elsewhere, even to a folder with the same names', async () => {
    await using world = await startWorld(NO_SERVERS);
    const out = join(world.workspace, 'out');
    const elsewhere = join(world.root, 'elsewhere');
    const staging = new Staging(join(out, 'site'), ADMIN_KEY);
    writeFileSync(join(staging.makeFresh(), 'index.html'), 'new');
    cpSync(out, elsewhere, { recursive: true });
    renameSync(out, join(world.workspace, 'moved'));
    symlinkSync(elsewhere, out);
    const workspace = world.workspace;
    const bundle = bundleInputs({ extractTo: join(out, 'site') });
    const found = await checkReplaceable({ bundle, workspace, secret: ADMIN_KEY });
    expect(() => staging.publish(found)).toThrow('was replaced while the bundle was unpacked');
    expect(existsSync(join(elsewhere, 'site'))).toBe(false);
  });

  test('The manifest of a site that is gone is not put next to the former site that is moved back', async () => {
    await using world = await startWorld(NO_SERVERS);
    const site = join(world.workspace, 'site');
    const folder = join(world.workspace, '.site.courier-99999999-abcdef');
    mkdirSync(join(folder, 'former'), { recursive: true });
    chmodSync(folder, 0o700);
    writeMarker(folder, site, ADMIN_KEY);
    writeFileSync(join(folder, 'former/index.html'), 'old');
    writeFileSync(join(folder, 'manifest'), 'new');
    writeFileSync(`${site}.manifest.json`, 'old');
    recoverDestination(site, ADMIN_KEY, world.log);
    expect(readFileSync(join(site, 'index.html'), 'utf8')).toBe('old');
    expect(readFileSync(`${site}.manifest.json`, 'utf8')).toBe('old');
    expect(existsSync(folder)).toBe(false);
  });

  test.each([
    { isWritten: true, what: 'kept if another process has written to it' },
    { isWritten: false, what: 'removed if it is what was checked' },
  ])(
    'What a run moved away that was killed before it looked again is $what',
    async ({ isWritten }) => {
      await using world = await startWorld(NO_SERVERS);
      const site = join(world.workspace, 'site');
      const folder = join(world.workspace, '.site.courier-99999999-abcdef');
      const former = join(folder, 'former');
      mkdirSync(former, { recursive: true });
      chmodSync(folder, 0o700);
      writeMarker(folder, site, ADMIN_KEY);
      writeFileSync(join(former, 'index.html'), 'old');
      writeFileSync(join(folder, 'not-checked'), fingerprint(former));
      if (isWritten) writeFileSync(join(former, 'mine.md'), 'mine');
      mkdirSync(site);
      recoverDestination(site, ADMIN_KEY, world.log);
      expect(existsSync(join(former, 'mine.md'))).toBe(isWritten);
      expect(existsSync(folder)).toBe(isWritten);
    },
  );

  test('What a killed run moved away is kept if another process has written to its path since', async () => {
    await using world = await startWorld(NO_SERVERS);
    const site = join(world.workspace, 'site');
    const folder = join(world.workspace, '.site.courier-99999999-abcdef');
    for (const name of ['fresh', 'former']) mkdirSync(join(folder, name), { recursive: true });
    chmodSync(folder, 0o700);
    writeMarker(folder, site, ADMIN_KEY);
    writeFileSync(join(folder, 'former/index.html'), 'old');
    mkdirSync(site);
    writeFileSync(join(site, 'index.html'), 'mine');
    recoverDestination(site, ADMIN_KEY, world.log);
    expect(readFileSync(join(folder, 'former/index.html'), 'utf8')).toBe('old');
    expect(readFileSync(join(site, 'index.html'), 'utf8')).toBe('mine');
    expect(world.log.text('warning')).toContain(
      `${join(folder, 'former')} has what was at ${site} before another`,
    );
  });
});

test.runIf(process.platform === 'linux')(
  'A folder that cannot be written to is an error before an export starts',
  async () => {
    const bundle = bundleInputs({ extractTo: '/proc/sys/a/site' });
    const folders = { workspace: '/proc', runnerTemp: '/proc/none', home: undefined };
    const check = { bundle, ...folders, outputFiles: [], secret: ADMIN_KEY };
    await expect(checkOutputPaths(check)).rejects.toThrow(
      'extract-to: "/proc/sys/a/site" cannot be used: /proc/sys cannot be written to (EACCES).',
    );
  },
);
