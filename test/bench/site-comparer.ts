import { readFileSync } from 'node:fs';
import { keepHeapSmall } from '../../src/entry/process.ts';
import { makeComparedSite } from '../../src/site/compare/compared-site.ts';
import { SiteComparison } from '../../src/site/compare/site-comparison.ts';
import { verifySite } from '../../src/site/verify/verify-site.ts';

/**
 * One pass over a site, as a separate process: `node site-comparer.ts SITES.json verify|compare`.
 * Prints the time of the pass in ms: that of the thread that a user waits for, without what it
 * waits for other programs, and that of all threads. Then its peak memory in KiB and the changes it
 * found.
 */

keepHeapSmall();
const [list = '', what = ''] = process.argv.slice(2);
const { earlier, later, temp } = JSON.parse(readFileSync(list, 'utf8'));
const { signal } = new AbortController();
const to = makeComparedSite('two', later.files, later.folder);
const start = { ofThread: process.threadCpuUsage(), ofAll: process.cpuUsage() };
const comparison =
  what === 'compare'
    ? new SiteComparison({
        from: makeComparedSite('one', earlier.files, earlier.folder),
        to,
        redact: (text) => text,
      })
    : undefined;
await verifySite({
  root: later.folder,
  files: to.paths,
  basePath: undefined,
  pageCount: undefined,
  isAirGapped: false,
  runnerTemp: temp,
  signal,
  readers: comparison === undefined ? [] : [comparison],
});
const result = await comparison?.finish(signal);
const times = [process.threadCpuUsage(start.ofThread), process.cpuUsage(start.ofAll)];
const ms = times.map(({ user, system }) => Math.round((user + system) / 1000));
const { added, removed, changed, unchanged } = result ?? {
  added: [],
  removed: [],
  changed: [],
  unchanged: 0,
};
console.log(
  ...ms,
  process.resourceUsage().maxRSS,
  added.length,
  removed.length,
  changed.length,
  unchanged,
);
