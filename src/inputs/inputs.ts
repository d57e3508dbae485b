import type { InputProblem, readComment } from '../values/reader.ts';
import type { readLive, readRollout } from './read-after.ts';
import type { readAgent } from './read-agent.ts';
import type { readDestinations } from './read-destinations.ts';
import type {
  readBundle,
  readExport,
  readGuard,
  readRefresh,
  readRollback,
} from './read-publish.ts';
import type { readSearch } from './read-search.ts';
import type { readUpdate } from './read-update.ts';

// Each property is described where it is read.

export const MODES = [
  'export',
  'refresh',
  'rollback',
  'publish',
  'agent',
  'search',
  'plan',
  'doctor',
] as const;
export type Mode = (typeof MODES)[number];

/** What the user asked for, checked: the only form in which inputs go further into the program. */
export type Inputs = WorkInputs | PlanInputs | DoctorInputs;

/** Inputs of the modes that do something. */
export type WorkInputs = PublishInputs | UpdateInputs | AgentInputs | SearchInputs;
export type WorkMode = WorkInputs['mode'];

/** Inputs of the modes that publish a link. */
export type PublishInputs = ExportInputs | RefreshInputs | RollbackInputs;

/** What a reader gives where nothing is missing or wrong. */
type Given<Reader extends (...args: never[]) => unknown> = NonNullable<ReturnType<Reader>>;

export type ExportInputs = Given<typeof readExport>;
export type RefreshInputs = Given<typeof readRefresh>;
export type RollbackInputs = Given<typeof readRollback>;
/** Of mode `publish`, which publishes or previews on the platform itself. */
export type UpdateInputs = Given<typeof readUpdate>;
export type AgentInputs = Given<typeof readAgent>;
export type SearchInputs = Given<typeof readSearch>;

/** Where the link goes, and what the stores need. */
export type DestinationInputs = Given<typeof readDestinations>;
export type RolloutInputs = Given<typeof readRollout>;
/** What runs pods that read the link when they start, or have the image. */
export type Workload = RolloutInputs['workloads'][number];
/** How the published site is compared with the export, after the delivery. */
export type LiveInputs = Given<typeof readLive>;
/** What to do with the archive itself. */
export type BundleInputs = Given<typeof readBundle>;
/** What keeps an export from being published. */
export type GuardInputs = Given<typeof readGuard>;
/** The comment about what an export changed, about a preview, or about a search check. */
export type CommentInputs = Given<typeof readComment>;

/** Nothing is sent: only files of the workspace are read. */
export interface PlanInputs {
  readonly mode: 'plan';
  readonly baseUrl: undefined;
  /** As it was given. */
  readonly configFile: string;
  /** A commit; undefined: the one that the CI system names. */
  readonly changedSince: string | undefined;
}

/**
 * Everything that a workflow with these inputs would do is tried; what is wrong with an input is a
 * finding like others.
 */
export interface DoctorInputs {
  readonly mode: 'doctor';
  /** undefined: it is missing or wrong, and so in `problems`. */
  readonly baseUrl: string | undefined;
  readonly adminApiKey: string | undefined;
  readonly assistantApiKey: string | undefined;
  readonly githubToken: string | undefined;
  /** Given without `domain`: an export is made by project. */
  readonly projectId: string | undefined;
  /**
   * The modes that the given inputs belong to, each with its inputs; undefined where these are
   * incomplete or wrong.
   */
  readonly checked: readonly WorkMode[];
  readonly export: ExportInputs | undefined;
  readonly refresh: RefreshInputs | undefined;
  readonly rollback: RollbackInputs | undefined;
  readonly publish: UpdateInputs | undefined;
  readonly agent: AgentInputs | undefined;
  readonly search: SearchInputs | undefined;
  readonly problems: readonly InputProblem[];
}
