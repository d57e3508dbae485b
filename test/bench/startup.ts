import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { packedBytes } from '../support/packed.ts';
import { findNode } from '../support/runner/environment.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROUNDS = 9;

/** Milliseconds from the start of a process to its first request; then the process is ended. */
async function timeToFirstRequest(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  let startedMs = 0;
  return new Promise((resolve, reject) => {
    const server = createServer((_request, response) => {
      const ms = performance.now() - startedMs;
      response.destroy();
      child.kill('SIGKILL');
      server.close(() => resolve(ms));
    });
    let child: ReturnType<typeof spawn>;
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
      startedMs = performance.now();
      child = spawn(findNode(), [...args], {
        env: { ...env, URL: url, 'INPUT_BASE-URL': url, GITHUB_API_URL: url },
        stdio: 'ignore',
      });
      child.on('error', reject);
    });
  });
}

// Records each file that the process loads; Node's own modules are not files.
const RECORD_LOADS = `data:text/javascript,${encodeURIComponent(
  "import{registerHooks}from'node:module';import{appendFileSync}from'node:fs';registerHooks({load(u,c,n){appendFileSync(process.env.LOADED,u+'\\n');return n(u,c)}})",
)}`;

/** KiB of files that a process has loaded at its first request. */
async function loadedKib(main: string, folder: string, env: Readonly<Record<string, string>>): Promise<number> {
  const list = join(folder, 'loaded');
  await writeFile(list, '');
  await timeToFirstRequest(['--import', RECORD_LOADS, main], { ...env, LOADED: list });
  const files = new Set(
    readFileSync(list, 'utf8')
      .split('\n')
      .filter((url) => url.startsWith('file:')),
  );
  return [...files].reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0) / 1024;
}

const otherAction = z.object({ runs: z.object({ main: z.string() }) });

/** Another action to compare with: its folder, then its inputs as `name=value`. */
function readOther([folder, ...inputs]: readonly string[]) {
  if (folder === undefined) return undefined;
  const { runs } = otherAction.parse(parse(readFileSync(join(folder, 'action.yml'), 'utf8')));
  const values = inputs.map((one): [string, string] => {
    const at = one.indexOf('=');
    return [one.slice(0, at), one.slice(at + 1)];
  });
  return { main: join(folder, runs.main), inputs: Object.fromEntries(values) };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const BARE = "require('node:http').request(process.env.URL).end()";

async function environment(folder: string, inputs: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const file = async (name: string, text = '') => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const user = { login: 'a', id: 1, type: 'User' };
  const comment = {
    ...{ id: 1, body: '/docs-agent go', html_url: 'u', user, author_association: 'MEMBER' },
    created_at: '2026-01-01T00:00:00Z',
  };
  const issue = { number: 1, title: 't', body: null, pull_request: {} };
  const event = { action: 'created', comment, issue, sender: user };
  return {
    GITHUB_OUTPUT: await file('output'),
    GITHUB_STEP_SUMMARY: await file('summary'),
    GITHUB_EVENT_PATH: await file('event', JSON.stringify(event)),
    GITHUB_REPOSITORY: 'acme/app',
    GITHUB_RUN_ID: '1',
    GITHUB_EVENT_NAME: 'issue_comment',
    GITHUB_WORKSPACE: folder,
    RUNNER_TEMP: folder,
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
  };
}

const EXPORT = { mode: 'export', 'admin-api-key': 'svc_0123456789', domain: 'docs.example.com' };
const AGENT = {
  mode: 'agent',
  'admin-api-key': 'svc_0123456789',
  'project-id': 'p',
  'github-token': 'ghs_0123456789',
};

function sizes(): string[] {
  const dist = join(ROOT, 'dist');
  const bytes = (name: string) => statSync(join(dist, name)).size;
  const chunks = readdirSync(dist).filter((name) => /^\d+\.index\.js$/.test(name));
  const kib = (size: number) => `${Math.round(size / 1024)} KiB`;
  return [
    `Sizes: dist/index.js ${kib(bytes('index.js'))}, loaded on demand ${kib(chunks.reduce((sum, name) => sum + bytes(name), 0))}`,
    `Archive that each run downloads: ${(packedBytes() / 1e6).toFixed(2)} MB`,
  ];
}

/**
 * Lines for `npm run bench startup [folder of another action] [its inputs as name=value]`. They take turns, so a busy machine
 * affects all of them.
 */
export async function benchStartup(args: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'docs-courier-bench-'));
  try {
    const main = join(ROOT, 'dist/index.js');
    const other = readOther(args);
    const exporting = await environment(folder, EXPORT);
    const runs: Record<string, () => Promise<number>> = {
      'bare Node': () => timeToFirstRequest(['-e', BARE], {}),
      export: () => timeToFirstRequest([main], exporting),
      agent: async () => timeToFirstRequest([main], await environment(folder, AGENT)),
    };
    if (other !== undefined) {
      runs['other action'] = async () => timeToFirstRequest([other.main], await environment(folder, other.inputs));
    }
    const times = new Map<string, number[]>();
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [name, run] of Object.entries(runs)) {
        const ms = await run();
        // The first round warms the disk cache.
        if (round > 0) times.set(name, [...(times.get(name) ?? []), ms]);
      }
    }
    const bareMs = median(times.get('bare Node') ?? []);
    const figures = [...times].map(([name, values]) => {
      const ms = median(values);
      return `${name} ${ms.toFixed(0)} ms (${(ms / bareMs).toFixed(2)})`;
    });
    return [
      `Time to the first request (median of ${ROUNDS}, and times bare Node): ${figures.join(', ')}`,
      `Loaded until then: export ${(await loadedKib(main, folder, exporting)).toFixed(0)} KiB`,
      ...(other === undefined
        ? []
        : [
            `Loaded until then: other action ${(await loadedKib(other.main, folder, await environment(folder, other.inputs))).toFixed(0)} KiB`,
          ]),
      ...sizes(),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
