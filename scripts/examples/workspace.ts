import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const CHECKOUT = resolve(import.meta.dirname, '../..');
export const REPOSITORY = 'acme/app';

/**
 * A user's repository: their documentation, their queries, their chart, and the workflow they
 * copied.
 */
export function createRepository(folder: string): void {
  cpSync(join(CHECKOUT, 'docs'), join(folder, 'docs'), { recursive: true });
  cpSync(join(CHECKOUT, 'examples/docs-queries.yml'), join(folder, 'docs-queries.yml'));
  write(join(folder, 'docs/.well-known/security.txt'), 'Contact: mailto:security@example.com\n');
  appendFileSync(join(folder, 'docs/index.md'), '\n[Security](/.well-known/security.txt)\n');
  write(join(folder, 'chart/Chart.yaml'), 'apiVersion: v2\nname: docs\nversion: 1.0.0\n');
  write(
    join(folder, 'deploy.sh'),
    '#!/bin/sh\nprintf \'%s\' "${1:-$BUNDLE_URL}" > "$EXAMPLES_FOLDER/deployed"\n',
  );
  chmodSync(join(folder, 'deploy.sh'), 0o755);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  // act reads the repository's name from it; nothing is ever fetched.
  git(folder, 'remote', 'add', 'origin', `https://github.com/${REPOSITORY}.git`);
  commit(folder);
}

/** Writes a workflow, and returns its path below the repository. */
export function destinationWorkflow(folder: string, name: string, text: string): string {
  const path = `.github/workflows/${name}`;
  // act ignores groups, and refuses a workflow with `queue`.
  write(join(folder, path), text.replace(/, queue: max|^ +queue: max.*\n/gm, ''));
  commit(folder);
  return path;
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export function commit(folder: string): void {
  git(folder, 'add', '--all');
  const who = [
    '-c',
    'user.name=Maya',
    '-c',
    'user.email=maya@example.com',
    '-c',
    'commit.gpgsign=false',
  ];
  git(folder, ...who, 'commit', '--quiet', '--allow-empty', '--message', 'Change');
}

export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
}

/** Files of the checkout, without those that git ignores. */
export function copyTracked(into: string): void {
  const names = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    {
      cwd: CHECKOUT,
    },
  );
  const there = names
    .toString()
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(CHECKOUT, name)));
  const archive = execFileSync('tar', ['--create', '--null', '--files-from=-'], {
    cwd: CHECKOUT,
    input: there.join('\0'),
    maxBuffer: 2 ** 28,
  });
  execFileSync('tar', ['--extract', '--file=-'], { cwd: into, input: archive });
}
