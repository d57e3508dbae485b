import { appendFileSync } from 'node:fs';

const { env } = process;
const url = env.EXAMPLES_PAGES_URL ?? 'https://acme.github.io/app';
appendFileSync(env.GITHUB_OUTPUT, `base_url=${url}\n`);
