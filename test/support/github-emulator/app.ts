import { Hono } from 'hono';
import type { Store } from './store.ts';

export function createApp(_store: Store): Hono {
  return new Hono();
}
