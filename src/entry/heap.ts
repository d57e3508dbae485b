import { setFlagsFromString } from 'node:v8';

/**
 * Large archives and pages leave much garbage behind, and Node.js would rather take hundreds of MiB for it than collect it. Call
 * it before anything large is read.
 */
export function keepHeapSmall(): void {
  // Without the second, the first has no effect at run time.
  setFlagsFromString('--max-semi-space-size=1');
  setFlagsFromString('--semi-space-growth-factor=1');
  // What outlived a small young generation is mostly garbage too: it is collected once the rest has grown by a fifth.
  setFlagsFromString('--heap-growing-percent=20');
}
