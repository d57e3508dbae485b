import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldOf } from '../../../src/ground/text/json.ts';
import { SmallRegistry } from '../../../test/support/small-servers/registry.ts';
import { TokenServer } from '../../../test/support/small-servers/token-server.ts';
import { GitLabStage, readPipelines } from '../gitlab.ts';
import { needTool } from '../tools.ts';
import type { ExampleCase } from './case.ts';

const PAGE = 'docs/how-to/air-gapped-hand-over.md';
const [PIPELINE = '', PACKAGE = '', ...MORE] = readPipelines(PAGE);
const USER = 'gitlab-ci-token';
const PASSWORD = 'the-password-of-one-job';

/**
 * The pipeline logs in with the password of its jobs, pushes the image, and packs it for the
 * medium.
 */
async function handOver(): Promise<string> {
  assert.deepEqual(MORE, [], `${PAGE} has a pipeline without a case`);
  const skopeo = needTool('skopeo');
  await using stage = await GitLabStage.open();
  await using login = await TokenServer.start({
    [USER]: { password: PASSWORD, actions: 'pull,push' },
  });
  await using registry = await SmallRegistry.start({ login });
  const settings = join(stage.home, '.config/containers');
  mkdirSync(settings, { recursive: true });
  writeFileSync(
    join(settings, 'registries.conf'),
    `[[registry]]\nlocation = "${registry.host}"\ninsecure = true\n`,
  );
  const { ok, log } = await stage.run({
    pipeline: PIPELINE.replaceAll('registry.gitlab.example.com', registry.host).replace(
      'GROUP/PROJECT',
      'acme/docs',
    ),
    variables: { CI_REGISTRY_USER: USER, CI_REGISTRY_PASSWORD: PASSWORD },
  });
  assert.ok(ok, `the pipeline failed:\n${log}`);
  assert.ok(!log.includes(PASSWORD), 'the password is in the log');
  const artifact = (name: string) =>
    join(stage.folder, '.gitlab-ci-local/artifacts/pack-docs', name);
  const raw = execFileSync(skopeo, [
    'inspect',
    '--raw',
    `oci-archive:${artifact('docs.oci.tar')}:latest`,
  ]);
  const digest = `sha256:${createHash('sha256').update(raw).digest('hex')}`;
  assert.equal(readFileSync(artifact('docs.digest'), 'utf8').trim(), digest);
  assert.ok(
    log.includes(`${registry.host}/acme/docs/site@${digest}`),
    'export-docs does not show the digest',
  );
  const site = filesOfImage(skopeo, artifact('docs.oci.tar'), join(stage.home, 'image'));
  for (const name of [
    '.well-known/security.txt',
    'docs-courier.json',
    'docs-courier/search.html',
    'docs-courier/search/index.js',
  ]) {
    assert.ok(site.includes(name), `the image has no ${name}`);
  }
  return 'logged in with the password of the job, pushed the image with search and stamp, and packed it with the same digest';
}

/** The pipeline without a registry makes what the page has checks for. */
async function packageArchive(): Promise<string> {
  await using stage = await GitLabStage.open();
  const { ok, log } = await stage.run({ pipeline: PACKAGE });
  assert.ok(ok, `the pipeline failed:\n${log}`);
  const folder = join(stage.folder, '.gitlab-ci-local/artifacts/package/hand-over');
  const checksums = log.match(/[0-9a-f]{64} {2}(?:docs|added)\.tar\.gz\S*/g) ?? [];
  assert.equal(checksums.length, 3, `the log does not have three checksums:\n${log}`);
  execFileSync('sha256sum', ['--check', '--quiet'], { cwd: folder, input: checksums.join('\n') });
  const added = execFileSync('tar', ['--list', '--gzip', '--file', join(folder, 'added.tar.gz')]);
  for (const name of ['docs-courier.json', 'docs-courier/search.html'])
    assert.ok(added.toString().split('\n').includes(name), `the package has no ${name}`);
  return 'made the archive, its manifest, the search, the stamp, and checksums that hold';
}

/** The paths in the only layer of an image. */
function filesOfImage(skopeo: string, archive: string, folder: string): string[] {
  execFileSync(skopeo, ['copy', '--quiet', `oci-archive:${archive}:latest`, `dir:${folder}`]);
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const digest = String(fieldOf(manifest, 'layers', '0', 'digest'));
  const layer = join(folder, digest.replace('sha256:', ''));
  return execFileSync('tar', ['--list', '--gzip', '--file', layer], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

export const gitLabRegistryCases: readonly ExampleCase[] = [
  { example: PAGE, when: 'GitLab, registry, medium', run: handOver },
  { example: PAGE, when: 'GitLab, no registry', run: packageArchive },
];
