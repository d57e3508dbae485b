import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Laptop, openLaptop } from './harness.ts';

async function addSite({ folder }: Laptop, rules: string): Promise<void> {
  await mkdir(join(folder, 'site'));
  await writeFile(join(folder, 'site/_redirects'), rules);
}

describe('docs-courier redirects', () => {
  test('The redirects of a site are on standard output, and what is left out is a warning that names its line', async () => {
    await using laptop = await openLaptop();
    await addSite(
      laptop,
      '# moved\n/old /new\n\n/shown /other 200\n/a /%0D%0Ab 302\n/older /new?a=1 302\n',
    );
    const { exitCode, stdout, stderr } = await laptop.run([
      'redirects',
      'site',
      '--server',
      'nginx',
    ]);
    expect(stdout).toBe(
      [
        '# 2 redirects of _redirects, written by docs-courier redirects',
        String.raw`rewrite "^/old(?:/(?:index\.html?)?|\.html?)?$" "/new" permanent;`,
        String.raw`rewrite "^/older(?:/(?:index\.html?)?|\.html?)?$" "/new?a=1" redirect;`,
        '',
      ].join('\n'),
    );
    expect(stderr).toContain('2 of 4 rules in _redirects are left out:');
    expect(stderr).toContain('- line 4, /shown /other: 200 is not the status of a redirect');
    expect(stderr).toContain(
      '- line 5, /a /%0D%0Ab: the target has a character that a server could misread',
    );
    expect([exitCode, laptop.platform.requests.length]).toEqual([0, 0]);
  });

  test('One link to another part of the host puts no site below that, and what cannot be read is passed over', async () => {
    await using laptop = await openLaptop();
    await addSite(laptop, '/old /guide\n');
    const site = join(laptop.folder, 'site');
    await writeFile(
      join(site, 'index.html'),
      '<a href="guide.html">Guide</a> <a href="/docs">All</a>',
    );
    await writeFile(join(site, 'guide.html'), 'Guide');
    execFileSync('mkfifo', [join(site, '404.html')]);
    await mkdir(join(site, 'lost+found'), { mode: 0o000 });
    const { stdout, exitCode } = await laptop.run(['redirects', 'site', '--server', 'nginx']);
    expect(stdout).toContain(
      'rewrite "^/old(?:/(?:index\\.html?)?|\\.html?)?$" "/guide" permanent;',
    );
    expect(exitCode).toBe(0);
  });

  test.each([
    ['/handbook', ', for the site below /handbook/', '/handbook'],
    ['/a;b', '', ''],
  ])(
    'Rules of a site whose links begin with %s get that path if it is a plain one',
    async (path, where, prefix) => {
      await using laptop = await openLaptop();
      await addSite(laptop, '/old /new\n/handbook/b https://other.example/\n');
      const links = ['new', 'b', 'c'].map((name) => `<a href="${path}/${name}">${name}</a>`);
      await writeFile(join(laptop.folder, 'site/index.html'), links.join('\n'));
      for (const name of ['new', 'b', 'c'])
        await writeFile(join(laptop.folder, `site/${name}.html`), name);
      const { stdout } = await laptop.run(['redirects', 'site', '--server', 'nginx']);
      const ends = String.raw`(?:/(?:index\.html?)?|\.html?)?$`;
      expect(stdout.split('\n')).toEqual([
        `# 2 redirects of _redirects${where}, written by docs-courier redirects`,
        `rewrite "^${prefix}/old${ends}" "${prefix}/new" permanent;`,
        `rewrite "^/handbook/b${ends}" "https://other.example/" permanent;`,
        '',
      ]);
    },
  );

  test('A site without rules gives a configuration without redirects', async () => {
    await using laptop = await openLaptop();
    await mkdir(join(laptop.folder, 'site'));
    const { exitCode, stdout, stderr } = await laptop.run(['redirects', 'site', '--server=caddy']);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: '# 0 redirects of _redirects, written by docs-courier redirects\n',
      stderr: '',
    });
  });

  test.each([
    [['redirects', 'nowhere', '--server', 'nginx'], /There is no folder .*nowhere/],
    [['redirects', 'site/_redirects', '--server', 'nginx'], /_redirects is not a folder/],
    [['redirects', 'linked', '--server', 'nginx'], /_redirects of .*linked is not a file/],
    [['redirects', 'site', '--server', 'apache'], /--server must be nginx or caddy/],
    [['redirects', 'site'], /--server must be nginx or caddy/],
    [['redirects', '--server', 'nginx'], /The folder of the site is missing/],
    [
      ['redirects', 'site', '--server', 'nginx', '--to', 'file:a'],
      /--to belongs to .*, not to redirects/,
    ],
  ])('The command %j is refused, and nothing is on standard output', async (args, message) => {
    await using laptop = await openLaptop();
    await addSite(laptop, '/old /new\n');
    await mkdir(join(laptop.folder, 'linked'));
    await symlink('/etc/hosts', join(laptop.folder, 'linked/_redirects'));
    const { exitCode, stdout, stderr } = await laptop.run(args);
    expect(stderr).toMatch(message);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });
});

describe('docs-courier serve', () => {
  test('A site is served until Ctrl+C, at the address on standard output, and links that lead out of it are not followed', async () => {
    await using laptop = await openLaptop();
    await addSite(laptop, '/old /guide\n/shown /other 200\n');
    await writeFile(join(laptop.folder, 'site/index.html'), 'home');
    await writeFile(join(laptop.folder, 'site/guide.html'), 'guide');
    await writeFile(join(laptop.folder, 'secret.txt'), 'secret');
    await symlink('../secret.txt', join(laptop.folder, 'site/linked.txt'));
    const stop = new AbortController();
    const seen: (readonly [number, string])[] = [];
    const url = Promise.withResolvers<string>();
    const ended = laptop.run(['serve', 'site'], {
      signal: stop.signal,
      onPrint: (text) => url.resolve(text.trim()),
    });
    for (const path of ['', 'guide', 'old', 'nowhere', 'linked.txt', '..%2fsecret.txt']) {
      const reply = await fetch(new URL(path, await url.promise));
      seen.push([reply.status, await reply.text()]);
    }
    const written = await fetch(await url.promise, { method: 'POST' });
    await rm(join(laptop.folder, 'site'), { recursive: true });
    const gone = await fetch(await url.promise);
    stop.abort('SIGINT');
    const { exitCode, stderr } = await ended;
    const missing = [404, '404: no such page\n'];
    expect(seen).toEqual([
      [200, 'home'],
      [200, 'guide'],
      [200, 'guide'],
      missing,
      missing,
      missing,
    ]);
    expect([written.status, gone.status]).toEqual([405, 404]);
    expect(stderr).toContain('- line 2, /shown /other: 200 is not the status of a redirect');
    expect(stderr).toContain('Stop with Ctrl+C.');
    expect(exitCode).toBe(130);
    await expect(fetch(await url.promise)).rejects.toThrow();
  });

  test('A folder without index.html is served with a warning', async () => {
    await using laptop = await openLaptop();
    await mkdir(join(laptop.folder, 'site'));
    const { stdout, stderr } = await laptop.run(['serve', 'site'], {
      signal: AbortSignal.abort('SIGTERM'),
    });
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/);
    expect(stderr).toContain(
      'site has no index.html: is it the folder that the site was unpacked into?',
    );
  });

  test.each([
    ['serve', 'svc_7fQx2LmN9pRt4VwZ8bKd'],
    ['redirects', 'kQ4mZ8tW2v/kQ4mZ8tW2v+kQ4mZ8tW2vkQ4mZ8tW', '--server', 'nginx'],
    ['refresh', '--config-file', 'kQ4mZ8tW2v/kQ4mZ8tW2v+kQ4mZ8tW2vkQ4mZ8tW'],
    ['search', '--search-site', 'glpat-7fQx2LmN9pRt4VwZ8bKd', '--query', 'a'],
  ])('The command %j does not repeat what may be a key in place of a path', async (...args) => {
    await using laptop = await openLaptop();
    const { exitCode, stderr } = await laptop.run(args);
    expect(exitCode).toBe(2);
    expect(stderr).not.toMatch(/7fQx2|kQ4mZ/);
  });

  test.each([
    [['serve'], /The folder of the site is missing/],
    [['serve', 'nowhere'], /There is no folder .*nowhere/],
    [['serve', 'https://maya:pw7fQx2@docs.example.com'], /^error: An address is not a folder\.\n/],
    [['serve', 'site', '--server', 'nginx'], /--server belongs to redirects, not to serve/],
  ])('The command %j is refused before a server starts', async (args, message) => {
    await using laptop = await openLaptop();
    await addSite(laptop, '');
    const { exitCode, stdout, stderr } = await laptop.run(args);
    expect(stderr).toMatch(message);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });
});
