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

/** A pull request whose branch has the newest commit, and its event. */
function opened({ github, repository }: Stage) {
  const sha = git(repository, 'rev-parse', 'HEAD');
  github.addPullRequest({ repository: REPOSITORY, number: PULL, head: { ref: BRANCH, sha } });
  const head = { ref: BRANCH, sha, repo: { full_name: REPOSITORY } };
  const pull = { number: PULL, state: 'open', merged: false, head, base: { ref: 'main' } };
  return { action: 'synchronize', number: PULL, pull_request: pull };
}

function fromFork(event: ReturnType<typeof opened>) {
  const { head, ...pull } = event.pull_request;
  return {
    ...event,
    pull_request: { ...pull, head: { ...head, repo: { full_name: 'mallory/app' } } },
  };
}

async function previewed(stage: Stage): Promise<string> {
  const example = { example: 'preview-pull-request.yml', eventName: 'pull_request' } as const;
  const event = opened(stage);
  const { sha } = event.pull_request.head;
  await stage.platform.push({
    branch: BRANCH,
    sha,
    content: { 'index.md': '# Docs', 'new-page.md': '# New page' },
  });
  const run = await stage.run({ ...example, event });
  assertGreen(run);
  const [comment, ...others] = stage.github.comments;
  assert.equal(others.length, 0, 'there is more than one comment');
  const url = /`(http[^`]+)`/.exec(comment?.body ?? '')?.[1] ?? '';
  assert.equal((await fetch(url)).status, 200, `the preview cannot be opened: ${comment?.body}`);
  assert.match(
    comment?.body ?? '',
    new RegExp(`^Contains commit \`${sha.slice(0, 7)}\`, ready after`, 'm'),
  );
  assert.match(comment?.body ?? '', /^- added: `new-page.md`$/m);
  assertGreen(await stage.run({ ...example, event }));
  assert.equal(stage.github.comments.length, 1);
  const before = stage.platform.updates.length;
  const foreign = await stage.run({ ...example, event: fromFork(event) });
  assertGreen(foreign);
  assert.match(foreign.log, /Status: skipped\. The pull request comes from a fork/);
  assert.equal(stage.platform.updates.length, before);
  return 'the preview opens, its address is in one comment, and a pull request from a fork is skipped';
}

export const publishCases: readonly ExampleCase[] = [
  { example: 'publish-on-merge.yml', run: published },
  { example: 'preview-pull-request.yml', run: previewed },
];
