/** A site of the size that the benchmarks measure. */
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

/**
 * A page as documentation generators write it: navigation, headings, prose and code, of about the
 * given size.
 */
export function makePage(index: number, bytes: number): string {
  const random = randomFrom(index + 7);
  const word = () => WORDS[Math.floor(random() * WORDS.length)] ?? '';
  const nav = Array.from({ length: 33 }, (_, n) => n)
    .filter((n) => !isAsset(n))
    .map(
      (n) =>
        `<li class="nav-item"><a class="nav-link" href="/s${n % 10}/p${n}.html">${word()} ${word()}</a></li>`,
    )
    .join('');
  let body = `<!doctype html><html><head><title>${index}</title><link rel="stylesheet" href="/main.css"><script src="/app.3f9a2b1c.js"></script></head><body><ul>${nav}</ul>`;
  for (let n = 0; body.length < bytes - 200; n += 1) {
    body += `<h2 id="s${n}">${word()}</h2><p class="text">${Array.from({ length: 40 }, word).join(' ')} ${Math.floor(random() * 1e9).toString(36)}</p>`;
    body += `<pre><code class="language-sh">${word()} --${word()}=${Math.floor(random() * 1e9)}</code></pre>`;
  }
  return `${body}<footer>Built on 2026-11-21</footer></body></html>`;
}

export function fileName(index: number): string {
  if (index === 0) return 'index.html';
  return `s${index % 200}/p${index}.${isAsset(index) ? 'png' : 'html'}`;
}

/** One file in ten is an image or a font, which does not compress. */
export function fileContent(index: number): string | Buffer {
  if (!isAsset(index)) return makePage(index, FILE_BYTES);
  const random = randomFrom(index + 1);
  return Buffer.from(Array.from({ length: FILE_BYTES }, () => random() * 256));
}

function isAsset(index: number): boolean {
  return index % 10 === 9;
}
