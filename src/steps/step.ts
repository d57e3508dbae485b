import type { Delivery } from '../delivery/delivery.ts';
import type { PublishInputs } from '../inputs/inputs.ts';
import type { ChosenJob } from '../job/job.ts';
import type { FinishedJob } from '../job/run-job.ts';
import type { ExportApi } from '../platform/export-api.ts';
import type { Deps, Known } from '../run/context.ts';
import type { Write } from '../run/report.ts';
import type { BundleFile } from '../site/archive/sink.ts';
import type { ComparedSite } from '../site/compare/compared-site.ts';
import type { Comparison } from '../site/compare/comparison.ts';
import type { PageReader } from '../site/pages.ts';
import type { EarlierExport, Inspected } from '../site/receive.ts';

/** What is known before an export is started: each step is opened with it. */
export interface Opening<Facts, Inputs = PublishInputs> {
  readonly inputs: Inputs;
  readonly deps: Deps<Facts>;
  readonly job: ChosenJob;
  /** The destinations of the link; undefined: the link is only an output. */
  readonly delivery: Delivery | undefined;
}

/**
 * One thing that a run does besides its job and its delivery, such as a check or a comment. A step
 * is opened before anything is started, if an input asks for it: whatever can be wrong about it
 * fails then. After that, each question below is asked of all steps in their order.
 */
export interface Step {
  /** What it needs of the bundle; undefined: nothing, so that it is not downloaded for this step. */
  readonly needs?: BundleNeeds | undefined;
  /** The writes of a dry run, which asks nothing else. `pageCount`: of a job that has finished. */
  plan?(pageCount: number | undefined): Promise<readonly Write[]> | readonly Write[];
  /** Called before the job is started. */
  before?(): Promise<Found>;
  /** Readers that get each page while the site is verified, so that pages are read once. */
  readers?(site: ComparedSite): Promise<readonly PageReader[]>;
  /** Called with what changed, also if the export is held back later. */
  compared?(comparison: Comparison): Promise<void>;
  /**
   * Called when the job has finished and nothing is published. Holds the export back by throwing
   * `checks-failed`. `found`: by the steps before this one.
   */
  inspect?(exported: Exported, found: Found): Promise<Found>;
  /** Called once every destination contains the link. */
  after?(delivered: DeliveredExport): Promise<Found>;
}

/** What a step needs of the bundle. */
export interface BundleNeeds {
  /** True: the bundle is unpacked, since its pages are read. False: the list of its files is enough. */
  readonly pages: boolean;
  /** True: readers get the site from this step, so it is verified. */
  readonly isServed?: boolean | undefined;
  /** The export to compare with. */
  readonly earlier?: EarlierExport | undefined;
}

/** What steps find out: for the steps after them, and for the record of the export in the state. */
export type Found = Known<{
  /** The commit that was published for the export. */
  contentCommit: string;
  /** What names that commit, such as `update 73cd`. */
  contentFrom: string;
  /** A check failed, and `force` let the export pass. */
  forced: true;
  /** Files of ours in the folder of the site. */
  added: readonly BundleFile[];
  /** The site as an image: `REGISTRY/REPOSITORY@sha256:…`. */
  image: string;
  /** The fingerprint of the image: of the site with what is added to it. */
  fingerprint: string;
  /** Readers of the published site were seen to get the export. */
  isLive: true;
}>;

/** A finished export of which nothing is published yet. */
export interface Exported extends FinishedJob {
  /** undefined: neither a destination nor a step needs the bundle. */
  readonly bundle: Inspected | undefined;
}

/** The export whose link every destination contains now. */
export interface DeliveredExport extends Found {
  readonly jobId: string;
  readonly api: ExportApi;
  /** The destinations of the link; undefined: the link is only an output. */
  readonly delivery: Delivery | undefined;
  /** ISO 8601, UTC; undefined if the platform did not say. */
  readonly expiresAt?: string | undefined;
  /** The comparison with the export that was live before; undefined: none was made. */
  readonly comparison?: Comparison | undefined;
  /** The export job that a rollback has replaced; undefined: this is not a rollback. */
  readonly replacedJobId?: string | undefined;
  /** When the last destination was written, by the monotonic clock. */
  readonly deliveredMs: number;
}

/** Asks all steps the same in their order. Each gets what is known and what those before it found. */
export async function inTurn(
  steps: readonly Step[],
  known: Found,
  ask: (step: Step, found: Found) => Promise<Found> | undefined,
): Promise<Found> {
  let found = known;
  for (const step of steps) found = { ...found, ...(await ask(step, found)) };
  return found;
}

/** A request of a dry run. `request`: method and path, such as `POST /v1/…`. */
export function plannedRequest(action: string, request: string, baseUrl: string): Write {
  return { action, target: request.replace(' ', ` ${baseUrl}`) };
}

/** What a step that asks another server needs of the run. */
export type StepDeps<Facts> = Pick<
  Deps<Facts>,
  'run' | 'http' | 'clock' | 'log' | 'signal' | 'record'
>;
