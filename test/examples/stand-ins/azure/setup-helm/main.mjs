import { appendFileSync, chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(process.env.RUNNER_TEMP, 'helm-stand-in');
mkdirSync(folder, { recursive: true });
copyFileSync(join(import.meta.dirname, 'helm.cjs'), join(folder, 'helm'));
chmodSync(join(folder, 'helm'), 0o755);
appendFileSync(process.env.GITHUB_PATH, `${folder}\n`);
