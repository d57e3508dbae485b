/**
 * `npm run measure [-- --files]`: how large the product is, how its sources are written, and what
 * one run passes through. A file or function counts where it was executed, so that a file of types
 * or constants alone does not. `--files` lists the executed files by folder, and the names that are
 * defined twice. `--paths` writes the paths of CONTRIBUTING.md instead.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readCatalog } from './catalog.ts';
import { writePaths } from './measure/paths.ts';
import { followPaths, followRuns } from './measure/runs.ts';
import { measureSources } from './measure/sources.ts';

const ROOT = resolve(import.meta.dirname, '..');
const ARCHIVE_LIMIT_BYTES = 256 * 1024 * 1024;

/** Files of a folder and their bytes and lines. */
function weigh(folder: string): {
  readonly files: number;
  readonly bytes: number;
  readonly lines: number;
} {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const contents = entries.map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  return {
    files: contents.length,
    bytes: contents.reduce((sum, content) => sum + content.length, 0),
    lines: contents.reduce(
      (sum, content) => sum + content.toString('latin1').split('\n').length - 1,
      0,
    ),
  };
}

function groupByFolder(executed: ReadonlyMap<string, number>): string[] {
  const folders = Map.groupBy([...executed].sort(), ([file]) => dirname(file));
  return [...folders].map(([folder, files]) => {
    const names = files.map(
      ([file, count]) => `${file.slice(folder === '.' ? 0 : folder.length + 1)} ${count}`,
    );
    return `    ${folder} (${files.length}): ${names.join(', ')}`;
  });
}

async function report(): Promise<void> {
  const number = new Intl.NumberFormat('en').format;
  const { inputs, outputs } = readCatalog(join(ROOT, 'action.yml'));
  const sources = weigh(join(ROOT, 'src'));
  const dist = weigh(join(ROOT, 'dist'));
  const archive = execFileSync('git', ['archive', '--format=tar.gz', 'HEAD'], {
    cwd: ROOT,
    maxBuffer: ARCHIVE_LIMIT_BYTES,
  });
  console.log(`src: ${number(sources.lines)} lines in ${sources.files} files`);
  console.log(`action.yml: ${inputs.length} inputs, ${outputs.length} outputs`);
  console.log(`dist: ${number(dist.bytes)} bytes in ${dist.files} files`);
  console.log(`git archive --format=tar.gz HEAD: ${number(archive.length)} bytes`);
  const listsFiles = process.argv.includes('--files');
  for (const line of measureSources(ROOT, listsFiles)) console.log(line);
  for (const [name, { loaded, executed, functions, requests }] of Object.entries(
    await followRuns(),
  )) {
    console.log(
      `${name}: ${executed.size} files executed of ${loaded} loaded, ${functions} functions, ${requests} requests to GitHub`,
    );
    if (listsFiles) console.log(groupByFolder(executed).join('\n'));
  }
}

if (process.argv.includes('--paths'))
  writeFileSync(join(ROOT, 'CONTRIBUTING.md'), writePaths(ROOT, await followPaths()));
else await report();
