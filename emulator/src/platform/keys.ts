import { randomBytes } from 'node:crypto';
import type { Keys } from './options.ts';

/** Keys in the platform's format, useless anywhere else. */
export function randomKeys(): Keys {
  return {
    admin: `svc_${randomBytes(16).toString('hex')}`,
    assistant: `svc_dsc_${randomBytes(16).toString('hex')}`,
  };
}
