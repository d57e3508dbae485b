import { appendFileSync, cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';

const { env } = process;
const source = join(env.EXAMPLES_FOLDER, 'artifacts', env.INPUT_NAME);
if (!existsSync(source)) {
  console.log(`::error::Unable to download artifact: no artifact is called ${env.INPUT_NAME}`);
  process.exit(1);
}
cpSync(source, env.INPUT_PATH, { recursive: true });
// Another person changes it between the jobs.
if (env.EXAMPLES_CHANGED_FILE) appendFileSync(join(env.INPUT_PATH, env.EXAMPLES_CHANGED_FILE), 'x');
