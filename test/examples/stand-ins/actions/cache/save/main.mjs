import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const { env } = process;
const folder = join(env.EXAMPLES_FOLDER, 'cache');
mkdirSync(folder, { recursive: true });
copyFileSync(env.INPUT_PATH, join(folder, env.INPUT_KEY));
