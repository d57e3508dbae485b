import { cpSync, statSync } from 'node:fs';
import { join } from 'node:path';

const { env } = process;
if (!statSync(env.INPUT_PATH, { throwIfNoEntry: false })?.isDirectory()) {
  console.log(`::error::There is no folder at ${JSON.stringify(env.INPUT_PATH)}.`);
  process.exit(1);
}
cpSync(env.INPUT_PATH, join(env.EXAMPLES_FOLDER, 'artifacts/github-pages'), { recursive: true });
