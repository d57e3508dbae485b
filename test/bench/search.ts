import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { findChromium, openBrowser } from '../../scripts/browser/browser.ts';
import { readContent } from '../../src/site/verify/page-scan.ts';
import { writeDocsSite, writeSite } from '../support/docs-site.ts';

const RUNS = 3;
const SIZES = [1000, 10_000] as const;
/** What readers type; each is typed as a whole, then its last letter is measured. */
const QUERIES = [
  'refresh link',
  'kuberentes',
  'export-job-id',
  'the',
  'publishing images',
  'wait',
  'secret in an environment',
];

/** Lines for `npm run bench search`. */
export async function benchSearch(): Promise<string[]> {
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'courier-search-'));
  try {
    const docs = join(root, 'docs');
    const chain = readChain((await writeDocsSite(docs)).map((path) => join(docs, path)));
    const lines: string[] = [];
    for (const pages of SIZES) {
      const folder = join(root, `site-${pages}`);
      writeSite(folder, makeSite(pages, chain));
      lines.push(...(await measureSite(folder, `${pages} pages of text`)));
      rmSync(folder, { recursive: true });
    }
    return lines;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

type Chain = ReadonlyMap<string, readonly string[]>;

/** Which words follow a word in the project's own documentation. */
function readChain(files: readonly string[]): Chain {
  const chain = new Map<string, string[]>();
  for (const file of files.filter((path) => path.endsWith('.html'))) {
    const words = readContent(readFileSync(file, 'utf8')).blocks.join(' ').split(/\s+/);
    for (const [at, word] of words.entries()) {
      const next = words[at + 1];
      if (next !== undefined) chain.set(word, [...(chain.get(word) ?? []), next]);
    }
  }
  return chain;
}

/** Makes text: always the same. */
class Writer {
  readonly #chain: Chain;
  readonly #starts: readonly string[];
  #state = 7;

  constructor(chain: Chain) {
    this.#chain = chain;
    this.#starts = [...chain.keys()];
  }

  words(count: number): string {
    let word = this.#one(this.#starts);
    const words = Array.from(
      { length: count },
      () => (word = this.#one(this.#chain.get(word) ?? this.#starts)),
    );
    return words.join(' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  }

  /** A heading and its text, with a name that no other section has. */
  section(at: number, count: number): string {
    const name = Math.floor(this.#random() * 1e6).toString(36);
    return `<h2 id="s${at}">${this.words(3)}</h2><p>${this.words(count)} <code>${name}-name</code></p>`;
  }

  #one(list: readonly string[]): string {
    return list[Math.floor(this.#random() * list.length)] ?? 'word';
  }

  #random(): number {
    this.#state = Math.imul(this.#state, 1103515245) + 12345;
    return ((this.#state >>> 8) & 0xffff) / 0x10000;
  }
}

/** Pages that are mostly text, like that of documentation: eight sections of 90 words. */
function* makeSite(pages: number, chain: Chain): Generator<readonly [string, string]> {
  const writer = new Writer(chain);
  const words = (count: number) => writer.words(count);
  const menu = Array.from(
    { length: 30 },
    (_, at) => `<li><a href="/s${at % 20}/p${at}.html">${words(2)}</a></li>`,
  ).join('');
  yield [
    'index.html',
    `<!doctype html><html lang="en"><title>Start</title><main><h1>Start</h1></main></html>`,
  ];
  for (let page = 1; page < pages; page += 1) {
    const sections = Array.from({ length: 8 }, (_, at) => writer.section(at, 90));
    yield [
      `s${page % 20}/p${page}.html`,
      `<!doctype html><html lang="en"><head><title>${page}</title></head><body><nav><ul>${menu}</ul></nav><main><h1>${words(4)}</h1>${sections.join('')}</main></body></html>`,
    ];
  }
}

async function measureSite(folder: string, what: string): Promise<string[]> {
  const files = filesBelow(folder);
  const textBytes = files.reduce((sum, path) => sum + textBytesOf(join(folder, path)), 0);
  const runs = {
    verify: await measureRuns(folder, 'verify'),
    search: await measureRuns(folder, 'search'),
  };
  const added = filesBelow(folder).filter((path) => path.startsWith('docs-courier/'));
  const contents = added.map((path) => readFileSync(join(folder, path)));
  const bytes = contents.reduce((sum, content) => sum + content.length, 0);
  const packed = contents.reduce((sum, content) => sum + packedBytes(content), 0);
  const mib = (count: number) => `${(count / 2 ** 20).toFixed(1)} MiB`;
  const share = (packed / textBytes) * 100;
  const { verify, search } = runs;
  const ratio = (search.allMs / verify.allMs).toFixed(2);
  return [
    `search: ${what}, ${mib(textBytes)} of text: ${added.length} files, ${mib(bytes)}, packed with brotli 6 ${mib(packed)}, ${share.toFixed(0)} % of the text`,
    `search: ${what}: verification with the search ${search.ms} ms, alone ${verify.ms} ms (least of ${RUNS} runs); of all threads ${search.allMs} ms, alone ${verify.allMs} ms, ratio ${ratio}; peak memory ${search.peakMib} MiB, alone ${verify.peakMib} MiB`,
    await measureKeys(folder, what),
  ];
}

function textBytesOf(path: string): number {
  return Buffer.byteLength(readContent(readFileSync(path, 'utf8')).blocks.join('\n'));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function packedBytes(content: Uint8Array): number {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }).length;
}

interface Figures {
  /** CPU time of the main thread, which a user waits for. */
  readonly ms: number;
  readonly allMs: number;
  readonly peakMib: number;
}

/** Runs in separate processes. */
async function measureRuns(folder: string, what: string): Promise<Figures> {
  const script = join(import.meta.dirname, 'site-searcher.ts');
  const figures: { ms: number; allMs: number; kib: number }[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const child = spawn(process.execPath, [script, folder, what], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    if (code !== 0) throw new Error(`${script} ${what} failed`);
    const [ms = 0, allMs = 0, kib = 0] = output.split(' ').map(Number);
    figures.push({ ms, allMs, kib });
  }
  return {
    ms: Math.min(...figures.map(({ ms }) => ms)),
    allMs: Math.min(...figures.map(({ allMs }) => allMs)),
    peakMib: Math.round(Math.max(...figures.map(({ kib }) => kib)) / 1024),
  };
}

/** From the key to the first result, in Chromium and from a `file:` address. */
async function measureKeys(folder: string, what: string): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'courier-chromium-'));
  try {
    await using browser = await openBrowser({ chromium: findChromium(), profile });
    const times: { first: number; again: number }[] = [];
    for (const query of QUERIES) {
      const page = await browser.context.newPage();
      await page.goto(String(pathToFileURL(join(folder, 'docs-courier/search.html'))));
      const measure = async (before: string, key: string) => {
        await page.evaluate(() => {
          const list = document.getElementById('results');
          const status = document.getElementById('status');
          if (list === null || status === null) throw new Error('This is not the search page.');
          let start = 0;
          document.addEventListener(
            'keydown',
            () => {
              start = performance.now();
            },
            { capture: true, once: true },
          );
          const done = new Promise((resolve) => {
            const observer = new MutationObserver(
              () => start > 0 && resolve(performance.now() - start),
            );
            for (const element of [list, status]) observer.observe(element, { childList: true });
          });
          Reflect.set(globalThis, 'measured', done);
        });
        await page.keyboard.type(before);
        await page.keyboard.press(key);
        return Number(await page.evaluate(() => Reflect.get(globalThis, 'measured')));
      };
      const first = await measure('', query.slice(0, 1));
      await page.keyboard.type(query.slice(1, -1));
      await page.waitForTimeout(1000);
      times.push({ first, again: await measure('', query.slice(-1)) });
      await page.close();
    }
    const list = times.map(({ again }, at) => `“${QUERIES[at]}” ${again.toFixed(0)} ms`);
    const first = Math.max(...times.map((time) => time.first));
    return `search: ${what}: from a key to its results, of which 80 ms are a pause: ${list.join(', ')}; the first letter, with the first files of the index, at most ${first.toFixed(0)} ms`;
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}
