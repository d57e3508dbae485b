import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const { env } = process;
const folder = join(env.EXAMPLES_FOLDER, 'cache');
const begin = env['INPUT_RESTORE-KEYS']?.trim() || env.INPUT_KEY;
const names = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.startsWith(begin))
  : [];
const name = names.includes(env.INPUT_KEY) ? env.INPUT_KEY : names.at(-1);
if (name === undefined) console.log('Cache not found.');
else copyFileSync(join(folder, name), env.INPUT_PATH);
