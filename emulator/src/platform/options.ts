import type { BasePath } from '../../../src/platform/contract.ts';
import type { SiteContent } from '../site/source.ts';
import type { AgentScript, ExportScript, UpdateScript } from './entities.ts';
import type { S3Options } from './s3-options.ts';

/** Wall clock, epoch milliseconds. The clock of the rest of the project fits. */
export interface EmulatorClock {
  now(): number;
}

/** How jobs advance: with time, or with each fetch (`polls: 3` ends at the third fetch). */
export type Advance =
  | { readonly advance: 'time'; readonly durationMs: number }
  | { readonly advance: 'poll'; readonly polls: number };

export const EXPIRES_AT_FORMATS = [
  'iso',
  'epoch-seconds',
  'epoch-milliseconds',
  'local-time',
  'garbage',
  'missing',
] as const;
export type ExpiresAtFormat = (typeof EXPIRES_AT_FORMATS)[number];

export const PLANS = ['enterprise', 'free'] as const;
export type Plan = (typeof PLANS)[number];

interface RateLimits {
  /** Agent messages and new agent jobs per project and hour. */
  readonly messages: number;
  /** Searches, per organization and hour. */
  readonly searches: number;
  /** Starts of an export by project, per organization and hour. */
  readonly exportStarts: number;
  /** Requests of a preview, per organization and minute. */
  readonly previews: number;
}

/** How long search does not find newly published content: a time, a number of searches, or both. */
interface SearchLag {
  readonly ms?: number | undefined;
  readonly searches?: number | undefined;
}

/** What can be changed while the emulator runs; `reset` restores the initial values. */
export interface Behaviour {
  exportJobs: Advance;
  /** What happens to every export without its own script. */
  exportScript: ExportScript;
  agentJobs: Advance;
  agentScript: AgentScript;
  /** Repository of a new agent job. */
  agentSource: { readonly repository: string; readonly ref: string | null };
  linkLifetimeMs: number;
  expiresAt: ExpiresAtFormat;
  /** `free`: exports get status 402. */
  plan: Plan;
  /** Sites behind a login, which cannot be exported. */
  privateSites: readonly string[];
  /** The prefix of links in an export by project that does not request one. */
  basePath: BasePath;
  rateLimits: RateLimits;
  searchLag: SearchLag;
  /** How long a change is not published, and how long a requested update takes. */
  publishLagMs: number;
  /** What happens to every update without its own script. */
  updateScript: UpdateScript;
  /** `false`: an installation that cannot be asked to publish. */
  publishEndpoints: boolean;
}

/** What is left out, or undefined, has its default. */
type Chosen<T> = { readonly [K in keyof T]?: T[K] | undefined };

export interface EmulatorOptions extends Chosen<Omit<Behaviour, 'rateLimits'>> {
  readonly rateLimits?: Partial<RateLimits> | undefined;
  /** Site identifier to its Markdown. The first one is the project's site. */
  readonly sites: Readonly<Record<string, SiteContent>>;
  /** 0 or absent: any free port. */
  readonly port?: number | undefined;
  readonly keys?: Keys | undefined;
  readonly projectId?: string | undefined;
  readonly clock?: EmulatorClock | undefined;
  /** Keeps bundles in an S3-compatible store, which then signs the links. Default: in memory. */
  readonly s3?: S3Options | undefined;
  /** Receives one line per request, without its query: it may contain a signature. */
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
    exportScript: options.exportScript ?? {},
    agentJobs: options.agentJobs ?? { advance: 'poll', polls: 2 },
    agentScript: options.agentScript ?? {},
    agentSource: options.agentSource ?? { repository: 'https://github.com/acme/docs', ref: 'main' },
    linkLifetimeMs: options.linkLifetimeMs ?? HOUR_MS,
    expiresAt: options.expiresAt ?? 'iso',
    plan: options.plan ?? 'enterprise',
    privateSites: options.privateSites ?? [],
    basePath: options.basePath ?? '',
    // The platform's documented limits.
    rateLimits: {
      messages: 100,
      searches: 10_000,
      exportStarts: 10,
      previews: 5,
      ...options.rateLimits,
    },
    searchLag: options.searchLag ?? {},
    publishLagMs: options.publishLagMs ?? 0,
    updateScript: options.updateScript ?? {},
    publishEndpoints: options.publishEndpoints ?? true,
  };
}
