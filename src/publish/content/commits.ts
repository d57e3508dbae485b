import * as z from 'zod/mini';
import { CourierError, type Hint, hasCode } from '../../errors.ts';
import { getJson } from '../../github/client.ts';
import type { Context } from '../../run/context.ts';
import { plainLine } from '../../text/escape.ts';
import { isCommit, shortCommit } from './summary.ts';

/**
 * What a commit is to another: the same, one that contains it (`later`), one that it contains
 * (`earlier`), or one of another line.
 */
type Relation = 'same' | 'later' | 'earlier' | 'other';

const RELATIONS: Readonly<Record<string, Relation>> = {
  identical: 'same',
  ahead: 'later',
  behind: 'earlier',
  diverged: 'other',
};

interface Repository extends Pick<Context, 'run' | 'github' | 'log'> {
  /** Reads the repository; undefined: commits cannot be compared. */
  readonly token: string | undefined;
}

// https://docs.github.com/rest/commits/commits#compare-two-commits
const comparison = z.object({ status: z.string() });

/**
 * What `head` is to `base`, a commit or a branch, as GitHub says; undefined: it says something
 * else.
 */
async function compare(
  base: string,
  head: string,
  { github, token }: Pick<Repository, 'github'> & { readonly token: string },
): Promise<Relation | undefined> {
  const [owner, repo] = github.run.repository.split('/');
  const octokit = await github.connect(token);
  const route = 'GET /repos/{owner}/{repo}/compare/{basehead}';
  const parameters = { owner, repo, basehead: `${base}...${head}`, per_page: 1 };
  const { status } = await getJson(octokit, route, parameters, comparison);
  return RELATIONS[status];
}

/**
 * What the commit that the platform names is to the commit of the run; undefined, and a line in the
 * log or a warning, if that is not known. Without the API of GitHub, only the same commit is known.
 * Never throws but `cancelled`.
 */
export async function relate(
  named: string,
  wanted: string,
  repository: Repository,
): Promise<Relation | undefined> {
  const { token, run, github, log } = repository;
  if (named === wanted) return 'same';
  if (run.kind !== 'github' || token === undefined || !isCommit(named)) {
    log.info(
      `The published commit, ${plainLine(named, 40)}, cannot be compared with commit ${shortCommit(wanted)}.`,
    );
    return undefined;
  }
  try {
    return await compare(wanted, named, { github, token });
  } catch (error) {
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    const text = `The published commit ${shortCommit(named)} could not be compared. ${error.message} It takes the permission contents: read, and a commit of this repository.`;
    // A commit of another repository is not found.
    if (error.code === 'not-found') log.info(text);
    else log.warning(text);
    return undefined;
  }
}

interface Membership {
  readonly sha: string;
  readonly branch: string;
  readonly token: string | undefined;
}

/**
 * Whether a branch has a commit, as GitHub says. Throws `forbidden` if the run may not read that.
 */
export async function isOnBranch(
  { sha, branch, token }: Membership,
  github: Context['github'],
): Promise<boolean> {
  const hint: Hint = {
    text: `Whether ${branch} has this commit is read from the repository with github-token. Give the job this permission:`,
    permissions: { contents: 'read' },
  };
  return explained(
    `Commit ${shortCommit(sha)} cannot be compared with ${branch}`,
    { token, hint },
    async (given) => {
      const relation = await compare(branch, sha, { github, token: given });
      return relation === 'earlier' || relation === 'same';
    },
  );
}

// https://docs.github.com/rest/deployments/deployments#list-deployments
const deployments = z.array(
  z.object({
    creator: z.nullish(z.object({ login: z.string(), type: z.optional(z.string()) })),
    transient_environment: z.optional(z.boolean()),
  }),
);

/**
 * Whether an App made one of the newest deployments of the repository that are not transient.
 * Throws `forbidden`.
 */
export async function makesDeployments(
  { app, token }: { readonly app: string; readonly token: string | undefined },
  github: Context['github'],
): Promise<boolean> {
  const hint: Hint = {
    text: 'The deployments of the repository are read with github-token. Give the job these permissions:',
    permissions: { contents: 'read', deployments: 'read' },
  };
  const [owner, repo] = github.run.repository.split('/');
  const route = 'GET /repos/{owner}/{repo}/deployments';
  return explained(`The deployments of ${app} cannot be read`, { token, hint }, async (given) => {
    const newest = await getJson(
      await github.connect(given),
      route,
      { owner, repo, per_page: 100 },
      deployments,
    );
    const own = newest.filter(
      ({ creator }) => creator?.type === 'Bot' && creator.login === `${app}[bot]`,
    );
    return own.some((one) => one.transient_environment !== true);
  });
}

interface Reading {
  readonly token: string | undefined;
  readonly hint: Hint;
}

/** `problem`: half a sentence. */
async function explained<T>(
  problem: string,
  { token, hint }: Reading,
  read: (token: string) => Promise<T>,
): Promise<T> {
  if (token === undefined) {
    throw new CourierError({
      code: 'forbidden',
      message: `${problem}: github-token is empty.`,
      hint,
    });
  }
  try {
    return await read(token);
  } catch (error) {
    if (!hasCode(error, 'forbidden', 'not-found')) throw error;
    throw error.with({ code: 'forbidden', message: `${problem}: ${error.message}`, hint });
  }
}
