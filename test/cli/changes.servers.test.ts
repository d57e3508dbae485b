import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tarGz, tarMember, zip } from '../site/archives.ts';
import { openLaptop } from './harness.ts';

type Pages = Readonly<Record<string, string>>;

const page = (title: string, text: string, menu = 'Home') =>
  `<!doctype html><title>${title}</title><nav>${menu}</nav><main><h1>${title}</h1><p>${text}</p></main>`;

const BEFORE: Pages = {
  'index.html': page('Start', 'Welcome to the documentation.'),
  'same.html': page('Same', 'It stays as it is.'),
  'guide/edit.html': page('Edit', 'Press the green button.'),
  'guide/old.html': page('Moved', 'One text that no other page has.'),
  'gone.html': page('Gone', 'Nobody needs this any more.'),
};
const AFTER: Pages = {
  'index.html': page('Start', 'Welcome to the documentation.', 'Home, News'),
  'same.html': page('Same', 'It stays as it is.'),
  'guide/edit.html': page('Edit\u001b[31m', 'Press the red button.'),
  'guide/new.html': page('Moved', 'One text that no other page has.'),
  'news.html': page('News', 'A page that is new.'),
};
const CHANGES = [
  'changed  /guide/edit  Edit',
  'added    /news  News',
  'removed  /gone  Gone',
  'moved    /guide/old -> /guide/new  Moved',
];

/** How a site is given: writes it into a folder and names it. */
const FORMS: Readonly<Record<string, (name: string, pages: Pages) => string>> = {
  folder(name, pages) {
    for (const [path, text] of Object.entries(pages)) {
      mkdirSync(dirname(join(name, path)), { recursive: true });
      writeFileSync(join(name, path), text);
    }
    mkdirSync(join(name, '.git'));
    writeFileSync(join(name, '.git/page.html'), page('Hidden', name));
    symlinkSync('/etc', join(name, 'link'));
    return name;
  },
  'tar.gz'(name, pages) {
    const members = Object.entries(pages).map(([path, text]) => ({ name: path, content: text }));
    writeFileSync(`${name}.tar.gz`, tarGz(members));
    return `${name}.tar.gz`;
  },
  zip(name, pages) {
    const members = Object.entries(pages).map(([path, text]) => ({ name: path, content: text }));
    writeFileSync(`${name}.zip`, zip(members));
    return `${name}.zip`;
  },
  manifest(name, pages) {
    const files = Object.entries(pages).map(([path, text]) => ({
      path,
      bytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
    }));
    writeFileSync(`${name}.json`, JSON.stringify({ version: 1, exportJobId: 'e1', files }));
    return `${name}.json`;
  },
};

async function changesOf(before: string, after: string, pages = AFTER) {
  await using laptop = await openLaptop();
  const a = FORMS[before]?.(join(laptop.folder, 'a'), BEFORE) ?? before;
  const b = FORMS[after]?.(join(laptop.folder, 'b'), pages) ?? after;
  // No server is at this address, and no key is needed.
  const env = { DOCS_COURIER_BASE_URL: '', DOCS_COURIER_ADMIN_API_KEY: '' };
  const ended = await laptop.run(['changes', a, b], { env });
  return { ...ended, requests: laptop.platform.requests.length };
}

test.each([
  ['folder', 'folder'],
  ['folder', 'tar.gz'],
  ['tar.gz', 'zip'],
  ['zip', 'folder'],
])(
  'From a %s to a %s, titles and addresses of what changed are printed, and a new menu is no change',
  async (before, after) => {
    const { exitCode, stdout, stderr, requests } = await changesOf(before, after);
    expect(stderr).toContain('1 page changed, 1 added, 1 removed, 1 moved, 2 unchanged.');
    expect(stdout.replace('Edit[31m', 'Edit').trimEnd().split('\n')).toEqual(CHANGES);
    expect(stdout).not.toContain('\u001b');
    expect(exitCode).toBe(0);
    expect(requests).toBe(0);
  },
);

test.each([
  ['manifest', 'folder'],
  ['zip', 'manifest'],
  ['manifest', 'manifest'],
])('From a %s to a %s, hashes are compared, which is said', async (before, after) => {
  const { exitCode, stdout, stderr } = await changesOf(before, after);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('By the hashes of a manifest');
  expect(stdout).toMatch(/^changed {2}\/ {2}/m);
  expect(stdout).toMatch(/^changed {2}\/guide\/edit {2}/m);
  expect(stdout).toMatch(/^removed {2}\/gone {2}/m);
  expect(stdout).not.toContain('/same');
});

test('A list of pages is compared with an archive, and with a list, by what a reader sees', async () => {
  await using laptop = await openLaptop();
  FORMS['zip']?.(join(laptop.folder, 'a'), BEFORE);
  const b = FORMS['zip']?.(join(laptop.folder, 'b'), AFTER) ?? '';
  const env = { DOCS_COURIER_BASE_URL: '', DOCS_COURIER_ADMIN_API_KEY: '' };
  const lists: string[] = [];
  for (const from of ['a', 'b']) {
    const to = `listed-${from}`;
    const options = ['--from', `${from}.zip`, '--extract-to', to, '--add', 'manifest'];
    const listed = await laptop.run(['export', ...options], { env });
    expect(listed.exitCode, listed.stderr).toBe(0);
    lists.push(join(laptop.folder, to, 'docs-courier.manifest.json'));
  }
  for (const after of [b, lists[1] ?? '']) {
    const { exitCode, stdout, stderr } = await laptop.run(['changes', lists[0] ?? '', after], {
      env,
    });
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain('By a list of pages');
    expect(stdout).toMatch(/^changed {2}\/guide\/edit {2}/m);
    expect(stdout).toMatch(/^removed {2}\/gone {2}/m);
    expect(stdout).not.toContain('/same');
  }
  const hashes = FORMS['manifest']?.(join(laptop.folder, 'c'), BEFORE) ?? '';
  const mixed = await laptop.run(['changes', lists[0] ?? '', hashes], { env });
  expect(mixed.exitCode).toBe(2);
  expect(mixed.stderr).toContain('A list of pages has no hashes of files');
});

test('A signal ends the command with its exit code', async () => {
  await using laptop = await openLaptop();
  const archive = FORMS['tar.gz']?.(join(laptop.folder, 'a'), BEFORE) ?? '';
  const signal = AbortSignal.abort('SIGINT');
  const { exitCode, stdout } = await laptop.run(['changes', archive, archive], { signal });
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
});

test('Nothing is printed for two sites with the same pages, and the exit code is 0 too', async () => {
  const { exitCode, stdout } = await changesOf('folder', 'tar.gz', BEFORE);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
});

test('The words of bad input, and exit code 2', async () => {
  await using laptop = await openLaptop();
  const at = (name: string) => join(laptop.folder, name);
  FORMS['folder']?.(at('site'), BEFORE);
  writeFileSync(at('text'), 'no archive');
  writeFileSync(at('other.json'), '{"name": "x"}');
  writeFileSync(at('cut.tar.gz'), tarGz([{ name: 'index.html', content: 'x' }]).subarray(0, 30));
  writeFileSync(
    at('evil.tar'),
    Buffer.concat([tarMember({ name: '../out.html', content: 'x' }), Buffer.alloc(1024)]),
  );
  for (const [words, says] of [
    [[], 'compares two sites'],
    [['site'], 'two folders, archives or manifests'],
    [['site', 'site', 'site'], 'two folders, archives or manifests'],
    [['site', 'nothing'], 'nothing does not exist'],
    [['text', 'site'], 'text is neither a folder, an archive nor a manifest'],
    [['other.json', 'site'], 'is not a manifest of Docs Courier'],
    [['cut.tar.gz', 'site'], 'cut.tar.gz cannot be unpacked'],
    [['evil.tar', 'site'], 'evil.tar cannot be unpacked'],
    [['/dev/null', 'site'], 'is not a file'],
  ] as const) {
    const { exitCode, stdout, stderr } = await laptop.run(['changes', ...words]);
    expect(stderr).toContain(says);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  }
  expect(readdirSync(laptop.folder)).not.toContain('out.html');
});

test.each([
  ['diff', 'changes'],
  ['compare', 'changes'],
  ['undo', 'rollback'],
  ['open', 'serve'],
])('For the word %s, the command %s is named and not run', async (word, command) => {
  await using laptop = await openLaptop();
  const { exitCode, stderr } = await laptop.run([word, 'a', 'b']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`"${word}" is not a command`);
  expect(stderr).toContain(`did you mean ${command}?`);
});
