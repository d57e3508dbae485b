import { relative, resolve } from 'node:path';
import { readConfig } from '../config/file.ts';
import type { Config } from '../config/parse.ts';
import { CourierError, configError } from '../ground/errors.ts';
import { runGit } from '../ground/git.ts';
import { countOf } from '../ground/text/amounts.ts';
import { codeSpan, escapeMarkdown, plainLine } from '../ground/text/escape.ts';
import { printedJson } from '../ground/text/hide-credentials.ts';
import { table } from '../ground/text/markdown.ts';
import { matcherOf } from '../ground/text/patterns.ts';
import type { PlanInputs } from '../inputs/inputs.ts';
import type { Deps } from '../run/context.ts';
import { defineMode } from '../run/finish.ts';
import { errorSection, heading, type RunFacts, sections } from '../run/report.ts';

/** A site of the configuration file, and why it is planned or not. */
interface PlannedSite {
  readonly site: string;
  readonly isPlanned: boolean;
  /** Half a sentence; it may contain the name of a file. */
  readonly reason: string;
}

interface PlanFacts {
  /** The commit that was compared with; undefined: there was none. */
  readonly base?: string | undefined;
  /** In the order of the file. */
  readonly sites?: readonly PlannedSite[] | undefined;
  /** The planned sites, as JSON for the matrix of a workflow. */
  readonly matrix?: string | undefined;
  /** True if a site is planned. */
  readonly changed?: boolean | undefined;
}

type PlanDeps = Deps<PlanFacts>;

const HEAD = ['Site', 'Planned', 'Why'] as const;

/** Zeros, which GitHub and GitLab name as the commit before the first commit of a branch. */
const NO_COMMIT = /^0{40}(0{24})?$/;
/**
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstrategymatrix
 */
const MAX_MATRIX_JOBS = 256;

/** Names the sites of the configuration file that a change touches. Sends nothing. */
async function runPlan(inputs: PlanInputs, deps: PlanDeps): Promise<PlanFacts & RunFacts> {
  const { run, log } = deps;
  const config = await readConfig(inputs.configFile, run);
  if (config.sites.size === 0) {
    throw configError(
      `There are no sites in ${inputs.configFile}, so there is nothing to plan.`,
      'Name the sites under sites in the file, each with its paths.',
    );
  }
  const base = inputs.changedSince ?? run.baseCommit;
  const sites = await planSites(config, inputs.configFile, base, deps);
  const rows = sites.map(({ site, isPlanned, reason }) => [site, isPlanned ? 'yes' : 'no', reason]);
  log.table(HEAD, rows, ([site, planned, reason]) =>
    planned === 'yes' ? `${site}: ${reason}` : `${site}: not planned, ${reason}`,
  );
  await warnOfPaths(config, deps);
  // In a CI system this is usual: a schedule, say, follows no commit.
  if (base === undefined && run.kind === 'local') {
    log.warning(
      'Every site is planned, since no commit to compare with is known. Name one: --changed-since COMMIT',
    );
  }
  const planned = sites.filter((site) => site.isPlanned);
  if (planned.length > MAX_MATRIX_JOBS) {
    log.warning(
      `${countOf(planned.length, 'site')} are planned, and GitHub runs at most ${MAX_MATRIX_JOBS} jobs of a matrix. Divide the sites among several files.`,
    );
  }
  const isCommit = base !== undefined && !NO_COMMIT.test(base);
  const include = planned.map(({ site }) => ({ site }));
  return {
    status: 'completed',
    base: isCommit ? base : undefined,
    sites,
    matrix: printedJson({ include }, 0),
    changed: include.length > 0,
  };
}

/**
 * Which sites are planned. `base`: the commit before the change; undefined: none is known, so every
 * site is planned.
 */
async function planSites(
  config: Config,
  configFile: string,
  base: string | undefined,
  deps: PlanDeps,
): Promise<PlannedSite[]> {
  const { workspace } = deps.run;
  const planAll = (reason: string) =>
    [...config.sites.keys()].map((site) => ({ site, isPlanned: true, reason }));
  if (base === undefined) return planAll('there is no commit to compare with');
  if (NO_COMMIT.test(base)) return planAll('there is no commit before this one');
  const { files, prefix } = await changedFiles(deps, base);
  const file = relative(workspace, resolve(workspace, configFile)).replaceAll('\\', '/');
  // The file has the inputs of every site.
  if (files.includes(`${prefix}${file}`)) return planAll(`${file} has changed`);
  return Array.from(config.sites, ([site, { paths }]) => {
    // A site that names no paths is made of the whole repository.
    const filesOfSite = paths.length === 0 ? files : files.filter(matcherOf(paths));
    const reason = whyTouched(filesOfSite);
    return { site, isPlanned: reason !== undefined, reason: reason ?? 'no file of it has changed' };
  });
}

/** Why a site with these changed files is planned; undefined: none of its files has changed. */
function whyTouched(files: readonly string[]): string | undefined {
  const [first, ...more] = files;
  if (first === undefined) return undefined;
  if (more.length === 0) return `${plainLine(first, 200)} has changed`;
  return `${plainLine(first, 200)} and ${countOf(more.length, 'more file')} have changed`;
}

// A file that was moved counts at its old and its new path. No program runs that the settings or
// attributes of the repository name.
const DIFF = [
  'diff',
  '--name-only',
  '-z',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
] as const;
const VERIFY = ['rev-parse', '--verify', '--quiet', '--end-of-options'] as const;

function git(deps: PlanDeps, ...args: readonly string[]): Promise<string> {
  const { workspace, env } = deps.run;
  return runGit(args, { folder: workspace, workspace, env, signal: deps.signal });
}

/**
 * What a change touches. `files`: the paths that differ between a commit and HEAD, from the root of
 * the repository, with forward slashes. `prefix`: the path of the workspace from that root, `''` or
 * with a slash at its end. Throws `config` if git cannot say.
 */
async function changedFiles(deps: PlanDeps, since: string) {
  // What the error says if the first call of git fails; set again for the calls after it.
  let message = `${deps.run.workspace} is not a repository that git can read.`;
  let hint =
    'Run it in a clone; in a CI system, check out the repository in an earlier step. In a container, git may need safe.directory.';
  try {
    const prefix = await git(deps, 'rev-parse', '--show-prefix');
    message = `Git does not know the commit ${plainLine(since, 80)}, so what has changed since is not known.`;
    hint =
      'Give one commit, branch or tag of this clone, and not a range or a time: --changed-since COMMIT. In a CI system, check out the whole history: fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0 in GitLab CI.';
    const commit = await git(deps, ...VERIFY, `${since}^{commit}`);
    const names = await git(deps, ...DIFF, commit.trim(), 'HEAD', '--');
    return { files: names.split('\0').filter(Boolean), prefix: prefix.replace(/\r?\n$/, '') };
  } catch (cause) {
    // A cancelled run. What git itself reports is not a CourierError.
    if (cause instanceof CourierError) throw cause;
    throw configError(message, hint, { cause });
  }
}

/**
 * Warns of each pattern in `paths` that matches no file: its site would never be planned. If git
 * cannot list the files, nothing is warned of.
 */
async function warnOfPaths(config: Config, deps: PlanDeps): Promise<void> {
  const hasPaths = [...config.sites.values()].some((site) => site.paths.length > 0);
  if (!hasPaths) return;
  const list = git(deps, 'ls-tree', '-r', '-z', '--name-only', '--full-tree', 'HEAD');
  const names = await list.catch((error: unknown) => {
    // A cancelled run, as in `changedFiles`.
    if (error instanceof CourierError) throw error;
    return '';
  });
  const files = names.split('\0').filter(Boolean);
  if (files.length === 0) return;
  for (const [site, { paths }] of config.sites) {
    for (const path of paths) {
      // A pattern that excludes files may exclude what is not there yet.
      if (path.startsWith('!') || files.some(matcherOf([path]))) continue;
      deps.log.warning(
        `The site ${site} has ${plainLine(path, 200)} in paths, which matches no file of the repository.`,
      );
    }
  }
}

export const planMode = defineMode<PlanInputs, PlanFacts>({
  run: runPlan,
  unreported: ['matrix', 'changed'],
  summary(report) {
    const { base, sites = [], status } = report;
    const error = errorSection(report.error);
    // The run failed before it knew the sites.
    if (sites.length === 0) return sections([heading('Plan', status), error]);
    const count = sites.filter((site) => site.isPlanned).length;
    const rows = sites.map(({ site, isPlanned, reason }) => [
      codeSpan(site),
      isPlanned ? 'yes' : 'no',
      escapeMarkdown(reason, 300),
    ]);
    return sections([
      heading(`Plan: ${count} of ${countOf(sites.length, 'site')}`, status),
      error,
      base && `Compared with the commit ${codeSpan(base)}.`,
      table(HEAD, rows),
    ]);
  },
});
