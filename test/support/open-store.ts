import type { LinkStore, Snapshot } from '../../src/stores/port.ts';

/** Checks that the destination can be written, and reads it, as a run does before anything else. */
export async function openStore(store: Pick<LinkStore, 'preflight' | 'read'>): Promise<Snapshot> {
  await store.preflight();
  return store.read();
}
