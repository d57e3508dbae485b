import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type Received, type ReceiveInit, type ReceiveInternals, receiveBundle } from '../../../src/bundle/receive.ts';
import { systemClock } from '../../../src/clock.ts';
import type { Log } from '../../../src/log.ts';

/** With which runs mark the folders that they make. */
export const ADMIN_KEY = 'svc_adminKey0123456789abcdef';

/** A runner's folders, removed at the end. */
export interface Workbench extends Disposable {
  readonly root: string;
  readonly workspace: string;
  readonly runnerTemp: string;
  readonly logged: string[];
  readonly log: Log;
  receive(options: ReceiveOptions): Promise<Received>;
}

export interface ReceiveOptions extends Partial<Omit<ReceiveInit, 'bundle'>> {
  readonly url: string;
  readonly bundle?: Partial<ReceiveInit['bundle']>;
  /** What the link maker gives after the first link, one a call. */
  readonly laterUrls?: readonly string[];
  readonly internals?: ReceiveInternals;
}

export function recordingLog(logged: string[]): Log {
  const say = (message: string) => {
    logged.push(message);
  };
  return {
    info: say,
    debug: say,
    notice: say,
    warning: say,
    error: say,
    block: say,
    group: (_, body) => body(),
    mask: () => {},
    redact: (text) => text,
  };
}

export function openWorkbench(): Workbench {
  const root = mkdtempSync(join(tmpdir(), 'courier-bundle-'));
  const workspace = join(root, 'workspace');
  const runnerTemp = join(root, 'temp');
  mkdirSync(workspace);
  mkdirSync(runnerTemp);
  const logged: string[] = [];
  const log = recordingLog(logged);
  return {
    root,
    workspace,
    runnerTemp,
    logged,
    log,
    receive({ url, bundle, laterUrls = [], internals = {}, ...rest }) {
      const later = [...laterUrls];
      const link = { url, expiresAt: undefined, sizeBytes: undefined };
      const init: ReceiveInit = {
        links: { fresh: async () => ({ ...link, url: later.shift() ?? url }) },
        link,
        origin: { domain: 'docs.example.com', jobId: 'job-1', pageCount: undefined, deploymentType: undefined },
        allowLoopback: true,
        secret: ADMIN_KEY,
        log,
        clock: systemClock,
        signal: new AbortController().signal,
        runnerTemp,
        workspace,
        ...rest,
        bundle: { bundlePath: undefined, extractTo: undefined, clean: false, verify: 'off', ...bundle },
      };
      return receiveBundle(init, { random: () => 0, ...internals });
    },
    [Symbol.dispose]() {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Every file below a folder with its mode and content, sorted: equal trees give equal lists. */
export function listTree(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const mode = (statSync(path).mode & 0o7777).toString(8);
      const sum = entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'folder';
      return `${relative(root, path)} ${mode} ${sum}`;
    })
    .sort();
}
