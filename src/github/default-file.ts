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

/**
 * The file in a reply of the contents API. `config` for anything but a file of at most `maxBytes`.
 */
export function readContents(
  raw: z.infer<typeof contents>,
  path: string,
  maxBytes: number,
): Uint8Array {
  const shown = plainLine(path, 200);
  if (!('type' in raw)) throw refuse(`${shown} is a folder on the default branch`);
  // A symbolic link can lead anywhere, and a submodule is another repository.
  if (raw.type !== 'file')
    throw refuse(
      `${shown} is a ${plainLine(raw.type, 30)} on the default branch, which is not a file`,
    );
  if (raw.size > maxBytes) throw refuse(`${shown} has ${raw.size} bytes; ${maxBytes} are allowed`);
  const bytes = Buffer.from(raw.content ?? '', 'base64');
  if (raw.encoding === 'base64' && bytes.length === raw.size) return bytes;
  throw new CourierError({
    code: 'protocol',
    message: `The reply with ${shown} has ${bytes.length} of ${raw.size} bytes. Nothing was sent.`,
  });
}

function refuse(problem: string): CourierError {
  return new CourierError({ code: 'config', message: `${problem}. Nothing was sent.` });
}
