import type { InputProblem } from '../values/reader.ts';
import type { readLive, readRollout } from './read-after.ts';
import type { readAgent } from './read-agent.ts';
import type { readComment } from './read-common.ts';
import type { readDestinations } from './read-destinations.ts';
import type { readGuard } from './read-guard.ts';
import type { readBundle, readExport, readRefresh, readRollback } from './read-publish.ts';
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

/** The inputs of a run, all checked. The rest of the program sees inputs only in this form. */
export type Inputs = WorkInputs | PlanInputs | DoctorInputs;

/** Inputs of the modes that do something. */
export type WorkInputs = PublishInputs | UpdateInputs | AgentInputs | SearchInputs;
export type WorkMode = WorkInputs['mode'];

/** Inputs of the modes that publish a link. */
export type PublishInputs = ExportInputs | RefreshInputs | RollbackInputs;

/** What a function that reads inputs gives if nothing is missing or wrong. */
type Given<Reader extends (...args: never[]) => unknown> = NonNullable<ReturnType<Reader>>;

export type ExportInputs = Given<typeof readExport>;
export type RefreshInputs = Given<typeof readRefresh>;
export type RollbackInputs = Given<typeof readRollback>;
/** The inputs of mode `publish`, which publishes or makes a preview on the platform itself. */
export type UpdateInputs = Given<typeof readUpdate>;
export type AgentInputs = Given<typeof readAgent>;
export type SearchInputs = Given<typeof readSearch>;

/** Where the link goes, and what the stores need. */
export type DestinationInputs = Given<typeof readDestinations>;
export type RolloutInputs = Given<typeof readRollout>;
/** A workload of Kubernetes whose pods read the link when they start, or run the image. */
export type Workload = RolloutInputs['workloads'][number];
/** How the published site is compared with the export, after the delivery. */
export type LiveInputs = Given<typeof readLive>;
/** What to do with the archive itself. */
export type BundleInputs = Given<typeof readBundle>;
/** What keeps an export from being published. */
export type GuardInputs = Given<typeof readGuard>;
/** The comment about what an export changed, about a preview, or about a search check. */
export type CommentInputs = Given<typeof readComment>;

/** Mode `plan` sends nothing: it reads only files of the workspace. */
export interface PlanInputs {
  readonly mode: 'plan';
  readonly baseUrl: undefined;
  /** As it was given. */
  readonly configFile: string;
  /** A commit; undefined: the one that the CI system names. */
  readonly changedSince: string | undefined;
}

/**
 * Mode `doctor` tries everything that a workflow with these inputs would need. A wrong input is one
 * of its findings, and does not end the run.
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
   * The modes that the given inputs belong to; never `rollback`, since no input shows it. The
   * inputs of each mode are in the field of its name; undefined if they are incomplete or wrong.
   */
  readonly checked: readonly WorkMode[];
  readonly export: ExportInputs | undefined;
  readonly refresh: RefreshInputs | undefined;
  readonly publish: UpdateInputs | undefined;
  readonly agent: AgentInputs | undefined;
  readonly search: SearchInputs | undefined;
  readonly problems: readonly InputProblem[];
}
