import vendors from 'ci-info/vendors.json' with { type: 'json' };
import * as z from 'zod/mini';
import type { RunContext } from '../github/connection.ts';
import { configError } from '../ground/errors.ts';
import type { Toolkit } from '../ground/log.ts';
import { parseUrl, withoutSlash } from '../ground/text/names.ts';
import { MANNERS, type Manner, showHint } from './hints.ts';
import { createPlainResults, createPlainToolkit } from './plain.ts';
import type { Cause, CiKind, CiRun, CiRunner, Env, Host, Results } from './port.ts';

/**
 * What the variables of a system say about a run. An empty text counts as missing: see `makeRun`.
 */
interface SystemRun
  extends Partial<
    Pick<CiRun, 'refProtected' | 'jobToken' | 'change' | 'changeRequest' | 'baseCommit'>
  > {
  /**
   * What stays the same when the job is run again, from the whole to the part: pipeline, stage,
   * job.
   */
  readonly key: readonly (string | undefined)[];
  /**
   * 1 for the first attempt; undefined if the system does not count: then the run may be a later
   * one.
   */
  readonly attempt?: number;
  readonly url?: string | undefined;
  /** What started the run, in the system's words. */
  readonly event?: string | undefined;
  /**
   * Without it: by the event, unless a variable shows that the run is for a pull or merge request.
   */
  readonly cause?: Cause;
  /** Without `refs/heads/`. */
  readonly branch?: string | undefined;
  /** Set if the run is for a tag: `branch` may contain the name of the tag then. */
  readonly tag?: string | boolean | undefined;
  readonly defaultBranch?: string | undefined;
  /** The address of the clone. */
  readonly remote?: string | undefined;
  /** The repository and its server; what a system does not name is read from `remote`. */
  readonly repository?: string | undefined;
  readonly serverUrl?: string | undefined;
  readonly sha?: string | undefined;
  /** Who caused the run. */
  readonly actor?: string | undefined;
}

/** A CI system as data. */
export interface System {
  readonly kind: CiKind;
  readonly title: string;
  readonly isHere: (env: Env) => boolean;
  /** Variables that identify a run: if one is missing, the run is refused. */
  readonly needs: readonly string[];
  /** What to do if one is missing, besides passing them to a container. */
  readonly needsHint?: string;
  /** Why inputs can be empty there, each as half a sentence. */
  readonly emptyInputs: readonly string[];
  /** Why the system hands no secrets to this run; undefined if it does. */
  readonly skip?: ((env: Env) => string | undefined) | undefined;
  readonly causes?: ReadonlyMap<string, Cause>;
  /** The variable with a folder for temporary files that containers share with the machine. */
  readonly temp?: string;
  readonly read: (env: Env) => SystemRun;
  /** How hints name inputs; without it as flags of the command line. */
  readonly manner?: (env: Env) => Manner;
  readonly toolkit?: (host: Host) => Toolkit;
  readonly results?: (host: Host) => Results;
}

/**
 * The adapter of a system that is described as data. Of outputs, summary and report, a system
 * without `results` gets only the report: the command line writes the others to the files that its
 * flags name.
 */
export function createSystemRunner(system: System, given: Host): CiRunner {
  const sharedTemp = system.temp && given.env[system.temp];
  const host = { ...given, temp: sharedTemp || given.temp };
  let run: CiRun | undefined;
  return {
    toolkit: (system.toolkit ?? createPlainToolkit)(host),
    openResults: () => system.results?.(host) ?? createPlainResults(host.temp),
    readRun() {
      // Read once: some systems have a random key, which must stay the same in this process.
      run ??= makeRun(system, host);
      return run;
    },
    explainEmptyInputs: () => ({ skip: system.skip?.(host.env), causes: system.emptyInputs }),
    showHint: (hint) => {
      const manner = system.manner?.(host.env) ?? MANNERS.command;
      return showHint(hint, manner, host.program);
    },
  };
}

/**
 * The run that the variables of a system describe. Texts are joined with `||`, since a variable
 * that is set to nothing counts as missing. Throws `config` if the variables do not identify the
 * run.
 */
function makeRun(system: System, host: Host): CiRun {
  const { env, cwd, temp } = host;
  checkVariables(system, env);
  const described = system.read(env);
  const remote = readRemote(described.remote);
  // A system that says what caused the run knows its own pull and merge requests.
  const requestVariable = described.cause === undefined ? changeRequestVariable(env) : undefined;
  const isRequest = requestVariable !== undefined;
  const causeOfEvent = system.causes?.get(described.event ?? '') ?? 'unknown';
  // In other runs `branch` may be the name of a tag, or a name that the author of a fork has
  // chosen.
  const isForBranch = !described.tag && !isRequest;
  return {
    env,
    kind: system.kind,
    repository: described.repository || remote?.repository,
    serverUrl: described.serverUrl || remote?.serverUrl,
    url: shownAddress(described.url),
    jobToken: described.jobToken || undefined,
    workspace: cwd,
    temp,
    cause: described.cause ?? (isRequest ? 'change-request' : causeOfEvent),
    change: described.change,
    changeRequest: described.changeRequest,
    eventName: described.event || undefined,
    isDefaultBranch: isDefault(described),
    refProtected: described.refProtected,
    branch: (isForBranch && described.branch) || undefined,
    baseCommit: described.baseCommit || undefined,
    changeRequestVariable: requestVariable,
    github: makeGitHubContext(system.kind, described, host, remote),
  };
}

/**
 * The run in the form of GitHub Actions, for the parts that know only this form. `repository` is
 * empty unless the clone comes from GitHub.
 */
function makeGitHubContext(
  kind: CiKind,
  described: SystemRun,
  host: Host,
  remote: Remote | undefined,
): RunContext {
  const [runId = '', ...parts] = described.key.filter(Boolean);
  const serverUrl = host.env.GITHUB_SERVER_URL || 'https://github.com';
  const isOnGitHub = remote?.serverUrl === withoutSlash(serverUrl);
  return {
    repository: isOnGitHub ? remote.repository : '',
    runId: `${kind}:${runId}`,
    // Only from attempt 2 on, a run looks for the export of an earlier attempt. Where the system
    // counts no attempts, each run looks.
    runAttempt: described.attempt ?? 2,
    job: parts.join('/'),
    // Only GitHub Actions has these three.
    workflow: '',
    eventName: '',
    eventPath: '',
    // Empty if the system does not name them.
    sha: described.sha || '',
    actor: described.actor || '',
    serverUrl,
    apiUrl: withoutSlash(host.env.GITHUB_API_URL || 'https://api.github.com'),
    workspace: host.cwd,
    runnerTemp: host.temp,
  };
}

/** Whether the run is for the default branch or a tag; undefined: the system does not say. */
function isDefault(described: SystemRun): boolean | undefined {
  // A tag is published as the default branch is.
  if (described.tag) return true;
  if (!described.branch || !described.defaultBranch) return undefined;
  return described.branch === described.defaultBranch;
}

/** The address as it is; undefined if it is not http or https, or has a user name or password. */
function shownAddress(url: string | undefined): string | undefined {
  const parsed = parseUrl(url ?? '');
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return undefined;
  const hasLogin = parsed.username !== '' || parsed.password !== '';
  return hasLogin ? undefined : url;
}

/**
 * Throws `config` naming the variables that are missing, as in a container that does not get them.
 */
function checkVariables(system: System, env: Env): void {
  const { title, needs, needsHint = '' } = system;
  const missing = needs.filter((name) => !env[name]);
  if (missing.length === 0) return;
  throw configError(
    `${title} did not set ${missing.join(', ')}: without it one run looks like another. Nothing was sent.`,
    `If the command runs in a container, pass the variables of the CI system to it. ${needsHint}`.trim(),
  );
}

/** True for a variable that is set, and not to `false` or `0`. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && !/^(|false|0)$/i.test(value);
}

/** The number of an attempt, from 1; `first` is the number that the system gives to the first. */
export function attemptOf(value: string | undefined, first = 1): number {
  const number = Number.parseInt(value ?? '', 10);
  // The variable is not set, or has another meaning than the documentation says.
  if (!Number.isSafeInteger(number) || number < first) return 1;
  return number - first + 1;
}

/**
 * `main` of `refs/heads/main`; undefined for a tag, a pull request and everything else that is not
 * a branch.
 */
export function branchOfRef(ref: string | undefined): string | undefined {
  return /^refs\/heads\/(.*)$/s.exec(ref ?? '')?.[1];
}

/** Where a clone comes from. */
export interface Remote {
  /** Without a user or password. */
  readonly serverUrl: string;
  /** `owner/name`, or longer. */
  readonly repository: string;
}

/**
 * The remote `origin` of a clone; undefined if the folder is not a clone, or if there is no git.
 */
export async function readOrigin(
  run: Pick<CiRun, 'workspace' | 'env'>,
): Promise<Remote | undefined> {
  const { workspace, env } = run;
  const args = ['config', '--get', 'remote.origin.url'];
  try {
    const { runGit } = await import('../ground/git.ts');
    return readRemote((await runGit(args, { folder: workspace, workspace, env })).trim());
  } catch {
    return undefined;
  }
}

/** The repository on GitHub that a person's folder is a clone of; undefined if it is of none. */
export async function localRepository(run: CiRun): Promise<string | undefined> {
  // A person can name another one, as GitHub Actions does.
  if (run.env.GITHUB_REPOSITORY) return run.env.GITHUB_REPOSITORY;
  const origin = await readOrigin(run);
  const hostOf = (url: string) => parseUrl(url)?.host.toLowerCase();
  if (origin === undefined || hostOf(origin.serverUrl) !== hostOf(run.github.serverUrl))
    return undefined;
  return origin.repository;
}

/** The address of a clone as scp writes it: `git@host:owner/name.git`. */
const SCP = /^(?:[\w.-]+@)?([\w.-]+):(?!\/)(.+)$/;

/**
 * Reads the address of a clone: `https://…`, `ssh://…`, `git@host:owner/name.git`. undefined for
 * any other.
 */
export function readRemote(address: string | undefined): Remote | undefined {
  if (!address) return undefined;
  // First, since `parseUrl` would take such a host for a protocol.
  const [, host, path = ''] = SCP.exec(address) ?? [];
  if (host !== undefined) return makeRemote(`https://${host}`, path);
  const url = parseUrl(address);
  switch (url?.protocol) {
    case 'http:':
    case 'https:':
      return makeRemote(url.origin, url.pathname);
    case 'ssh:':
    case 'git:':
      // Without the port, which is that of SSH or git: the web pages have another one.
      return makeRemote(`https://${url.hostname}`, url.pathname);
    default:
      return undefined;
  }
}

/** undefined: the path has less than an owner and a name. */
function makeRemote(serverUrl: string, path: string): Remote | undefined {
  const repository = path.replace(/^\/+|(?<!\/)\/+$/g, '').replace(/\.git$/, '');
  if (!repository.includes('/')) return undefined;
  return { serverUrl, repository };
}

/** Variables of pull and merge requests that `REQUEST_NAME` does not find. */
const REQUEST_VARIABLES: readonly string[] = [
  // Jenkins: the branch sources, the builder of pull requests, and the trigger of Gerrit.
  'CHANGE_ID',
  'CHANGE_URL',
  'CHANGE_TARGET',
  'CHANGE_FORK',
  'ghprbPullId',
  'ghprbSourceBranch',
  'gitlabMergeRequestIid',
  'gitlabMergeRequestId',
  'GERRIT_CHANGE_NUMBER',
  // CircleCI, of a fork.
  'CIRCLE_PR_REPONAME',
  'CIRCLE_PR_USERNAME',
  // Bitbucket.
  'BITBUCKET_PR_DESTINATION_BRANCH',
  // Bamboo, which can build the branch of a fork too.
  'bamboo_repository_pr_key',
  // GitHub: the branch of a pull request.
  'GITHUB_HEAD_REF',
];

// Such as `SYSTEM_PULLREQUEST_PULLREQUESTID`, `CI_MERGE_REQUEST_IID`, `CIRCLE_PULL_REQUESTS`,
// `CI_COMMIT_PULL_REQUEST`, `APP_PR_NUMBER`, `CIRRUS_PR`.
const REQUEST_NAME = /(^|_)(PULL_?REQUESTS?|MERGE_?REQUESTS?)(_|$)|(^|_)PR(_(ID|NUMBER|NUM))?$/i;
/** Names of variables that contain the event of the run. */
const EVENT_VARIABLE = /(^|_)(EVENT|REASON|EVENT_NAME|EVENT_TYPE|PIPELINE_SOURCE)$/;
const REQUEST_EVENT = /^(pull|merge)_?request/i;
const UNSET = /^(|0|false|none|null|undefined)$/i;
/** Such as `CI_PREV_PIPELINE_EVENT` of Woodpecker: it is about the run before this one. */
const OF_EARLIER_RUN = /(^|_)PREV(IOUS)?(_|$)/i;

/**
 * The name of a variable that shows that this run is for a pull or merge request of any system;
 * undefined: there is none. In doubt a run counts as one for a pull request, which may do less.
 */
export function changeRequestVariable(env: Env): string | undefined {
  return Object.keys(env).find((name) => {
    if (OF_EARLIER_RUN.test(name)) return false;
    const value = env[name] ?? '';
    if (REQUEST_VARIABLES.includes(name) || REQUEST_NAME.test(name)) return !UNSET.test(value);
    return EVENT_VARIABLE.test(name) && REQUEST_EVENT.test(value);
  });
}

/** Variables that systems have in common: the names that `ci-info` takes too, and one more. */
const GENERAL: readonly string[] = [
  'BUILD_ID',
  'BUILD_NUMBER',
  'CI_APP_ID',
  'CI_BUILD_ID',
  'CI_BUILD_NUMBER',
  'CI_NAME',
  'CI_PIPELINE_ID',
  'CONTINUOUS_INTEGRATION',
  'RUN_ID',
];

/**
 * The name of a variable that shows a CI system, whichever it is; undefined: there is none. A
 * person may have set it.
 */
export function ciVariable(env: Env): string | undefined {
  if (isSet(env.CI)) return 'CI';
  // The first build, or the first run of a task, can have the number 0.
  return GENERAL.find((name) => env[name]) ?? changeRequestVariable(env);
}

/**
 * CI systems are found by the table of `ci-info` and the environment that is given. The code of
 * that library would read the environment of the process instead, once, when it is loaded.
 */

const text = z.string();
const list = z.array(text);
/** What shows that a run is on a system: a variable, one of several, or a certain value of one. */
const condition = z.union([
  z.pipe(
    text,
    z.transform((env) => ({ env })),
  ),
  z.strictObject({ any: list }),
  z.strictObject({ env: text, includes: text }),
  z.pipe(
    z.record(text, text),
    z.transform((values) => ({ values })),
  ),
]);

/** True if the environment has what one condition of the table asks for. */
function isFulfilled(wanted: z.infer<typeof condition>, env: Env): boolean {
  if ('values' in wanted)
    return Object.entries(wanted.values).every(([name, value]) => env[name] === value);
  if ('any' in wanted) return wanted.any.some((name) => env[name]);
  const value = env[wanted.env] ?? '';
  return 'includes' in wanted ? value.includes(wanted.includes) : value !== '';
}

/**
 * The systems of the table. A new version of the table with another kind of condition throws when
 * this file is loaded: the condition must not be read as one of the known kinds.
 */
const VENDORS = z
  .array(z.object({ constant: text, env: z.union([condition, z.array(condition)]) }))
  .parse(vendors);

/** The system by its name in the table, such as `TRAVIS`; undefined: no system was found. */
export function findVendor(env: Env): string | undefined {
  // One condition, or a list of which all must be fulfilled.
  const vendorHere = VENDORS.find((vendor) =>
    [vendor.env].flat().every((wanted) => isFulfilled(wanted, env)),
  );
  return vendorHere?.constant;
}
