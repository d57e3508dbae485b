import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeComparedSite } from '../../src/site/compare/compared-site.ts';
import { GivenReader } from '../../src/site/given/given-reader.ts';
import { type Laptop, openLaptop } from '../cli/harness.ts';
import { tar, tarGz, zip } from '../site/archives.ts';
import { startLiveSite, staticHost } from '../support/live-site.ts';
import { bundleInputs } from '../support/make-inputs.ts';
import { NO_SERVERS, startWorld } from '../support/world.ts';

type Files = Readonly<Record<string, string>>;

const page = (title: string, body = '') =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>Words of ${title}.</p>${body}</main>`;

const SITE: Files = {
  'index.html': page('Start', '<a href="/guide/">Guide</a><a href="/api.html">API</a>'),
  'guide/index.html': page('Guide', '<img src="/logo.svg" alt="">'),
  'api.html': page('API'),
  'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '.nojekyll': '',
  '.well-known/security.txt': 'Contact: mailto:docs@example.com',
};
const VIEWER: Files = {
  'serve.js': 'require("http")',
  'Start Docs.command': '#!/bin/sh\nnode serve.js',
  'Start Docs.bat': 'node serve.js',
};

const members = (files: Files, folder = '') =>
  Object.entries(files).map(([path, text]) => ({ name: `${folder}${path}`, content: text }));

/** The ways to give a site: each writes it, and gives its path. */
const FORMS = {
  folder(root: string, files: Files) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, 'build', path)), { recursive: true });
      writeFileSync(join(root, 'build', path), text);
    }
    return 'build';
  },
  zip(root: string, files: Files) {
    writeFileSync(join(root, 'export.zip'), zip(members(files)));
    return 'export.zip';
  },
  'zip of a folder'(root: string, files: Files) {
    const mac = { name: '__MACOSX/site/._index.html', content: 'attributes' };
    writeFileSync(join(root, 'export.zip'), zip([...members(files, 'site/'), mac]));
    return 'export.zip';
  },
  'tar.gz'(root: string, files: Files) {
    writeFileSync(join(root, 'export.tar.gz'), tarGz(members(files)));
    return 'export.tar.gz';
  },
  tar(root: string, files: Files) {
    writeFileSync(join(root, 'export.tar'), tar(members(files)));
    return 'export.tar';
  },
} as const;
type Form = keyof typeof FORMS;
const EACH_FORM = ['folder', 'zip', 'zip of a folder', 'tar.gz', 'tar'] as const satisfies Form[];

/** No key and no address. */
const KEYLESS = { DOCS_COURIER_BASE_URL: '', DOCS_COURIER_ADMIN_API_KEY: '' };

async function exportFrom(laptop: Laptop, from: string, ...flags: readonly string[]) {
  const args = ['export', '--from', from, '--summary', 'summary.md', '--output-file', 'out.json'];
  // Files of results are replaced.
  const ended = await laptop.run([...args, ...flags], { env: KEYLESS });
  return { ...ended, text: ended.stderr, files: readdirSync(laptop.folder).sort() };
}

const read = (laptop: Laptop, path: string) => readFileSync(join(laptop.folder, path), 'utf8');

/** Paths below a folder of the laptop. */
const filesIn = (laptop: Laptop, folder: string) =>
  readdirSync(join(laptop.folder, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name).slice(join(laptop.folder, folder).length + 1),
    )
    .sort();

test.each(EACH_FORM)(
  'A site that is given as %s is unpacked, verified and summarized without a key and without a request',
  async (form) => {
    await using laptop = await openLaptop();
    const from = FORMS[form](laptop.folder, { ...SITE, ...VIEWER });
    const ended = await exportFrom(laptop, from, '--extract-to', 'site', '--verify', 'strict');
    expect(ended.text).toContain('completed');
    expect(ended.exitCode).toBe(0);
    expect(laptop.platform.requests).toEqual([]);
    expect(filesIn(laptop, 'site')).toEqual(Object.keys(SITE).sort());
    expect(read(laptop, 'site/guide/index.html')).toBe(SITE['guide/index.html']);
    const summary = read(laptop, 'summary.md');
    expect(summary).toContain(`Export of ${from}`);
    expect(summary).toContain('**Next**: deploy `');
    expect(summary).toContain('`Start Docs.bat`, `Start Docs.command`, `serve.js`');
    expect(summary).toContain('no finding');
    expect(summary).not.toMatch(/link expires|export job|attach/i);
    expect(JSON.parse(read(laptop, 'site.manifest.json'))).toMatchObject({ site: null, pages: 3 });
  },
);

test('Every form of the same site has the same id, and another byte another one', async () => {
  const ids = new Set<string>();
  const idOf = async (form: Form, files: Files) => {
    await using laptop = await openLaptop();
    await exportFrom(laptop, FORMS[form](laptop.folder, files), '--extract-to', 'site');
    const { exportJobId } = JSON.parse(read(laptop, 'site.manifest.json'));
    return String(exportJobId);
  };
  for (const form of EACH_FORM) ids.add(await idOf(form, { ...SITE, ...VIEWER }));
  expect([...ids]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(ids).not.toContain(await idOf('zip', { ...SITE, 'api.html': page('APIs') }));
  expect(ids).not.toContain(await idOf('zip', { ...SITE, 'api2.html': page('API') }));
});

test('The archive of a given site has what is delivered, packed in the same way each time', async () => {
  await using laptop = await openLaptop();
  const from = FORMS.zip(laptop.folder, { ...SITE, ...VIEWER });
  const flags = ['--bundle-path', 'out/docs.tar.gz', '--add', 'stamp', '--clean'];
  expect(await exportFrom(laptop, from, ...flags)).toMatchObject({ exitCode: 0 });
  const first = readFileSync(join(laptop.folder, 'out/docs.tar.gz'));
  const manifest = JSON.parse(read(laptop, 'out/docs.tar.gz.manifest.json'));
  expect(manifest).toMatchObject({
    archive: { format: 'tar.gz', bytes: first.length },
    added: [{ path: 'docs-courier.json' }],
  });
  expect(await exportFrom(laptop, from, ...flags)).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(laptop.folder, 'out/docs.tar.gz')).equals(first)).toBe(true);
  // What was packed is a site again, of which the stamp is a part now.
  const again = await exportFrom(laptop, 'out/docs.tar.gz', '--extract-to', 'again');
  expect(again.exitCode).toBe(0);
  expect(filesIn(laptop, 'again')).toEqual([...Object.keys(SITE), 'docs-courier.json'].sort());
});

test('A dry run reads a given site, lists what would be written, and writes nothing', async () => {
  await using laptop = await openLaptop();
  const from = FORMS.folder(laptop.folder, SITE);
  const ended = await exportFrom(laptop, from, '--extract-to', 'site', '--dry-run');
  expect(ended.exitCode).toBe(0);
  expect(ended.text).toContain('read the site: build');
  expect(ended.files).not.toContain('site');
});

test('The command of the guide makes a site', async () => {
  await using laptop = await openLaptop();
  FORMS.zip(laptop.folder, SITE);
  const guide = join(import.meta.dirname, '../../docs/how-to/without-the-enterprise-plan.md');
  const [, words = ''] = /^docs-courier (.*)$/m.exec(readFileSync(guide, 'utf8')) ?? [];
  const ended = await laptop.run(words.split(' '), { env: KEYLESS });
  expect(ended.exitCode).toBe(0);
  expect(filesIn(laptop, 'site')).toContain('index.html');
});

test('A page that loads a script named serve.js keeps it', async () => {
  await using laptop = await openLaptop();
  const start = page('Start', '<script src="/serve.js"></script>');
  const from = FORMS.zip(laptop.folder, { 'index.html': start, ...VIEWER });
  await exportFrom(laptop, from, '--extract-to', 'site');
  expect(filesIn(laptop, 'site')).toEqual(['index.html', 'serve.js']);
});

test('Loose files and addresses without a host are findings, and what sites have at their top is none', async () => {
  await using laptop = await openLaptop();
  const usual = [
    ...['robots.txt', 'sitemap.xml', 'favicon.ico', 'llms.txt', '_redirects', 'CNAME'],
    ...['__next._tree.txt', 'objects.inv', '.buildinfo'],
  ];
  const files = Object.fromEntries(usual.map((name) => [name, '']));
  const canonical = '<link rel="canonical" href="https://undefined.docs.example.com/guide">';
  const from = FORMS.folder(laptop.folder, {
    ...SITE,
    ...files,
    'api.md': '# API',
    'docs.json': '{}',
    'tool.js': '// tool.js',
    // Pages have this as an id.
    'main.js': '',
    'loader.js': '',
    'named.pdf': '',
    'search.json': '{}',
    'app.js': 'fetch(base + "search.json"); load(["Classes", "classes_list"])',
    'classes_list.js': '',
    'arrow.png': '',
    'arrow-unused.png': '',
    'assets/site.css': '.open { background: url("../arrow.png") }',
    'api.html': page(
      'API',
      `${canonical}<a id="main" href="named.pdf">PDF</a><script src="app.js" data-main="loader"></script>`,
    ),
  });
  const ended = await exportFrom(laptop, from, '--extract-to', 'site');
  expect(ended.exitCode).toBe(0);
  const findings = ended.text
    .split('\n')
    .filter((line) => / no page, script or style sheet names | has no host/.test(line));
  expect(findings).toEqual([
    expect.stringContaining('(arrow-unused.png)'),
    expect.stringContaining('(docs.json)'),
    expect.stringContaining('(main.js)'),
    expect.stringContaining('(tool.js)'),
    expect.stringContaining('api.html: the address of the page'),
  ]);
});

test.each([
  [8 * 1024 ** 2, true],
  [8 * 1024 ** 2 + 1, false],
])(
  'With a script of %d bytes, which may name it, a file is called loose: %s',
  async (bytes, isLoose) => {
    await using laptop = await openLaptop();
    const files = { 'docs.json': '{}', 'assets/app.js': ' '.repeat(bytes) };
    const from = FORMS.folder(laptop.folder, { ...SITE, ...files });
    const ended = await exportFrom(laptop, from, '--extract-to', 'site');
    expect(ended.exitCode).toBe(0);
    expect(ended.text.includes('(docs.json)')).toBe(isLoose);
  },
);

test('Of a site with 1,000 files at its top, 200 are looked for in its pages', () => {
  const paths = Array.from({ length: 1000 }, (_, index) => `${index}.json`);
  const files = paths.map((path) => ({ path, bytes: 1, sha256: undefined }));
  const reader = new GivenReader(makeComparedSite('site', files));
  reader.wants('index.html', Buffer.from('<a href="/0.json">'));
  const loose = reader.findings().map(({ target }) => target);
  expect(loose).toEqual(paths.slice(1, 200));
});

describe('A site that was built without an address', () => {
  const unhosted = (path: string, base = '') =>
    page(
      'Guide',
      `<link rel="canonical" href="https://undefined.docs.example.com${base}${path}"><meta property="og:url" content="https://undefined.docs.example.com${base}${path}"><p>https://undefined.example</p>`,
    );

  test.each([
    ['https://docs.example.com/', '', 'https://docs.example.com/guide'],
    ['https://docs.example.com/', '/documentation', 'https://docs.example.com/documentation/guide'],
    ['https://acme.github.io/handbook/', '', 'https://acme.github.io/handbook/guide'],
    ['https://acme.github.io/handbook/', '/documentation', 'https://acme.github.io/handbook/guide'],
  ])('Served at %s, and built for "%s", its address is %s', async (servedAt, base, address) => {
    await using laptop = await openLaptop();
    const from = FORMS.folder(laptop.folder, {
      'index.html': page('Start', `<a href="${base}/guide.html">Guide</a>`),
      'guide.html': unhosted('/guide', base),
      'sitemap.xml': `<urlset><url><loc>https://undefined.docs.example.com${base}/guide</loc></url></urlset>`,
    });
    const flags = ['--extract-to', 'site', '--served-at', servedAt, '--bundle-path', 'site.tar.gz'];
    const ended = await exportFrom(laptop, from, ...flags);
    expect(ended.exitCode, ended.text).toBe(0);
    expect(ended.text).not.toContain('has no host');
    const text = (name: string) => readFileSync(join(laptop.folder, 'site', name), 'utf8');
    expect(text('guide.html')).toContain(`<link rel="canonical" href="${address}">`);
    expect(text('guide.html')).toContain(`content="${address}"`);
    expect(text('guide.html')).toContain('<p>https://undefined.example</p>');
    expect(text('sitemap.xml')).toContain(`<loc>${address}</loc>`);
    const packed = execFileSync('tar', ['-xzOf', 'site.tar.gz', 'guide.html'], {
      cwd: laptop.folder,
      encoding: 'utf8',
    });
    expect(packed).toBe(text('guide.html'));
  });
});

describe('A site that cannot be taken', () => {
  const file = (name: string, text: string) => (root: string) => {
    writeFileSync(join(root, name), text);
    return name;
  };
  const inFolder = (change: (root: string) => void) => (root: string) => {
    FORMS.folder(root, SITE);
    change(join(root, 'build'));
    return 'build';
  };
  const put = (path: string, text = 'x') =>
    inFolder((root) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    });
  const emptied = inFolder((root) => {
    rmSync(root, { recursive: true });
    mkdirSync(root);
  });
  const archive = (files: Files) => (root: string) => FORMS.zip(root, files);
  test.each<[string, (root: string) => string, string]>([
    ['is missing', () => 'nothing.zip', 'from: nothing.zip does not exist'],
    ['is the workspace', () => '.', 'is the working folder or a folder around it'],
    ['is around the workspace', () => '..', 'is the working folder or a folder around it'],
    ['is empty', emptied, 'has no file of a site'],
    [
      'is a repository',
      (root) => {
        mkdirSync(join(root, '.git'));
        writeFileSync(join(root, '.git/index.html'), page('Start'));
        return '.git';
      },
      'from: .git is hidden',
    ],
    ['has a repository', put('.git/config'), '.git is hidden'],
    ['has settings', put('guide/.env'), 'guide/.env is hidden'],
    ['has local settings', put('.env.local'), '.env.local is hidden'],
    ['has a registry login', put('.npmrc'), 'unpack at ".npmrc"'],
    [
      'has an archive alone',
      archive({ 'export.zip': 'PK' }),
      'has only an archive in it, export.zip',
    ],
    ['has settings in an archive', archive({ ...SITE, '.env': 'A=b' }), '.env is hidden'],
    [
      'has a repository in an archive',
      archive({ ...SITE, '.git/HEAD': 'x' }),
      'unpack at ".git/HEAD"',
    ],
    [
      'was packed by zip without the locale en_US.UTF-8',
      (root) => {
        writeFileSync(join(root, 'export.zip'), zip([{ name: 'caf\u00e9.html', flags: 0 }]));
        return 'export.zip';
      },
      '7z marks names, and zip only where the locale en_US.UTF-8 is installed',
    ],
    ['leads out in an archive', archive({ '../x.html': 'x' }), 'cannot be taken'],
    [
      'links to a file outside',
      inFolder((root) => symlinkSync('/etc/hostname', join(root, 'a.html'))),
      'a.html is a link that leaves the folder',
    ],
    [
      'links to a folder around it',
      inFolder((root) => symlinkSync('..', join(root, 'guide/up'))),
      'guide/up is a link to a folder that it is in',
    ],
    ['is a page', file('a.html', page('A')), 'is neither a folder nor an archive'],
  ])('is config and nothing is written if it %s', async (_, give, expected) => {
    await using laptop = await openLaptop();
    const from = give(laptop.folder);
    const before = readdirSync(laptop.folder);
    const ended = await exportFrom(laptop, from, '--extract-to', 'site');
    expect(ended.text).toContain(expected);
    expect(ended.text).toContain('--from FOLDER');
    expect(ended.exitCode).toBe(2);
    expect(ended.files.filter((name) => !/^(?:summary\.md|out\.json)$/.test(name))).toEqual(before);
  });

  test.each([
    [['--extract-to', 'build/site'], 'which from reads'],
    [['--extract-to', 'build'], 'which from reads'],
    [['--bundle-path', 'build/docs.tar.gz'], 'which from reads'],
    [['--extract-to', 'outer'], 'which from reads, is in it'],
    [['--domain', 'docs.example.com'], 'domain is about an export of the platform, and from'],
    [['--project-id', 'p1'], 'project-id is about an export of the platform, and from'],
    [['--export-job-id', 'e1'], 'export-job-id is about an export of the platform, and from'],
    [['--export-version', 'v2'], 'export-version is about an export of the platform, and from'],
    [['--publish'], 'publish is about an export of the platform, and from'],
    [['--to', 'file:link.txt'], 'to needs a link, which only an export of the platform has'],
    [['--link-file', 'link.txt'], 'link-file needs a link'],
    [['--compare-with', 'previous'], 'reads the state next to a link, and from has none'],
    [['--max-page-drop', '10%'], 'give compare-with the path of its manifest'],
    [['--bundle-path', 'docs.zip'], 'a .tar.gz'],
  ])('with %j is config before anything is written', async (flags, expected) => {
    await using laptop = await openLaptop();
    FORMS.folder(laptop.folder, SITE);
    FORMS.folder(join(laptop.folder, 'outer'), SITE);
    const from = flags.includes('outer') ? 'outer/build' : 'build';
    const ended = await exportFrom(laptop, from, ...flags);
    expect(ended.text).toContain(expected);
    expect(ended.exitCode).toBe(2);
    expect(laptop.platform.requests).toEqual([]);
  });
});

test('Links that stay in the folder are followed', async () => {
  await using laptop = await openLaptop();
  FORMS.folder(laptop.folder, SITE);
  symlinkSync('guide', join(laptop.folder, 'build/latest'));
  symlinkSync('api.html', join(laptop.folder, 'build/reference.html'));
  const ended = await exportFrom(laptop, 'build', '--extract-to', 'site');
  expect(ended.exitCode).toBe(0);
  expect(read(laptop, 'site/latest/index.html')).toBe(SITE['guide/index.html']);
  expect(read(laptop, 'site/reference.html')).toBe(SITE['api.html']);
});

describe('what acts on a given site', () => {
  test('doctor says whether it can be taken, and asks nothing about publishing', async () => {
    await using laptop = await openLaptop();
    FORMS.folder(laptop.folder, SITE);
    const flags = ['doctor', '--from', 'build', '--extract-to', 'site'];
    const { exitCode, stderr } = await laptop.run(flags, { env: KEYLESS });
    expect(stderr).toContain('Site: build can be taken.');
    expect(stderr).not.toMatch(/publish|⚠️|base-url/);
    expect(exitCode).toBe(0);
    FORMS.folder(laptop.folder, { '.env': 'A=b' });
    const hidden = await laptop.run(flags, { env: KEYLESS });
    expect(hidden.stderr).toContain('.env is hidden');
    expect(hidden.exitCode).not.toBe(0);
    expect(laptop.platform.requests).toEqual([]);
  });

  test('Guards and comparison use the manifest of an earlier copy', async () => {
    await using laptop = await openLaptop();
    const from = FORMS.folder(laptop.folder, SITE);
    await exportFrom(laptop, from, '--extract-to', 'site');
    rmSync(join(laptop.folder, 'build/api.html'));
    const flags = ['--compare-with', 'site.manifest.json'];
    const compared = await exportFrom(laptop, from, ...flags);
    expect(compared.exitCode).toBe(0);
    expect(compared.text).toContain('1 page removed');
    const guarded = await exportFrom(laptop, from, ...flags, '--max-page-drop', '10%');
    expect(guarded.exitCode).not.toBe(0);
    expect(guarded.text).toMatch(/2 pages|1 page/);
    const small = await exportFrom(laptop, from, '--max-size', '10B');
    expect(small.exitCode).not.toBe(0);
    const strict = await exportFrom(laptop, from, '--extract-to', 'strict', '--verify', 'strict');
    expect(strict.text).toContain('The site has 1 error');
    expect(strict.text).toContain('Correct the pages in their sources and export again.');
    expect(strict.files).not.toContain('strict');
  });

  test('Where the base path is exchanged, verify: new sees what stands in other files than pages', async () => {
    await using laptop = await openLaptop();
    const build = (style: string) => {
      const more = '<link rel="stylesheet" href="/documentation/a.css">';
      const link = '<a href="/documentation/b.html">B</a>';
      const pages = { 'index.html': page('Start', more + link), 'b.html': page('B', link) };
      return FORMS.folder(laptop.folder, { ...pages, 'a.css': style });
    };
    const flags = ['--served-at', 'https://acme.github.io/handbook/', '--extract-to', 'site'];
    const first = await exportFrom(laptop, build('a{}'), ...flags, '--add', 'manifest');
    expect(first.exitCode, first.text).toBe(0);
    const compared = ['--compare-with', 'site/docs-courier.manifest.json', '--verify', 'new'];
    const again = await exportFrom(laptop, 'build', ...flags, '--clean', ...compared);
    expect(again.exitCode, again.text).toBe(0);
    await exportFrom(laptop, 'build', ...flags, '--clean', '--add', 'manifest');
    build('a{background:url(/documentation/gone.png)}');
    const broken = await exportFrom(laptop, 'build', ...flags, '--clean', ...compared);
    expect(broken.text).toContain('1 link newly broken, such as /gone.png on /a.css');
    expect(broken.exitCode).toBe(4);
  });

  test('Where the base path is exchanged, rules for redirects are those of the base path', async () => {
    await using laptop = await openLaptop();
    const link = '<a href="/documentation/b.html">B</a>';
    const files = { 'index.html': page('Start', link), 'b.html': page('B', link) };
    FORMS.folder(laptop.folder, { ...files, 'old.html': page('Old', 'Other words.') });
    const flags = ['--served-at', 'https://acme.github.io/handbook/', '--extract-to', 'site'];
    await exportFrom(laptop, 'build', ...flags);
    rmSync(join(laptop.folder, 'build/old.html'));
    FORMS.folder(laptop.folder, { _redirects: '/documentation/old /documentation/b 301\n' });
    const guard = ['--compare-with', 'site.manifest.json', '--forbid-lost-addresses=fail'];
    const ended = await exportFrom(laptop, 'build', ...flags, '--clean', ...guard);
    expect(ended.exitCode, ended.text).toBe(0);
  });

  test('The search is added, and the published site is compared', async () => {
    await using laptop = await openLaptop();
    const from = FORMS.folder(laptop.folder, SITE);
    const pages: Record<string, string> = { ...SITE };
    await using site = await startLiveSite(staticHost(() => pages));
    const live = ['--live-url', site.url, '--live-timeout', '0s', '--allow-private-hosts'];
    const flags = ['--extract-to', 'site', '--add', 'search\nstamp', ...live];
    const same = await exportFrom(laptop, from, ...flags);
    expect(same.text).toContain(`Live: ${site.url}`);
    expect(same.exitCode).toBe(0);
    expect(filesIn(laptop, 'site')).toContain('docs-courier/search/search.js');
    Object.assign(pages, { 'index.html': page('Other', 'Other words.') });
    const other = await exportFrom(laptop, from, '--clean', ...flags);
    expect(other.text).toContain('checks-failed');
  });
});

test.each<[string, Files]>([
  ['whose start page is a copy of another page', { ...SITE, 'index.html': SITE['api.html'] ?? '' }],
  [
    'with a page of 6 MB',
    { ...SITE, 'api.html': page('API', `<p>${'A long table of words. '.repeat(270_000)}</p>`) },
  ],
  [
    'of 50 MB with 29 pages',
    Object.fromEntries([
      ...Array.from({ length: 28 }, (_, at) => [`p${at}/index.html`, page(`Page ${at}`)]),
      ['index.html', page('Start', '<video src="/media/film.mp4"></video>')],
      ['media/film.mp4', 'frames'.repeat(8_500_000)],
    ]),
  ],
])('A site %s is the same as a folder and as an archive', async (_, files) => {
  await using laptop = await openLaptop();
  FORMS.folder(laptop.folder, files);
  const archive = FORMS.tar(laptop.folder, files);
  for (const from of ['build', archive]) {
    const flags = ['--extract-to', 'site', '--clean', '--verify', 'strict'];
    expect(await exportFrom(laptop, from, ...flags)).toMatchObject({ exitCode: 0 });
  }
  const changed = await laptop.run(['changes', 'build', 'site'], { env: KEYLESS });
  expect({ exitCode: changed.exitCode, stdout: changed.stdout }).toEqual({
    exitCode: 0,
    stdout: '',
  });
});

test('A folder that changes after it was read is config, and nothing is written', async () => {
  await using world = await startWorld(NO_SERVERS);
  FORMS.folder(world.workspace, SITE);
  const inputs = {
    from: join(world.workspace, 'build'),
    domain: undefined,
    bundle: bundleInputs({ extractTo: join(world.workspace, 'site') }),
  };
  // The id is recorded once everything was read.
  const onRecord = ({ jobId }: { readonly jobId?: string | undefined }) => {
    if (jobId !== undefined) writeFileSync(join(world.workspace, 'build/api.html'), page('New'));
  };
  const { error } = await world.export(inputs, { onRecord });
  expect(error).toMatchObject({
    code: 'config',
    message: 'from: build changed while it was read. Nothing was written.',
  });
  expect(readdirSync(world.workspace)).toEqual(['build']);
});
