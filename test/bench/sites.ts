import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECRET_TOKEN } from '../support/make-inputs.ts';
import { findNode } from '../support/runner/environment.ts';
import { readPeakRssBytes } from '../support/runner/memory.ts';
import { DOMAIN, REPOSITORY } from '../support/world/names.ts';
import { startWorld, type World } from '../support/world.ts';

const ROOT = join(import.meta.dirname, '../..');
const SITES = 200;
/** Destinations of one export while the links are created: each export writes ten. */
const PLACES = 10;

interface Measured {
  readonly ms: number;
  readonly peakBytes: number;
  readonly exitCode: number | null;
  readonly refreshed: number;
}

/** Runs the packaged command line, and measures its memory from outside. */
async function run(
  program: string,
  args: readonly string[],
  world: World,
  folder: string,
): Promise<Measured> {
  const env = {
    DOCS_COURIER_BASE_URL: world.platform.url,
    DOCS_COURIER_ADMIN_API_KEY: world.platform.keys.admin,
    DOCS_COURIER_SECRET_TOKEN: SECRET_TOKEN,
    GITHUB_API_URL: world.github.url,
  };
  const startedMs = performance.now();
  const child = spawn(findNode(), [program, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  let peakBytes = 0;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, readPeakRssBytes(child.pid ?? 0));
  }, 10);
  const [exitCode] = await once(child, 'close');
  clearInterval(timer);
  if (exitCode !== 0) console.error(log.split('\n').slice(0, 20).join('\n'));
  return {
    ms: performance.now() - startedMs,
    peakBytes,
    exitCode,
    refreshed: log.match(/ refreshed, /g)?.length ?? 0,
  };
}

type PlaceOf = (name: string) => string;

/** A repository has at most 100 secrets: every second site has its secret in another one. */
function githubPlace(name: string): string {
  return `github:repo/${Number(name.slice(-1)) % 2 === 0 ? REPOSITORY : 'acme/site'}/${name}`;
}

async function measure(program: string, title: string, placeOf: PlaceOf): Promise<string[]> {
  await using world = await startWorld({
    clock: 'system',
    platform: { exportJobs: { advance: 'poll', polls: 1 } },
  });
  const folder = world.workspace;
  const names = Array.from({ length: SITES }, (_, index) => `SITE_${index}`);
  for (let from = 0; from < SITES; from += PLACES) {
    const to = names.slice(from, from + PLACES).map((name) => `--to=${placeOf(name)}`);
    await run(program, ['export', '--domain', DOMAIN, ...to], world, folder);
  }
  const lines: string[] = [];
  for (const due of [0, SITES / 10, SITES]) {
    const entries = names.map((name, index) => [
      name,
      { to: placeOf(name), 'refresh-before': index < due ? '10000h' : '1s' },
    ]);
    await writeFile(
      join(folder, 'docs-courier.yml'),
      JSON.stringify({ sites: Object.fromEntries(entries) }),
    );
    const before = {
      platform: world.platform.requests.length,
      github: world.github.requests.length,
    };
    const { ms, peakBytes, exitCode, refreshed } = await run(
      program,
      ['refresh', '--all'],
      world,
      folder,
    );
    const figures = [
      `${(ms / 1000).toFixed(1)} s`,
      `${world.platform.requests.length - before.platform} requests to the platform (${SITES + due * 3} allowed)`,
      `${world.github.requests.length - before.github} to GitHub`,
      `${(peakBytes / 2 ** 20).toFixed(0)} MiB`,
      `${refreshed} refreshed`,
      `exit code ${exitCode}`,
    ];
    lines.push(`  ${title}, ${String(due).padStart(3)} due: ${figures.join(', ')}`);
  }
  return lines;
}

/** Lines for `npm run bench sites`. */
export async function benchSites(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'docs-courier-bench-'));
  try {
    execFileSync(process.execPath, [join(ROOT, 'scripts/package.ts'), folder], { stdio: 'pipe' });
    const program = join(folder, 'cli/index.js');
    return [
      `refresh --all of ${SITES} sites: time, requests, and the peak of the memory`,
      ...(await measure(program, 'files', (name) => `file:${name}`)),
      ...(await measure(program, 'GitHub secrets', githubPlace)),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
