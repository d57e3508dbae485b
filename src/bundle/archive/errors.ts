import { CourierError } from '../../errors.ts';
import { plainLine } from '../../text/escape.ts';

/** `unsafe-archive`: the archive holds what no documentation bundle needs. `name` is the entry's, as the archive gives it. */
export function unsafe(reason: string, name?: string): CourierError {
  const where = name === undefined ? '' : ` at "${plainLine(name, 120)}"`;
  return new CourierError({
    code: 'unsafe-archive',
    message: `The bundle is not safe to unpack${where}: ${reason}.`,
    hint: 'Nothing of it was unpacked. Report it to the platform, and do not unpack this archive with other tools.',
  });
}

/** `integrity`: the archive was cut off, changed on its way, or written wrongly. */
export function damaged(reason: string, cause?: unknown): CourierError {
  return new CourierError({
    code: 'integrity',
    message: `The bundle is damaged: ${reason}.`,
    hint: 'Nothing of it was kept. Run again with export-job-id, which starts no second export.',
    cause,
  });
}
