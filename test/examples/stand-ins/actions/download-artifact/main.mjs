import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';

const { env } = process;
const source = join(env.EXAMPLES_FOLDER, 'artifacts', env.INPUT_NAME);
if (!existsSync(source)) {
  console.log(`::error::Unable to download artifact: no artifact is called ${env.INPUT_NAME}`);
  process.exit(1);
}
cpSync(source, env.INPUT_PATH, { recursive: true });
