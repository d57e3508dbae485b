import { randomBytes } from 'node:crypto';
import { FaultScript } from '../faults.ts';
import { AgentJobs } from './agent-jobs.ts';
import { type BundleStore, createLocalBundleStore, type LocalBundleStore } from './bundle-store.ts';
import type { RecordedRequest } from './entities.ts';
import { ExportJobs } from './export-jobs.ts';
import { randomKeys } from './keys.ts';
import {
  type Behaviour,
  type EmulatorClock,
  type EmulatorOptions,
  type Keys,
  readBehaviour,
} from './options.ts';
import { Publishing } from './publishing.ts';
import { createRateWindow, type RateWindow } from './rate-window.ts';
import { Sites } from './sites.ts';

const HOUR_MS = 3_600_000;

/** The state of one emulator. */
export class Store {
  readonly keys: Keys;
  readonly projectId: string;
  readonly clock: EmulatorClock;
  readonly behaviour: Behaviour;
  readonly publishing: Publishing;
  readonly sites: Sites;
  readonly exports: ExportJobs;
  readonly agents: AgentJobs;
  /** Where exports store their bundles. */
  readonly bundles: BundleStore;
  /** The same, or unused if bundles are kept elsewhere. */
  readonly storage: LocalBundleStore = createLocalBundleStore();
  readonly hourlyUses: RateWindow = createRateWindow(HOUR_MS);
  readonly minuteUses: RateWindow = createRateWindow(HOUR_MS / 60);
  readonly faults = new FaultScript();
  readonly requests: RecordedRequest[] = [];
  readonly #options: EmulatorOptions;

  constructor(options: EmulatorOptions, elsewhere?: BundleStore) {
    this.#options = options;
    this.keys = options.keys ?? randomKeys();
    this.projectId = options.projectId ?? `proj_${randomBytes(6).toString('hex')}`;
    this.clock = options.clock ?? { now: () => Date.now() };
    this.behaviour = readBehaviour(options);
    this.bundles = elsewhere ?? this.storage;
    const { behaviour, clock } = this;
    this.publishing = new Publishing({ contents: options.sites, behaviour, clock });
    this.sites = new Sites({
      ids: Object.keys(options.sites),
      publishing: this.publishing,
      behaviour,
      clock,
    });
    this.exports = new ExportJobs({ behaviour, clock, sites: this.sites, store: this.bundles });
    this.agents = new AgentJobs(behaviour, clock);
  }

  /** Restores the initial state; keys and sites stay. */
  reset(): void {
    Object.assign(this.behaviour, readBehaviour(this.#options));
    for (const part of [
      this.bundles,
      this.publishing,
      this.sites,
      this.exports,
      this.agents,
      this.hourlyUses,
      this.minuteUses,
      this.faults,
    ])
      part.clear();
    this.requests.length = 0;
  }
}
