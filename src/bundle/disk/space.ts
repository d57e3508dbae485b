import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CourierError } from '../../errors.ts';
import { formatBytes } from '../../text/markdown.ts';

// The archive itself with some room, and where it is unpacked room for what a site of that size usually becomes.
const SPACE_FACTOR = { unpacked: 2.5, packed: 1.25 } as const;

/** Bytes that may still be written on the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

interface SpaceCheck {
  readonly bundlePath: string | undefined;
  readonly extractTo: string | undefined;
  readonly runnerTemp: string;
  readonly free: (folder: string) => Promise<number>;
}

/**
 * Measures the disks that the bundle goes to. Returns a check that takes no time, since the reply must be read at once when
 * its size is known: it takes the archive's bytes and throws `io` when a disk cannot hold the bundle.
 */
export async function measureSpace({
  bundlePath,
  extractTo,
  runnerTemp,
  free,
}: SpaceCheck): Promise<(bytes: number) => void> {
  const places = [
    { folder: bundlePath === undefined ? runnerTemp : dirname(bundlePath), factor: SPACE_FACTOR.packed },
    ...(extractTo === undefined ? [] : [{ folder: dirname(extractTo), factor: SPACE_FACTOR.unpacked }]),
  ];
  const measured = await Promise.all(places.map(async (place) => ({ ...place, left: await free(place.folder) })));
  return (bytes) => {
    const small = measured.find(({ left, factor }) => left < bytes * factor);
    if (small === undefined) return;
    const { folder, left, factor } = small;
    throw new CourierError({
      code: 'io',
      message: `The disk of ${folder} has ${formatBytes(left)} left; a bundle of ${formatBytes(bytes)} needs ${formatBytes(bytes * factor)}.`,
      hint: 'Free some space in an earlier step, or use a larger runner.',
    });
  };
}
