import { spawnSync } from 'node:child_process';
import { createHash, hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import type { Generator, SiteOptions } from './generators/generator.ts';
import type { SourcePage } from './source.ts';

const manifest = z.object({
  before: z.string(),
  npm: z.record(z.string(), z.record(z.string(), z.string())),
  python: z.record(z.string(), z.array(z.string())),
});
const { before, npm, python } = manifest.parse(
  parse(readFileSync(join(import.meta.dirname, 'packages.yml'), 'utf8')),
);

/** The packages of a generator; with their exact versions, they are the key of its installation. */
interface Packages {
  readonly npm?: Readonly<Record<string, string>> | undefined;
  readonly python?: readonly string[] | undefined;
}

/** No generator reports who uses it, or looks for a newer version of itself. */
const QUIET = {
  ASTRO_TELEMETRY_DISABLED: '1',
  CI: 'true',
  DISABLE_MKDOCS_2_WARNING: 'true',
  NEXT_TELEMETRY_DISABLED: '1',
  NO_COLOR: '1',
  NO_UPDATE_NOTIFIER: '1',
};

/** The folder of installed generators and sites: SITES_CACHE, else in the user's cache. */
export function cacheFolder(): string {
  const { SITES_CACHE: chosen, XDG_CACHE_HOME: cache } = process.env;
  if (chosen) return resolve(chosen);
  return join(cache || join(homedir(), '.cache'), 'docs-courier', 'sites');
}

/** The version of a generator, as a person would name it. */
export function versionOf(name: string): string {
  const packages = packagesOf(name);
  const ofNpm = Object.entries(packages.npm ?? {}).find(([one]) => one.includes(name))?.[1];
  if (ofNpm !== undefined) return ofNpm;
  const start = new RegExp(`^(?:mkdocs-)?${name}==`, 'i');
  return packages.python?.find((line) => start.test(line))?.replace(/.*==/, '') ?? '';
}

function packagesOf(name: string): Packages {
  const packages = { npm: npm[name], python: python[name] };
  if (packages.npm ?? packages.python) return packages;
  throw new Error(`scripts/sites/packages.yml has no packages of ${name}`);
}

interface BuildInit extends SiteOptions {
  readonly generator: Generator;
  readonly pages: readonly SourcePage[];
  /** The folder of the project, below that of the generator. Two builds may have the same pages. */
  readonly folder: string;
}

/**
 * The folder with a site that a generator has built of pages. Installs the generator and builds the
 * site if its cache does not have them. Throws with the output of a program that fails.
 */
export function buildSite(init: BuildInit): string {
  const { generator, pages, folder, basePath } = init;
  const installed = install(generator.name);
  const project = join(installed, folder);
  const files = generator.files(pages, { basePath });
  const key = keyOf(files, generator.build);
  const site = join(project, generator.output);
  const marker = `${project}.built`;
  if (existsSync(marker) && readFileSync(marker, 'utf8') === key) return site;
  rmSync(marker, { force: true });
  makeProject(installed, project, files);
  const [program = '', ...args] = generator.build;
  const bin = [join(project, 'node_modules/.bin'), join(installed, 'venv/bin')].find(existsSync);
  // Each build and each deployment has an id, and is the same site.
  const DEPLOYMENT = `dpl_${hash('sha256', folder).slice(0, 24)}`;
  const BUILD = hash('sha256', folder, 'base64url').slice(0, 21);
  run(join(bin ?? '', program), args, project, { ...QUIET, BUILD, DEPLOYMENT });
  writeFileSync(marker, key);
  return site;
}

/** A project as on a machine of its own: its packages are in it, and nothing above it is read. */
function makeProject(
  installed: string,
  project: string,
  files: ReadonlyMap<string, string | Buffer>,
): void {
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  // Links to the same files: as fast as it is small. Astro reads the list of the packages too.
  const packages = ['node_modules', 'package.json'].map((name) => join(installed, name));
  const present = packages.filter(existsSync);
  if (present.length > 0) run('cp', ['-al', ...present, '.'], project);
  for (const [path, content] of files) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    // A link would change the file that it leads to.
    rmSync(join(project, path), { force: true });
    writeFileSync(join(project, path), content);
  }
}

function keyOf(files: ReadonlyMap<string, string | Buffer>, build: readonly string[]): string {
  const key = createHash('sha256').update(JSON.stringify(build));
  for (const [path, content] of files) key.update(JSON.stringify(path)).update(content);
  return key.digest('hex');
}

/** The folder in which a generator is installed, with its packages. */
function install(name: string): string {
  const packages = packagesOf(name);
  const key = hash('sha256', JSON.stringify([before, packages])).slice(0, 12);
  const folder = join(cacheFolder(), `${name}-${key}`);
  const marker = join(folder, '.installed');
  if (existsSync(marker)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (packages.npm === undefined) installPython(folder, packages.python ?? []);
  else installNpm(folder, packages.npm);
  writeFileSync(marker, '');
  return folder;
}

function installNpm(folder: string, dependencies: Readonly<Record<string, string>>): void {
  const manifest = { private: true, type: 'module', dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--before', before];
  run('npm', ['install', ...options], folder);
}

function installPython(folder: string, packages: readonly string[]): void {
  run('python3', ['-m', 'venv', 'venv'], folder);
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps'];
  run(join(folder, 'venv/bin/pip'), ['install', ...options, ...packages], folder);
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...variables },
  });
  if (status === 0) return;
  const why = error?.message ?? `${stdout}${stderr}`.trim().slice(-4000);
  throw new Error(`${program} ${args.join(' ')} failed in ${cwd}:\n${why}`);
}
