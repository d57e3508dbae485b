/**
 * Writes the licences of everything that dist contains into dist/licenses.txt; with `--check` it
 * fails if the file differs.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderLicenses } from './licenses/render.ts';

const path = join(import.meta.dirname, '../dist/licenses.txt');
const text = renderLicenses();

if (!process.argv.includes('--check')) {
  writeFileSync(path, text);
} else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
  console.error('Out of date, run `npm run licenses` and commit: dist/licenses.txt');
  process.exitCode = 1;
} else {
  console.log('dist/licenses.txt matches the packages.');
}
