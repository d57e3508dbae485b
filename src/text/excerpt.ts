import { plainLine } from './escape.ts';
import type { Redact } from './redact.ts';

/**
 * Text from outside as one inert line for a message: redacted first and cut then. Cut first, all but the last letter of a key
 * could stay.
 */
export function excerpt(text: string, { redact, max = 500 }: { redact: Redact; max?: number }): string {
  return plainLine(redact(text), max);
}
