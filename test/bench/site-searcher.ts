import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { searchFiles } from '../../src/added/search/search-files.ts';
import { verifySite } from '../../src/bundle/verify/verify-site.ts';
import { keepHeapSmall } from '../../src/entry/process.ts';

/**
 * One pass over a site, as a separate process: `node site-searcher.ts FOLDER verify|search`. Prints the CPU time of its main thread in ms and its
 * peak memory in KiB. `search` writes the files into the folder.
 */

keepHeapSmall();
const [root = '', what = ''] = process.argv.slice(2);
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(root, join(entry.parentPath, entry.name)));
const { signal } = new AbortController();
const start = process.threadCpuUsage();
if (what === 'search') {
  for (const { path, content } of await searchFiles({ root, files, signal })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
} else {
  const site = { root, files, basePath: undefined, pageCount: undefined, isAirGapped: false };
  await verifySite({ ...site, runnerTemp: tmpdir(), signal });
}
const { user, system } = process.threadCpuUsage(start);
console.log(Math.round((user + system) / 1000), process.resourceUsage().maxRSS);
