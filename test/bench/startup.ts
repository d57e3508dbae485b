import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packedBytes } from '../support/packed.ts';
import {
  buildEnvironment,
  findNode,
  RUN_DEFAULTS,
  readAction,
} from '../support/runner/environment.ts';
import { createJobFolders, createStepFiles, type JobFolders } from '../support/runner/folders.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROUNDS = 40;

interface Program {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Start {
  readonly ms: number;
  /** Of all threads; NaN without /proc. */
  readonly cpuMs: number;
}

/** Starts a process and ends it at its first request. */
async function startUntilRequest({ args, env }: Program): Promise<Start> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const startedMs = performance.now();
  const child = spawn(findNode(), args, {
    env: { ...env, URL: url, 'INPUT_BASE-URL': url, GITHUB_API_URL: url },
    stdio: 'ignore',
  });
  const requested = once(server, 'request').then(() => ({
    ms: performance.now() - startedMs,
    cpuMs: cpuMsOf(child.pid),
  }));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${args.join(' ')} ended with exit code ${code} and sent no request`);
  });
  try {
    return await Promise.race([requested, ended]);
  } finally {
    child.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
    await ended.catch(() => undefined);
  }
}

/** Processor time in nanoseconds is the first number of each thread's schedstat. */
function cpuMsOf(pid: number | undefined): number {
  const threads = `/proc/${pid}/task`;
  if (process.platform !== 'linux') return Number.NaN;
  const nanoseconds = readdirSync(threads).map((id) =>
    Number.parseInt(readFileSync(`${threads}/${id}/schedstat`, 'utf8'), 10),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

// Records each file that the process loads; Node's own modules are not files.
const RECORD_LOADS = `data:text/javascript,${encodeURIComponent(
  "import{registerHooks}from'node:module';import{appendFileSync}from'node:fs';registerHooks({load(u,c,n){appendFileSync(process.env.LOADED,u+'\\n');return n(u,c)}})",
)}`;

/** KiB of files that a process has loaded at its first request. */
async function loadedKib({ args, env }: Program, folders: JobFolders): Promise<string> {
  const list = join(folders.root, 'loaded');
  await writeFile(list, '');
  await startUntilRequest({
    args: ['--import', RECORD_LOADS, ...args],
    env: { ...env, LOADED: list },
  });
  const files = new Set(
    readFileSync(list, 'utf8')
      .split('\n')
      .filter((url) => url.startsWith('file:')),
  );
  return (
    [...files].reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0) / 1024
  ).toFixed(0);
}

const PERSON = { login: RUN_DEFAULTS.actor, id: 501, type: 'User' };
const COMMENT_EVENT = {
  action: 'created',
  comment: {
    ...{ id: 1, body: '/docs-agent go', html_url: 'u', user: PERSON, author_association: 'MEMBER' },
    created_at: '2026-01-01T00:00:00Z',
  },
  issue: { number: 1, title: 't', body: null, pull_request: {} },
  repository: { name: 'docs', full_name: RUN_DEFAULTS.repository, owner: { login: 'acme' } },
  sender: PERSON,
};

/** An action in a run that a comment on a pull request started. */
async function step(
  actionFile: string,
  inputs: Readonly<Record<string, string>>,
  folders: JobFolders,
): Promise<Program> {
  const action = await readAction(actionFile);
  const files = await createStepFiles(folders.temp, 1, COMMENT_EVENT);
  const options = { inputs, eventName: 'issue_comment' };
  return {
    args: [action.main],
    env: buildEnvironment({ action, folders, files, options, exported: {}, paths: [] }),
  };
}

const BARE: Program = {
  args: ['-e', "require('node:http').request(process.env.URL).end()"],
  env: {},
};
const OURS = join(ROOT, 'action.yml');
const EXPORT = { mode: 'export', 'admin-api-key': 'svc_0123456789', domain: 'docs.example.com' };
const AGENT = {
  mode: 'agent',
  'admin-api-key': 'svc_0123456789',
  'project-id': 'p',
  'github-token': 'ghs_0123456789',
};

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The median of the ratios of two programs in the same round. */
function ratio(ours: readonly Start[], others: readonly Start[], of: keyof Start): string {
  return median(
    ours.map((start, round) => start[of] / (others[round]?.[of] ?? Number.NaN)),
  ).toFixed(2);
}

function sizes(): string[] {
  const dist = join(ROOT, 'dist');
  const bytes = (name: string) => statSync(join(dist, name)).size;
  const chunks = readdirSync(dist).filter((name) => /^.+\.index\.js$/.test(name));
  const kib = (size: number) => `${Math.round(size / 1024)} KiB`;
  return [
    `Sizes: dist/index.js ${kib(bytes('index.js'))}, loaded on demand ${kib(chunks.reduce((sum, name) => sum + bytes(name), 0))}`,
    `Archive that each run downloads: ${(packedBytes() / 1e6).toFixed(2)} MB`,
  ];
}

/**
 * Lines for `npm run bench startup [folder of another action] [its inputs as name=value]`. The
 * programs take turns, so a busy machine affects all of them.
 */
export async function benchStartup([other, ...inputs]: readonly string[]): Promise<string[]> {
  const folders = await createJobFolders(undefined);
  try {
    const exporting = await step(OURS, EXPORT, folders);
    const programs = new Map([
      ['bare Node', BARE],
      ['export', exporting],
      ['agent', await step(OURS, AGENT, folders)],
    ]);
    if (other !== undefined) {
      const named = Object.fromEntries(inputs.map((one) => one.split(/=(.*)/s)));
      programs.set('other action', await step(join(other, 'action.yml'), named, folders));
    }
    const starts = new Map([...programs.keys()].map((name): [string, Start[]] => [name, []]));
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [name, program] of programs) {
        const start = await startUntilRequest(program);
        // The first round warms the disk cache.
        if (round > 0) starts.get(name)?.push(start);
      }
    }
    const lines = [
      `Until the first request (${ROUNDS} rounds; medians, also of the ratios within a round):`,
    ];
    for (const [name, own] of starts) {
      const times = `${median(own.map(({ ms }) => ms)).toFixed(0)} ms, processor time ${median(own.map(({ cpuMs }) => cpuMs)).toFixed(0)} ms`;
      const ratios = [...starts]
        .filter(([base]) => base !== name && ['bare Node', 'other action'].includes(base))
        .map(
          ([base, others]) =>
            `${ratio(own, others, 'ms')} and ${ratio(own, others, 'cpuMs')} of ${base}`,
        );
      lines.push(`  ${[`${name}: ${times}`, ...ratios].join('; ')}`);
    }
    for (const [name, program] of programs) {
      if (name !== 'bare Node' && name !== 'agent')
        lines.push(`Loaded until then: ${name} ${await loadedKib(program, folders)} KiB`);
    }
    return [...lines, ...sizes()];
  } finally {
    await folders.remove();
  }
}
