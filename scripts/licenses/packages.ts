import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod/mini';

const names = z.optional(z.record(z.string(), z.string()));
const lockedPackage = z.object({
  version: z.optional(z.string()),
  dependencies: names,
  peerDependencies: names,
});
const lock = z.object({ packages: z.record(z.string(), lockedPackage) });
type Packages = z.infer<typeof lock>['packages'];

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** Below the checkout, such as `node_modules/hono`. */
  readonly folder: string;
}

// `from 'x'` of an import or export that is not type-only, `import 'x'`, and `import('x')`.
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)[^;'"]*?from\s+'([^'.][^']*)'|import\(\s*'([^'.][^']*)'\s*\)|(?:^|\n)import\s+'([^'.][^']*)'/g;

function packageOf(specifier: string): string {
  const [scope = '', name = ''] = specifier.split('/');
  return specifier.startsWith('@') ? `${scope}/${name}` : scope;
}

/** The packages that the TypeScript of action and emulator loads, statically or dynamically. */
export function importedPackages(root: string): string[] {
  const files = ['src', 'emulator/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }),
  );
  const found = files
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .flatMap((entry) => [
      ...readFileSync(join(entry.parentPath, entry.name), 'utf8').matchAll(IMPORT),
    ])
    .flatMap(([, ...specifiers]) => specifiers.filter((specifier) => specifier !== undefined))
    .filter((specifier) => !specifier.startsWith('node:') && !builtinModules.includes(specifier));
  return [...new Set(found.map(packageOf))].sort();
}

/** Where Node finds `name` from `folder`: in its node_modules, then in those of its parents. */
function findFolder(packages: Packages, folder: string, name: string): string | undefined {
  const parts = folder.split('/node_modules/');
  const destinations = parts.map((_, index) =>
    parts.slice(0, parts.length - index).join('/node_modules/'),
  );
  return [
    ...destinations.map((destination) => `${destination}/node_modules/${name}`),
    `node_modules/${name}`,
  ].find((candidate) => packages[candidate] !== undefined);
}

/** scripts/bundle.ts replaces them. */
export const NOT_BUNDLED: readonly string[] = [
  'undici',
  'tunnel',
  '@actions/exec',
  '@octokit/plugin-rest-endpoint-methods',
];

/** What `src` loads with all dependencies, from the lock file: the same on every machine. */
export function shippedPackages(root: string): ShippedPackage[] {
  const { packages } = lock.parse(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  );
  const found = new Map<string, ShippedPackage>();
  const seen = new Set<string>();
  const visit = (from: string, name: string, isOptional: boolean) => {
    if (NOT_BUNDLED.includes(name)) return;
    const folder = findFolder(packages, from, name);
    const entry = folder === undefined ? undefined : packages[folder];
    if (folder === undefined || entry === undefined) {
      if (isOptional) return;
      throw new Error(
        `package-lock.json does not contain ${name}, which ${from === '' ? 'src' : from} needs`,
      );
    }
    if (seen.has(folder)) return;
    seen.add(folder);
    // One version of a package may be installed in two folders.
    found.set(`${name}@${entry.version}`, { name, version: entry.version ?? '', folder });
    for (const next of Object.keys(entry.dependencies ?? {})) visit(folder, next, false);
    for (const next of Object.keys(entry.peerDependencies ?? {})) visit(folder, next, true);
  };
  for (const name of importedPackages(root)) visit('', name, false);
  return [...found.values()].sort((a, b) =>
    `${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1,
  );
}
