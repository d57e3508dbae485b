import { contains, type Relation } from './commits.ts';
import { shortCommit } from './summary.ts';

/**
 * What a run may say about the content of an export. Every rule about it is in this file: what reads GitHub, the platform and the
 * export decides nothing. A publication is what was reported; whether an export contains it can only be seen in the export.
 */

/** A commit that was reported as published. */
export interface Reported {
  readonly commit: string;
  /** Who reported it: the slug of the App, or `the platform`. */
  readonly by: string;
  /** Such as `deployment 12` or `update abc`. */
  readonly source: string;
  /** ISO 8601, UTC. */
  readonly at?: string | undefined;
}

/** `why` is one sentence, without its end. */
export type ContentFinding =
  | { readonly kind: 'reported'; readonly reported: Reported }
  | { readonly kind: 'contradicted'; readonly why: string; readonly isSilent?: boolean | undefined }
  /**
   * Nothing can be said. `open`: that may change. `silent`: nothing about this commit has appeared yet. `failed`: it was not published.
   * `over`: there is nothing to wait for.
   */
  | { readonly kind: 'nothing'; readonly state: 'open' | 'silent' | 'failed' | 'over'; readonly why: string };

/** A deployment of the App that counts as production. */
export interface DeploymentReading {
  readonly id: number;
  readonly environment: string;
  /** As the App wrote it: any text. */
  readonly sha: string;
  /** In GitHub's words; `queued` if it has no status yet. */
  readonly state: string;
  /** Of that status. ISO 8601, UTC. */
  readonly at?: string | undefined;
  readonly relation: Relation;
}

/** A check run of the App for the commit that is asked about. */
export interface CheckReading {
  readonly id: number;
  readonly name: string;
  /** In GitHub's words. */
  readonly status: string;
  readonly conclusion: string | undefined;
  /** Epoch milliseconds. */
  readonly startedAtMs: number | undefined;
  /** ISO 8601, UTC. */
  readonly completedAt?: string | undefined;
}

export interface AppReading {
  /** The slug of the App. */
  readonly app: string;
  /** The commit that is asked about. */
  readonly commit: string;
  /** Newest first, up to the first one that did not fail. */
  readonly deployments: readonly DeploymentReading[];
  readonly checks: readonly CheckReading[];
  readonly since: Since;
}

/**
 * When a check run must have started to count: after the push of the event, or, on an event without a push, after the run began. An
 * earlier one may be of a preview of the same commit.
 */
export interface Since {
  readonly event: 'push' | 'none';
  /** Epoch milliseconds. */
  readonly ms: number;
}

/** What the App of the platform reports. If it makes deployments, they decide; its check runs then only show failures. */
export function judgeApp(reading: AppReading): ContentFinding {
  const { checks: all, since } = reading;
  const counted = all.filter(({ startedAtMs = Number.NEGATIVE_INFINITY }) => startedAtMs >= since.ms);
  // What failed or is open before a push is of a preview. Without a push, it may be what the run is about.
  const checks = since.event === 'push' ? counted : all;
  const [newest] = reading.deployments;
  if (newest === undefined) return judgeChecks(reading, checks, counted);
  const found = judgeDeployments(reading, newest);
  if (found.kind === 'reported' || (found.kind === 'nothing' && found.state !== 'open')) return found;
  const failed = failedChecks(checks);
  if (failed !== undefined) return nothing('failed', failed);
  // The App says itself that the commit has nothing for the site, and the site is at a commit before it.
  const isBefore = newest.relation === 'earlier' && newest.state === 'success';
  if (isBefore && builtNothing(checks))
    return nothing('over', `${reading.app} built nothing for commit ${shortCommit(reading.commit)}`);
  return found.kind === 'contradicted' ? { ...found, isSilent: hasNothingFor(reading, checks) } : found;
}

const UNDERWAY = new Set(['queued', 'requested', 'waiting', 'pending', 'in_progress']);
const FAILED = new Set(['failure', 'error']);

/** A deployment that failed never went live. */
export function hasFailed(state: string): boolean {
  return FAILED.has(state);
}

function judgeDeployments({ app, commit, deployments }: AppReading, newest: DeploymentReading): ContentFinding {
  const { relation, state, sha, at } = newest;
  const what = `${deploymentName(newest)}, of commit ${shortCommit(sha)}`;
  if (typeof relation === 'object')
    return nothing('open', `the newest one is ${what}. ${relation.unknown}`.replace(/\.$/, ''));
  const newestIs = `the newest deployment of ${app} is ${what}`;
  if (!contains(relation)) return contradicted(`${newestIs}, which does not contain commit ${shortCommit(commit)}`);
  if (state === 'inactive') return contradicted(`${newestIs}, which is inactive`);
  if (state === 'success') {
    return { kind: 'reported', reported: { commit: sha.toLowerCase(), by: app, source: deploymentName(newest), at } };
  }
  if (UNDERWAY.has(state)) return nothing('open', `${what}, is ${state}`);
  if (!hasFailed(state)) return nothing('open', `${what}, has the unknown state ${state}`);
  const before = deployments.find((one) => !hasFailed(one.state));
  const wasPublished = before?.state === 'success' && contains(before.relation);
  return nothing(wasPublished ? 'over' : 'failed', `${what}, ended as ${state}`);
}

/** Of an App that makes no deployments. */
function judgeChecks(
  { app, commit }: AppReading,
  checks: readonly CheckReading[],
  counted: readonly CheckReading[],
): ContentFinding {
  const failed = failedChecks(checks);
  if (failed !== undefined) return nothing('failed', failed);
  const open = checks.filter(({ status }) => status !== 'completed');
  if (open.length > 0) return nothing('open', open.map(({ name, status }) => `${name} (${status})`).join(', '));
  const passed = counted.find(({ conclusion }) => conclusion === 'success');
  if (passed !== undefined) {
    const { id, completedAt: at } = passed;
    return { kind: 'reported', reported: { commit, by: app, source: `check run ${id}`, at } };
  }
  if (builtNothing(checks)) return nothing('over', `${app} built nothing for commit ${shortCommit(commit)}`);
  if (checks.length > 0) {
    return nothing(
      'over',
      `the checks of ${app} for commit ${shortCommit(commit)} started before this run, and may be of a preview`,
    );
  }
  return nothing('silent', `nothing from ${app} yet`);
}

function failedChecks(checks: readonly CheckReading[]): string | undefined {
  const failed = checks.filter(({ status, conclusion = '' }) => status === 'completed' && !PASSED.has(conclusion));
  return failed.length === 0
    ? undefined
    : failed.map(({ name, conclusion = 'completed' }) => `${name} ended as ${conclusion}`).join(', ');
}

const NOTHING_BUILT = new Set(['neutral', 'skipped']);
const PASSED = new Set(['success', ...NOTHING_BUILT]);

function builtNothing(checks: readonly CheckReading[]): boolean {
  return checks.length > 0 && checks.every(({ conclusion = '' }) => NOTHING_BUILT.has(conclusion));
}

/** The App has made nothing for this commit, nor for one that contains it. */
function hasNothingFor({ deployments }: AppReading, checks: readonly CheckReading[]): boolean {
  return checks.length === 0 && !deployments.some(({ relation }) => contains(relation));
}

function deploymentName({ id, environment }: DeploymentReading): string {
  return `deployment ${id} to ${environment}`;
}

export interface UpdateReading {
  readonly id: string;
  /** In the platform's words. */
  readonly status: string | undefined;
  readonly commit: string | undefined;
  readonly relation: Relation;
  /** ISO 8601, UTC. */
  readonly at?: string | undefined;
}

/** What an update says that this run requested. */
export function judgeUpdate({ id, status = 'no status', commit = '', relation, at }: UpdateReading): ContentFinding {
  const what = `update ${id}`;
  if (status === 'failure') return nothing('failed', `${what} failed`);
  if (status !== 'success') return nothing('open', `${what} has the status ${status}`);
  if (typeof relation === 'object') return nothing('over', relation.unknown.replace(/\.$/, ''));
  if (!contains(relation))
    return contradicted(
      `${what} published commit ${shortCommit(commit)}, which does not contain the commit of this run`,
    );
  return { kind: 'reported', reported: { commit: commit.toLowerCase(), by: 'the platform', source: what, at } };
}

/** What the export shows. */
export interface ExportReading {
  /** Addresses of its pages. */
  readonly pages: Iterable<string>;
  /** Addresses of pages that were added, changed, moved or removed since the live export; undefined: they were not compared. */
  readonly changed: readonly string[] | undefined;
  /** Paths in the repository, of the change that caused the run. */
  readonly touched: readonly string[];
  /** Of the content; undefined: not known. */
  readonly fingerprint: string | undefined;
  /** The export that was live, and those before it. */
  readonly live: EarlierContent | undefined;
  readonly earlier: readonly EarlierContent[];
}

export interface EarlierContent {
  readonly job: string;
  readonly fingerprint?: string | undefined;
}

export type Sight =
  /** So many pages changed, and at least one of them belongs to a file that the change touched. */
  | { readonly kind: 'seen'; readonly pages: number }
  | { readonly kind: 'contradicted'; readonly why: string }
  | { readonly kind: 'nothing' };

/** What the export itself says about the change that it should contain. */
export function judgeExport(reading: ExportReading): Sight {
  const { fingerprint, live, earlier, changed, touched } = reading;
  const isAsLive = fingerprint !== undefined && fingerprint === live?.fingerprint;
  const former = earlier.find((one) => fingerprint !== undefined && one.fingerprint === fingerprint);
  if (former !== undefined && !isAsLive) {
    return { kind: 'contradicted', why: `its content is that of the earlier export ${former.job}` };
  }
  if (changed === undefined) return { kind: 'nothing' };
  const sources = touched.filter((path) => /\.mdx?$/i.test(path));
  const pages = pagesOfFiles(sources, [...reading.pages, ...changed]);
  const [first] = pages;
  if (first !== undefined && changed.length === 0) {
    return {
      kind: 'contradicted',
      why: `the change touched ${first.file}, the source of the page ${first.page}, and no page of the export changed`,
    };
  }
  const isSeen = pages.some(({ page }) => changed.includes(page));
  return isSeen ? { kind: 'seen', pages: changed.length } : { kind: 'nothing' };
}

/**
 * The pages whose sources these files are. The folder of the documentation in the repository is not known, nor the base path of
 * the site: so a file belongs to the page whose address shares the longest end with its path.
 */
function pagesOfFiles(files: readonly string[], pages: readonly string[]): readonly { file: string; page: string }[] {
  if (files.length === 0) return [];
  const byEnd = new Map<string, string>();
  for (const page of pages) for (const end of endsBelowBasePath(page)) byEnd.set(end, page);
  for (const page of pages) for (const end of endsOf(page)) byEnd.set(end, page);
  return files.flatMap((file) => {
    const parts = file
      .toLowerCase()
      .replace(/\.mdx?$/, '')
      .split('/');
    const ends = parts.map((_, index) => parts.slice(index).join('/'));
    const page = ends.map((end) => byEnd.get(end)).find((found) => found !== undefined);
    return page === undefined ? [] : [{ file, page }];
  });
}

/** `/docs/guide` is of a file `docs/guide` or `docs/guide/index`. */
function endsOf(page: string): readonly string[] {
  const parts = page
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  return [parts.join('/'), [...parts, 'index'].join('/')].filter((end) => end !== '');
}

/** A site below `/docs` has its file `guide` at `/docs/guide`. */
function endsBelowBasePath(page: string): readonly string[] {
  const below = page.replace(/^\/[^/]*(?=\/)/, '');
  return below === page ? [] : endsOf(below);
}

function nothing(state: 'open' | 'silent' | 'failed' | 'over', why: string): ContentFinding {
  return { kind: 'nothing', state, why };
}

function contradicted(why: string): ContentFinding {
  return { kind: 'contradicted', why };
}
