import vendors from 'ci-info/vendors.json' with { type: 'json' };
import * as z from 'zod/mini';
import { CourierError } from '../errors.ts';
import type { RunContext } from '../github/connection.ts';
import type { Toolkit } from '../log.ts';
import { MANNERS, type Manner, showHint } from './hints.ts';
import { createPlainResults, createPlainToolkit } from './plain.ts';
import type { Cause, CiKind, CiRun, CiRunner, Env, Host, Results } from './port.ts';

/** What the variables of a system say about a run. An empty text counts as missing. */
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
  readonly attempt?: number | undefined;
  readonly url?: string | undefined;
  /** What started the run, in the system's words. */
  readonly event?: string | undefined;
  /**
   * Without it: by the event, unless a variable shows that the run is for a pull or merge request.
   */
  readonly cause?: Cause | undefined;
  /** Without `refs/heads/`. */
  readonly branch?: string | undefined;
  /** The run is for a tag: `branch` may contain its name then. */
  readonly tag?: string | boolean | undefined;
  readonly defaultBranch?: string | undefined;
  /** The address of the clone. */
  readonly remote?: string | undefined;
  /** Where the system has its repositories; otherwise both are read from `remote`. */
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
  /** Variables without which one run looks like another. */
  readonly needs: readonly string[];
  /** Why inputs can be empty there, each as half a sentence. */
  readonly emptyInputs: readonly string[];
  /** Why the system hands no secrets to this run; undefined if it does. */
  readonly skip?: ((env: Env) => string | undefined) | undefined;
  readonly causes?: Readonly<Record<string, Cause>> | undefined;
  /** The variable with a folder for temporary files that containers share with the machine. */
  readonly temp?: string | undefined;
  readonly read: (env: Env) => SystemRun;
  /** How hints name inputs; without it as flags of the command line. */
  readonly manner?: Manner | undefined;
  readonly toolkit?: ((host: Host) => Toolkit) | undefined;
  readonly results?: ((host: Host) => Results) | undefined;
}

/**
 * The adapter of such a system. What has no place there goes into files that the command line is
 * given names for.
 */
export function createSystemRunner(system: Omit<System, 'isHere'>, given: Host): CiRunner {
  const host = { ...given, temp: (system.temp && given.env[system.temp]) || given.temp };
  let run: CiRun | undefined;
  return {
    toolkit: (system.toolkit ?? createPlainToolkit)(host),
    openResults: () => system.results?.(host) ?? createPlainResults(host.temp),
    readRun() {
      run ??= makeRun(system, host);
      return run;
    },
    explainEmptyInputs: () => ({ skip: system.skip?.(host.env), causes: system.emptyInputs }),
    showHint: (hint) => showHint(hint, system.manner ?? MANNERS.command),
  };
}

function makeRun(system: Omit<System, 'isHere'>, host: Host): CiRun {
  const { env, cwd, temp } = host;
  checkVariables(system.title, system.needs, env);
  const found = system.read(env);
  const remote = readRemote(found.remote);
  const requestVariable = found.cause === undefined ? changeRequestVariable(env) : undefined;
  const branch = found.tag ? undefined : found.branch || undefined;
  const { event = '' } = found;
  return {
    env,
    kind: system.kind,
    repository: found.repository ?? remote?.repository,
    serverUrl: found.serverUrl ?? remote?.serverUrl,
    url: shownAddress(found.url),
    jobToken: found.jobToken || undefined,
    workspace: cwd,
    temp,
    cause:
      found.cause ??
      (requestVariable === undefined ? causeOf(system.causes ?? {}, event) : 'change-request'),
    change: found.change,
    changeRequest: found.changeRequest,
    eventName: event || undefined,
    isDefaultBranch: isDefault(found),
    refProtected: found.refProtected,
    branch: requestVariable === undefined ? branch : undefined,
    baseCommit: found.baseCommit || undefined,
    changeRequestVariable: requestVariable,
    github: makeGitHubContext(system.kind, found, host),
  };
}

/** What the parts that know GitHub need of a run elsewhere. */
function makeGitHubContext(kind: CiKind, found: SystemRun, { env, cwd, temp }: Host): RunContext {
  const [runId = '', ...parts] = found.key.filter(Boolean);
  const remote = readRemote(found.remote);
  const serverUrl = gitHubServer(env);
  return {
    repository: remote?.serverUrl === serverUrl.replace(/(?<!\/)\/+$/, '') ? remote.repository : '',
    runId: `${kind}:${runId}`,
    // They continue an earlier attempt only in one that is not the first.
    runAttempt: found.attempt ?? 2,
    job: parts.join('/'),
    // What a run elsewhere has nothing of.
    workflow: '',
    eventName: '',
    eventPath: '',
    sha: found.sha ?? '',
    actor: found.actor ?? '',
    serverUrl,
    apiUrl: (env.GITHUB_API_URL || 'https://api.github.com').replace(/(?<!\/)\/+$/, ''),
    workspace: cwd,
    runnerTemp: temp,
  };
}

function gitHubServer(env: Env): string {
  return env.GITHUB_SERVER_URL || 'https://github.com';
}

/** True also for a tag. undefined: the system does not say. */
function isDefault({ tag, branch, defaultBranch }: SystemRun): boolean | undefined {
  if (tag) return true;
  return branch && defaultBranch ? branch === defaultBranch : undefined;
}

export function causeOf(causes: Readonly<Record<string, Cause>>, event: string): Cause {
  return Object.hasOwn(causes, event) ? (causes[event] ?? 'unknown') : 'unknown';
}

/** An address for texts: one that is not an address, or that contains a password, is left out. */
function shownAddress(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? url : undefined;
}

/**
 * Throws `config` naming the variables that are missing, as in a container that does not get them.
 */
function checkVariables(title: string, needs: readonly string[], env: Env): void {
  const missing = needs.filter((name) => (env[name] ?? '') === '');
  if (missing.length === 0) return;
  throw new CourierError({
    code: 'config',
    message: `${title} did not set ${missing.join(', ')}: without it one run looks like another. Nothing was sent.`,
    hint: 'If the command runs in a container, pass the variables of the CI system to it.',
  });
}

/** True for a variable that says yes. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && !/^(|false|0)$/i.test(value);
}

/** The number of an attempt, from 1. */
export function attemptOf(value: string | undefined, first = 1): number {
  const number = Number.parseInt(value ?? '', 10);
  return Number.isSafeInteger(number) && number >= first ? number - first + 1 : 1;
}

/**
 * `main` of `refs/heads/main`; undefined for a tag, a pull request and everything else that is not
 * a branch.
 */
export function branchOfRef(ref: string | undefined): string | undefined {
  return ref?.startsWith('refs/heads/') === true ? ref.slice('refs/heads/'.length) : undefined;
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
export async function readOrigin({
  workspace,
  env,
}: Pick<CiRun, 'workspace' | 'env'>): Promise<Remote | undefined> {
  const args = ['config', '--get', 'remote.origin.url'];
  try {
    const { runGit } = await import('../git.ts');
    return readRemote((await runGit(args, { folder: workspace, workspace, env })).trim());
  } catch {
    return undefined;
  }
}

/** The repository on GitHub that a person's folder is a clone of. */
export async function localRepository({
  env,
  workspace,
  github,
}: CiRun): Promise<string | undefined> {
  if (env.GITHUB_REPOSITORY) return env.GITHUB_REPOSITORY;
  const origin = await readOrigin({ workspace, env });
  const host = (url: string) => new URL(url).host.toLowerCase();
  return origin !== undefined && host(origin.serverUrl) === host(github.serverUrl)
    ? origin.repository
    : undefined;
}

const SCP = /^(?:[\w.-]+@)?([\w.-]+):(?!\/)(.+)$/;

/**
 * Reads the address of a clone: `https://…`, `ssh://…`, `git@host:owner/name.git`. undefined for
 * any other.
 */
export function readRemote(address: string | undefined): Remote | undefined {
  if (address === undefined || address === '') return undefined;
  const [, host = '', path = ''] = SCP.exec(address) ?? [];
  if (host !== '' && !address.includes('://')) return makeRemote(`https://${host}`, path);
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol === 'http:' || url.protocol === 'https:')
    return makeRemote(url.origin, url.pathname);
  return url.protocol === 'ssh:' || url.protocol === 'git:'
    ? makeRemote(`https://${url.hostname}`, url.pathname)
    : undefined;
}

function makeRemote(serverUrl: string, path: string): Remote | undefined {
  const repository = path.replace(/^\/+|(?<!\/)\/+$/g, '').replace(/\.git$/, '');
  return repository.includes('/') ? { serverUrl, repository } : undefined;
}

/** Variables of pull and merge requests whose names do not say it. */
const NAMES: readonly string[] = [
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
  // GitHub: the branch of a pull request.
  'GITHUB_HEAD_REF',
];

// `SYSTEM_PULLREQUEST_PULLREQUESTID`, `CI_MERGE_REQUEST_IID`, `CIRCLE_PULL_REQUESTS`,
// `CI_COMMIT_PULL_REQUEST`, `APP_PR_NUMBER`.
const NAMED = /(^|_)(PULL_?REQUESTS?|MERGE_?REQUESTS?)(_|$)|(^|_)PR_(ID|NUMBER|NUM)$/i;
/** Variables that contain the event of the run. */
const EVENTS = /(^|_)(EVENT|REASON|EVENT_NAME|EVENT_TYPE|PIPELINE_SOURCE)$/;
const EVENT = /^(pull|merge)_?request/i;
const UNSET = /^(|0|false|none|null|undefined)$/i;

/**
 * The variable that shows that this run is for a pull or merge request of any system: in doubt it
 * is one.
 */
export function changeRequestVariable(env: Env): string | undefined {
  const found = Object.entries(env).find(([name, value = '']) => {
    if (NAMES.includes(name) || NAMED.test(name)) return !UNSET.test(value);
    return EVENTS.test(name) && EVENT.test(value);
  });
  return found?.[0] ?? findPullRequestSign(env);
}

/**
 * How CI systems are found, and how they show that a run is for a pull request: the table of
 * `ci-info`, read by the environment that is given; that library itself reads the one of the
 * process, once, when it is loaded.
 */

/** A condition as the variable that fulfils it; undefined if none does. */
type Find = (env: Env) => string | undefined;

function condition<T>(shape: z.ZodMiniType<T>, find: (read: T, env: Env) => string | undefined) {
  return z.pipe(
    shape,
    z.transform(
      (read: T): Find =>
        (env) =>
          find(read, env),
    ),
  );
}

const text = z.string();
const sign = z.union([
  condition(text, (name, env) => (env[name] ? name : undefined)),
  condition(z.strictObject({ any: z.array(text) }), ({ any }, env) =>
    any.find((name) => env[name]),
  ),
  condition(z.strictObject({ env: text, includes: text }), ({ env: name, includes }, env) =>
    env[name]?.includes(includes) ? name : undefined,
  ),
  condition(z.strictObject({ env: text, ne: text }), ({ env: name, ne }, env) =>
    env[name] && env[name] !== ne ? name : undefined,
  ),
  condition(z.strictObject({ env: text, any: z.array(text) }), ({ env: name, any }, env) =>
    env[name] && any.includes(env[name]) ? name : undefined,
  ),
  condition(z.record(text, text), (values, env) => {
    const pairs = Object.entries(values);
    return pairs.every(([name, value]) => env[name] === value) ? pairs[0]?.[0] : undefined;
  }),
]);

/**
 * The systems of the table. A condition of a new kind throws at once: it must not be read as
 * something else.
 */
const VENDORS = z
  .array(z.object({ constant: text, env: z.union([sign, z.array(sign)]), pr: z.optional(sign) }))
  .parse(vendors);

/** The system by its name in the table, such as `TRAVIS`; undefined: there is no sign of any. */
export function findVendor(env: Env): string | undefined {
  return VENDORS.find(({ env: signs }) => [signs].flat().every((find) => find(env) !== undefined))
    ?.constant;
}

/**
 * The variable by which a system shows that the run is for a pull request. Systems that are not
 * found count too.
 */
function findPullRequestSign(env: Env): string | undefined {
  for (const { pr } of VENDORS) {
    const found = pr?.(env);
    if (found !== undefined) return found;
  }
  return undefined;
}
