import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../../../src/ground/published.ts';
import type { Stage } from '../stage.ts';
import { commit, git, write } from '../workspace.ts';
import { assertGreen, type ExampleCase } from './case.ts';

const EXAMPLE = 'update-the-copy.yml';
const BRANCH = 'update-docs-courier';
const COPY = '.github/actions/docs-courier';
const ACTION_FILE = `${COPY}/action.yml`;
/** The name that the repository of the action has in this case. */
const NAME = 'acme/action';
const EXECUTED = ['action.yml', 'emulator/action.yml', 'gitea/action.yml', 'dist/index.js'];

/** A commit of the repository of the action with these files, and a release of it. */
function release(source: string, folder: string, tag: string): void {
  const signed = EXECUTED.map((file) => {
    const text = `name: ${tag} of ${file}\n`;
    write(join(source, file), text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    return `${NAME} refs/tags/${tag} ${NAME}/.github/workflows/release.yml ${sha256}`;
  });
  commit(source);
  git(source, 'tag', tag);
  writeFileSync(join(folder, 'newest-release'), tag);
  writeFileSync(join(folder, 'attested'), signed.join('\n'));
}

/**
 * The copy gets the files of the newest release, and nothing is opened when they are the same, or
 * when one of them was not signed.
 */
async function update(stage: Stage): Promise<string> {
  const { repository, folder } = stage;
  const [source = '', remote = ''] = ['source', 'remote'].map((name) => join(folder, name));
  for (const path of [source, remote]) mkdirSync(path);
  git(source, 'init', '--quiet', '--initial-branch=main');
  release(source, folder, 'v1.1.0');
  write(join(source, 'action.yml'), 'name: Not released yet\n');
  commit(source);
  git(remote, 'init', '--quiet', '--bare');
  const given = {
    example: EXAMPLE,
    eventName: 'schedule',
    gh: true,
    addresses: { [REPOSITORY]: `https://github.com/${NAME}` },
    // What is cloned comes from the first folder, and what is pushed arrives in the second.
    env: {
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: `url.file://${source}.insteadOf`,
      GIT_CONFIG_VALUE_0: `https://github.com/${NAME}.git`,
      GIT_CONFIG_KEY_1: `url.${remote}.pushInsteadOf`,
      GIT_CONFIG_VALUE_1: 'https://github.com/acme/app.git',
    },
  };
  assertGreen(await stage.run(given));
  const pushed = (path: string) => git(remote, 'show', `${BRANCH}:${path}`);
  assert.equal(pushed(ACTION_FILE), 'name: v1.1.0 of action.yml');
  const files = git(remote, 'ls-tree', '-r', '--name-only', BRANCH, COPY).split('\n');
  assert.deepEqual(files, EXECUTED.map((file) => `${COPY}/${file}`).sort());
  const opened = join(folder, `pull-request-${BRANCH}`);
  assert.equal(readFileSync(opened, 'utf8'), 'Update docs-courier\n');
  assertGreen(await stage.run(given));
  assert.equal(readFileSync(opened, 'utf8'), 'Update docs-courier\n', 'it was opened twice');
  git(remote, 'update-ref', '-d', `refs/heads/${BRANCH}`);
  await refuseUnsigned(stage, given, source);
  assert.equal(git(remote, 'for-each-ref'), '', 'a file without a signature was pushed');
  release(source, folder, 'v1.3.0');
  rmSync(join(repository, COPY), { recursive: true });
  for (const file of EXECUTED)
    write(join(repository, COPY, file), readFileSync(join(source, file), 'utf8'));
  commit(repository);
  assertGreen(await stage.run(given));
  assert.equal(git(remote, 'for-each-ref'), '', 'an equal copy was pushed');
  return 'one pull request with the files of the newest release, and nothing for an equal copy or a file without a signature';
}

/** A release whose tag was moved to a commit with another file. */
async function refuseUnsigned(
  { run, folder }: Stage,
  given: Parameters<Stage['run']>[0],
  source: string,
): Promise<void> {
  release(source, folder, 'v1.2.0');
  write(join(source, 'dist/more.js'), 'steal();\n');
  commit(source);
  git(source, 'tag', '--force', 'v1.2.0');
  rmSync(join(source, 'dist/more.js'));
  const { jobs, log } = await run(given);
  assert.equal(jobs.get('update'), 'failure');
  assert.match(log, /no matching attestations found/);
}

export const updateCases: readonly ExampleCase[] = [{ example: EXAMPLE, run: update }];
