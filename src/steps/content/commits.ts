import * as z from 'zod/mini';
import type { AppReport } from '../../ci/port.ts';
import { getJson } from '../../github/client.ts';
import { type GitHub, ownerAndRepo } from '../../github/connection.ts';
import { assertFailure, courierError, type Hint, hasCode } from '../../ground/errors.ts';
import { plainLine } from '../../ground/text/escape.ts';
import type { Context } from '../../run/context.ts';
import { isCommit, shortCommit } from './summary.ts';

/**
 * How a commit relates to another: `later` contains the other commit, `earlier` is contained in it,
 * and `other` is on another line.
 */
type Relation = 'same' | 'later' | 'earlier' | 'other';

const RELATIONS: Readonly<Record<string, Relation>> = {
  identical: 'same',
  ahead: 'later',
  behind: 'earlier',
  diverged: 'other',
};

// https://docs.github.com/rest/commits/commits#compare-two-commits
const comparison = z.object({ status: z.string() });

/**
 * How `head` relates to `base`, a commit or a branch, as GitHub says; undefined: GitHub gave an
 * unknown status.
 */
async function compareCommits(
  base: string,
  head: string,
  token: string,
  github: GitHub,
): Promise<Relation | undefined> {
  const octokit = await github.connect(token);
  const route = 'GET /repos/{owner}/{repo}/compare/{basehead}';
  // One commit a page, as only the status is read.
  const basehead = `${base}...${head}`;
  const parameters = { ...ownerAndRepo(github.run.repository), basehead, per_page: 1 };
  const { status } = await getJson(octokit, route, parameters, comparison);
  return RELATIONS[status];
}

/**
 * How the commit that the platform names relates to the commit of the run; `why`, one or more
 * sentences, if that is not known. Without the API of GitHub, only the same commit is recognized.
 * `token`: reads the repository. Throws only `cancelled`.
 */
export async function relate(
  named: string,
  wanted: string,
  token: string | undefined,
  { run, github }: Pick<Context, 'run' | 'github'>,
): Promise<Relation | { readonly why: string }> {
  if (named === wanted) return 'same';
  const shown = plainLine(named, 40);
  const isComparable = isCommit(named) && run.kind === 'github' && token !== undefined;
  if (!isComparable)
    return {
      why: `The published commit, ${shown}, cannot be compared with commit ${shortCommit(wanted)}.`,
    };
  try {
    const relation = await compareCommits(wanted, named, token, github);
    return relation ?? { why: `GitHub does not say how the published commit, ${shown}, relates.` };
  } catch (error) {
    assertFailure(error);
    return {
      why: `The published commit, ${shown}, could not be compared with commit ${shortCommit(wanted)}. ${error.message} It takes the permission contents: read, and a commit of this repository.`,
    };
  }
}

/**
 * True if the default branch contains the commit of an event, as GitHub says. Throws `forbidden` if
 * the run may not read that.
 */
export async function isOnBranch(
  { sha, defaultBranch: branch }: AppReport,
  token: string | undefined,
  github: GitHub,
): Promise<boolean> {
  const problem = `Commit ${shortCommit(sha)} cannot be compared with ${branch}`;
  const hint: Hint = {
    text: `Whether ${branch} has this commit is read from the repository with github-token. Give the job this permission:`,
    permissions: { contents: 'read' },
  };
  const relation = await readWithToken(problem, hint, token, (given) =>
    compareCommits(branch, sha, given, github),
  );
  return relation === 'earlier' || relation === 'same';
}

/**
 * What `read` gives with the token. Throws `forbidden`, with the hint, without the token or the
 * right: GitHub answers 404 for what a token may not see. `problem`: half a sentence.
 */
export async function readWithToken<T>(
  problem: string,
  hint: Hint,
  token: string | undefined,
  read: (token: string) => Promise<T>,
): Promise<T> {
  if (token === undefined) {
    const message = `${problem}: github-token is empty.`;
    throw courierError('forbidden', message, hint);
  }
  try {
    return await read(token);
  } catch (error) {
    if (!hasCode(error, 'forbidden', 'not-found')) throw error;
    throw error.with({ code: 'forbidden', message: `${problem}: ${error.message}`, hint });
  }
}
