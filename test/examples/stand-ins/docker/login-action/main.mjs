import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { env } = process;
mkdirSync(env.DOCKER_CONFIG, { recursive: true });
const auth = Buffer.from(`${env.INPUT_USERNAME}:${env.INPUT_PASSWORD}`).toString('base64');
writeFileSync(
  join(env.DOCKER_CONFIG, 'config.json'),
  JSON.stringify({ auths: { [env.INPUT_REGISTRY]: { auth } } }),
);
