import { createHash } from 'node:crypto';
import type { InputName } from '../inputs/catalog.ts';
import { type InputSource, rawInput } from '../inputs/reader.ts';
import { canonicalJson } from '../signature.ts';

/** What makes a step another one. Not the address of the platform and no key: both change when what fails is mended. */
const NAMES = [
  'mode',
  'domain',
  'project-id',
  'site',
  'export-version',
  'base-path',
  'to',
  'bundle-path',
  'extract-to',
  'queries-file',
  'query',
] as const satisfies readonly InputName[];

/**
 * The same for each run of a step, also where its inputs are wrong otherwise, and for no other step of the repository that
 * exports, refreshes or searches something else.
 */
export function stepKey(source: InputSource): string {
  const texts = NAMES.map((name) => [name, rawInput(source, name)]);
  return keyOf(Object.fromEntries(texts));
}

/** A short digest, equal for equal values. */
export function keyOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, 16);
}
