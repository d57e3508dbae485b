import { Buffer } from 'node:buffer';
import type * as z from 'zod/mini';
import { CourierError } from '../errors.ts';
import { plainLine } from '../text/escape.ts';
import type { contents } from './replies.ts';

/** A file of the default branch, at the commit that was its newest when it was read. */
export interface DefaultFile {
  readonly bytes: Uint8Array;
  readonly commit: string;
}

interface Asked {
  readonly path: string;
  readonly commit: string;
  readonly maxBytes: number;
}

/**
 * The file in a reply of the contents API. `config` for anything but a file of at most `maxBytes`.
 */
export function readContents(
  raw: z.infer<typeof contents>,
  { path, commit, maxBytes }: Asked,
): DefaultFile {
  const refuse = (problem: string) =>
    new CourierError({
      code: 'config',
      message: `${plainLine(path, 200)} ${problem}. Nothing was sent.`,
    });
  if (!('type' in raw)) throw refuse('is a folder on the default branch');
  // A symbolic link can lead anywhere, and a submodule is another repository.
  if (raw.type !== 'file')
    throw refuse(`is a ${plainLine(raw.type, 30)} on the default branch, which is not a file`);
  if (raw.size > maxBytes) throw refuse(`has ${raw.size} bytes; ${maxBytes} are allowed`);
  const bytes = Buffer.from(raw.content ?? '', 'base64');
  if (raw.encoding !== 'base64' || bytes.length !== raw.size) {
    throw new CourierError({
      code: 'protocol',
      message: `The reply with ${plainLine(path, 200)} has ${bytes.length} of ${raw.size} bytes. Nothing was sent.`,
    });
  }
  return { bytes, commit };
}
