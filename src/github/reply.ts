import type * as z from 'zod/mini';
import { CourierError } from '../errors.ts';

/** What a reply of GitHub about a secret or a variable says; `protocol` where it lacks what it must have. */
export function readReply<T>(schema: z.ZodMiniType<T>, data: unknown): T {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new CourierError({
    code: 'protocol',
    message: `GitHub's reply lacks ${result.error.issues.map(({ path }) => path.join('.')).join(', ')}.`,
    hint: 'If a proxy stands between the runner and GitHub, look whether it changes replies.',
  });
}
