import type * as z from 'zod/mini';
import { fieldOf, parseJson } from '../../ground/text/json.ts';

/** Why a file cannot be used. */
export interface Unreadable {
  readonly ok: false;
  /** Follows the name of the file: `is not JSON`. */
  readonly problem: string;
}

export function unreadable(problem: string): Unreadable {
  return { ok: false, problem };
}

/**
 * Reads a file that this program writes: a text from outside. `kind` names it in a sentence, and
 * every version of it has `field`.
 */
export function readOwnFile<T>(
  text: string,
  schema: z.ZodMiniType<T>,
  { kind, field }: { readonly kind: string; readonly field: string },
): Unreadable | { readonly ok: true; readonly value: T } {
  const json = parseJson(text);
  if (json === undefined) return unreadable('is not JSON');
  const version = fieldOf(json, 'version');
  if (!Number.isInteger(version) || fieldOf(json, field) === undefined)
    return unreadable(`is not a ${kind} of Docs Courier`);
  // Before the fields are checked: another version may have other fields.
  if (version !== 1)
    return unreadable(`has version ${version}, and this Docs Courier reads version 1`);
  const parsed = schema.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  const place = parsed.error.issues[0]?.path.join('.') ?? '';
  return unreadable(`is not a valid ${kind}: ${place} is invalid`);
}
