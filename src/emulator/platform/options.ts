import type { S3Options } from './s3-options.ts';

/** Wall clock, epoch milliseconds. The clock of the rest of the project fits. */
export interface EmulatorClock {
  now(): number;
}

/** How jobs advance: as time passes, or by being fetched (`polls: 3` is over at the third fetch). */
export type Advance =
  | { readonly advance: 'time'; readonly durationMs: number }
  | { readonly advance: 'poll'; readonly polls: number };

export type ExpiresAtFormat = 'iso' | 'epoch-seconds' | 'epoch-milliseconds' | 'local-time' | 'garbage' | 'missing';

/** A folder of Markdown, or the files themselves: path to content. */
export type SiteContent = string | Readonly<Record<string, string | Uint8Array>>;

export interface RateLimits {
  /** Agent messages per project and hour. */
  readonly messages: number;
  /** Searches per organization and hour. */
  readonly searches: number;
}

/** How long newly published content stays unseen by search: a time, a number of searches, or both. */
export interface SearchLag {
  readonly ms?: number | undefined;
  readonly searches?: number | undefined;
}

/** What may be changed while the emulator runs; `reset` restores what it was started with. */
export interface Behaviour {
  exportJobs: Advance;
  agentJobs: Advance;
  linkLifetimeMs: number;
  expiresAt: ExpiresAtFormat;
  rateLimits: RateLimits;
  searchLag: SearchLag;
}

export interface EmulatorOptions extends Partial<Behaviour> {
  /** Site identifier to its Markdown. */
  readonly sites: Readonly<Record<string, SiteContent>>;
  /** 0 or nothing: any free port. */
  readonly port?: number | undefined;
  readonly keys?: Keys | undefined;
  readonly projectId?: string | undefined;
  readonly clock?: EmulatorClock | undefined;
  /** Keeps bundles in an S3-compatible store; links are then its own. Default: in memory. */
  readonly s3?: S3Options | undefined;
  /** One line per request, without its query: it may hold a signature. */
  readonly log?: ((line: string) => void) | undefined;
}

export interface Keys {
  readonly admin: string;
  readonly assistant: string;
}

const HOUR_MS = 3_600_000;

export function readBehaviour(options: EmulatorOptions): Behaviour {
  return {
    exportJobs: options.exportJobs ?? { advance: 'poll', polls: 2 },
    agentJobs: options.agentJobs ?? { advance: 'poll', polls: 2 },
    linkLifetimeMs: options.linkLifetimeMs ?? HOUR_MS,
    expiresAt: options.expiresAt ?? 'iso',
    // The platform's documented limits.
    rateLimits: options.rateLimits ?? { messages: 100, searches: 10_000 },
    searchLag: options.searchLag ?? {},
  };
}
