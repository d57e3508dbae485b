/** The sites that the benchmarks measure have this size. */
export const FILES = 20_000;
export const FILE_BYTES = 10 * 1024;

const WORDS =
  'install configure export page section link token deployment server secret value request reply header example the a of to and is with'.split(
    ' ',
  );

function randomFrom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A site that is made for a benchmark: file by file, always the same. */
export interface BenchSite {
  readonly name: string;
  /** The build id in names and texts, and that of another build. */
  readonly build: { readonly id: string; readonly other: string };
  readonly fileName: (index: number) => string;
  readonly fileContent: (index: number) => string | Buffer;
  /** A page of about the given size. */
  readonly makePage: (index: number, bytes: number) => string;
}

/** As Next.js exports a site: scripts and a `.txt` file have the content of the page once more. */
export const nextSite: BenchSite = {
  name: 'as of Next.js',
  build: { id: 'R9j2q9hZM0jdEuZUSuKCH', other: '0zj9FicFFU_zRP1gdDVwc' },
  fileName: (index) => {
    if (index === FILES - 1) return `_next/static/${nextSite.build.id}/_buildManifest.js`;
    if (isAsset(index)) return `_next/static/media/p${index}.png`;
    return isPayload(index) ? `${pageName(index - 1)}.txt` : `${pageName(index)}.html`;
  },
  fileContent: (index) => {
    if (index === FILES - 1) return 'self.__BUILD_MANIFEST={}';
    if (isAsset(index)) return makeImage(index);
    return isPayload(index) ? makePayload(index - 1, FILE_BYTES) : makeNextPage(index, FILE_BYTES);
  },
  makePage: makeNextPage,
};

/** Pages without a script in them, whose navigation leads to pages that are not there. */
const plainSite: BenchSite = {
  name: 'plain',
  build: { id: '3f9a2b1c', other: '77aa01ee' },
  fileName: (index) => {
    if (index === 0) return 'index.html';
    return `s${index % 200}/p${index}.${isAsset(index) ? 'png' : 'html'}`;
  },
  fileContent: (index) => (isAsset(index) ? makeImage(index) : makePlainPage(index, FILE_BYTES)),
  makePage: makePlainPage,
};

export const SITES: readonly BenchSite[] = [nextSite, plainSite];

/** One file in ten is an image or a font, which does not compress. */
function makeImage(index: number): Buffer {
  const random = randomFrom(index + 1);
  return Buffer.from(Array.from({ length: FILE_BYTES }, () => random() * 256));
}

function isAsset(index: number): boolean {
  return index % 10 === 9;
}

/** Every page of the first site has a payload beside it. */
function isPayload(index: number): boolean {
  return index % 2 === 1;
}

function pageName(index: number): string {
  return index === 0 ? 'index' : `s${index % 200}/p${index}`;
}

function makePlainPage(index: number, bytes: number): string {
  const random = randomFrom(index + 7);
  const word = wordsFrom(random);
  const nav = Array.from({ length: 33 }, (_, n) => n)
    .filter((n) => !isAsset(n))
    .map(
      (n) =>
        `<li class="nav-item"><a class="nav-link" href="/s${n % 10}/p${n}.html">${word()} ${word()}</a></li>`,
    )
    .join('');
  const head = `<!doctype html><html><head><title>${index}</title><link rel="stylesheet" href="/main.css"><script src="/app.${plainSite.build.id}.js"></script></head><body><ul>${nav}</ul>`;
  return `${head}${makeSections(random, bytes - head.length - 200)}<footer>Built on 2026-11-21</footer></body></html>`;
}

function makeNextPage(index: number, bytes: number): string {
  const random = randomFrom(index + 7);
  const word = wordsFrom(random);
  const nav = Array.from({ length: 30 }, (_, n) => {
    const fragment = n % 10 === 0 ? '#s0' : '';
    return `<li><a class="nav-link" href="/s${(2 * n + 2) % 200}/p${2 * n + 2}${fragment}">${word()} ${word()}</a></li>`;
  });
  // A page of one section more than half of the size, since its content is in it twice.
  const content = makeSections(random, (bytes - nav.join('').length) / 2 - 500);
  const scripts = payloadOf(index, content).map(
    (line) =>
      `<script>self.__next_f.push([1,${JSON.stringify(line).replaceAll('<', '\\u003c')}])</script>`,
  );
  return `<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"/><title>${index}</title><script src="/_next/static/${nextSite.build.id}/_buildManifest.js" async=""></script></head><body><nav><ul>${nav.join('')}</ul></nav><main>${content}</main><footer>Built on 2026-11-21</footer>${scripts.join('')}</body></html>`;
}

function makePayload(index: number, bytes: number): string {
  return payloadOf(index, makeSections(randomFrom(index + 7), bytes - 400)).join('');
}

function payloadOf(index: number, content: string): string[] {
  return [
    `0:{"P":null,"b":"${nextSite.build.id}","c":["","p${index}"]}\n`,
    `1:I[97367,["/_next/static/${nextSite.build.id}/_buildManifest.js"],"OutletBoundary"]\n`,
    `2:["$","main",null,{"children":${JSON.stringify(content)}}]\n`,
  ];
}

/** Headings, prose and code as documentation generators write them. */
function makeSections(random: () => number, bytes: number): string {
  const word = wordsFrom(random);
  let body = '';
  for (let n = 0; n === 0 || body.length < bytes; n += 1) {
    body += `<h2 id="s${n}">${word()}</h2><p class="text">${Array.from({ length: 40 }, word).join(' ')} ${Math.floor(random() * 1e9).toString(36)}</p>`;
    body += `<pre><code class="language-sh">${word()} --${word()}=${Math.floor(random() * 1e9)}</code></pre>`;
  }
  return body;
}

function wordsFrom(random: () => number): () => string {
  return () => WORDS[Math.floor(random() * WORDS.length)] ?? '';
}
