import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { rolldown } from 'rolldown';
import { FindingList } from '../../src/site/verify/finding.ts';
import { SiteCheck } from '../../src/site/verify/site-check.ts';
import { tarMember } from '../site/archives.ts';
import { type BenchSite, FILE_BYTES, FILES, SITES } from './site.ts';

const PAIRS = 11;
const PAGES = 5000;

export async function* makeTar(site: BenchSite): AsyncGenerator<Buffer> {
  for (let index = 0; index < FILES; index += 1) {
    yield tarMember({ name: site.fileName(index), content: site.fileContent(index) });
  }
  yield Buffer.alloc(1024);
}

export interface Timing {
  readonly wallMs: number;
  readonly cpuMs: number;
}

// The shell's `times` shows what its children used, also for a pipe of three programs.
export async function time(command: string): Promise<Timing & { readonly output: string }> {
  const start = performance.now();
  const child = spawn(
    'bash',
    ['-c', `set -o pipefail; ${command}; code=$?; times >&2; exit $code`],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  let times = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    times += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${times}`);
  const children = times.trim().split('\n').at(-1)?.split(' ') ?? [];
  return {
    wallMs: performance.now() - start,
    cpuMs: children.reduce((sum, text) => sum + readTimes(text), 0),
    output,
  };
}

function readTimes(text: string): number {
  const match = /^(\d+)m([\d.]+)s$/.exec(text);
  return match === null ? 0 : (Number(match[1]) * 60 + Number(match[2])) * 1000;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

export async function startServer(archive: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bundle-server.ts'), archive], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(port).trim()}/bundle.tar.gz?sig=bench`, child };
}

/**
 * Bundles the programs of the benchmarks into a folder: this measures the code that runs, not the
 * loading of its sources.
 */
export async function buildPrograms(folder: string): Promise<void> {
  const build = await rolldown({
    input: {
      receiver: join(import.meta.dirname, 'bundle-receiver.ts'),
      comparer: join(import.meta.dirname, 'site-comparer.ts'),
    },
    platform: 'node',
    logLevel: 'silent',
  });
  await build.write({ dir: folder, minify: true });
  await build.close();
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
}

async function benchReceive(site: BenchSite): Promise<string[]> {
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'courier-bench-'));
  await buildPrograms(join(root, 'js'));
  const receiver = join(root, 'js/receiver.js');
  const archive = join(root, 'bundle.tar.gz');
  await pipeline(makeTar(site), createGzip({ level: 6 }), createWriteStream(archive));
  const { url, child } = await startServer(archive);
  const ours: Timing[] = [];
  const theirs: Timing[] = [];
  let peakKib = 0;
  let longestTurnMs = 0;
  try {
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const folder = join(root, 'run');
      const inFolder = async (command: string) => {
        mkdirSync(folder);
        const timing = await time(command);
        rmSync(folder, { recursive: true });
        return timing;
      };
      const run = await inFolder(`'${process.execPath}' '${receiver}' '${url}' ${folder}`);
      ours.push(run);
      const [rssKib = 0, turnMs = 0] = run.output.trim().split(' ').map(Number);
      peakKib = Math.max(peakKib, rssKib);
      longestTurnMs = Math.max(longestTurnMs, turnMs);
      theirs.push(await inFolder(`curl -sSf '${url}' | tar xz -C ${folder}`));
    }
  } finally {
    child.kill();
    rmSync(root, { recursive: true, force: true });
  }
  const mean = (timings: readonly Timing[], pick: (timing: Timing) => number) =>
    timings.reduce((sum, timing) => sum + pick(timing), 0) / PAIRS;
  const ratio = (pick: (timing: Timing) => number) =>
    (mean(ours, pick) / mean(theirs, pick)).toFixed(2);
  const show = (timings: readonly Timing[]) =>
    `${mean(timings, ({ wallMs }) => wallMs).toFixed(0)} ms, CPU ${mean(timings, ({ cpuMs }) => cpuMs).toFixed(0)} ms`;
  return [
    `bundle: ${site.name}, about ${Math.round((FILES * FILE_BYTES) / 2 ** 20)} MiB in ${FILES} files, download and unpack: ${show(ours)}`,
    `bundle: curl | tar xz of the same: ${show(theirs)}`,
    `bundle: ratio of the means of ${PAIRS} runs: ${ratio(({ wallMs }) => wallMs)} (CPU ${ratio(({ cpuMs }) => cpuMs)}), peak memory ${(peakKib / 1024).toFixed(0)} MiB, longest turn ${longestTurnMs} ms`,
  ];
}

async function benchVerify(site: BenchSite): Promise<string[]> {
  const { Tokenizer } = await import('htmlparser2');
  const pages = Array.from({ length: PAGES }, (_, index) => site.makePage(2 * index, FILE_BYTES));
  // Files with an even number are pages, of both sites.
  const files = pages.map((_, index) => site.fileName(2 * index));
  const bytes = pages.reduce((sum, page) => sum + page.length, 0);
  const nothing = () => {};
  const bare = {
    onattribdata: nothing,
    onattribentity: nothing,
    onattribend: nothing,
    onattribname: nothing,
    oncdata: nothing,
    onclosetag: nothing,
    oncomment: nothing,
    ondeclaration: nothing,
    onend: nothing,
    onopentagend: nothing,
    onopentagname: nothing,
    onprocessinginstruction: nothing,
    onselfclosingtag: nothing,
    ontext: nothing,
    ontextentity: nothing,
  };
  const rates: { bare: number; verify: number }[] = [];
  const rate = (work: () => void) => {
    const start = performance.now();
    work();
    return bytes / 2 ** 20 / ((performance.now() - start) / 1000);
  };
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const tokenize = rate(() => {
      for (const page of pages) {
        const tokenizer = new Tokenizer({}, bare);
        tokenizer.write(page);
        tokenizer.end();
      }
    });
    const verify = rate(() => {
      const check = new SiteCheck({
        files,
        basePath: '',
        isAirGapped: false,
        findings: new FindingList(),
      });
      pages.forEach((page, index) => {
        check.checkFile(files[index] ?? '', Buffer.from(page));
      });
      check.finish();
    });
    rates.push({ bare: tokenize, verify });
  }
  const share = median(rates.map((pair) => pair.verify / pair.bare));
  return [
    `verify: ${site.name}, ${PAGES} pages at ${median(rates.map(({ verify }) => verify)).toFixed(0)} MiB/s, bare tokenizer ${median(rates.map(({ bare: raw }) => raw)).toFixed(0)} MiB/s, share ${share.toFixed(2)}`,
  ];
}

/**
 * Lines to print: download with unpacking compared with `curl | tar xz`, and verification with the
 * plain tokenizer.
 */
export async function benchBundle(): Promise<string[]> {
  const lines: string[] = [];
  for (const site of SITES) lines.push(...(await benchReceive(site)), ...(await benchVerify(site)));
  return lines;
}
