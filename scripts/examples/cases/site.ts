import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { zip } from '../../../test/site/archives.ts';
import { SmallRegistry } from '../../../test/support/small-servers/registry.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Stage } from '../stage.ts';
import { needTool } from '../tools.ts';
import { write } from '../workspace.ts';
import {
  assertDelivered,
  assertGreen,
  type ExampleCase,
  fetchBundle,
  nameIn,
  startsOf,
  sumsOf,
} from './case.ts';

/** As the examples write it. */
const IMAGE = 'ghcr.io/OWNER/docs:latest';

async function airGapped(stage: Stage): Promise<string> {
  const run = { example: 'air-gapped.yml', eventName: 'workflow_dispatch', gh: true } as const;
  const searched = await stage.run(run);
  assertGreen(searched);
  assert.match(searched.log, /7 queries: 7 passed/);
  const folder = join(stage.folder, 'artifacts/docs-hand-over');
  const names = readdirSync(folder).sort();
  const endings = ['', '.manifest.json', '.sha256', '.sigstore.json'].map(
    (ending) => `docs.tar.gz${ending}`,
  );
  assert.deepEqual(names, ['added.tar.gz', ...endings, 'trusted_root.jsonl']);
  const { subjects } = JSON.parse(readFileSync(join(folder, 'docs.tar.gz.sigstore.json'), 'utf8'));
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, 'docs.tar.gz')))
    .digest('hex');
  assert.deepEqual(Object.values(subjects), [sum]);
  // In the log, and in the summary that act prints too.
  const printed = searched.log.match(/[0-9a-f]{64} {2}(?:docs|added)\.tar\.gz\S*/g);
  const sums = [...new Set(printed)];
  assert.equal(sums.length, 3, `the log does not have three checksums:\n${searched.log}`);
  execFileSync('sha256sum', ['--check', '--status'], { cwd: folder, input: sums.join('\n') });
  const list = ['--extract', '--to-stdout', '--file', 'added.tar.gz', 'docs-courier.json'];
  const stamp = execFileSync('tar', list, { cwd: folder, encoding: 'utf8' });
  assert.match(stamp, /"exportJobId": "/);
  const queries = join(stage.repository, 'docs-queries.yml');
  write(
    queries,
    `${readFileSync(queries, 'utf8')}  - query: nothing of this\n    expect: {paths: [/no-such-page]}\n`,
  );
  const missed = await stage.run(run);
  assert.ok(!missed.ok, 'the package was made although the added search misses a page');
  assert.doesNotMatch(missed.log, /Pack what was added/);
  return 'archive, manifest, stamp, checksums and attestation of the archive in the artifact, and every query found its page; with a query that misses its page there is no package';
}

async function artifact(stage: Stage): Promise<string> {
  assertGreen(await stage.run({ example: 'artifact.yml', eventName: 'push' }));
  const count = await assertDelivered(stage, join(stage.folder, 'artifacts/docs'));
  return `${count} files in the artifact; ${startsOf(stage)} export started, no token of a GitHub App requested`;
}

async function doctor(stage: Stage): Promise<string> {
  const run = await stage.run({ example: 'doctor.yml', eventName: 'workflow_dispatch' });
  assertGreen(run);
  assert.match(run.log, /✅ Admin API key/);
  assert.equal(startsOf(stage), 0);
  return 'a table of checks, none failed; no export started';
}

async function insteadOfLoop(stage: Stage): Promise<string> {
  assertGreen(await stage.run({ example: 'from-a-curl-loop.yml', eventName: 'push' }));
  const site = readFileSync(join(stage.folder, 'deployed'), 'utf8');
  assert.match(site, /\/site$/);
  assert.equal(startsOf(stage), 1);
  return 'deploy.sh got the folder of the site; 1 export started';
}

const BUILT_PAGE =
  '<!doctype html><title>Start</title><main><h1>Start</h1><p>Words of a page.</p></main>';

/** A repository whose npm script copies what was made before. */
function withScript({ repository }: Stage, name: string, command: string): void {
  const project = { name: 'docs', version: '1.0.0', private: true };
  const lock = { ...project, lockfileVersion: 3, requires: true, packages: { '': project } };
  const scripts = { [name]: command };
  write(join(repository, 'package.json'), JSON.stringify({ ...project, scripts }));
  write(join(repository, 'package-lock.json'), JSON.stringify(lock));
}

async function pagesFromBuild(stage: Stage): Promise<string> {
  withScript(stage, 'build', 'cp -R made build');
  write(join(stage.repository, 'made/index.html'), BUILT_PAGE);
  write(join(stage.repository, 'made/.well-known/security.txt'), 'Contact: mailto:a@example.com');
  const example = { example: 'pages-from-build.yml', eventName: 'push', env: npmSettings() };
  assertGreen(await stage.run(example));
  const names = sumsOf(join(stage.folder, 'pages')).map(nameIn);
  assert.ok(names.includes('index.html') && names.includes('docs-courier/search.html'), `${names}`);
  assert.ok(names.includes('.well-known/security.txt'), `${names}`);
  assert.deepEqual(stage.platform.requests, []);
  write(join(stage.repository, 'made/broken.html'), `${BUILT_PAGE}<a href="/nowhere">Nowhere</a>`);
  const broken = await stage.run(example);
  assert.equal(broken.ok, false, broken.log);
  return 'the built site with its search deployed, without a request to the platform; a broken link fails the run';
}

async function imageFromExport(stage: Stage): Promise<string> {
  await using registry = await SmallRegistry.start();
  withScript(stage, 'export', 'cp made.zip export.zip');
  const members = [
    { name: 'index.html', content: BUILT_PAGE },
    { name: 'serve.js', content: 'viewer' },
  ];
  writeFileSync(join(stage.repository, 'made.zip'), zip(members));
  const name = `${registry.host}/acme/docs`;
  const env = { ...npmSettings(), DOCKER_CONFIG: join(stage.folder, 'docker') };
  const addresses = { [IMAGE]: `${name}:latest` };
  const example = { example: 'image-from-export.yml', eventName: 'push', addresses, env };
  assertGreen(await stage.run(example));
  const reply = await fetch(`http://${registry.host}/v2/acme/docs/manifests/latest`);
  assert.match(await reply.text(), /"io\.github\.docs-courier\.from":"export\.zip"/);
  assert.deepEqual(stage.platform.requests, []);
  return 'the image names export.zip, without a request to the platform';
}

/** The npm settings of this machine for its registry: a run has a separate home folder. */
function npmSettings(): Record<string, string> {
  const names = ['registry', 'cafile', 'https-proxy', 'noproxy'];
  const values = names.map((name) =>
    execFileSync('npm', ['config', 'get', name], { encoding: 'utf8', stdio: 'pipe' }).trim(),
  );
  const pairs = names.map((name, index) => [
    `npm_config_${name.replace('-', '_')}`,
    values[index] ?? '',
  ]);
  const authorities = ['NODE_EXTRA_CA_CERTS', process.env.NODE_EXTRA_CA_CERTS ?? ''];
  return Object.fromEntries(
    [...pairs, authorities].filter(([, value]) => value !== '' && value !== 'null'),
  );
}

async function links({ run, posts, repository }: Stage): Promise<string> {
  const example = { example: 'check-links.yml', eventName: 'schedule', env: npmSettings() };
  assertGreen(await run(example));
  const message = () => post.parse(parse(posts.at(-1) ?? '')).text;
  assert.match(
    message(),
    /^Links of the docs: success\. Pages: [1-9]\d*\. .*\/acme\/app\/actions\/runs\/1$/,
  );
  write(join(repository, 'docs/dead.md'), '# Dead end\n\n[Nowhere](no-such-page.md)\n');
  const dead = await run(example);
  assert.equal(dead.ok, false, dead.log);
  assert.match(dead.log, /404.*no-such-page/);
  assert.match(message(), /^Links of the docs: failure\. Pages: [1-9]/);
  assert.equal(posts.length, 2);
  return 'linkinator followed every link; a dead one fails the run; both results posted';
}

async function twoJobs(stage: Stage): Promise<string> {
  const run = await stage.run({ example: 'two-jobs.yml', eventName: 'workflow_dispatch' });
  assertGreen(run);
  assert.equal(startsOf(stage), 1);
  assert.match(run.log, /^\[publish\] .*index\.html/m);
  return 'started in the first job, attached to and unpacked in the second; 1 export started';
}

const post = z.object({ text: z.string() });
const note = z.object({
  args: z.array(z.string()),
  files: z.record(z.string(), z.string()),
  chart: z.string(),
});

async function helm(stage: Stage): Promise<string> {
  const run = await stage.run({ example: 'helm.yml', eventName: 'push' });
  assertGreen(run);
  const { args, files, chart } = note.parse(
    JSON.parse(readFileSync(join(stage.folder, 'helm.jsonl'), 'utf8')),
  );
  assert.deepEqual(args.slice(0, 3), ['upgrade', 'docs', './chart']);
  assert.match(chart, /^name: docs$/m);
  assert.ok(args.includes('staticExport.enabled=true'), 'the chart would ignore the link');
  assert.ok(
    args.includes('--reset-then-reuse-values'),
    'the other values of the release would be lost',
  );
  assert.match(files.kubeconfig ?? '', /^kind: Config$/m);
  const link = files['staticExport.bundleUrl'] ?? '';
  await fetchBundle(link);
  assert.ok(!args.join(' ').includes(link), 'the link is on the command line');
  return 'helm got the working link as staticExport.bundleUrl, from a file';
}

async function objectStorage(stage: Stage, store: ObjectStore): Promise<string> {
  const publish = async (edition: string) => {
    write(join(stage.repository, 'docs/edition.md'), `# Edition\n\nThis is edition ${edition}.\n`);
    const before = sumsOf(store.folder).map(nameIn);
    assertGreen(await stage.run({ example: 'object-storage.yml', eventName: 'push' }));
    // Other files than pages stay for one deployment: readers may have a page open that needs them.
    const assets = before.filter((name) => !name.endsWith('.html'));
    return assertDelivered(stage, store.folder, ['.files', ...assets]);
  };
  await publish('1');
  const count = await publish('2');
  return `${count} files in the bucket, uploaded by the AWS client, also a page that changed at the same size`;
}

const MERGED = 'This sentence was merged a moment ago.';

/** The platform publishes the merge some seconds after it is asked to. */
async function mergedObjectStorage(stage: Stage, store: ObjectStore): Promise<string> {
  const page = join(stage.repository, 'docs/index.md');
  stage.platform.behaviour.publishLagMs = 5000;
  write(page, `${readFileSync(page, 'utf8')}\n${MERGED}\n`);
  const effect = await objectStorage(stage, store);
  assert.ok(
    readFileSync(join(store.folder, 'index.html'), 'utf8').includes(MERGED),
    'the merge is not in the bucket',
  );
  return `${effect}; the merge is in it`;
}

async function onEmulator(stage: Stage): Promise<string> {
  const run = await stage.run({ example: 'try-on-emulator.yml', eventName: 'workflow_dispatch' });
  assertGreen(run);
  const url = run.outputs.get('platform')?.['base-url'] ?? '';
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.match(run.log, /POST \/v1\/static-export\/jobs 202/);
  assert.match(run.log, /POST \/discovery\/v1\/search\/\w+ 200/);
  assert.equal(stage.platform.requests.length, 0);
  await assert.rejects(fetch(url), 'the emulator still runs after the job');
  return 'exported and searched on its own emulator, which showed its requests and has ended';
}

/** The registry of the example is one on this machine, which asks for no login. */
async function image(stage: Stage): Promise<string> {
  await using registry = await SmallRegistry.start();
  const name = `${registry.host}/acme/docs`;
  const config = join(stage.folder, 'docker');
  const options = { addresses: { [IMAGE]: `${name}:latest` }, env: { DOCKER_CONFIG: config } };
  assertGreen(await stage.run({ example: 'image.yml', eventName: 'push', ...options }));
  const reply = await fetch(`http://${registry.host}/v2/acme/docs/manifests/latest`);
  assert.equal(reply.status, 200, 'the tag is not in the registry');
  const digest = `sha256:${createHash('sha256')
    .update(await reply.text())
    .digest('hex')}`;
  assert.deepEqual(JSON.parse(readFileSync(join(stage.folder, 'attested.json'), 'utf8')), {
    [name]: digest,
  });
  assert.match(readFileSync(join(config, 'config.json'), 'utf8'), /"ghcr\.io":\{"auth":/);
  return `the image is in the registry, and what was attested is its digest; ${startsOf(stage)} export started`;
}

/** As `image`; skopeo, unlike the action, must be told that this registry speaks http. */
async function airGappedImage(stage: Stage): Promise<string> {
  const skopeo = needTool('skopeo');
  await using registry = await SmallRegistry.start();
  const name = `${registry.host}/acme/docs`;
  const home = join(stage.folder, 'home');
  write(
    join(home, '.config/containers/registries.conf'),
    `[[registry]]\nlocation = "${registry.host}"\ninsecure = true\n`,
  );
  const run = await stage.run({
    example: 'air-gapped-image.yml',
    eventName: 'workflow_dispatch',
    gh: true,
    addresses: { [IMAGE]: `${name}:latest` },
    env: { HOME: home, DOCKER_CONFIG: join(home, '.docker') },
  });
  assertGreen(run);
  const folder = join(stage.folder, 'artifacts/docs-image-hand-over');
  const packed = ['docs.image.sigstore.json', 'docs.oci.tar', 'trusted_root.jsonl'];
  assert.deepEqual(readdirSync(folder).sort(), packed);
  const raw = execFileSync(skopeo, [
    'inspect',
    '--raw',
    `oci-archive:${join(folder, 'docs.oci.tar')}:latest`,
  ]);
  const digest = `sha256:${createHash('sha256').update(raw).digest('hex')}`;
  const { subjects } = JSON.parse(readFileSync(join(folder, 'docs.image.sigstore.json'), 'utf8'));
  assert.deepEqual(subjects, { [name]: digest });
  return 'the image in a file, with an attestation of the digest that the file has';
}

export function siteCases(store: ObjectStore | undefined): readonly ExampleCase[] {
  return [
    { example: 'doctor.yml', run: doctor },
    { example: 'artifact.yml', run: artifact },
    { example: 'from-a-curl-loop.yml', run: insteadOfLoop },
    { example: 'air-gapped.yml', run: airGapped },
    { example: 'air-gapped-image.yml', run: airGappedImage },
    { example: 'pages-from-build.yml', run: pagesFromBuild },
    { example: 'image-from-export.yml', run: imageFromExport },
    { example: 'check-links.yml', run: links },
    { example: 'two-jobs.yml', run: twoJobs },
    { example: 'helm.yml', run: helm },
    { example: 'image.yml', run: image },
    ...(store
      ? [
          {
            example: 'object-storage.yml',
            run: (stage: Stage) => mergedObjectStorage(stage, store),
          },
        ]
      : []),
    { example: 'try-on-emulator.yml', run: onEmulator },
  ];
}
