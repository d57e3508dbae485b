/**
 * Creates the folder that is published as the npm package: the command line with everything that it
 * needs in one bundle, so it has no dependencies. `node scripts/package.ts [FOLDER]`, by default
 * `package`; then `npm pack ./package`.
 */
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { REPOSITORY } from '../src/ground/published.ts';
import { bundle, emitJavaScript } from './bundle.ts';
import { renderLicenses } from './licenses/render.ts';
import { cleanCommit, ownManifest } from './release/manifest.ts';

const root = join(import.meta.dirname, '..');
const out = resolve(process.argv[2] ?? join(root, 'package'));

function writeManifest(): void {
  const published = {
    ...ownManifest(),
    gitHead: cleanCommit(),
    description:
      'Exports documentation from a hosted platform, keeps its link fresh, and checks the published search.',
    type: 'module',
    bin: { 'docs-courier': 'cli/index.js' },
    repository: { type: 'git', url: `git+${REPOSITORY}.git` },
    publishConfig: { access: 'public', provenance: true },
  };
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const emitted = join(root, 'build-package');
try {
  emitJavaScript(root, emitted);
  await bundle(join(emitted, 'src/entry/cli.js'), join(out, 'cli'));
} finally {
  rmSync(emitted, { recursive: true, force: true });
}
chmodSync(join(out, 'cli/index.js'), 0o755);
// The help contains the texts of action.yml.
for (const name of ['action.yml', 'LICENSE', 'README.md', 'schemas', 'templates'])
  cpSync(join(root, name), join(out, name), { recursive: true });
writeFileSync(join(out, 'licenses.txt'), renderLicenses());
writeManifest();
