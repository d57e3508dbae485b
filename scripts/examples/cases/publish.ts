import assert from 'node:assert/strict';
import type { Stage } from '../stage.ts';
import { git, REPOSITORY } from '../workspace.ts';
import { assertGreen, type ExampleCase } from './case.ts';

const PULL = 7;
const BRANCH = 'docs/new-page';

async function published(stage: Stage): Promise<string> {
  const run = await stage.run({ example: 'publish-on-merge.yml', eventName: 'push' });
  assertGreen(run);
  const head = git(stage.repository, 'rev-parse', 'HEAD').slice(0, 7);
  assert.match(run.log, new RegExp(`Published for this run: commit ${head} \\(update`));
  const failing = { outcome: 'failure', summary: 'A page does not build.' } as const;
  stage.platform.scriptNextUpdate(failing);
  const failed = await stage.run({ example: 'publish-on-merge.yml', eventName: 'push' });
  assert.ok(!failed.ok, 'a build that failed ended green');
  assert.match(failed.log, /failed: A page does not build\./);
  assert.equal(stage.platform.updates.length, 2);
  return `commit ${head} published; a build that fails ends red with its reason`;
}

/** The event of a pull request whose branch has the newest commit. */
function opened({ github, repository }: Stage, from = REPOSITORY): Record<string, unknown> {
  const sha = git(repository, 'rev-parse', 'HEAD');
  if (github.pullRequests.every(({ number }) => number !== PULL)) {
    github.addPullRequest({ repository: REPOSITORY, number: PULL, head: { ref: BRANCH, sha } });
  }
  const head = { ref: BRANCH, sha, repo: { full_name: from } };
  const pull = { number: PULL, state: 'open', merged: false, head, base: { ref: 'main' } };
  return { action: 'synchronize', number: PULL, pull_request: pull };
}

async function previewed(stage: Stage): Promise<string> {
  const example = { example: 'preview-pull-request.yml', eventName: 'pull_request' } as const;
  const run = await stage.run({ ...example, event: opened(stage) });
  assertGreen(run);
  const [comment, ...others] = stage.github.comments;
  assert.equal(others.length, 0, 'there is more than one comment');
  const url = /`(http[^`]+)`/.exec(comment?.body ?? '')?.[1] ?? '';
  assert.equal((await fetch(url)).status, 200, `the preview cannot be opened: ${comment?.body}`);
  console.log(comment?.body.replace(/^.*\n/, ''));
  assertGreen(await stage.run({ ...example, event: opened(stage) }));
  assert.equal(stage.github.comments.length, 1);
  const before = stage.platform.updates.length;
  const foreign = await stage.run({ ...example, event: opened(stage, 'mallory/app') });
  assertGreen(foreign);
  assert.match(foreign.log, /Status: skipped\. The pull request comes from a fork/);
  assert.equal(stage.platform.updates.length, before);
  return 'the preview opens, its address is in one comment, and a pull request from a fork is skipped';
}

export const publishCases: readonly ExampleCase[] = [
  { example: 'publish-on-merge.yml', run: published },
  { example: 'preview-pull-request.yml', run: previewed },
];
