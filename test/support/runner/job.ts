import { RUN_DEFAULTS } from './environment.ts';
import { createJobFolders, type JobFolders } from './folders.ts';
import { createMasker, type Masker } from './masker.ts';
import type { StepOptions, StepResult } from './options.ts';

/** What the steps of one job share. */
export interface Job {
  readonly folders: JobFolders;
  /** Masks of one step apply to all later ones. */
  readonly masker: Masker;
  readonly exported: Record<string, string>;
  readonly paths: string[];
  stepCount: number;
  close(): Promise<void>;
}

export async function openJob(workspace: string | undefined): Promise<Job> {
  const folders = await createJobFolders(workspace);
  return {
    folders,
    masker: createMasker(),
    exported: {},
    paths: [],
    stepCount: 0,
    close: folders.remove,
  };
}

/** The runner knows the repository's secrets and the run's token before a step starts. */
export function maskKnownSecrets(masker: Masker, options: StepOptions): void {
  masker.add(options.githubToken ?? RUN_DEFAULTS.githubToken);
  for (const secret of options.secrets ?? []) masker.add(secret);
}

/** Outputs for another job: empty outputs and outputs that contain a masked value are left out. */
export function selectJobOutputs(
  outputs: Readonly<Record<string, string | undefined>>,
  masker: Masker,
) {
  const kept: Record<string, string> = {};
  const dropped: string[] = [];
  for (const [name, value = ''] of Object.entries(outputs)) {
    if (value === '') continue;
    if (masker.mask(value) === value) kept[name] = value;
    else dropped.push(name);
  }
  return { outputs: kept, dropped };
}

export interface JobOptions {
  /**
   * The steps in order; a function gets the results so far, like `steps.X.outputs` in a workflow.
   * The job ends at the first step that fails.
   */
  readonly steps: readonly (StepOptions | ((earlier: readonly StepResult[]) => StepOptions))[];
  /** Job output -> step (from 0) and its output. */
  readonly outputs?:
    | Readonly<Record<string, { readonly step: number; readonly output: string }>>
    | undefined;
  readonly workspace?: string | undefined;
}

export interface JobResult {
  readonly steps: readonly StepResult[];
  readonly conclusion: 'success' | 'failure' | 'cancelled';
  /** What `needs.JOB.outputs` contains. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly dropped: readonly string[];
}
