import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A program in JavaScript that is started without a shell. The line `#!` ends at a blank, which the
 * path of Node.js may contain.
 */
export function writeNodeProgram(path: string, code: string): void {
  const node = join(dirname(path), '.node');
  if (!existsSync(node)) symlinkSync(process.execPath, node);
  writeFileSync(path, `#!${node}\n${code}`);
  chmodSync(path, 0o755);
}
