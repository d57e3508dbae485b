/**
 * `npm run release -- 1.0.0`: makes what a release contains in `release/1.0.0`, from the commit that
 * is checked out. It publishes nothing and needs no network; the workflow that publishes runs it too.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import * as z from 'zod/mini';
import { releaseNotes } from './release/changelog.ts';
import { cleanCommit, ownManifest } from './release/manifest.ts';

const root = join(import.meta.dirname, '..');
/** What a copy needs. */
const IN_COPY = ['action.yml', 'dist', 'emulator', 'gitea', 'LICENSE'];

/** Ends the program: what is wrong, and what to do. */
function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}

function run(command: string, ...args: readonly string[]): Buffer {
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  return execFileSync(command, args, { cwd: root, maxBuffer: 2 ** 28, stdio: [...stdio] });
}

/** The version of the argument, if this commit is that version. */
function readVersion(): string {
  const [given = ''] = process.argv.slice(2);
  if (!/^\d+\.\d+\.\d+$/.test(given))
    refuse(`"${given}" is not a version. Run, for example: npm run release -- 1.0.0`);
  const { version } = ownManifest();
  if (version !== given)
    refuse(
      `package.json has version ${version}. Run: npm version --no-git-tag-version ${given} && npm run build`,
    );
  return given;
}

/** The commit, of which every file is released as it was committed. */
function readCommit(): string {
  return cleanCommit() ?? refuse('Some files differ from the commit. Commit them first.');
}

/** The archive with the action; the bytes are the same for the same commit. */
async function packAction(file: string, texts: Readonly<Record<string, string>>, mtime: Date) {
  const folder = mkdtempSync(join(tmpdir(), 'docs-courier-release-'));
  try {
    const archive = run('git', 'archive', '--format=tar', 'HEAD', ...IN_COPY);
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
    const names = [...IN_COPY, ...Object.keys(texts)].sort();
    await create({ file, cwd: folder, gzip: true, portable: true, mtime }, names);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const sbom = z.looseObject({ documentNamespace: z.string(), creationInfo: z.looseObject({}) });

/** The packages that the bundle was made of, in SPDX; without the time and the number of this run. */
function listPackages(version: string, commit: string, created: string): string {
  const args = ['--sbom-format', 'spdx', '--omit', 'dev', '--package-lock-only'];
  const list = sbom.parse(JSON.parse(run('npm', 'sbom', ...args).toString()));
  list.documentNamespace = `https://spdx.org/spdxdocs/docs-courier-${version}-${commit}`;
  list.creationInfo = { ...list.creationInfo, created };
  return `${JSON.stringify(list, undefined, 2)}\n`;
}

function sumOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

const version = readVersion();
const commit = readCommit();
const committed = new Date(
  run('git', 'show', '--no-patch', '--format=%cI', 'HEAD').toString().trim(),
);
const notes = releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, committed);
if (notes === undefined) refuse(`CHANGELOG.md has no section "## [${version}]".`);
run(process.execPath, join(root, 'scripts/build.ts'), '--check');

const out = join(root, 'release', version);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const readme = readFileSync(join(root, 'scripts/release/copy-readme.md'), 'utf8')
  .replaceAll('VERSION', version)
  .replaceAll('COMMIT', commit);
await packAction(
  join(out, `docs-courier-action-${version}.tar.gz`),
  { 'README.md': readme },
  committed,
);
const unpacked = mkdtempSync(join(tmpdir(), 'docs-courier-package-'));
try {
  run(process.execPath, join(root, 'scripts/package.ts'), unpacked);
  run('npm', 'pack', '--silent', '--pack-destination', out, unpacked);
} finally {
  rmSync(unpacked, { recursive: true, force: true });
}
writeFileSync(join(out, 'release-notes.md'), notes);
writeFileSync(join(out, 'sbom.spdx.json'), listPackages(version, commit, committed.toISOString()));
const files = readdirSync(out).sort();
const sums = files.map((name) => `${sumOf(join(out, name))}  ${name}\n`);
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
for (const name of [...files, 'SHA256SUMS']) console.log(`release/${version}/${name}`);
console.log('The image was left out: it needs a registry. The release workflow builds it.');
