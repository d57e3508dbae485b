import { type CheckResult, failedCheck } from '../stores/port.ts';

/** What a check found: how it is, and what to do about it. */
export type Check = CheckResult;

/** One line of the table, in the words of the system that the run takes place in. */
export interface Finding extends Omit<Check, 'fix'> {
  readonly fix?: string | undefined;
}

export function ok(what: string, detail: string): Check {
  return { what, outcome: 'ok', detail };
}

export function warning(what: string, detail: string, fix?: Check['fix']): Check {
  return { what, outcome: 'warning', detail, fix };
}

export function broken(what: string, detail: string, fix?: Check['fix']): Check {
  return { what, outcome: 'error', detail, fix };
}

/** What only a write would show, or what could not be checked because something before it failed. */
export function unknown(what: string, detail: string, fix?: Check['fix']): Check {
  return { what, outcome: 'unknown', detail, fix };
}

/** A failed check. What is no CourierError is a fault of this program, and goes on up; so does the end of the run. */
export const failed: (what: string, error: unknown) => Check = failedCheck;

export const MARKS: Readonly<Record<Finding['outcome'], string>> = {
  ok: '✅',
  warning: '⚠️',
  error: '❌',
  unknown: '❔',
};
