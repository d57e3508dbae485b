import type { AnnotationCommand, LogCommand } from './commands.ts';

/** One step of a job, as a workflow file and the runner's context describe it. */
export interface StepOptions {
  /** The step's `with:`. Defaults come from action.yml, like in the runner. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The step's `env:`, and changes of the runner's own environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * Payload of the event. Default: that of a push. A string is written unchanged; null leaves the
   * file out.
   */
  readonly event?: unknown;
  readonly eventName?: string | undefined;
  readonly runId?: string | undefined;
  readonly runAttempt?: number | undefined;
  /** `owner/name`. Default `acme/docs`. */
  readonly repository?: string | undefined;
  readonly job?: string | undefined;
  readonly actor?: string | undefined;
  readonly sha?: string | undefined;
  /** GITHUB_API_URL. Default: an address that refuses connections. */
  readonly apiUrl?: string | undefined;
  readonly serverUrl?: string | undefined;
  /** The value of `${{ github.token }}`. Masked from the start. */
  readonly githubToken?: string | undefined;
  /** Values that the runner knows as secrets of the repository. Masked from the start. */
  readonly secrets?: readonly string[] | undefined;
  /** The workspace. Default: a new empty folder that is removed at the end. */
  readonly workspace?: string | undefined;
  /** Debug logging is on: ACTIONS_STEP_DEBUG is true, and the action sees RUNNER_DEBUG=1. */
  readonly debug?: boolean | undefined;
  /** JavaScript to run. Default: the `main` of the repository's action.yml. */
  readonly main?: string | undefined;
  /** The program that runs it. Default: the Node that GitHub's runners start actions with. */
  readonly node?: string | undefined;
  /** action.yml with the inputs and their defaults. Default: the repository's own. */
  readonly actionFile?: string | undefined;
  /** The step's `timeout-minutes`, in milliseconds here: cancels like the runner. */
  readonly timeoutMs?: number | undefined;
  /**
   * Cancels like the runner as soon as this is true; checked after each piece of output and every
   * 20 ms.
   */
  readonly signalAfter?: ((step: RunningStep) => boolean) | undefined;
}

/** A step while it runs. */
export interface RunningStep {
  readonly pid: number;
  /** Output so far, raw. */
  readonly stdout: string;
  readonly stderr: string;
  /** Visible lines of the log so far. */
  readonly shown: readonly string[];
  /** Content of GITHUB_OUTPUT so far, parsed as far as possible. */
  outputsSoFar(): Readonly<Record<string, string>>;
  /** RUNNER_TEMP of the step. */
  readonly tempFolder: string;
  readonly workspace: string;
  /** Ends the step like the runner when a job is cancelled. */
  cancel(): void;
  /** Sends one signal and nothing else. */
  kill(signal: NodeJS.Signals): void;
  readonly done: Promise<StepResult>;
}

export interface StepResult {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Raw output of the process: a runner never shows it. */
  readonly stdout: string;
  readonly stderr: string;
  /** The log as the runner shows it: commands removed or rendered, secrets replaced by `***`. */
  readonly log: string;
  /** Every command that took effect, in order. */
  readonly commands: readonly LogCommand[];
  /** At most ten of each type, like on GitHub; `annotationCount` counts all. */
  readonly annotations: readonly AnnotationCommand[];
  readonly annotationCount: number;
  /** Step outputs, unmasked: what later steps of the job get. */
  readonly outputs: Readonly<Record<string, string>>;
  /** State, exported variables and PATH entries the step wrote to its files. */
  readonly state: Readonly<Record<string, string>>;
  readonly exported: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
  /** Values registered with add-mask, in order, without those known from the start. */
  readonly masks: readonly string[];
  /** As GitHub shows it: masked; empty if it was over 1 MiB. */
  readonly summary: string;
  /** As the step wrote it. */
  readonly rawSummary: string;
  /**
   * The runner's complaints: invalid env files, a summary that is too large, deprecated commands.
   */
  readonly violations: readonly string[];
  /**
   * Files and folders left in RUNNER_TEMP, relative; without the runner's own. Read before the
   * folder is removed.
   */
  readonly tempFiles: readonly string[];
  /** Text of those files of up to 1 MiB each: RUNNER_TEMP itself is already removed. */
  readonly tempTexts: Readonly<Record<string, string>>;
  readonly elapsedMs: number;
  /** From the first signal of a cancellation to the end; undefined without a cancellation. */
  readonly cancelledAfterMs: number | undefined;
  /** Highest resident memory seen, from the kernel's own mark. */
  readonly peakRssBytes: number;
  /** The masker at the end, to check other texts like the runner. */
  mask(text: string): string;
}
