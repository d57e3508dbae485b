import { execFile } from 'node:child_process';
import { relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import picomatch from 'picomatch';
import type { CiRun, Env } from '../ci/port.ts';
import type { Config } from '../config/parse.ts';
import { CourierError, hasCode } from '../errors.ts';
import type { Log } from '../log.ts';
import { plainLine } from '../text/escape.ts';

const run = promisify(execFile);

export interface PlanInit {
  readonly config: Config;
  /** Where the file is, as it was given. */
  readonly configFile: string;
  readonly ciRun: CiRun;
  readonly env: Env;
  readonly log: Log;
  /** The commit before the change; undefined: every site is meant. */
  readonly changedSince: string | undefined;
}

/** `strategy.matrix` of GitHub: a job for each entry. */
export interface Matrix {
  readonly include: readonly { readonly site: string }[];
}

/** The commit that GitHub and GitLab name before the first one of a branch. */
const NO_COMMIT = /^0{40}(0{24})?$/;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** The sites that a change touches, in the order of the file. Throws `config` where the commit is not known. */
export async function planSites(init: PlanInit): Promise<readonly string[]> {
  const { config, changedSince, log } = init;
  const all = [...config.sites.keys()];
  if (changedSince === undefined) return all;
  if (NO_COMMIT.test(changedSince)) {
    log.info('There is no commit before this one: every site counts as changed.');
    return all;
  }
  const { files, configFile } = await changedFiles(init, changedSince);
  if (files.includes(configFile)) {
    log.info(`${configFile} has changed: every site counts as changed.`);
    return all;
  }
  return all.filter((site) => {
    const { paths = [] } = config.sites.get(site) ?? {};
    const touches = paths.length === 0 ? () => true : picomatch([...paths], { dot: true });
    const touched = files.filter((file) => touches(file));
    const [first] = touched;
    log.info(
      first === undefined
        ? `${site}: not changed`
        : `${site}: ${touched.length} changed ${touched.length === 1 ? 'file' : 'files'}, such as ${plainLine(first, 200)}`,
    );
    return first !== undefined;
  });
}

interface Changes {
  /** From the root of the repository. */
  readonly files: readonly string[];
  readonly configFile: string;
}

// A file that was moved counts at both places. Neither settings of the repository nor its attributes start a program.
const DIFF = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'] as const;

async function changedFiles({ configFile, ciRun, env }: PlanInit, since: string): Promise<Changes> {
  const cwd = ciRun.workspace;
  // What git itself needs, and no key.
  const { PATH, HOME, SYSTEMROOT } = env;
  const git = async (...args: readonly string[]) => {
    const own = { ...(PATH && { PATH }), ...(HOME && { HOME }), ...(SYSTEMROOT && { SYSTEMROOT }) };
    const options = { cwd, env: own, maxBuffer: MAX_OUTPUT_BYTES };
    return (await run('git', ['--no-pager', '-c', 'core.fsmonitor=false', ...args], options)).stdout;
  };
  try {
    const root = (await git('rev-parse', '--show-toplevel')).replace(/\r?\n$/, '');
    const commit = (await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${since}^{commit}`)).trim();
    const names = await git(...DIFF, commit, 'HEAD', '--');
    const files = names.split('\0').filter((name) => name !== '');
    return { files, configFile: relative(root, resolve(cwd, configFile)).replaceAll('\\', '/') };
  } catch (cause) {
    if (hasCode(cause, 'config')) throw cause;
    throw new CourierError({
      code: 'config',
      message: `--changed-since: git does not know the commit ${plainLine(since, 80)}, or this is no repository.`,
      hint: 'Check out the whole history: fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0 in GitLab CI.',
      cause,
    });
  }
}

export function matrixOf(sites: readonly string[]): Matrix {
  return { include: sites.map((site) => ({ site })) };
}

/**
 * A child pipeline of GitLab with a job for each site, in JSON, which is YAML too. GitLab starts no pipeline without a job.
 */
export function childPipeline(sites: readonly string[], configFile: string): string {
  const jobs = sites.map((site) => [
    `export-${site}`,
    {
      image: 'node:24-slim',
      resource_group: `docs-courier-${site}`,
      interruptible: false,
      script: [
        `npx --yes docs-courier@1 export --config-file ${shellWord(configFile)} --site ${shellWord(site)} --output-file docs-courier.env`,
      ],
      artifacts: { when: 'always', reports: { dotenv: 'docs-courier.env' } },
    },
  ]);
  const nothing = {
    'no-site-has-changed': { script: ['echo "No site has changed."'], variables: { GIT_STRATEGY: 'none' } },
  };
  return `${JSON.stringify(jobs.length === 0 ? nothing : Object.fromEntries(jobs), undefined, 2)}\n`;
}

function shellWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
