import { relative, resolve } from 'node:path';
import picomatch from 'picomatch';
import { readConfig } from '../config/file.ts';
import type { Config } from '../config/parse.ts';
import { CourierError } from '../errors.ts';
import type { PlanInputs } from '../inputs/inputs.ts';
import type { Deps } from '../run/context.ts';
import type { RunFacts } from '../run/report.ts';
import { plainLine } from '../text/escape.ts';
import { countOf } from '../text/markdown.ts';
import { changedFiles } from './changes.ts';
import type { PlanFacts, PlannedSite } from './summary.ts';

type PlanDeps = Deps<PlanFacts>;

/** The commit that GitHub and GitLab name before the first one of a branch. */
const NO_COMMIT = /^0{40}(0{24})?$/;
/** https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstrategymatrix */
const MAX_MATRIX_JOBS = 256;

/** Names the sites of the configuration file that a change touches. Sends nothing. */
export async function runPlan(inputs: PlanInputs, deps: PlanDeps): Promise<PlanFacts & RunFacts> {
  const { run, log } = deps;
  const config = await readConfig({ path: inputs.configFile, run });
  if (config.sites.size === 0) throw noSites(inputs.configFile);
  const base = inputs.changedSince ?? run.baseCommit;
  const sites = await planSites(config, { configFile: inputs.configFile, base }, deps);
  log.table(
    ['Site', 'Planned', 'Why'],
    sites.map(({ site, isPlanned, reason }) => [site, isPlanned ? 'yes' : 'no', reason]),
    ([site, planned, reason]) => `${site}: ${planned === 'yes' ? '' : 'not planned, '}${reason}`,
  );
  const planned = sites.filter(({ isPlanned }) => isPlanned);
  if (planned.length > MAX_MATRIX_JOBS) {
    log.warning(
      `${countOf(planned.length, 'site')} are planned, and GitHub runs at most ${MAX_MATRIX_JOBS} jobs of a matrix. Divide the sites among several files.`,
    );
  }
  const isKnown = base !== undefined && !NO_COMMIT.test(base);
  return { status: 'completed', base: isKnown ? base : undefined, sites };
}

interface PlanInit {
  /** As it was given. */
  readonly configFile: string;
  /** The commit before the change; undefined: none is known, so every site is meant. */
  readonly base: string | undefined;
}

async function planSites(config: Config, { configFile, base }: PlanInit, { run }: PlanDeps): Promise<PlannedSite[]> {
  const all = (reason: string) => [...config.sites.keys()].map((site) => ({ site, isPlanned: true, reason }));
  if (base === undefined) return all('there is no commit to compare with');
  if (NO_COMMIT.test(base)) return all('there is no commit before this one');
  const { files, prefix } = await changedFiles(run, base);
  const file = relative(run.workspace, resolve(run.workspace, configFile)).replaceAll('\\', '/');
  if (files.includes(`${prefix}${file}`)) return all(`${file} has changed`);
  return [...config.sites].map(([site, { paths }]) => {
    const touches = paths.length === 0 ? () => true : picomatch([...paths], { dot: true });
    const [touched, ...more] = files.filter((name) => touches(name));
    if (touched === undefined) return { site, isPlanned: false, reason: 'no file of it has changed' };
    const first = plainLine(touched, 200);
    const reason =
      more.length === 0 ? `${first} has changed` : `${first} and ${countOf(more.length, 'more file')} have changed`;
    return { site, isPlanned: true, reason };
  });
}

function noSites(path: string): CourierError {
  return new CourierError({
    code: 'config',
    message: `There are no sites in ${path}, so there is nothing to plan.`,
    hint: 'Name the sites under sites in the file, each with its paths.',
  });
}
