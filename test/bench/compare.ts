import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { type BenchSite, FILES, SITES } from './site.ts';

const PAIRS = 9;
const TURN_MS = 50;

export interface Export {
  readonly folder: string;
  readonly files: readonly { path: string; bytes: number; sha256: string }[];
}

/** How the later export differs: in one page of so many, and in every page. */
export const TRIALS: readonly {
  readonly name: string;
  readonly change: (text: string, index: number, build: BenchSite['build']) => string;
}[] = [
  {
    name: 'one page in 100 changed',
    change: changeSome,
  },
  {
    name: 'another build hash and date in every page, one in 100 changed',
    change: (text, index, build) =>
      changeSome(text, index).replaceAll(build.id, build.other).replace('2026-11-21', '2026-11-22'),
  },
];

function changeSome(text: string, index: number): string {
  return index % 100 === 0 ? text.replace('<p class="text">', '<p class="text">changed ') : text;
}

/** Lines to print: a comparison during the verification, compared with the verification alone. */
export async function benchCompare(): Promise<string[]> {
  const root = mkdtempSync(
    join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'courier-compare-'),
  );
  try {
    const lines: string[] = [];
    for (const site of SITES) {
      const earlier = writeExport(site, join(root, 'earlier'), (text) => text);
      for (const { name, change } of TRIALS) {
        const later = writeExport(site, join(root, 'later'), change);
        const list = join(root, 'sites.json');
        writeFileSync(list, JSON.stringify({ earlier, later, temp: root }));
        lines.push(await measure(`${site.name}, ${name}`, list));
        rmSync(later.folder, { recursive: true });
      }
      rmSync(earlier.folder, { recursive: true });
    }
    return lines;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

export function writeExport(
  site: BenchSite,
  folder: string,
  change: (typeof TRIALS)[number]['change'],
): Export {
  const files = Array.from({ length: FILES }, (_, index) => {
    const content = site.fileContent(index);
    const asBuilt = (text: string) => change(text, index, site.build);
    const bytes = Buffer.from(typeof content === 'string' ? asBuilt(content) : content);
    const path = asBuilt(site.fileName(index));
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
    return { path, bytes: bytes.length, sha256: hash('sha256', bytes, 'hex') };
  });
  return { folder, files };
}

async function measure(name: string, list: string): Promise<string> {
  const script = join(import.meta.dirname, 'site-comparer.ts');
  const run = (what: string) => ['--disable-warning=ExperimentalWarning', script, list, what];
  const figures: (readonly number[])[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [alone = '', both = ''] = await runInTurns([run('verify'), run('compare')]);
    figures.push([...alone.split(' ').slice(0, 2), ...both.split(' ')].map(Number));
  }
  const [aloneMs = 0, aloneCpuMs = 0, ms = 0, cpuMs = 0] = [0, 1, 2, 3].map(
    (at) => figures.reduce((sum, run) => sum + (run[at] ?? 0), 0) / PAIRS,
  );
  const peakMib = Math.max(...figures.map((run) => run[4] ?? 0)) / 1024;
  const changed = figures[0]?.[7];
  return `compare: ${FILES} files, ${name} (${changed} found): ${ms.toFixed(0)} ms, verification alone ${aloneMs.toFixed(0)} ms (means of ${PAIRS} runs), ratio ${(ms / aloneMs).toFixed(2)}, of the CPU time of all threads ${(cpuMs / aloneCpuMs).toFixed(2)}, peak memory ${peakMib.toFixed(0)} MiB`;
}

/**
 * The outputs of several processes that run in turns, one at a time. Other work makes a machine
 * faster and slower within seconds: in this way all of them find it as fast as each other.
 */
async function runInTurns(programs: readonly (readonly string[])[]): Promise<string[]> {
  const runs = programs.map((args) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    child.kill('SIGSTOP');
    return { child, ended: once(child, 'exit'), output: text(child.stdout) };
  });
  const isRunning = ({ child }: (typeof runs)[number]) =>
    child.exitCode === null && child.signalCode === null;
  while (runs.some(isRunning)) {
    for (const run of runs.filter(isRunning)) {
      run.child.kill('SIGCONT');
      await Promise.race([run.ended, setTimeout(TURN_MS)]);
      run.child.kill('SIGSTOP');
    }
  }
  for (const { child } of runs)
    if (child.exitCode !== 0) throw new Error(`${child.spawnargs.join(' ')} failed`);
  return Promise.all(runs.map(({ output }) => output));
}
