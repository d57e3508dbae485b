import { appendFileSync, cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';

const { env } = process;
const artifact = join(env.EXAMPLES_FOLDER, 'artifacts/github-pages');
if (!existsSync(artifact)) {
  console.log('::error::No artifact called github-pages was uploaded by this run.');
  process.exit(1);
}
cpSync(artifact, join(env.EXAMPLES_FOLDER, 'pages'), { recursive: true });
appendFileSync(env.GITHUB_OUTPUT, 'page_url=https://acme.github.io/app/\n');
