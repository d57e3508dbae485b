import type { InputReader } from './reader.ts';
import * as values from './values.ts';

/** How long a job is followed. */
export function readFollow(reader: InputReader) {
  const timeoutMs = reader.required('timeout', values.duration) ?? 0;
  const onTimeout = reader.required('on-timeout', values.oneOf(['fail', 'detach'])) ?? 'fail';
  return { timeoutMs, onTimeout } as const;
}
