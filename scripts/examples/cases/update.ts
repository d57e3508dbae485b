import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../../../src/ground/published.ts';
import type { Stage } from '../stage.ts';
import { commit, git, write } from '../workspace.ts';
import { assertGreen, type ExampleCase } from './case.ts';

const EXAMPLE = 'update-copied-action.yml';
const BRANCH = 'update-docs-courier';
const ACTION_FILE = '.github/actions/docs-courier/action.yml';

/** The copy gets the files of the newest commit, and nothing is opened when they are the same. */
async function update(stage: Stage): Promise<string> {
  const { repository, folder } = stage;
  const [source = '', remote = ''] = ['source', 'remote'].map((name) => join(folder, name));
  for (const path of [source, remote]) mkdirSync(path);
  git(source, 'init', '--quiet', '--initial-branch=main');
  write(join(source, 'action.yml'), 'name: The next version\n');
  commit(source);
  git(remote, 'init', '--quiet', '--bare');
  const given = {
    example: EXAMPLE,
    eventName: 'schedule',
    gh: true,
    addresses: { [`${REPOSITORY}.git`]: `file://${source}` },
    // What is pushed to GitHub arrives in this repository.
    env: {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.${remote}.pushInsteadOf`,
      GIT_CONFIG_VALUE_0: 'https://github.com/acme/app.git',
    },
  };
  assertGreen(await stage.run(given));
  assert.equal(git(remote, 'show', `${BRANCH}:${ACTION_FILE}`), 'name: The next version');
  assert.deepEqual(
    git(remote, 'ls-tree', '-r', '--name-only', BRANCH, '.github/actions').split('\n'),
    [ACTION_FILE],
  );
  const opened = join(folder, `pull-request-${BRANCH}`);
  assert.equal(readFileSync(opened, 'utf8'), 'Update docs-courier\n');
  assertGreen(await stage.run(given));
  assert.equal(
    readFileSync(opened, 'utf8'),
    'Update docs-courier\n',
    'a second pull request was opened',
  );
  git(remote, 'update-ref', '-d', `refs/heads/${BRANCH}`);
  git(repository, 'rm', '-r', '--quiet', '--cached', '.github/actions');
  write(join(repository, ACTION_FILE), 'name: The next version\n');
  git(repository, 'clean', '--quiet', '--force', '-d', '--exclude', ACTION_FILE, '.github/actions');
  commit(repository);
  assertGreen(await stage.run(given));
  assert.equal(git(remote, 'for-each-ref'), '', 'an equal copy was pushed');
  assert.ok(existsSync(opened));
  return 'one pull request with the files of the newest commit, and nothing for an equal copy';
}

export const updateCases: readonly ExampleCase[] = [{ example: EXAMPLE, run: update }];
