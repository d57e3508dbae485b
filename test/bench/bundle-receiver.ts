/**
 * One download with unpacking, as a separate process: `node bundle-receiver.ts URL FOLDER [verify]`.
 * Prints its peak memory in KiB and the longest turn in ms.
 */
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { keepHeapSmall } from '../../src/entry/process.ts';
import { systemClock } from '../../src/ground/clock.ts';
import { receiveBundle } from '../../src/site/receive.ts';

keepHeapSmall();
const [url = '', root = '', what] = process.argv.slice(2);
const silent = () => {};
const turns = monitorEventLoopDelay({ resolution: 5 });
turns.enable();
const link = { url, expiresAt: undefined, sizeBytes: undefined };
await receiveBundle({
  bundle: {
    bundlePath: undefined,
    extractTo: join(root, 'site'),
    servedAt: undefined,
    clean: false,
    verify: what === 'verify' ? 'report' : 'off',
    allowPrivateHosts: false,
  },
  source: { kind: 'link', links: { fresh: async () => link }, link },
  origin: { domain: undefined, jobId: 'bench', pageCount: undefined },
  policy: { allowLoopback: true, allowAddress: false, allowPrivateHosts: true },
  secret: 'svc_adminKey0123456789abcdef',
  log: {
    info: silent,
    debug: silent,
    progress: silent,
    notice: silent,
    warning: silent,
    error: silent,
    block: silent,
    mask: silent,
    table: silent,
    group: (_, body) => body(),
    redact: (text) => text,
  },
  clock: systemClock,
  signal: new AbortController().signal,
  runnerTemp: root,
  workspace: root,
});
console.log(process.resourceUsage().maxRSS, Math.round(turns.max / 1e6));
