import { plainLine } from '../../text/escape.ts';
import type { Fit } from './freshness.ts';
import type { State } from './state.ts';

/** What a re-run does about the export of an earlier attempt. */
export type Resume =
  | { readonly kind: 'start'; readonly warning?: string | undefined }
  | { readonly kind: 'attach'; readonly jobId: string; readonly requestedAtMs: number | undefined };

interface ResumeInit {
  readonly state: State | undefined;
  readonly fit: Fit;
  readonly run: RunIdentity;
  readonly domain: string | undefined;
}

/** Which run this is, for the state. */
export interface RunIdentity {
  /** The same in every attempt of a run. */
  readonly runId: string;
  /** 1 for the first attempt. */
  readonly runAttempt: number;
  readonly job: string;
  /** The commit that the run is for, and who caused it; empty where the system does not say. */
  readonly sha?: string | undefined;
  readonly actor?: string | undefined;
}

const MAX_NAME = 60;

/** Who caused the run, for the history. */
export function actorOf({ actor = '' }: RunIdentity): string | undefined {
  return plainLine(actor, MAX_NAME) || undefined;
}

/** The commit that the run is for, where its name is one. */
export function commitOf({ sha = '' }: RunIdentity): string | undefined {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(sha) ? sha : undefined;
}

/** The same in every attempt of a job of a run. */
export function runKey({ runId, job }: RunIdentity): string {
  return `${runId}/${job}`;
}

/** Only a later attempt of the same run and job attaches by itself: another run wants a new export. */
export function decideResume({ state, fit, run, domain }: ResumeInit): Resume {
  const last = state?.run;
  if (run.runAttempt <= 1 || last === undefined || state?.domain !== domain) return { kind: 'start' };
  if (last.id !== run.runId || last.job !== run.job) return { kind: 'start' };
  if (fit.kind === 'changed') {
    const earlier = last.jobId === undefined ? '' : ` (export job ${last.jobId})`;
    return {
      kind: 'start',
      warning: `${fit.why} The stored state of an earlier attempt of this run${earlier} is therefore not used: a new export is started.`,
    };
  }
  if (last.jobId !== undefined) {
    const requestedAtMs = Date.parse(last.requestedAt ?? '');
    return {
      kind: 'attach',
      jobId: last.jobId,
      requestedAtMs: Number.isNaN(requestedAtMs) ? undefined : requestedAtMs,
    };
  }
  return {
    kind: 'start',
    warning:
      'A new export is started, because an earlier attempt of this run stored no job id: it ended around the start of its export, or could not write the state. That export may still be running. To attach to it, give its id as export-job-id: it is in the log of that attempt, or on the dashboard of the platform.',
  };
}

/** Of several destinations: one that knows the job comes first, then a warning. */
export function chooseResume(found: readonly Resume[]): Resume {
  const attach = found.find(({ kind }) => kind === 'attach');
  return attach ?? found.find((resume) => resume.kind === 'start' && resume.warning !== undefined) ?? { kind: 'start' };
}
