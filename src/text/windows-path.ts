import { sep } from 'node:path';

/**
 * True for a path of Windows on another system, where it would be the name of one file in the working folder: `C:\docs\link.txt`.
 */
export function isWindowsPathElsewhere(path: string): boolean {
  return sep === '/' && (/^[A-Za-z]:[\\/]/.test(path) || path.includes('\\'));
}
