import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifySync } from 'rolldown/utils';

function run(root: string, command: string, args: readonly string[]): void {
  execFileSync(process.execPath, [join(root, 'node_modules', command), ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** JavaScript of src. `out` is inside the checkout, since it must find node_modules; the bundle does not contain its path. */
export function emitJavaScript(root: string, out: string): void {
  rmSync(out, { recursive: true, force: true });
  run(root, 'typescript/bin/tsc', ['-p', 'tsconfig.build.json', '--outDir', out]);
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }\n');
}

/** One program with everything that it imports, in a separate folder: index.js, and a chunk for each part that loads on demand. */
export function bundle(root: string, entry: string, out: string): void {
  run(root, '@vercel/ncc/dist/ncc/cli.js', ['build', entry, '-o', out, '--target', 'es2024', '--no-cache', '-q']);
  // ncc itself can minify index.js only, not the chunks.
  for (const name of readdirSync(out).filter((file) => file.endsWith('.js'))) minify(join(out, name));
}

// Functions and classes keep their names: a stack trace without lines still shows where it happened.
const keepNames = { function: true, class: true };

function minify(path: string): void {
  const { code, errors } = minifySync(path, readFileSync(path, 'utf8'), {
    module: true,
    compress: { target: 'es2024', keepNames },
    mangle: { keepNames },
    // The licenses are in licenses.txt.
    codegen: { legalComments: 'none' },
  });
  if (errors.length > 0) throw new Error(`${path} cannot be minified: ${errors.map(String).join('\n')}`);
  writeFileSync(path, code);
}
