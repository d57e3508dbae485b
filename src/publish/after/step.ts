import type { Comparison } from '../../bundle/compare/comparison.ts';
import type { ExportApi } from '../../platform/export-api.ts';
import type { Deps } from '../../run/context.ts';
import type { Write } from '../../run/report.ts';
import type { Delivery } from '../state/delivery.ts';

/** A site on this disk, as it was exported. */
export interface ExportedSite {
  readonly root: string;
  /** Paths of its files below `root`, joined by `/`. */
  readonly files: readonly string[];
  /** What links of the site begin with, such as `/docs`; undefined: not known. */
  readonly basePath?: string | undefined;
  /**
   * Addresses of pages that changed since the export before, such as `/guide/start`; undefined: not
   * known.
   */
  readonly changed?: readonly string[] | undefined;
  /** Gives the fingerprint of its content, as in its stamp. The first call reads the site. */
  readonly fingerprint: () => Promise<string>;
}

/** What is done once every destination contains the link. */
export interface AfterStep {
  /** What `run` would do, for a dry run. */
  plan(): readonly Write[];
  /** Only in a step that needs the exported site: called with the site before the delivery. */
  readSite?(site: ExportedSite): Promise<void>;
  run(delivered: DeliveredExport): Promise<void>;
  /** True once the step has run and has seen that readers get the export. */
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
  /** The destinations of the link; undefined: the link is only an output. */
  readonly delivery: Delivery | undefined;
  /** `REGISTRY/REPOSITORY@sha256:…`; undefined: none was asked for. */
  readonly image?: string | undefined;
  /** ISO 8601, UTC; undefined if the platform did not say. */
  readonly expiresAt?: string | undefined;
  /** The comparison with the export that was live before; undefined: none was made. */
  readonly comparison?: Comparison | undefined;
  /** The export job that a rollback has replaced; undefined: this is not a rollback. */
  readonly replacedJobId?: string | undefined;
  /** The commit that was published for the export. */
  readonly contentCommit?: string | undefined;
  /** When the last destination was written, by the monotonic clock. */
  readonly deliveredMs: number;
  /** True if an earlier step has seen that readers get the export. */
  readonly isLive?: boolean | undefined;
}
