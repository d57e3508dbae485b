import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const { env } = process;
if (!statSync(env.INPUT_PATH, { throwIfNoEntry: false })?.isDirectory()) {
  console.log(`::error::There is no folder at ${JSON.stringify(env.INPUT_PATH)}.`);
  process.exit(1);
}
const artifact = join(env.EXAMPLES_FOLDER, 'artifacts/github-pages');
mkdirSync(artifact, { recursive: true });
// As its action.yml packs the artifact on Linux.
const hidden = env['INPUT_INCLUDE-HIDDEN-FILES'] === 'true' ? [] : ['--exclude=.[^/]*'];
const archive = join(env.EXAMPLES_FOLDER, 'artifact.tar');
const excluded = ['--exclude=.git', '--exclude=.github', ...hidden];
execFileSync('tar', [
  '--dereference',
  '--hard-dereference',
  '--directory',
  env.INPUT_PATH,
  '-cf',
  archive,
  ...excluded,
  '.',
]);
execFileSync('tar', ['-xf', archive, '-C', artifact]);
