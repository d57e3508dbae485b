import { spawnSync } from 'node:child_process';
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
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { buildPrograms, makeTar, median, startServer, type Timing, time } from './bundle.ts';
import { TRIALS, writeExport } from './compare.ts';
import { exportBundle, makeLargestBundle } from './limits.ts';
import { type BenchSite, FILES, nextSite, SITES } from './site.ts';
import { benchStartup } from './startup.ts';

/** Each figure beside what it is compared with, as medians of the ratios of pairs of runs. */

const PAIRS = 9;
const MIB = 2 ** 20;

/** One command after the other, so that a busy machine slows both. */
async function compareCommands(name: string, ours: string, theirs: string): Promise<string> {
  const pairs: [Timing, Timing][] = [];
  for (let pair = 0; pair <= PAIRS; pair += 1) pairs.push([await time(ours), await time(theirs)]);
  // The first pair warms the disk cache.
  const counted = pairs.slice(1);
  const wall = median(counted.map(([our, their]) => our.wallMs / their.wallMs));
  const cpu = median(counted.map(([our, their]) => our.cpuMs / their.cpuMs));
  const [ms, other] = [0, 1].map((side) => median(counted.map((both) => both[side]?.wallMs ?? 0)));
  return `fast: ${name}: wall ${wall.toFixed(2)}, CPU ${cpu.toFixed(2)} (${ms?.toFixed(0)} and ${other?.toFixed(0)} ms)`;
}

/** A site of pages with inline data: five parts of six. */
function writePages(folder: string, count: number, bytes: number): object {
  mkdirSync(folder);
  const files = Array.from({ length: count }, (_, index) => {
    const data = 'iVBORw0KGgo='.repeat((bytes * 5) / 6 / 12);
    const text = SITES[1]?.makePage(index, bytes / 6) ?? '';
    const path = `p${index}.html`;
    writeFileSync(join(folder, path), `${text}<img alt="" src="data:image/png;base64,${data}">`);
    return { path, bytes, sha256: String(index) };
  });
  return { folder, files };
}

async function* benchSite(site: BenchSite, root: string, links: string): AsyncGenerator<string> {
  const earlier = writeExport(site, join(root, 'earlier'), (text) => text);
  const list = join(root, 'sites.json');
  const write = (sites: object) => writeFileSync(list, JSON.stringify({ ...sites, temp: root }));
  const pass = (what: string) => `'${process.execPath}' ${root}/js/comparer.js ${list} ${what}`;
  if (links !== '') {
    // A run has the list of its files from unpacking: here as little as possible is read for it.
    write({ later: earlier });
    const theirs = `${links} ${earlier.folder} || true`;
    yield compareCommands(`${site.name}, verify to ${links}`, pass('verify'), theirs);
    yield benchRun(site, root, links);
  }
  for (const { name, change } of TRIALS) {
    const later = writeExport(site, join(root, 'later'), change);
    write({ earlier, later });
    const title = `${site.name}, compare and verify to verify, ${name}`;
    yield compareCommands(title, pass('compare'), pass('verify'));
    rmSync(later.folder, { recursive: true });
  }
  rmSync(earlier.folder, { recursive: true });
}

/** Download, unpack and verify, beside three programs that do the same one after the other. */
async function benchRun(site: BenchSite, root: string, links: string): Promise<string> {
  const archive = join(root, 'bundle.tar.gz');
  await pipeline(makeTar(site), createGzip(), createWriteStream(archive));
  const { url, child } = await startServer(archive);
  const fresh = `rm -rf ${root}/run; mkdir ${root}/run`;
  const ours = `'${process.execPath}' ${root}/js/receiver.js '${url}' ${root}/run verify`;
  const theirs = `curl -sSf '${url}' | tar xz -C ${root}/run; ${links} ${root}/run || true`;
  try {
    const name = `${site.name}, download, unpack and verify to curl | tar xz and ${links}`;
    return await compareCommands(name, `${fresh}; ${ours}`, `${fresh}; ${theirs}`);
  } finally {
    child.kill();
  }
}

async function benchMemory(name: string, archive: Promise<Buffer>): Promise<string> {
  const { peakMebibytes, exitCode } = await exportBundle(await archive, { 'extract-to': 'site' });
  return `fast: ${name}: peak memory ${peakMebibytes} MiB, exit code ${exitCode}`;
}

async function benchPages(root: string): Promise<string> {
  const pass = (name: string, count: number, bytes: number) => {
    const later = writePages(join(root, name), count, bytes);
    writeFileSync(join(root, `${name}.json`), JSON.stringify({ later, temp: root }));
    return `'${process.execPath}' ${root}/js/comparer.js ${root}/${name}.json verify`;
  };
  const large = pass('large', 20, 6 * MIB);
  return compareCommands(
    'pages of 6 MB to ten times as many',
    large,
    pass('small', 200, 0.6 * MIB),
  );
}

/** Lines for `npm run bench fast`. */
export async function* benchFast(): AsyncGenerator<string> {
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'courier-fast-'));
  let links = 'hyperlink --check-anchors';
  if (spawnSync('hyperlink', ['--version']).status !== 0) {
    links = '';
    yield 'fast: hyperlink is not installed: cargo install hyperlink --version 0.3.2';
  }
  try {
    await buildPrograms(join(root, 'js'));
    for (const site of SITES) yield* benchSite(site, root, links);
    yield benchPages(root);
    const usual = buffer(Readable.from(makeTar(nextSite)).pipe(createGzip()));
    yield benchMemory(`${FILES} files`, usual);
    yield benchMemory('200,000 files', makeLargestBundle());
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  yield* await benchStartup([]);
}
