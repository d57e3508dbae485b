import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Where scripts/tools.sh installs them. */
export function cacheFolder(): string {
  const { env } = process;
  return (
    env.DOCS_COURIER_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'docs-courier')
  );
}

/** Path of a tool from the cache or from PATH; undefined if it is in neither. */
export function findTool(name: string): string | undefined {
  const cache = cacheFolder();
  const folders = [
    join(cache, 'bin'),
    join(cache, 'venv/bin'),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

export function needTool(name: string): string {
  const path = findTool(name);
  if (path === undefined)
    throw new Error(`${name} is not installed. Install it: bash scripts/tools.sh`);
  return path;
}
