import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { table } from '../../src/ground/text/markdown.ts';

/** The names under which the code has each secret. */
const NAMES: Readonly<Record<string, RegExp>> = {
  'a key of the platform': /\b(adminApiKey|assistantApiKey|PlatformKeys)\b/,
  'a token': /\b(secretToken|githubToken|vaultToken|kubeconfig)\b/,
  'the link': /\b(bundleUrl|BundleLink|CheckedLinks|LinkMaker|linkOf)\b/,
};

/** Every file of src with a line that names a secret, which it names, and in how many lines. */
export function secretLines(root: string): string {
  const rows: string[][] = [];
  let total = 0;
  for (const path of sources(join(root, 'src'))) {
    const lines = codeLines(readFileSync(path, 'utf8'));
    const named = lines.filter((line) => Object.values(NAMES).some((name) => name.test(line)));
    if (named.length === 0) continue;
    const kinds = Object.entries(NAMES).filter(([, name]) => named.some((line) => name.test(line)));
    const shown = relative(root, path).split(sep).join('/');
    rows.push([`\`${shown}\``, String(named.length), kinds.map(([kind]) => kind).join(', ')]);
    total += named.length;
  }
  return `${table(['File', 'Lines', 'They name'], rows)}\n\n${total} lines in ${rows.length} files.`;
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The lines without imports and comments. */
function codeLines(text: string): string[] {
  const withoutImports = text.replace(/^import [^;]*;$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '');
  return withoutImports.split('\n').filter((line) => !/^\s*\/\//.test(line));
}
