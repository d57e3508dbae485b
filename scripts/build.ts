/**
 * Builds dist: the catalog from action.yml, the script of the search page, JavaScript by tsc, and
 * one bundle of the action and the emulator by ncc. With `--check` it builds into a temporary
 * folder and fails when anything committed differs.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { bundle, emitJavaScript } from './bundle.ts';
import { renderCatalogModule } from './catalog.ts';
import { renderLicenses } from './licenses/render.ts';
import { renderPageScripts } from './page-scripts.ts';
import { ownManifest } from './release/manifest.ts';

const root = join(import.meta.dirname, '..');
const CATALOG = 'src/values/catalog.ts';
const PAGE_SCRIPTS = 'src/site/added/search/page-script.ts';
/** Files of dist/emulator: each imports the bundle as another program. */
const EMULATOR_PROGRAMS = ['index', 'start', 'stop'];

function writeCatalog(path: string): void {
  writeFileSync(path, renderCatalogModule(root));
}

/** By it, a run names its version and commit: `git archive` fills the commit in (`export-subst`). */
function distManifest(): object {
  const { name, version } = ownManifest();
  return { name, version, private: true, type: 'module', gitHead: '$Format:%H$' };
}

async function buildInto(dist: string): Promise<void> {
  const emitted = join(root, 'build');
  emitJavaScript(root, emitted);
  await bundle(join(emitted, 'src/entry/dist.js'), dist);
  mkdirSync(join(dist, 'emulator'));
  for (const name of EMULATOR_PROGRAMS)
    writeFileSync(join(dist, `emulator/${name}.js`), `import '../index.js?${name}';\n`);
  writeFileSync(join(dist, 'licenses.txt'), renderLicenses());
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(distManifest(), undefined, 2)}\n`);
  rmSync(emitted, { recursive: true, force: true });
}

function filesBelow(folder: string): Map<string, Buffer> {
  const entries = existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
    : [];
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [relative(folder, file), readFileSync(file)]));
}

function differences(built: string, committed: string): string[] {
  const [a, b] = [filesBelow(built), filesBelow(committed)];
  const names = [...new Set([...a.keys(), ...b.keys()])].sort();
  return names.filter(
    (name) => !a.get(name)?.equals(b.get(name) ?? Buffer.alloc(0)) || !b.has(name),
  );
}

async function check(): Promise<void> {
  const beside = mkdtempSync(join(tmpdir(), 'docs-courier-dist-'));
  try {
    writeCatalog(join(beside, 'catalog.ts'));
    const isStale = (path: string, text: string) => readFileSync(join(root, path), 'utf8') !== text;
    const stale = isStale(CATALOG, readFileSync(join(beside, 'catalog.ts'), 'utf8'))
      ? [CATALOG]
      : [];
    if (isStale(PAGE_SCRIPTS, await renderPageScripts())) stale.push(PAGE_SCRIPTS);
    mkdirSync(join(beside, 'dist'));
    await buildInto(join(beside, 'dist'));
    stale.push(
      ...differences(join(beside, 'dist'), join(root, 'dist')).map((name) => `dist/${name}`),
    );
    if (stale.length > 0)
      throw new Error(`Out of date, run \`npm run build\` and commit: ${stale.join(', ')}`);
    console.log('dist matches src.');
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

async function build(): Promise<void> {
  writeCatalog(join(root, CATALOG));
  writeFileSync(join(root, PAGE_SCRIPTS), await renderPageScripts());
  const beside = mkdtempSync(join(tmpdir(), 'docs-courier-dist-'));
  try {
    await buildInto(beside);
    rmSync(join(root, 'dist'), { recursive: true, force: true });
    cpSync(beside, join(root, 'dist'), { recursive: true });
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
  for (const [name, bytes] of filesBelow(join(root, 'dist')))
    console.log(`dist/${name} ${(bytes.length / 1024).toFixed(0)} KiB`);
}

if (process.argv.includes('--check')) await check();
else await build();
