import type { Change } from './port.ts';

/** A change at a time as a CI system writes it; undefined where that is none. */
export function changeAt(kind: Change['kind'], time: unknown): Change | undefined {
  if (typeof time !== 'string' && typeof time !== 'number') return undefined;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : { kind, time: date };
}
