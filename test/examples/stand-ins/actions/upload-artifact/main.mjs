import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

const { env } = process;
const target = join(env.EXAMPLES_FOLDER, 'artifacts', env.INPUT_NAME);
// As @actions/glob with excludeHiddenFiles: by the name of each file and folder below the path, and
// of the path itself.
const isTaken = (path) =>
  env['INPUT_INCLUDE-HIDDEN-FILES'] === 'true' || !basename(path).startsWith('.');
const paths = env.INPUT_PATH.split('\n')
  .map((path) => path.trim())
  .filter((path) => path !== '' && existsSync(path) && isTaken(path));
if (paths.length === 0) {
  if (env['INPUT_IF-NO-FILES-FOUND'] === 'error') {
    console.log(`::error::No files were found with the provided path: ${env.INPUT_PATH}`);
    process.exit(1);
  }
  if (env['INPUT_IF-NO-FILES-FOUND'] === 'warn') console.log('::warning::No files were found.');
}
mkdirSync(target, { recursive: true });
for (const path of paths) {
  const into = statSync(path).isDirectory() ? target : join(target, basename(path));
  cpSync(path, into, { recursive: true, filter: isTaken });
}
