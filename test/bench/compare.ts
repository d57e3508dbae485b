import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FILES, fileContent, fileName } from './site.ts';

const PAIRS = 7;

interface Export {
  readonly folder: string;
  readonly files: readonly { path: string; bytes: number; sha256: string }[];
}

/** How the later export differs: in one page of so many, and in every page. */
const TRIALS: readonly { readonly name: string; readonly change: (page: string, index: number) => string }[] = [
  {
    name: 'one page in 100 changed',
    change: (page, index) => (index % 100 === 0 ? page.replace('<p class="text">', '<p class="text">changed ') : page),
  },
  {
    name: 'another build hash and date in every page, one in 100 changed',
    change: (page, index) => {
      const built = page.replace('/app.3f9a2b1c.js', '/app.77aa01ee.js').replace('2026-11-21', '2026-11-22');
      return index % 100 === 0 ? built.replace('<p class="text">', '<p class="text">changed ') : built;
    },
  },
];

/** Lines to print: a comparison during the verification, compared with the verification alone. */
export function benchCompare(): string[] {
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'courier-compare-'));
  try {
    const earlier = writeExport(join(root, 'earlier'), (page) => page);
    return TRIALS.flatMap(({ name, change }) => {
      const later = writeExport(join(root, 'later'), change);
      const list = join(root, 'sites.json');
      writeFileSync(list, JSON.stringify({ earlier, later, temp: root }));
      const lines = measure(name, list);
      rmSync(later.folder, { recursive: true });
      return lines;
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function writeExport(folder: string, change: (page: string, index: number) => string): Export {
  const files = Array.from({ length: FILES }, (_, index) => {
    const content = fileContent(index);
    const bytes = Buffer.from(typeof content === 'string' ? change(content, index) : content);
    const path = fileName(index);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
    return { path, bytes: bytes.length, sha256: hash('sha256', bytes, 'hex') };
  });
  return { folder, files };
}

function measure(name: string, list: string): string[] {
  const script = join(import.meta.dirname, 'site-comparer.ts');
  const run = (what: string) =>
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, list, what], { encoding: 'utf8' })
      .trim()
      .split(' ')
      .map(Number);
  // Other work on the machine only adds to the CPU time of a run: the least of several is nearest to what the work takes.
  let [verifyMs, compareMs, peakKib, changed] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [alone = 0] = run('verify');
    const [both = 0, rss = 0, , , count = 0] = run('compare');
    verifyMs = Math.min(verifyMs, alone);
    compareMs = Math.min(compareMs, both);
    peakKib = Math.max(peakKib, rss);
    changed = count;
  }
  const ratio = (compareMs / verifyMs).toFixed(2);
  return [
    `compare: ${FILES} files, ${name} (${changed} found): least CPU time of ${PAIRS} runs ${compareMs} ms, of verification alone ${verifyMs} ms, ratio ${ratio}, peak memory ${(peakKib / 1024).toFixed(0)} MiB`,
  ];
}
