/**
 * Receives a bundle in a separate process, which is killed or exits at the given step: `URL
 * WORKSPACE TEMP STEP [exit]`.
 */
import { join } from 'node:path';
import { systemClock } from '../../src/ground/clock.ts';
import { receiveBundle } from '../../src/site/receive.ts';
import { ADMIN_KEY } from '../support/make-inputs.ts';
import { recordingLog } from '../support/recording-log.ts';

const [url = '', workspace = '', runnerTemp = '', step = '', end = 'kill'] = process.argv.slice(2);
const link = { url, expiresAt: undefined, sizeBytes: undefined };
await receiveBundle(
  {
    bundle: {
      bundlePath: join(workspace, 'docs.tar.gz'),
      extractTo: join(workspace, 'site'),
      servedAt: undefined,
      clean: true,
      verify: 'report',
      allowPrivateHosts: false,
    },
    source: { kind: 'link', links: { fresh: async () => link }, link },
    origin: { domain: undefined, jobId: 'job-1', pageCount: undefined },
    policy: { allowLoopback: true, allowAddress: false, allowPrivateHosts: true },
    secret: ADMIN_KEY,
    log: recordingLog(),
    clock: systemClock,
    signal: new AbortController().signal,
    runnerTemp,
    workspace,
  },
  {
    reached(reached) {
      if (reached === step && end === 'exit') process.exit(1);
      if (reached === step) process.kill(process.pid, 'SIGKILL');
    },
  },
);
