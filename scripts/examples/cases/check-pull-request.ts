import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSite } from '../../sites/cache.ts';
import { vitepress } from '../../sites/generators/vitepress.ts';
import { readSource } from '../../sites/source.ts';
import type { ActRun } from '../act.ts';
import type { Stage } from '../stage.ts';
import { git, REPOSITORY, write } from '../workspace.ts';
import { assertGreen, type ExampleCase } from './case.ts';

const EXAMPLE = 'check-pull-request.yml';
const PULL = 7;
/** The site is built already: each case puts it into the folder. */
const BUILT = { 'npm ci && npm run build': 'test -d build' };

/** Runs of the example on one repository, whose folder `build` a case changes in between. */
class Check {
  readonly stage: Stage;
  readonly build: string;

  constructor(stage: Stage) {
    this.stage = stage;
    this.build = join(stage.repository, 'build');
  }

  push(): Promise<ActRun> {
    return this.#run({ eventName: 'push' });
  }

  /** `from`: the repository of the branch. */
  propose(from = REPOSITORY): Promise<ActRun> {
    const sha = git(this.stage.repository, 'rev-parse', 'HEAD');
    const head = { ref: 'words', sha, repo: { full_name: from } };
    const base = { ref: 'main', repo: { full_name: REPOSITORY } };
    const pull = { number: PULL, state: 'open', merged: false, head, base };
    const event = { action: 'synchronize', number: PULL, pull_request: pull };
    return this.#run({ eventName: 'pull_request', event });
  }

  get comments(): string[] {
    return this.stage.github.comments.map(({ body }) => body);
  }

  #run(run: { eventName: string; event?: Record<string, unknown> }): Promise<ActRun> {
    return this.stage.run({ example: EXAMPLE, gh: true, addresses: BUILT, ...run });
  }
}

function openPull({ github, repository }: Stage): void {
  const sha = git(repository, 'rev-parse', 'HEAD');
  github.addPullRequest({ repository: REPOSITORY, number: PULL, head: { ref: 'words', sha } });
}

const page = (title: string, text: string) =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${text}</p></main>`;

async function plain(stage: Stage): Promise<string> {
  const check = new Check(stage);
  openPull(stage);
  const writePage = (name: string, title: string, text: string) =>
    write(join(check.build, name), page(title, text));
  writePage('index.html', 'Docs', 'Start. <a href="/gone">gone</a>');
  writePage('guide/index.html', 'Guide', 'How to.');
  const first = await check.propose();
  assertGreen(first);
  assert.deepEqual(check.comments, [], 'there is nothing to compare with yet');
  assertGreen(await check.push());
  writePage('guide/index.html', 'Guide', 'How to do it.');
  assertGreen(await check.propose());
  assert.match(
    check.comments.join(),
    /1 page changed/,
    'links that were broken before are no fault',
  );
  writePage('new.html', 'New', 'New. <a href="/typo">typo</a>');
  const broken = await check.propose();
  assert.ok(!broken.ok, 'a newly broken link ended green');
  assert.match(broken.log, /1 link newly broken, such as \/typo on \/new/);
  writePage('new.html', 'New', 'New.');
  rmSync(join(check.build, 'guide'), { recursive: true });
  const lost = await check.propose();
  assert.ok(!lost.ok, 'a lost address ended green');
  assert.equal(check.comments.length, 1, 'there is more than one comment');
  assert.match(check.comments.join(), /1 address was lost/);
  write(join(check.build, '_redirects'), '/guide /new 301\n');
  assertGreen(await check.propose());
  const before = check.comments.join();
  writePage('new.html', 'New', 'New, by a stranger.');
  const foreign = await check.propose('mallory/app');
  assertGreen(foreign);
  assert.match(foreign.log, /\| moved \| `\/guide` \| New/);
  assert.equal(check.comments.join(), before, 'the site of a fork was commented on');
  return 'one comment; red for a newly broken link and a lost address alone; a fork has the summary';
}

async function ofGenerator(stage: Stage): Promise<string> {
  const check = new Check(stage);
  openPull(stage);
  const take = (change: Parameters<typeof readSource>[0]) => {
    const pages = readSource(change);
    rmSync(check.build, { recursive: true, force: true });
    const folder = `check-${change}`;
    cpSync(buildSite({ generator: vitepress, pages, folder, basePath: '' }), check.build, {
      recursive: true,
    });
  };
  take('none');
  assertGreen(await check.push());
  take('word');
  assertGreen(await check.propose());
  assert.match(check.comments.join(), /: [12] pages? changed/);
  const guide = join(check.build, 'index.html');
  write(guide, page('Start', '<a href="/no-such-page">a link</a>'));
  const broken = await check.propose();
  assert.ok(!broken.ok, 'a newly broken link ended green');
  assert.match(broken.log, /\/no-such-page on \//);
  return 'one changed word is one changed page in each language; a newly broken link is red';
}

export const checkPullRequestCases: readonly ExampleCase[] = [
  { example: EXAMPLE, when: 'a folder of plain HTML', run: plain },
  { example: EXAMPLE, when: 'a site of VitePress', run: ofGenerator },
];
