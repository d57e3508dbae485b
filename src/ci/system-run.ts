import { CourierError } from '../errors.ts';
import { changeRequestVariable } from './change-request.ts';
import { plainContext } from './plain-run.ts';
import type { Cause, CiKind, CiRun, Env, Host } from './port.ts';
import { readRemote } from './remote.ts';

/** What the variables of a system say about a run. */
export interface SystemRun {
  readonly kind: CiKind;
  /** What stays the same when the job is run again, from the whole to the part: pipeline, stage, job. */
  readonly key: readonly (string | undefined)[];
  /** 1 for the first attempt; undefined where the system does not count: then the run may be a later one. */
  readonly attempt: number | undefined;
  /** What differs in each attempt, where the attempt is not counted. */
  readonly jobId?: string | undefined;
  readonly url?: string | undefined;
  readonly cause?: Cause | undefined;
  readonly eventName?: string | undefined;
  /** Without `refs/heads/`; undefined also for a tag. */
  readonly branch?: string | undefined;
  readonly isDefaultBranch?: boolean | undefined;
  /** The address of the clone. */
  readonly remote?: string | undefined;
  /** Where the system has its repositories; otherwise it is read from `remote`. */
  readonly repository?: string | undefined;
  readonly sha?: string | undefined;
  /** Who caused the run. */
  readonly actor?: string | undefined;
}

/** A run of a system that does not say whether its ref is protected. */
export function makeSystemRun(host: Host, system: SystemRun): CiRun {
  const { kind, url, eventName, isDefaultBranch, attempt } = system;
  const [runId = '', ...parts] = system.key.filter((part) => part !== undefined && part !== '');
  const job = parts.join('/');
  const runKey = `${runId}/${job}`;
  const remote = readRemote(system.remote);
  const requestVariable = changeRequestVariable(host.env);
  // The parts that know GitHub go on with an earlier attempt only in one that is not the first.
  const github = plainContext(host, {
    runId: `${kind}:${runId}`,
    job,
    runAttempt: attempt ?? 2,
    repository: isOnGitHub(host.env, remote?.serverUrl) ? remote?.repository : undefined,
    sha: system.sha,
    actor: system.actor,
  });
  return {
    env: host.env,
    kind,
    repository: system.repository ?? remote?.repository,
    serverUrl: remote?.serverUrl,
    url: webAddress(url),
    runKey,
    execution: `${runKey}/${system.jobId ?? attempt ?? 1}`,
    workspace: host.cwd,
    temp: host.temp,
    cause: requestVariable === undefined ? (system.cause ?? 'unknown') : 'change-request',
    eventName,
    isDefaultBranch,
    refProtected: undefined,
    branch: requestVariable === undefined ? system.branch || undefined : undefined,
    changeRequestVariable: requestVariable,
    github,
  };
}

function isOnGitHub(env: Env, serverUrl: string | undefined): boolean {
  return serverUrl === (env.GITHUB_SERVER_URL || 'https://github.com').replace(/\/+$/, '');
}

/** An address for texts: one that is none, or that holds a password, is left out. */
function webAddress(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? url : undefined;
}

/** Throws `config` that names the variables which the system always sets, and has not. */
export function checkVariables({ env }: Host, system: string, names: readonly string[]): void {
  const missing = names.filter((name) => !env[name]);
  if (missing.length === 0) return;
  throw new CourierError({
    code: 'config',
    message: `${system} did not set ${missing.join(', ')}: without it one run looks like another. Nothing was sent.`,
    hint: 'Where the command runs in a container, hand the variables of the CI system over to it.',
  });
}

/** The number of an attempt, from 1. */
export function attemptOf(value: string | undefined, first = 1): number {
  const number = Number.parseInt(value ?? '', 10);
  return Number.isSafeInteger(number) && number >= first ? number - first + 1 : 1;
}

/** `main` of `refs/heads/main`; undefined for a tag, a pull request and everything else that is no branch. */
export function branchOfRef(ref: string | undefined): string | undefined {
  return ref?.startsWith('refs/heads/') === true ? ref.slice('refs/heads/'.length) : undefined;
}
