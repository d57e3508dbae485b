import { CourierError, type Hint } from '../../errors.ts';
import type { CheckResult } from '../../store/port.ts';

/** One line of the table: what was checked, how it is, and what to do about it. */
export type Finding = CheckResult;

export function ok(what: string, detail: string): Finding {
  return { what, outcome: 'ok', detail };
}

export function warning(what: string, detail: string, fix?: string): Finding {
  return { what, outcome: 'warning', detail, fix };
}

export function broken(what: string, detail: string, fix?: string): Finding {
  return { what, outcome: 'error', detail, fix };
}

/** What only a write would show, or what could not be checked because something before it failed. */
export function unknown(what: string, detail: string, fix?: string): Finding {
  return { what, outcome: 'unknown', detail, fix };
}

/** A failed check. What is no CourierError is a fault of this program, and goes on up; so does the end of the run. */
export function failed(what: string, error: unknown): Finding {
  if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
  return broken(what, error.message, error.hint && fixOf(error.hint));
}

/** A hint without the words of a CI system: a table has no room for an example of each. */
function fixOf(hint: string | Hint): string {
  if (typeof hint === 'string') return hint;
  const settings = Object.entries({ ...hint.permissions, ...hint.inputs }).map(([name, value]) => `${name}: ${value}`);
  return [hint.text, settings.join(', ')].filter((part) => part !== '').join(' ');
}

export const MARKS: Readonly<Record<Finding['outcome'], string>> = {
  ok: '✅',
  warning: '⚠️',
  error: '❌',
  unknown: '❔',
};
