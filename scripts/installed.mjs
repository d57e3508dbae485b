// Plain JavaScript without imports of packages, so that any Node.js reads it: npm runs it before
// the scripts that need `npm ci`.
import { existsSync } from 'node:fs';

if (!existsSync('node_modules/.bin/vitest')) {
  console.error('The packages of this repository are not installed. Run: npm ci');
  process.exit(1);
}
