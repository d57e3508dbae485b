import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { RegistryServer } from '../support/real-servers/registry.ts';
import { fileContent, fileName } from './site.ts';

const figures = z.object({
  packMs: z.number(),
  pushMs: z.number(),
  rssMiB: z.number(),
  sizeMiB: z.number(),
});
const KINDS = 200;

/**
 * A site of about this size, in files of 100 KiB: nine pages and one image of ten, each file
 * different.
 */
function makeSite(root: string, mib: number): void {
  const parts = Array.from({ length: KINDS }, (_, index) => Buffer.from(fileContent(index)));
  for (let index = 0; index < mib * 10; index += 1) {
    const path = join(root, fileName(index));
    mkdirSync(dirname(path), { recursive: true });
    const own = Array.from(
      { length: 10 },
      (_, part) => parts[(index + part * 10) % KINDS] ?? Buffer.alloc(0),
    );
    writeFileSync(path, Buffer.concat([Buffer.from(`${index}`), ...own]));
  }
}

function timed(command: string): number {
  const startMs = performance.now();
  execFileSync('bash', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'] });
  return performance.now() - startMs;
}

/**
 * The site as an image, against gzip and curl alone. 2 GiB, or as many MiB as the argument says.
 */
export async function benchImage(args: readonly string[]): Promise<string[]> {
  const mib = Number(args[0] ?? 2048);
  const folder = mkdtempSync(join(tmpdir(), 'bench-image-'));
  try {
    await using registry = await RegistryServer.start();
    const site = join(folder, 'site');
    makeSite(site, mib);
    const archive = join(folder, 'alone.tar.gz');
    const gzipMs = timed(`tar -c -C ${site} . | gzip -6 > ${archive}`);
    const upload = `curl -sf -X POST -D - -o /dev/null http://${registry.host}/v2/bench/alone/blobs/uploads/ | sed -n 's/^[Ll]ocation: //p' | tr -d '\\r'`;
    const sum = `sha256:$(sha256sum ${archive} | cut -d' ' -f1)`;
    const curlMs = timed(`curl -sf -o /dev/null -T ${archive} "$(${upload})&digest=${sum}"`);
    const pusher = join(import.meta.dirname, 'image-pusher.ts');
    const output = execFileSync(process.execPath, [pusher, site, folder, registry.host], {
      encoding: 'utf8',
    });
    const { packMs, pushMs, rssMiB, sizeMiB } = figures.parse(JSON.parse(output));
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    return [
      `image of a site of ${mib} MiB, ${Math.round(sizeMiB)} MiB packed:`,
      `  packed in ${seconds(packMs)}, tar and gzip alone ${seconds(gzipMs)}: ${(packMs / gzipMs).toFixed(2)}`,
      `  pushed in ${seconds(pushMs)}, curl alone ${seconds(curlMs)}`,
      `  together ${((packMs + pushMs) / (gzipMs + curlMs)).toFixed(2)} of both alone; ${Math.round(rssMiB)} MiB of memory at most`,
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
