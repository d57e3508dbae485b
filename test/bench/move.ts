import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeComparedSite } from '../../src/site/compare/compared-site.ts';
import { readSiteOrigin } from '../../src/site/move/base-path.ts';
import { moveSite } from '../../src/site/move/move-site.ts';
import { verifySite } from '../../src/site/verify/verify-site.ts';
import { type BenchSite, SITES } from './site.ts';

const PAGES = 2000;
const PAGE_BYTES = 30 * 1024;
const ROUNDS = 5;
const { signal } = new AbortController();

/** Lines to print: the exchange of the base path of a site, compared with its verification. */
export async function benchMove(): Promise<string[]> {
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'courier-move-'));
  try {
    const lines: string[] = [];
    for (const site of SITES) lines.push(await measure(site, join(root, site.name)));
    return lines;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function measure(site: BenchSite, root: string): Promise<string> {
  const files = writePages(site, root);
  let from = '/documentation';
  let [verifyMs, moveMs] = [0, 0];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const compared = makeComparedSite('job-1', files, root);
    const init = { root, files: compared.paths, basePath: from, pageCount: undefined };
    const verified = await cpuMs(() =>
      verifySite({ ...init, isAirGapped: false, runnerTemp: root, signal }),
    );
    const path = from === '/documentation' ? '/handbook' : '/documentation';
    const to = { url: `https://acme.github.io${path}/`, path };
    const moved = await cpuMs(async () => {
      const { hosts } = readSiteOrigin(compared);
      await moveSite({ site: compared, from: { basePath: from, hosts }, to, signal });
    });
    from = path;
    // The first round warms up the compiler.
    if (round > 0) [verifyMs, moveMs] = [verifyMs + verified, moveMs + moved];
  }
  return `move: ${PAGES} pages ${site.name} of ${PAGE_BYTES / 1024} KiB: ${(moveMs / ROUNDS).toFixed(0)} ms of CPU, verification ${(verifyMs / ROUNDS).toFixed(0)} ms (means of ${ROUNDS} rounds), ratio ${(moveMs / verifyMs).toFixed(2)}`;
}

function writePages(site: BenchSite, root: string) {
  return Array.from({ length: PAGES }, (_, index) => {
    const path = index === 0 ? 'index.html' : `guide/page-${index}.html`;
    const page = site.makePage(index, PAGE_BYTES);
    const links = Array.from(
      { length: 60 },
      (_, at) => `<a href="/documentation/guide/page-${1 + ((index + at) % (PAGES - 1))}">page</a>`,
    );
    const content = page.replace('</body>', `<nav>${links.join('')}</nav></body>`);
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    return { path, bytes: Buffer.byteLength(content), sha256: undefined };
  });
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
