import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ActRun, runAct } from '../act.ts';
import { actionFolders } from '../stage.ts';
import { missingPermissions, readWorkflow } from '../workflow.ts';
import { CHECKOUT, commit, copyTracked, git, write } from '../workspace.ts';
import { assertGreen } from './case.ts';
import { runReleasedAction } from './released-action.ts';

const WORKFLOW = '.github/workflows/release.yml';
const TOKEN = 'ghs_theReleaseJobsOwnToken';
const NPM_TOKEN = 'npm_theTokenOfThePackagesOwner';
const RUN_TIMEOUT_MS = 300_000;

/** What the project releases, in a clone with a bare repository as its remote. */
interface Yard extends AsyncDisposable {
  readonly clone: string;
  readonly remote: string;
  readonly folder: string;
  readonly tag: string;
  /**
   * Commits, tags, pushes, and runs the workflow. `moveTagTo`: the commit to which a person moves
   * the tag after the push. `changes`: a file that a person changes between the jobs.
   */
  release(options?: { readonly moveTagTo?: string; readonly changes?: string }): Promise<ActRun>;
}

function openYard(): Yard {
  const base = mkdtempSync(join(tmpdir(), 'docs-courier-release-'));
  const [clone, remote, folder, home] = [
    join(base, 'clone'),
    join(base, 'remote'),
    join(base, 'out'),
    join(base, 'home'),
  ];
  for (const path of [clone, remote, folder, home]) mkdirSync(path);
  git(remote, 'init', '--quiet', '--bare', '--initial-branch=main');
  git(clone, 'init', '--quiet', '--initial-branch=main');
  git(clone, 'remote', 'add', 'origin', remote);
  // From this one act knows the repository's owner; nothing is fetched from it.
  git(clone, 'remote', 'add', 'github', 'https://github.com/docs-courier/docs-courier.git');
  copyTracked(clone);
  commit(clone);
  const tag = `v${/"version": "(.+?)"/.exec(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'))?.[1]}`;
  git(clone, 'push', '--quiet', 'origin', 'HEAD:main', `HEAD:refs/tags/${majorOf(tag)}`);
  const release = ({ moveTagTo = '', changes = '' } = {}) =>
    runRelease({ clone, remote, folder, home, tag, moveTagTo, changes });
  const dispose = async () => rmSync(base, { recursive: true, force: true });
  return { clone, remote, folder, tag, release, [Symbol.asyncDispose]: dispose };
}

function majorOf(tag: string): string {
  return tag.split('.')[0] ?? tag;
}

interface Release extends Pick<Yard, 'clone' | 'remote' | 'folder' | 'tag'> {
  readonly home: string;
  /** Empty: the tag stays. */
  readonly moveTagTo: string;
  /** Empty: none. */
  readonly changes: string;
}

/** Commits, pushes main and the tag, and runs the workflow for the push of the tag. */
async function runRelease(yard: Release): Promise<ActRun> {
  const { clone, remote, folder, home, tag, moveTagTo, changes } = yard;
  commit(clone);
  git(clone, 'tag', '--force', tag);
  git(clone, 'push', '--quiet', '--force', 'origin', 'HEAD:main', tag);
  if (moveTagTo !== '') git(remote, 'update-ref', `refs/tags/${tag}`, moveTagTo);
  const jobs = readWorkflow(readFileSync(join(clone, WORKFLOW), 'utf8')) ?? [];
  const missing = jobs.flatMap(missingPermissions);
  if (missing.length > 0) throw new Error(missing.join('; '));
  const eventFile = join(home, 'event.json');
  write(
    eventFile,
    JSON.stringify({ ref: `refs/tags/${tag}`, after: git(clone, 'rev-parse', 'HEAD') }),
  );
  return runAct({
    repository: clone,
    workflow: WORKFLOW,
    remoteName: 'github',
    eventName: 'push',
    eventFile,
    home,
    timeoutMs: RUN_TIMEOUT_MS,
    vars: {},
    secrets: { GITHUB_TOKEN: TOKEN, NPM_TOKEN },
    env: {
      EXAMPLES_FOLDER: folder,
      EXAMPLES_REMOTE: remote,
      EXAMPLES_GH_TOKEN: TOKEN,
      EXAMPLES_NPM_TOKEN: NPM_TOKEN,
      EXAMPLES_NODE_MODULES: join(CHECKOUT, 'node_modules'),
      EXAMPLES_CHANGED_FILE: changes,
    },
    commands: [join(CHECKOUT, 'test/examples/commands')],
    actions: actionFolders(jobs),
    onJob: () => undefined,
  });
}

/** A release moves the major tag to its own commit, and its archive is a whole action. */
export async function release(): Promise<string> {
  await using yard = openYard();
  const before = git(yard.remote, 'rev-parse', majorOf(yard.tag));
  assertGreen(await yard.release());
  const [head, after] = ['main', majorOf(yard.tag)].map((ref) =>
    git(yard.remote, 'rev-parse', ref),
  );
  assert.notEqual(after, before);
  assert.equal(after, head);
  const notes = readFileSync(join(yard.folder, `release-${yard.tag}.md`), 'utf8');
  assert.match(notes, /^- /m);
  const attested: Record<string, string> = JSON.parse(
    readFileSync(join(yard.folder, 'attested.json'), 'utf8'),
  );
  for (const path of ['action.yml', 'dist/index.js', 'emulator/action.yml', 'gitea/action.yml']) {
    const bytes = execFileSync('git', ['-C', yard.clone, 'show', `HEAD:${path}`], {
      maxBuffer: 2 ** 26,
    });
    assert.equal(attested[path], createHash('sha256').update(bytes).digest('hex'), path);
  }
  const published: Record<string, string> = JSON.parse(
    readFileSync(join(yard.folder, 'published.json'), 'utf8'),
  );
  const version = yard.tag.slice(1);
  const archive = `docs-courier-${version}.tgz`;
  for (const name of [
    archive,
    `docs-courier-action-${version}.tar.gz`,
    'SHA256SUMS',
    'sbom.spdx.json',
  ])
    assert.ok(existsSync(join(yard.folder, `${yard.tag}-${name}`)), name);
  assert.deepEqual(published, { [archive]: attested[`release/${version}/${archive}`] });
  const image = JSON.parse(readFileSync(join(yard.folder, 'image.json'), 'utf8'));
  const name = 'ghcr.io/docs-courier/docs-courier';
  assert.equal(image.pushed, `${name}:${yard.tag.slice(1)}`);
  assert.equal(attested[name], `sha256:${createHash('sha256').update(image.pushed).digest('hex')}`);
  const ran = await runReleasedAction(
    join(yard.folder, `${yard.tag}-docs-courier-action-${version}.tar.gz`),
    `${version} (commit ${head})`,
  );
  return `${yard.tag} released with its notes, ${Object.keys(attested).length} files attested, the attested package and its image published, ${majorOf(yard.tag)} moved to it; ${ran}`;
}

/** Nothing was attested or published, and the major tag did not move. */
function assertRefused(yard: Yard, run: ActRun, before: string): void {
  assert.ok([...run.jobs.values()].includes('failure'), run.log);
  assert.notEqual(run.jobs.get('release'), 'success');
  assert.ok(!existsSync(join(yard.folder, `release-${yard.tag}.md`)), 'a release was published');
  assert.ok(!existsSync(join(yard.folder, 'published.json')), 'the package was published');
  const image = join(yard.folder, 'image.json');
  assert.ok(
    !existsSync(image) || JSON.parse(readFileSync(image, 'utf8')).pushed === undefined,
    'the image was pushed',
  );
  assert.equal(git(yard.remote, 'rev-parse', majorOf(yard.tag)), before);
}

/**
 * A dist that differs from the build of src stops the release before anything is attested or
 * published.
 */
export async function releaseOfChangedDist(): Promise<string> {
  await using yard = openYard();
  const before = git(yard.remote, 'rev-parse', majorOf(yard.tag));
  appendFileSync(join(yard.clone, 'dist/index.js'), '\n');
  const run = await yard.release();
  assertRefused(yard, run, before);
  assert.match(run.log, /Out of date.*dist\/index\.js/);
  assert.ok(!existsSync(join(yard.folder, 'attested.json')), 'the changed file was attested');
  return 'stopped by the comparison: nothing attested or published, the major tag stays';
}

/**
 * A file in dist that the build of src does not create, and that a comparison of known files would
 * not find.
 */
export async function releaseOfAddedFile(): Promise<string> {
  await using yard = openYard();
  const before = git(yard.remote, 'rev-parse', majorOf(yard.tag));
  write(join(yard.clone, 'dist/extra.index.js'), 'export {};\n');
  const run = await yard.release();
  assertRefused(yard, run, before);
  assert.match(run.log, /Out of date.*dist\/extra\.index\.js/);
  return 'stopped: a file that the build does not create is not part of a release';
}

/** A tag that points to another commit at the time of publishing stops the release. */
export async function releaseOfMovedTag(): Promise<string> {
  await using yard = openYard();
  const before = git(yard.remote, 'rev-parse', majorOf(yard.tag));
  const run = await yard.release({ moveTagTo: before });
  assertRefused(yard, run, before);
  assert.match(run.log, new RegExp(`${yard.tag} was moved from [0-9a-f]{40} to ${before}`));
  return 'stopped before publishing: the tag points to another commit';
}

/**
 * A file that differs from what the job that builds has made stops the release before anything is
 * attested.
 */
export async function releaseOfChangedArtifact(): Promise<string> {
  await using yard = openYard();
  const before = git(yard.remote, 'rev-parse', majorOf(yard.tag));
  const version = yard.tag.slice(1);
  const archive = `${version}/docs-courier-${version}.tgz`;
  for (const changes of [archive, 'SHA256SUMS']) {
    const run = await yard.release({ changes });
    assertRefused(yard, run, before);
    // The step's result, and not its message: act can lose the last line that a step prints.
    assert.match(
      run.log,
      /Failure - Main Check that this is the commit of the pushed tag, with the files that were built/,
    );
    assert.ok(!existsSync(join(yard.folder, 'attested.json')), 'the changed file was attested');
  }
  return 'stopped before anything is attested: the files are not those that were built';
}

/** A patch of an older line does not take the major tag away from a newer release. */
export async function releaseOfOlderLine(): Promise<string> {
  await using yard = openYard();
  const major = majorOf(yard.tag);
  const before = git(yard.remote, 'rev-parse', major);
  git(yard.remote, 'tag', `${major}.99.0`, before);
  assertGreen(await yard.release());
  assert.ok(existsSync(join(yard.folder, `release-${yard.tag}.md`)));
  assert.equal(git(yard.remote, 'rev-parse', major), before);
  return `released; ${major} stays at the newer ${major}.99.0`;
}
