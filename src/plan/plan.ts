import { relative, resolve } from 'node:path';
import { readConfig } from '../config/file.ts';
import type { Config } from '../config/parse.ts';
import { CourierError } from '../errors.ts';
import { runGit } from '../git.ts';
import type { PlanInputs } from '../inputs/inputs.ts';
import type { Deps } from '../run/context.ts';
import { defineMode } from '../run/finish.ts';
import { errorSection, heading, type RunFacts, sections } from '../run/report.ts';
import { countOf } from '../text/amounts.ts';
import { codeSpan, escapeMarkdown, plainLine } from '../text/escape.ts';
import { printedJson } from '../text/hide-credentials.ts';
import { table } from '../text/markdown.ts';
import { matcherOf } from '../text/patterns.ts';

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
}

type PlanDeps = Deps<PlanFacts>;

/** The commit that GitHub and GitLab name before the first one of a branch. */
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
    throw new CourierError({
      code: 'config',
      message: `There are no sites in ${inputs.configFile}, so there is nothing to plan.`,
      hint: 'Name the sites under sites in the file, each with its paths.',
    });
  }
  const base = inputs.changedSince ?? run.baseCommit;
  const sites = await planSites(config, { configFile: inputs.configFile, base }, deps);
  log.table(
    ['Site', 'Planned', 'Why'],
    sites.map(({ site, isPlanned, reason }) => [site, isPlanned ? 'yes' : 'no', reason]),
    ([site, planned, reason]) => `${site}: ${planned === 'yes' ? '' : 'not planned, '}${reason}`,
  );
  await warnOfPaths(config, deps);
  if (base === undefined && run.kind === 'local') {
    log.warning(
      'Every site is planned, since no commit to compare with is known. Name one: --changed-since origin/main',
    );
  }
  const planned = sites.filter(({ isPlanned }) => isPlanned);
  if (planned.length > MAX_MATRIX_JOBS) {
    log.warning(
      `${countOf(planned.length, 'site')} are planned, and GitHub runs at most ${MAX_MATRIX_JOBS} jobs of a matrix. Divide the sites among several files.`,
    );
  }
  const isKnown = base !== undefined && !NO_COMMIT.test(base);
  return { status: 'completed', base: isKnown ? base : undefined, sites };
}

interface PlanBase {
  /** As it was given. */
  readonly configFile: string;
  /** The commit before the change; undefined: none is known, so every site is meant. */
  readonly base: string | undefined;
}

async function planSites(
  config: Config,
  { configFile, base }: PlanBase,
  deps: PlanDeps,
): Promise<PlannedSite[]> {
  const { workspace } = deps.run;
  const all = (reason: string) =>
    [...config.sites.keys()].map((site) => ({ site, isPlanned: true, reason }));
  if (base === undefined) return all('there is no commit to compare with');
  if (NO_COMMIT.test(base)) return all('there is no commit before this one');
  const { files, prefix } = await changedFiles(deps, base);
  const file = relative(workspace, resolve(workspace, configFile)).replaceAll('\\', '/');
  if (files.includes(`${prefix}${file}`)) return all(`${file} has changed`);
  return [...config.sites].map(([site, { paths }]) => {
    const [touched, ...more] = paths.length === 0 ? files : files.filter(matcherOf(paths));
    if (touched === undefined)
      return { site, isPlanned: false, reason: 'no file of it has changed' };
    const others = more.length === 0 ? 'has' : `and ${countOf(more.length, 'more file')} have`;
    return { site, isPlanned: true, reason: `${plainLine(touched, 200)} ${others} changed` };
  });
}

interface Changes {
  /** From the root of the repository, with forward slashes. */
  readonly files: readonly string[];
  /**
   * The working folder, from the root of the repository: `''`, or a path that ends with a slash.
   */
  readonly prefix: string;
}

// A file that was moved counts at both places. Neither settings of the repository nor its
// attributes start a program.
const DIFF = [
  'diff',
  '--name-only',
  '-z',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
] as const;

function gitOf({ run: { workspace, env }, signal }: PlanDeps) {
  return (...args: readonly string[]) =>
    runGit(args, { folder: workspace, workspace, env, signal });
}

/**
 * The files that differ between a commit and what is checked out. Throws `config` if git cannot
 * say.
 */
async function changedFiles(deps: PlanDeps, since: string): Promise<Changes> {
  const git = gitOf(deps);
  const explain = (message: string, hint: string) => (cause: unknown) => {
    if (cause instanceof CourierError) throw cause;
    throw new CourierError({ code: 'config', message, hint, cause });
  };
  const prefix = await git('rev-parse', '--show-prefix').catch(
    explain(
      `${deps.run.workspace} is not a repository that git can read.`,
      'Run it in a clone; in a CI system, check out the repository in an earlier step. In a container, git may need safe.directory.',
    ),
  );
  const names = await git(
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${since}^{commit}`,
  )
    .then((commit) => git(...DIFF, commit.trim(), 'HEAD', '--'))
    .catch(
      explain(
        `Git does not know the commit ${plainLine(since, 80)}, so what has changed since is not known.`,
        'Give one commit, branch or tag of this clone, and not a range or a time: --changed-since COMMIT. In a CI system, check out the whole history: fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0 in GitLab CI.',
      ),
    );
  return {
    files: names.split('\0').filter((name) => name !== ''),
    prefix: prefix.replace(/\r?\n$/, ''),
  };
}

/**
 * A pattern that matches no file would leave its site unplanned for ever. Where git gives no list,
 * nothing is known.
 */
async function warnOfPaths({ sites }: Config, deps: PlanDeps): Promise<void> {
  const patterns = [...sites].flatMap(([site, { paths }]) => paths.map((path) => ({ site, path })));
  if (patterns.length === 0) return;
  const list = gitOf(deps)('ls-tree', '-r', '-z', '--name-only', '--full-tree', 'HEAD');
  const names = await list.catch((error: unknown) => {
    if (error instanceof CourierError) throw error;
    return '';
  });
  const files = names.split('\0').filter((name) => name !== '');
  for (const { site, path } of files.length === 0 ? [] : patterns) {
    if (path.startsWith('!') || files.some(matcherOf([path]))) continue;
    deps.log.warning(
      `The site ${site} has ${plainLine(path, 200)} in paths, which matches no file of the repository.`,
    );
  }
}

export const planMode = defineMode<PlanInputs, PlanFacts>({
  run: runPlan,
  outputs: ({ sites }) => {
    if (sites === undefined) return {};
    const include = sites.filter(({ isPlanned }) => isPlanned).map(({ site }) => ({ site }));
    return { matrix: printedJson({ include }, 0), changed: String(include.length > 0) };
  },
  summary: ({ base, sites = [], status, error }) => {
    const count = sites.filter(({ isPlanned }) => isPlanned).length;
    const subject =
      sites.length === 0 ? 'Plan' : `Plan: ${count} of ${countOf(sites.length, 'site')}`;
    const rows = sites.map(({ site, isPlanned, reason }) => [
      codeSpan(site),
      isPlanned ? 'yes' : 'no',
      escapeMarkdown(reason, 300),
    ]);
    return sections([
      heading(subject, status),
      errorSection(error),
      base === undefined ? '' : `Compared with the commit ${codeSpan(base)}.`,
      rows.length === 0 ? '' : table(['Site', 'Planned', 'Why'], rows),
    ]);
  },
});
