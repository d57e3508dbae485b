import { randomBytes } from 'node:crypto';
import { type AgentDesk, createAgentDesk } from './agent-jobs.ts';
import { type BundleStore, createLocalBundleStore, type LocalBundleStore } from './bundle-store.ts';
import type { RecordedRequest } from './entities.ts';
import { createExportDesk, type ExportDesk } from './export-jobs.ts';
import { createFaultScript, type FaultScript } from './faults.ts';
import { randomKeys } from './keys.ts';
import { type Behaviour, type EmulatorClock, type EmulatorOptions, type Keys, readBehaviour } from './options.ts';
import { createRateWindow, type RateWindow } from './rate-window.ts';
import { createSiteShelf, type SiteShelf } from './site-bundles.ts';

/** All that one emulator knows. */
export interface Store {
  readonly keys: Keys;
  readonly projectId: string;
  readonly clock: EmulatorClock;
  readonly behaviour: Behaviour;
  readonly shelf: SiteShelf;
  readonly exports: ExportDesk;
  readonly agents: AgentDesk;
  /** Where exports put their bundles. */
  readonly bundles: BundleStore;
  /** The same, or unused beside a store elsewhere. */
  readonly storage: LocalBundleStore;
  readonly hourlyUses: RateWindow;
  readonly faults: FaultScript;
  readonly requests: RecordedRequest[];
  /** Back to the state after the start; keys and sites stay. */
  reset(): void;
}

const HOUR_MS = 3_600_000;

export function createStore(options: EmulatorOptions, elsewhere?: BundleStore): Store {
  const clock = options.clock ?? { now: () => Date.now() };
  const behaviour = readBehaviour(options);
  const storage = createLocalBundleStore();
  const bundles = elsewhere ?? storage;
  const shelf = createSiteShelf({ sites: options.sites, behaviour, clock });
  const store = {
    keys: options.keys ?? randomKeys(),
    projectId: options.projectId ?? `proj_${randomBytes(6).toString('hex')}`,
    clock,
    behaviour,
    bundles,
    storage,
    shelf,
    exports: createExportDesk({ behaviour, clock, shelf, store: bundles }),
    agents: createAgentDesk(behaviour, clock),
    hourlyUses: createRateWindow(HOUR_MS),
    faults: createFaultScript(),
    requests: [],
  };
  return { ...store, reset: () => resetStore(store, options) };
}

function resetStore(store: Omit<Store, 'reset'>, options: EmulatorOptions): void {
  Object.assign(store.behaviour, readBehaviour(options));
  for (const part of [store.bundles, store.shelf, store.exports, store.agents, store.hourlyUses, store.faults]) {
    part.clear();
  }
  store.requests.length = 0;
}
