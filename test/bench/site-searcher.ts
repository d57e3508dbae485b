import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { keepHeapSmall } from '../../src/entry/process.ts';
import { SiteSearch } from '../../src/site/added/search/search-files.ts';
import { verifySite } from '../../src/site/verify/verify-site.ts';

/**
 * One pass over a site, as a separate process: `node site-searcher.ts FOLDER verify|search`.
 * `search` verifies it too, as an export does, and writes the files of the search into the folder.
 * Prints the CPU time of its main thread and of all threads in ms, and its peak memory in KiB.
 */

keepHeapSmall();
const [root = '', what = ''] = process.argv.slice(2);
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(root, join(entry.parentPath, entry.name)));
const { signal } = new AbortController();
const start = { ofThread: process.threadCpuUsage(), ofAll: process.cpuUsage() };
const search = what === 'search' ? new SiteSearch() : undefined;
const readers = search === undefined ? [] : [search];
const site = {
  root,
  files,
  basePath: undefined,
  pageCount: undefined,
  isAirGapped: false,
  readers,
};
await verifySite({ ...site, runnerTemp: tmpdir(), signal });
for (const { path, content } of search?.files() ?? []) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
const times = [process.threadCpuUsage(start.ofThread), process.cpuUsage(start.ofAll)];
const ms = times.map(({ user, system }) => Math.round((user + system) / 1000));
console.log(...ms, process.resourceUsage().maxRSS);
