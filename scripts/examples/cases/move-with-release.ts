import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../stage.ts';
import { commit, git } from '../workspace.ts';
import { assertGreen, type ExampleCase, startsOf } from './case.ts';

const EXAMPLE = 'move-with-release.yml';
const BRANCH = 'refs/heads/docs-live';
const RELEASE = {
  example: EXAMPLE,
  eventName: 'release',
  event: { action: 'published', release: { tag_name: 'v1.2.0', prerelease: false } },
  gh: true,
};

async function move(stage: Stage): Promise<string> {
  const { repository, folder } = stage;
  const before = git(repository, 'rev-parse', 'HEAD');
  git(repository, 'update-ref', BRANCH, before);
  const run = await stage.run(RELEASE);
  assertGreen(run);
  assert.equal(git(repository, 'rev-parse', BRANCH), git(repository, 'rev-parse', 'HEAD'));
  assert.match(run.log, /Published for this run: commit /);
  const file = (name: string) => readFileSync(join(folder, `v1.2.0-docs.tar.gz${name}`));
  const sum = createHash('sha256').update(file('')).digest('hex');
  assert.ok(file('.sha256').toString().startsWith(sum));
  assert.equal(JSON.parse(file('.manifest.json').toString()).archive.sha256, sum);
  return 'the branch moved to the release, the platform published it before the export, and the release has archive, checksum and manifest';
}

/** The branch has a commit that the release does not have. */
async function refuse(stage: Stage): Promise<string> {
  const { repository, folder } = stage;
  const base = git(repository, 'rev-parse', 'HEAD');
  commit(repository);
  const other = git(repository, 'rev-parse', 'HEAD');
  git(repository, 'update-ref', BRANCH, other);
  git(repository, 'reset', '--quiet', '--hard', base);
  const run = await stage.run(RELEASE);
  assert.equal(run.ok, false);
  assert.match(run.log, /not a fast forward/);
  assert.equal(git(repository, 'rev-parse', BRANCH), other);
  assert.equal(startsOf(stage), 0);
  assert.ok(!existsSync(join(folder, 'v1.2.0-docs.tar.gz')));
  return 'a branch that would lose a commit is not moved, and nothing is exported';
}

export const moveWithReleaseCases: readonly ExampleCase[] = [
  { example: EXAMPLE, run: move },
  { example: EXAMPLE, when: 'the branch has other commits', run: refuse },
];
