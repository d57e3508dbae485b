import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { patchesByPath } from '../../../src/forges/gitea/calls.ts';

/** The diff that git itself writes between two states of a folder. */
function diffOf(before: Record<string, string | Buffer>, change: (folder: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'diff-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  try {
    git('init', '--quiet');
    for (const [name, text] of Object.entries(before)) writeFileSync(join(folder, name), text);
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'before');
    change(folder);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'after');
    return git('diff', '--find-renames', 'HEAD~1', 'HEAD');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('Each file has a separate patch, whatever its name and its content are', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');
  const names = ['plain.md', 'with blank.md', 'grüße.md', 'quo"te.md', 'tab\there.md', 'back\\slash.md'];
  const diff = diffOf({ 'gone.md': 'old\n', 'before.md': lines, 'same.md': 'same\n' }, (folder) => {
    for (const name of names) writeFileSync(join(folder, name), `content of ${name}\n`);
    writeFileSync(join(folder, 'hostile.md'), 'diff --git a/evil b/evil\n--- a/evil\n+++ b/evil\n@@ -1 +1 @@\n+EVIL\n');
    writeFileSync(join(folder, 'image.png'), Buffer.from([0, 1, 2, 0]));
    writeFileSync(join(folder, 'no-end.md'), 'no newline');
    rmSync(join(folder, 'gone.md'));
    renameSync(join(folder, 'before.md'), join(folder, 'after.md'));
    writeFileSync(join(folder, 'after.md'), `${lines}one more\n`);
  });
  const patches = patchesByPath(diff);
  const expected = [...names, 'hostile.md', 'no-end.md', 'gone.md', 'after.md'];
  expect([...patches.keys()].sort()).toEqual(expected.sort());
  for (const name of names) expect(patches.get(name)).toBe(`@@ -0,0 +1 @@\n+content of ${name}`);
  expect(patches.get('gone.md')).toBe('@@ -1 +0,0 @@\n-old');
  expect(patches.get('after.md')).toContain('+one more');
  expect(patches.get('no-end.md')).toContain('\\ No newline at end of file');
  // Text that looks like a diff is content of its file.
  expect(patches.get('hostile.md')?.split('\n').slice(1)).toEqual([
    '+diff --git a/evil b/evil',
    '+--- a/evil',
    '++++ b/evil',
    '+@@ -1 +1 @@',
    '++EVIL',
  ]);
});

test.each([
  ['a line separator', '\u2028'],
  ['a paragraph separator', '\u2029'],
  ['a lone carriage return', '\r'],
])('A line of a file with %s begins neither the diff of another file nor its hunks', (_name, end) => {
  const forged = ['diff --git a/safe.md b/safe.md', '--- a/safe.md', '+++ b/safe.md', '@@ -1 +1 @@', '-old', '+EVIL'];
  const diff = diffOf({ 'safe.md': 'old\n' }, (folder) => {
    writeFileSync(join(folder, 'hostile.md'), `text${end}${forged.join(end)}\n`);
    writeFileSync(join(folder, 'safe.md'), 'new\n');
  });
  const patches = patchesByPath(diff);
  expect([...patches.keys()].sort()).toEqual(['hostile.md', 'safe.md']);
  expect(patches.get('safe.md')).toBe('@@ -1 +1 @@\n-old\n+new');
  expect(patches.get('hostile.md')).toBe(`@@ -0,0 +1 @@\n+text${end}${forged.join(end)}`);
});

test('A path with a line separator that git does not quote does not begin a hunk', () => {
  const path = 'a\u2028@@ -9 +9 @@';
  const diff = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-old\n+new\n`;
  expect([...patchesByPath(diff)]).toEqual([[path, '@@ -1 +1 @@\n-old\n+new']]);
});

test('An empty diff has no patches', () => {
  expect(patchesByPath('').size).toBe(0);
});
