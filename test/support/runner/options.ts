import type { AnnotationCommand, LogCommand } from './commands.ts';

/** One step of a job, as a workflow file and the runner's context describe it. */
export interface StepOptions {
  /** The step's `with:`. Defaults come from action.yml, as the runner fills them in. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The step's `env:`, and whatever of the runner's own environment shall be different. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Payload of the event. Default: that of a push. A text is written as it is; null leaves the file out. */
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
  /** What `${{ github.token }}` stands for. Masked from the start. */
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
  /** action.yml to take inputs and their defaults from. Default: the repository's own. */
  readonly actionFile?: string | undefined;
  /** The step's `timeout-minutes`, in milliseconds here: cancels as the runner does. */
  readonly timeoutMs?: number | undefined;
  /** Cancels as the runner does, as soon as this is true; asked after each piece of output and every 20 ms. */
  readonly signalAfter?: ((step: RunningStep) => boolean) | undefined;
  /** Pauses between the signals of a cancellation, for tests of this model itself. */
  readonly cancelTiming?: CancelTiming | undefined;
}

/** actions/runner, ProcessInvoker: SIGINT, 7.5 s later SIGTERM, 2.5 s later SIGKILL. */
export interface CancelTiming {
  readonly interruptMs: number;
  readonly terminateMs: number;
}

/** A step while it runs. */
export interface RunningStep {
  readonly pid: number;
  /** Output so far, raw. */
  readonly stdout: string;
  readonly stderr: string;
  /** Lines of the log so far, as the runner shows them. */
  readonly shown: readonly string[];
  /** Content of GITHUB_OUTPUT so far, parsed as far as it can be. */
  outputsSoFar(): Readonly<Record<string, string>>;
  /** RUNNER_TEMP of the step. */
  readonly tempFolder: string;
  readonly workspace: string;
  /** Ends the step as the runner does when a job is cancelled. */
  cancel(): void;
  /** Sends one signal and nothing after it. */
  kill(signal: NodeJS.Signals): void;
  readonly done: Promise<StepResult>;
}

export interface StepResult {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Raw, as the process wrote it: never shown by a runner. */
  readonly stdout: string;
  readonly stderr: string;
  /** The log as the runner shows it: commands taken out or rendered, secrets replaced by `***`. */
  readonly log: string;
  /** Every command that took effect, in order. */
  readonly commands: readonly LogCommand[];
  /** At most ten of each type, as GitHub keeps them; `annotationCount` has all. */
  readonly annotations: readonly AnnotationCommand[];
  readonly annotationCount: number;
  /** Step outputs, unmasked: what later steps of the job get. */
  readonly outputs: Readonly<Record<string, string>>;
  /** What reaches another job: outputs that hold a masked value are dropped. Takes job output name -> step output name. */
  jobOutputs(map: Readonly<Record<string, string>>): JobOutputs;
  /** State, exported variables and PATH entries the step wrote to its files. */
  readonly state: Readonly<Record<string, string>>;
  readonly exported: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
  /** Values registered with add-mask, in order; without those known from the start. */
  readonly masks: readonly string[];
  /** As GitHub shows it: masked; empty when it was over 1 MiB. */
  readonly summary: string;
  /** As the step wrote it. */
  readonly rawSummary: string;
  /** What the runner complains about: env files it cannot read, a summary too large, deprecated commands in use. */
  readonly violations: readonly string[];
  /** Files and folders left in RUNNER_TEMP, relative; without the runner's own. Read before the folder is removed. */
  readonly tempFiles: readonly string[];
  /** Text of those files of up to 1 MiB each: RUNNER_TEMP itself is gone by now. */
  readonly tempTexts: Readonly<Record<string, string>>;
  readonly elapsedMs: number;
  /** From the first signal of a cancellation to the end; undefined when there was none. */
  readonly cancelledAfterMs: number | undefined;
  /** Highest resident memory seen, from the kernel's own mark. */
  readonly peakRssBytes: number;
  /** The masker as it stood at the end, to look at other texts as the runner would. */
  mask(text: string): string;
}

export interface JobOutputs {
  readonly outputs: Readonly<Record<string, string>>;
  /** Names left out because their value may hold a secret. */
  readonly dropped: readonly string[];
}
