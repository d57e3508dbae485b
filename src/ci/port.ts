import type { RunContext } from '../github/connection.ts';
import type { Hint } from '../ground/errors.ts';
import type { Toolkit } from '../ground/log.ts';
import type { Http } from '../http/http.ts';
import { OUTPUTS, type OutputName } from '../values/catalog.ts';

/**
 * Where a run takes place, as far as the rest of the program needs to know it. Each CI system has a
 * folder next to this file.
 */

/** The systems that the program recognises. `local` is a person's machine. */
export type CiKind =
  | 'github'
  | 'gitea'
  | 'forgejo'
  | 'gitlab'
  | 'azure'
  | 'jenkins'
  | 'buildkite'
  | 'circleci'
  | 'bitbucket'
  | 'woodpecker'
  | 'other'
  | 'local';

/** True for a system whose steps hand the link on, as the output `bundle-url`. */
export function handsOnLink(kind: string): boolean {
  return ['github', 'gitea', 'forgejo'].includes(kind);
}

export type GiteaKind = Extract<CiKind, 'gitea' | 'forgejo'>;

/**
 * What made the run happen: decides who can have caused it, and with that whether it may write a
 * link.
 */
export type Cause =
  | 'push'
  | 'schedule'
  | 'manual'
  | 'release'
  | 'merge'
  /** Another run, which a person or anything else may have started. */
  | 'parent'
  | 'comment'
  | 'change-request'
  | 'unknown';

/** What brought the content of a run onto its branch, and when. */
export interface Change {
  readonly kind: 'merge' | 'push';
  readonly time: Date;
}

/** The pull or merge request that a run is for. */
export interface ChangeRequest {
  /** undefined: the system has no comments that are written, or the event does not name it. */
  readonly number: number | undefined;
  readonly isOpen: boolean;
  readonly isMerged: boolean;
  /** Its branch is in the repository of the run, and not in a fork. */
  readonly isOwn: boolean;
  readonly branch: string;
  /** The newest commit of its branch; empty if the system does not name it. */
  readonly commit: string;
  /** The run is for a merge train of GitLab, which tries it together with others. */
  readonly isInTrain?: boolean;
}

/**
 * What a GitHub App says about a commit: the event of a run on `check_run` or `deployment_status`.
 */
export interface AppReport {
  /** The slug of the App; empty if it was not an App. */
  readonly app: string;
  readonly sha: string;
  /** Such as `deployment 12`. */
  readonly source: string;
  /** `success`, or GitHub's word for what else it is. */
  readonly state: string;
  /** Empty: the event does not name it. */
  readonly defaultBranch: string;
  /** The default branch has the commit, as the API of GitHub says; undefined: it was not asked. */
  readonly isOnDefaultBranch?: boolean;
  /** A deployment that is a preview. */
  readonly isTransient: boolean;
  /** The id of a deployment; undefined: the report is of a check run, or names none. */
  readonly deployment?: number | undefined;
  /** Of a deployment. */
  readonly environment?: string | undefined;
}

/** The properties of a log command of a CI system; undefined and empty ones are left out. */
export type CommandProperties = Readonly<Record<string, string | number | undefined>>;

/** Variables of a process. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The process that an adapter is made for. */
export interface Host {
  readonly env: Env;
  /** Absolute. */
  readonly cwd: string;
  /** For temporary files; absolute. */
  readonly temp: string;
  /**
   * Writes a line to standard error, where the command line has its log: standard output is for
   * `--json` alone.
   */
  readonly write: (line: string) => void;
  /** What standard error is connected to; undefined if it is not a terminal. */
  readonly terminal?: Terminal | undefined;
  /** How a shell starts the command line again; undefined in the action. */
  readonly program?: string;
}

export interface Terminal {
  /** Changes with the window. */
  readonly columns: number;
  readonly hasColours: boolean;
  /** Writes text as it is, without a line end. */
  readonly writeRaw: (text: string) => void;
  /**
   * The beginning of a text that fits into one line of the terminal, whatever the width of its
   * characters.
   */
  readonly shorten: (line: string) => string;
  /** The lines of a table that fits the terminal: wide cells take several lines. */
  readonly table: (rows: readonly (readonly string[])[]) => readonly string[];
}

/**
 * What an id token is for: systems that hand tokens over by variables have one variable for each.
 */
export interface IdTokenRequest {
  readonly service: 'vault' | 'aws';
  readonly audience: string;
}

export interface CiRun {
  /**
   * For parts that need the environment itself: plugins of a kubeconfig, the service account of a
   * pod.
   */
  readonly env: Env;
  /**
   * A signed token that says which run this is, for the caller to mask. Throws `config` with what
   * the job lacks.
   */
  readonly idToken?: ((request: IdTokenRequest, http: Http) => Promise<string>) | undefined;
  readonly kind: CiKind;
  /** `owner/name`, or the path of a project; undefined if the system knows none. */
  readonly repository?: string | undefined;
  /** `https://github.com`, or the address of another server. */
  readonly serverUrl?: string | undefined;
  /** The page of this run, to link to. */
  readonly url?: string | undefined;
  /**
   * The job's own token, if the system has one in the environment. It cannot write secrets and
   * variables.
   */
  readonly jobToken?: string | undefined;
  readonly workspace: string;
  readonly temp: string;
  readonly cause: Cause;
  /**
   * undefined: the run does not follow a change, such as a run on a schedule, or the system does
   * not say when the change was made.
   */
  readonly change?: Change | undefined;
  /** undefined: the run is for no pull or merge request, or the system does not say for which. */
  readonly changeRequest?: ChangeRequest | undefined;
  /** undefined: the event is not one of a GitHub App. */
  readonly appReport?: AppReport | undefined;
  /** The system's own name of the event, for messages. */
  readonly eventName?: string | undefined;
  /** The run is for the default branch, or for a tag. undefined: the system does not say. */
  readonly isDefaultBranch?: boolean | undefined;
  /** undefined: the system does not say. */
  readonly refProtected: boolean | undefined;
  /**
   * The branch that the run is for, if the system names one: anyone with a fork can choose such a
   * name.
   */
  readonly branch?: string | undefined;
  /**
   * The commit before the change that the run is for. Zeros: the change is the first on its branch.
   * undefined: the system does not name a commit.
   */
  readonly baseCommit?: string | undefined;
  /** The variable that shows that this run is for a pull or merge request. */
  readonly changeRequestVariable?: string | undefined;
  /**
   * Branches from which links are written on a system that does not say which refs are protected:
   * `--allow-write-from`.
   */
  readonly allowWriteFrom?: readonly string[] | undefined;
  /** The variables for programs of the user: PATH and HOME. */
  readonly programEnv?: Readonly<Record<string, string>>;
  /** The run in the form of GitHub Actions, for the parts that know only this form. */
  readonly github: RunContext;
}

/** Values of outputs by name; undefined ones are written as empty. */
export type OutputValues = Readonly<Partial<Record<OutputName, string | undefined>>>;

/** The names of outputs. Throws if one is not in the table: a value must not be lost in silence. */
export function namesOf(values: OutputValues): readonly OutputName[] {
  return Object.keys(values).map((name) => {
    if (isOutput(name)) return name;
    throw new Error(`${name} is not an output of action.yml.`);
  });
}

/** The variable in which later jobs find an output: `DOCS_COURIER_OUT_JOB_ID`. */
export function outputVariable(output: string): string {
  return `DOCS_COURIER_OUT_${output.toUpperCase().replaceAll('-', '_')}`;
}

/** Outputs that later jobs do not get: the link is a secret, and the report repeats the others. */
export const KEPT_OUTPUTS: readonly string[] = ['bundle-url', 'report'];

function isOutput(name: string): name is OutputName {
  return Object.hasOwn(OUTPUTS, name);
}

/**
 * The limit of one output is documented nowhere; expressions and logs become unusable long before.
 */
export const MAX_OUTPUT_BYTES = 64 * 1024;

/** One thing that a run checked, for reports of tests. */
export interface Check {
  /** Such as `search`. */
  readonly group: string;
  /** What of the group the check is about, such as a page; undefined: all of it. */
  readonly part?: string | undefined;
  /** Without a number that changes: some systems compare the checks of two runs by their names. */
  readonly name: string;
  /** Below the workspace, or below the site. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  /** `error`: the check itself could not be done. */
  readonly outcome: 'passed' | 'warning' | 'failed' | 'error';
  readonly message?: string | undefined;
}

/**
 * Where a step passes on its results. Everything is on disk when a call returns: the run may be
 * killed a moment later.
 */
export interface Results {
  /**
   * A later value of the same name replaces an earlier one. Throws if the outputs cannot be
   * written.
   */
  writeOutputs(values: OutputValues): void;
  writeSummary(markdown: string): Promise<void>;
  /**
   * Writes the report for later steps of the job, and gives the path of its file; undefined if the
   * file cannot be written.
   */
  writeReport(json: string): string | undefined;
  /** For systems that show checks. Called once, after the outputs. */
  writeChecks?(checks: readonly Check[]): void;
}

/** Why inputs that come from secrets and variables can be empty in this run. */
export interface EmptyInputs {
  /**
   * Why the run is skipped, which is not a failure: the system hands no secrets to such a run.
   */
  readonly skip?: string | undefined;
  /** Why the system hands no secrets to this run, skipped or not, as half a sentence. */
  readonly secretless?: string;
  /** The mistakes that fit this run, each as half a sentence. */
  readonly causes: readonly string[];
  /** No input was given, and some are in a wrong place. */
  readonly misplaced?: { readonly message: string; readonly hint: Hint } | undefined;
}

/** The adapter of one CI system. */
export interface CiRunner {
  /** How log lines and annotations are written there. */
  readonly toolkit: Toolkit;
  /**
   * Throws `config` if outputs cannot be written: before a job is started, and not after it.
   */
  openResults(): Results;
  /** Throws `config` naming what the system did not set. */
  readRun(): CiRun;
  /** The payload of the event. Throws `config` if its file cannot be read. */
  readonly readEvent?: (() => Promise<unknown>) | undefined;
  explainEmptyInputs(): EmptyInputs;
  /** As in `Host`: messages name its command `explain`. */
  readonly program?: string;
  /** The hint in the words of this system: a sentence, and below it an example to copy. */
  showHint(hint: string | Hint): string;
}
