import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Parser } from 'htmlparser2';
import { extract } from 'tar';
import { describe, expect, test } from 'vitest';
import { makeLink, startAcme } from '../../test/support/emulator-requests.ts';

/** Exports the site, downloads the bundle by its link, and unpacks it into a separate folder. */
async function unpackBundle() {
  await using emulator = await startAcme();
  const folder = await mkdtemp(join(tmpdir(), 'emulator-site-'));
  const unpacking = extract({ cwd: folder, strict: true });
  const unpacked = once(unpacking, 'close');
  unpacking.end(Buffer.from(await (await fetch(await makeLink(emulator))).bytes()));
  await unpacked;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return {
    names: names.sort(),
    read: (name: string) => readFile(join(folder, name), 'utf8'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

interface Reference {
  readonly tag: string;
  readonly href: string;
}

function readPage(html: string): { references: Reference[]; ids: Set<string> } {
  const references: Reference[] = [];
  const ids = new Set<string>();
  const parser = new Parser({
    onopentag(tag, { href, src, id, rel }) {
      if (rel === 'canonical') return;
      for (const value of [href, src])
        if (value !== undefined) references.push({ tag, href: value });
      if (id) ids.add(id);
    },
  });
  parser.end(html);
  return { references, ids };
}

describe('an exported site', () => {
  test('An exported site contains a page per Markdown file, an entry page, a 404 page, and the images', async () => {
    await using site = await unpackBundle();
    expect(site.names.filter((name) => !name.startsWith('_theme/'))).toEqual([
      '404.html',
      'how-to/deploy.html',
      'how-to/index.html',
      'how-to/refresh.html',
      'img/a b.png',
      'index.html',
    ]);
  });

  test('An exported site refers only to its own files and anchors, except for links that a reader can follow', async () => {
    await using site = await unpackBundle();
    let inside = 0;
    for (const name of site.names.filter((file) => file.endsWith('.html'))) {
      for (const { tag, href } of readPage(await site.read(name)).references) {
        if (tag === 'a' && /^https:/.test(href)) continue;
        if (href.startsWith('data:')) continue;
        // Unchanged from the page's source.
        if (href === 'gone.md') continue;
        const [path = '', anchor] = href.split('#');
        const target = path === '' ? name : join(dirname(name), decodeURIComponent(path));
        expect(site.names, `${name}: ${href}`).toContain(target);
        if (anchor)
          expect(readPage(await site.read(target)).ids, `${name}: ${href}`).toContain(anchor);
        inside += 1;
      }
    }
    expect(inside).toBeGreaterThan(40);
  });

  test('Styles and scripts of an exported site load nothing from other hosts', async () => {
    await using site = await unpackBundle();
    // Their names contain a hash of the build.
    const themed = (pattern: RegExp) => site.names.filter((name) => pattern.test(name));
    const styles = themed(/^_theme\/site\.\w{10}\.css$/);
    const scripts = themed(/^_theme\/(site|search)\.\w{10}\.js$/);
    expect([styles.length, scripts.length]).toEqual([1, 2]);
    for (const style of styles) expect(await site.read(style)).not.toMatch(/url\(|@import/);
    for (const script of scripts)
      expect(await site.read(script)).not.toMatch(/https?:|fetch\(|import\(/);
    expect(await site.read('404.html')).not.toMatch(/(src|href)="(?!data:|index\.html)/);
  });

  test('An export rewrites links between pages, keeps dead ones, and replaces external images with their text', async () => {
    await using site = await unpackBundle();
    const home = await site.read('index.html');
    expect(home).toContain('<a href="how-to/refresh.html#when-it-is-due">refreshing</a>');
    expect(home).toContain('<a href="how-to/index.html">the guide</a>');
    expect(home).toContain('src="img/a%20b.png"');
    const refresh = await site.read('how-to/refresh.html');
    expect(refresh).toContain('<a href="../index.html">home</a>');
    expect(refresh).toContain('<a href="gone.md">nowhere</a>');
    expect(refresh).toContain(
      '<a href="https://example.com/x" rel="noopener noreferrer">outside</a>',
    );
    expect(refresh).not.toContain('far.png');
  });

  test('An exported page shows HTML in Markdown as text, highlights code, and wraps tables', async () => {
    await using site = await unpackBundle();
    const deploy = await site.read('how-to/deploy.html');
    expect(deploy).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(deploy).toContain('<div class="table"><table>');
    expect(deploy).toContain('<html lang="de">');
    expect(await site.read('how-to/refresh.html')).toContain(
      '<span class="hljs-keyword">const</span>',
    );
  });

  test('Front matter sorts the navigation and the previous and next pages', async () => {
    await using site = await unpackBundle();
    const deploy = await site.read('how-to/deploy.html');
    expect(deploy).toContain('<a href="deploy.html" aria-current="page">Deploy</a>');
    expect(deploy.indexOf('aria-current')).toBeLessThan(
      deploy.indexOf('>Refresh the link</a></li>'),
    );
    expect(deploy).toContain('rel="prev" href="index.html"');
    expect(deploy).toContain('rel="next" href="refresh.html"');
  });
});
