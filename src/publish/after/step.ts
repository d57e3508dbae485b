import type { Comparison } from '../../bundle/compare/comparison.ts';
import type { ExportApi } from '../../platform/export-api.ts';
import type { Deps } from '../../run/context.ts';
import type { Write } from '../../run/report.ts';
import type { Delivery } from '../state/delivery.ts';

/** A site on this disk, as it was exported. */
export interface ExportedSite {
  readonly root: string;
  /** Below it, joined by `/`. */
  readonly files: readonly string[];
  /** What links of the site begin with, such as `/docs`; undefined: not known. */
  readonly basePath?: string | undefined;
  /**
   * Addresses of pages that changed since the export before, such as `/guide/start`; undefined: not
   * known.
   */
  readonly changed?: readonly string[] | undefined;
  /** Of its content, as in its stamp. The site is read for it once. */
  readonly fingerprint: () => Promise<string>;
}

/** What is done once every destination contains the link. */
export interface AfterStep {
  /** What `run` would do, for a dry run. */
  plan(): readonly Write[];
  /** Where the step needs the exported site: called with it before the delivery. */
  readSite?(site: ExportedSite): Promise<void>;
  run(delivered: DeliveredExport): Promise<void>;
  /** Once it has run: it has seen that readers get the export. */
  readonly isLive?: boolean;
}

/** What a step that asks another server needs of the run. */
export type StepDeps<Facts> = Pick<
  Deps<Facts>,
  'run' | 'http' | 'clock' | 'log' | 'signal' | 'record'
>;

/** The export whose link every destination contains now. */
export interface DeliveredExport {
  readonly jobId: string;
  readonly api: ExportApi;
  /** undefined: the link is an output and nothing more. */
  readonly delivery: Delivery | undefined;
  /** `REGISTRY/REPOSITORY@sha256:…`; undefined: none was asked for. */
  readonly image?: string | undefined;
  /** ISO 8601, UTC; undefined if the platform did not say. */
  readonly expiresAt?: string | undefined;
  /** With the export that was live before; undefined: they were not compared. */
  readonly comparison?: Comparison | undefined;
  /** The export job that a rollback has replaced; undefined: this is not a rollback. */
  readonly replacedJobId?: string | undefined;
  /** The commit that was published for the export. */
  readonly contentCommit?: string | undefined;
  /** When the last destination was written, by the monotonic clock. */
  readonly deliveredMs: number;
  /** An earlier step has seen that readers get the export. */
  readonly isLive?: boolean | undefined;
}
