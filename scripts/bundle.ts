import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

function run(root: string, command: string, args: readonly string[]): void {
  execFileSync(process.execPath, [join(root, 'node_modules', command), ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** JavaScript of src. `out` is inside the checkout, since it must find node_modules; what is bundled holds no path of it. */
export function emitJavaScript(root: string, out: string): void {
  rmSync(out, { recursive: true, force: true });
  run(root, 'typescript/bin/tsc', ['-p', 'tsconfig.build.json', '--outDir', out]);
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }\n');
}

/** One program with everything that it imports, in a folder of its own. */
export function bundle(root: string, entry: string, out: string): void {
  run(root, '@vercel/ncc/dist/ncc/cli.js', ['build', entry, '-o', out, '--target', 'es2024', '--no-cache', '-q']);
}
