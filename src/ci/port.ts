import type { Toolkit } from '../log.ts';

/** Where a run takes place, as far as the rest of the program needs to know it. Each CI system has a folder beside this file. */

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
  | 'other'
  | 'local';

/** What made the run happen: decides who can have caused it, and with that whether it may write a link. */
export type Cause = 'push' | 'schedule' | 'manual' | 'release' | 'merge' | 'comment' | 'change-request' | 'unknown';

export interface CiRun {
  readonly kind: CiKind;
  /** `owner/name`, or the path of a project; undefined where the system knows none. */
  readonly repository?: string | undefined;
  /** `https://github.com`, or the address of a server of one's own. */
  readonly serverUrl?: string | undefined;
  /** The page of this run, to link to. */
  readonly url?: string | undefined;
  /** Stays the same when the job is run again: a later attempt finds by it what an earlier one started. */
  readonly runKey: string;
  /** Differs in each attempt. */
  readonly execution: string;
  readonly workspace: string;
  readonly temp: string;
  readonly cause: Cause;
  /** undefined: the system does not say. */
  readonly refProtected: boolean | undefined;
}

/** What to change in the step, for the hint of an error: shown as workflow YAML in one system, as flags in another. */
export interface Hint {
  readonly text: string;
  readonly inputs?: Readonly<Record<string, string>> | undefined;
  readonly permissions?: Readonly<Record<string, 'read' | 'write'>> | undefined;
}

/** The adapter of one CI system. `Results` is how outputs, report and summary are handed over there. */
export interface CiRunner<Results> {
  readonly run: CiRun;
  readonly toolkit: Toolkit;
  readonly results: Results;
  /** The hint in the words of this system. */
  hint(hint: Hint): string;
}
