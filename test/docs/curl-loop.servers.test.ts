import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../emulator/src/platform/emulator.ts';
import { startAcme } from '../support/emulator-requests.ts';
import { Folders } from '../support/world/folders.ts';
import { shellBlocks } from './terminals.ts';

const [LOOP = ''] = shellBlocks('docs/how-to/from-a-curl-loop.md');
const JOBS = '/v1/static-export/jobs';
/** Waits for nothing, and says what it would have waited for. */
const QUICK = 'sleep() { echo "waited $1 s"; }\n';
/** Polls once. */
const ONCE = 'seq() { echo 1; }\n';

interface LoopRun {
  readonly platform: Emulator;
  readonly folder: string;
  /** Shell functions instead of the programs that the loop calls. */
  readonly functions?: string;
}

/** The loop of the page, as a step of a workflow runs it. */
async function runLoop({ platform, folder, functions = QUICK }: LoopRun) {
  // GitHub runs a step with `-e`.
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-c', `${functions}${LOOP}`], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      BASE_URL: platform.url,
      ADMIN_KEY: platform.keys.admin,
      DOMAIN: 'acme.example.com',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { exitCode: child.exitCode, output: `${output}${errors}` };
}

function requestsOf(platform: Emulator, method: string, path: RegExp) {
  return platform.requests.filter(
    (request) => request.method === method && path.test(request.path),
  );
}

describe.runIf(process.platform === 'linux')(
  'what the guide says about the copied loop',
  { concurrent: true },
  () => {
    test('A reply with status 500 is parsed as JSON, and the loop asks for a job that does not exist', async () => {
      using folders = new Folders();
      await using platform = await startAcme();
      platform.inject({
        match: { method: 'POST', path: JOBS },
        status: 500,
        body: { error: 'out of order' },
      });
      const { exitCode } = await runLoop({
        platform,
        folder: folders.workspace,
        functions: ONCE + QUICK,
      });
      expect(exitCode).not.toBe(0);
      expect(requestsOf(platform, 'GET', /\/jobs\/null$/)).toHaveLength(1);
    });

    test('After 60 polls, 10 s apart, the loop continues as if the export were complete', async () => {
      using folders = new Folders();
      await using platform = await startAcme({ exportJobs: { advance: 'poll', polls: 1000 } });
      const { exitCode, output } = await runLoop({
        platform,
        folder: folders.workspace,
        functions: QUICK,
      });
      expect(requestsOf(platform, 'GET', /\/jobs\/[^/]+$/)).toHaveLength(60);
      expect(output.match(/waited 10 s/g)).toHaveLength(60);
      expect(requestsOf(platform, 'POST', /\/bundle$/)).toHaveLength(1);
      expect(exitCode).not.toBe(0);
    });

    test('The part of a damaged archive that can be read is left in the folder', async () => {
      using folders = new Folders();
      await using platform = await startAcme();
      platform.inject({
        match: { path: '/storage/' },
        truncateAfterBytes: 3000,
        closeDelimited: true,
      });
      const { exitCode } = await runLoop({ platform, folder: folders.workspace });
      expect(exitCode).not.toBe(0);
      expect(readdirSync(join(folders.workspace, 'site'))).not.toEqual([]);
    });
  },
);
