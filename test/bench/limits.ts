import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { tarGz, tarMember } from '../site/archives.ts';
import { startBundleServer } from '../support/bundle-server.ts';
import { startLiveSite } from '../support/live-site.ts';
import { SECRET_INPUTS, startActionWorld } from '../support/world/built-action.ts';

/** Memory of the built action at its limits, as a whole process. */

const MIB = 2 ** 20;
/** The most that an archive may have, in names as long as all of them may be. */
const ENTRIES = 200_000;

function nameOf(index: number): string {
  return index === 0
    ? 'index.html'
    : `Reference/section-${index % 300}/Method-with-a-long-name-${index}.html`;
}

async function* membersOf(): AsyncGenerator<Buffer> {
  for (let index = 0; index < ENTRIES; index += 1) {
    const link = `<a href="/${nameOf((index * 7919) % ENTRIES)}#a">next</a>`;
    const content = `<!doctype html><title>${index}</title><main><h1 id="a">Page ${index * 7919}</h1><p>Text ${link}</p></main>`;
    yield tarMember({ name: nameOf(index), content });
  }
  yield Buffer.alloc(1024);
}

/** A bundle with as many pages as an archive may have entries. */
export function makeLargestBundle(): Promise<Buffer> {
  return buffer(Readable.from(membersOf()).pipe(createGzip({ level: 1 })));
}

/** An export of a job whose bundle is the archive, by the built action. */
export async function exportBundle(archive: Buffer, inputs: Readonly<Record<string, string>>) {
  await using world = await startActionWorld();
  await using storage = await startBundleServer(archive);
  await world.platform.addExportJob({ jobId: 'job-1' });
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  world.platform.inject({
    match: { method: 'POST', path: /\/bundle$/, times: Number.POSITIVE_INFINITY },
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: { bundleUrl: storage.url, expiresAt },
  });
  const result = await world.step(
    { ...SECRET_INPUTS, 'export-job-id': 'job-1', ...inputs },
    { workspace: world.workspace },
  );
  return { ...result, peakMebibytes: Math.round(result.peakRssBytes / MIB) };
}

const LARGEST_PAGE_BYTES = 8 * MIB;

function fill(text: string): string {
  return text.repeat(Math.floor((LARGEST_PAGE_BYTES - 2000) / Buffer.byteLength(text)));
}

/** Pages of the largest size that need the most memory to read. */
const LARGEST_PAGES: Readonly<Record<string, () => string>> = {
  'less-than signs': () => fill('<'),
  paragraphs: () => fill('<p>'),
  'words of one letter': () => fill('a '),
  'different words': () => {
    const words = Array.from({ length: 1_200_000 }, (_, index) =>
      index.toString(36).padStart(6, 'x'),
    );
    return words.join(' ').slice(0, LARGEST_PAGE_BYTES - 2000);
  },
  entities: () => fill('&amp;'),
  'Chinese words': () => fill('\u4e2d '),
  'e-mail addresses': () => fill('a@b.cc '),
  links: () => fill('<a href=x>'),
  'a style sheet': () => `<style>${fill('<')}</style>`,
  'characters without a shape': () => fill('a\u200b'),
  'a long title': () => `<title>${fill('a&lt;')}</title>`,
};

/** A check of a published site that shows another version of a large page. */
async function checkLivePage(large: string) {
  const page = (version: string) =>
    `<!doctype html><title>Docs</title><body><h1>${version}</h1>${large}</body>`;
  await using site = await startLiveSite(() => ({ body: page('Version 2') }));
  const archive = tarGz([
    { name: 'index.html', content: page('Version 1') },
    // Otherwise the archive would be refused: it unpacks to too many times its size.
    { name: 'noise.bin', content: randomBytes(MIB) },
  ]);
  return exportBundle(archive, { 'live-url': site.url, 'live-timeout': '0s' });
}

/** Lines for `npm run bench limits`. */
export async function benchLimits(): Promise<string[]> {
  const lines: string[] = [];
  const bundle = await makeLargestBundle();
  const trials: readonly Readonly<Record<string, string>>[] = [
    { 'bundle-path': 'b.tar.gz' },
    { 'bundle-path': 'b.tar.gz', 'extract-to': 'site' },
  ];
  for (const inputs of trials) {
    const { peakMebibytes, exitCode } = await exportBundle(bundle, inputs);
    const names = Object.keys(inputs).join(' and ');
    lines.push(
      `limits: ${ENTRIES} entries, ${names}: peak memory ${peakMebibytes} MiB, exit code ${exitCode}`,
    );
  }
  for (const [name, make] of Object.entries(LARGEST_PAGES)) {
    const { peakMebibytes, elapsedMs } = await checkLivePage(make());
    lines.push(
      `limits: live check, 8 MiB of ${name}: peak memory ${peakMebibytes} MiB, ${Math.round(elapsedMs)} ms`,
    );
  }
  return lines;
}
