import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { fillRegions } from '../docs/regions.ts';
import type { followPaths } from './runs.ts';

/** What every path uses: no path names its files. */
const EVERYWHERE = /^(?:ground|http|values)\//;

export interface PathFile {
  readonly part: string;
  /** Relative to src. */
  readonly file: string;
  /** What it does. */
  readonly text: string;
}

export function readPathFiles(root: string): PathFile[] {
  const parts: unknown = parse(readFileSync(join(root, 'scripts/docs/paths.yml'), 'utf8'));
  const schema = z.record(z.string(), z.record(z.string(), z.string()));
  return Object.entries(schema.parse(parts)).flatMap(([part, files]) =>
    Object.entries(files).map(([file, text]) => ({ part, file, text })),
  );
}

/**
 * CONTRIBUTING.md with the paths of these runs. Throws if no run enters a file that has a text, or
 * if a run enters a folder of `src` of which no file has one.
 */
export function writePaths(root: string, paths: Awaited<ReturnType<typeof followPaths>>): string {
  const files = readPathFiles(root);
  checkFiles(files, new Set([...paths.link, ...paths.comment]));
  const parts: Readonly<Record<string, readonly string[]>> = {
    'path link': paths.link,
    'path comment': paths.comment.filter((file) => !paths.link.includes(file)),
  };
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  return fillRegions('CONTRIBUTING.md', page, (words) => renderPath(files, parts[words] ?? []));
}

/** Each part where its first file is entered. */
function renderPath(files: readonly PathFile[], entered: readonly string[]): string {
  const named = entered.flatMap((each) => files.find(({ file }) => file === each) ?? []);
  return [...Map.groupBy(named, ({ part }) => part)]
    .map(([part, lines]) => `${part}:\n\n${lines.map(pathLine).join('\n')}`)
    .join('\n\n');
}

export function pathLine({ file, text }: PathFile): string {
  return `- \`${file}\`: ${text}`;
}

function checkFiles(files: readonly PathFile[], entered: ReadonlySet<string>): void {
  const folderOf = (file: string) => file.split('/')[0];
  const folders = new Set(files.map(({ file }) => folderOf(file)));
  const neverEntered = files
    .filter(({ file }) => !entered.has(file))
    .map(({ file }) => `no run enters ${file}`);
  const unnamed = [...entered]
    .filter((file) => !EVERYWHERE.test(file) && !folders.has(folderOf(file)))
    .map((file) => `a run enters ${file}, and no file of its folder has a text`);
  const faults = [...neverEntered, ...unnamed];
  if (faults.length > 0) throw new Error(`scripts/docs/paths.yml: ${faults.join('; ')}`);
}
