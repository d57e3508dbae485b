/**
 * Fills the generated parts of README.md and of the pages in docs, between `<!-- generated: PART
 * -->` and `<!-- end -->`: inputs and outputs (action.yml), error codes (src/ground/errors.ts),
 * permissions, and the workflows of examples. With `--check` it writes nothing and fails if a page
 * differs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderDocs } from './docs/render.ts';

const root = join(import.meta.dirname, '..');

function staleFiles(): { path: string; text: string }[] {
  const rendered = renderDocs(root);
  return [...rendered]
    .map(([path, text]) => ({ path, text }))
    .filter(({ path, text }) => readFileSync(join(root, path), 'utf8') !== text);
}

function check(): void {
  const stale = staleFiles().map(({ path }) => path);
  if (stale.length === 0) {
    console.log('The documentation matches its sources.');
    return;
  }
  console.error(`Out of date, run \`npm run docs\` and commit: ${stale.join(', ')}`);
  process.exitCode = 1;
}

function write(): void {
  const stale = staleFiles();
  for (const { path, text } of stale) {
    writeFileSync(join(root, path), text);
    console.log(path);
  }
  if (stale.length === 0) console.log('Nothing to do.');
}

if (process.argv.includes('--check')) check();
else write();
