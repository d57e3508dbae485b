import * as z from 'zod/mini';
import { CourierError, hasCode } from '../../errors.ts';
import { getJson } from '../../github/client.ts';
import type { GitHub } from '../../github/connection.ts';
import type { Context } from '../../run/context.ts';
import { isCommit, shortCommit } from './summary.ts';

/**
 * What a published commit is to the commit that is asked about: the same, one that contains it (`later`), one that it contains
 * (`earlier`), or one of another line (`other`). `unknown`: it could not be compared; `why` is one sentence.
 */
export type Relation = 'same' | 'later' | 'earlier' | 'other' | { readonly unknown: string };

/** Gives the relation of a published commit to `wanted`. Never throws but `cancelled`. */
export type Relate = (published: string | undefined, wanted: string | undefined) => Promise<Relation>;

/** The published commit contains the other one. */
export function contains(relation: Relation): boolean {
  return relation === 'same' || relation === 'later';
}

const RELATIONS: Readonly<Record<string, Relation>> = {
  identical: 'same',
  ahead: 'later',
  behind: 'earlier',
  diverged: 'other',
};

interface Repository extends Pick<Context, 'run' | 'github'> {
  /** Reads the repository; undefined: commits cannot be compared. */
  readonly token: string | undefined;
}

/** Compares commits, each pair once. Without the API of GitHub, only the same commit is known. */
export function relateIn(repository: Repository): Relate {
  const known = new Map<string, Relation>();
  return async (published, wanted) => {
    const sha = published?.toLowerCase();
    if (sha === undefined) return { unknown: 'The platform names no commit.' };
    if (wanted === undefined) return { unknown: 'The CI system names no commit of this run.' };
    if (!isCommit(sha)) return { unknown: 'The platform names something that is not a commit.' };
    if (sha === wanted) return 'same';
    const pair = `${wanted}...${sha}`;
    const relation = known.get(pair) ?? (await relate(sha, wanted, repository));
    // What could not be read may be readable at the next look.
    if (typeof relation === 'string') known.set(pair, relation);
    return relation;
  };
}

async function relate(sha: string, wanted: string, { token, run, github }: Repository): Promise<Relation> {
  const published = `The platform published commit ${shortCommit(sha)}`;
  if (run.kind !== 'github' || token === undefined) {
    return { unknown: `${published}, and this run cannot compare it with commit ${shortCommit(wanted)}.` };
  }
  try {
    const { status } = await compare(`${wanted}...${sha}`, token, github);
    return RELATIONS[status] ?? { unknown: `${published}, and GitHub does not say how it compares.` };
  } catch (error) {
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    const advice = hasCode(error, 'forbidden', 'not-found')
      ? ' The job needs the permission contents: read, and the commit must be in this repository.'
      : '';
    return { unknown: `${published}, which could not be compared. ${error.message}${advice}` };
  }
}

const files = z.optional(z.array(z.object({ filename: z.string() })));
// https://docs.github.com/rest/commits/commits#compare-two-commits
const comparison = z.object({ status: z.string(), files });
// https://docs.github.com/rest/commits/commits#get-a-commit
const oneCommit = z.object({ files });

async function compare(basehead: string, token: string, github: GitHub): Promise<z.infer<typeof comparison>> {
  const [owner = '', repo = ''] = github.run.repository.split('/');
  const octokit = await github.connect(token);
  const route = 'GET /repos/{owner}/{repo}/compare/{basehead}';
  return getJson(octokit, route, { owner, repo, basehead, per_page: 1 }, comparison);
}

interface Membership {
  readonly sha: string;
  readonly branch: string;
  readonly token: string | undefined;
}

/** Whether a branch has a commit. Throws `forbidden` if the run may not read that. */
export async function isOnBranch({ sha, branch, token }: Membership, github: GitHub): Promise<boolean> {
  const what = `The deployment names commit ${shortCommit(sha)} instead of a branch`;
  const hint = {
    text: `To find out whether ${branch} has this commit, the run reads the repository with github-token. Give the job this permission:`,
    permissions: { contents: 'read' },
  } as const;
  if (token === undefined)
    throw new CourierError({ code: 'forbidden', message: `${what}, and github-token is empty.`, hint });
  try {
    const { status } = await compare(`${branch}...${sha}`, token, github);
    return ['behind', 'identical'].includes(status);
  } catch (error) {
    if (!hasCode(error, 'forbidden', 'not-found')) throw error;
    throw error.with({
      code: 'forbidden',
      message: `${what}, which could not be compared with ${branch}: ${error.message}`,
      hint,
    });
  }
}

// GitHub lists at most this many files of a comparison.
const MOST_FILES = 300;

/**
 * The files that the change of a run touched, as paths in the repository: those from `base` to `sha`, or, without a base, those of
 * the commit itself. Empty if that cannot be read, or if they are more than GitHub lists. Never throws but `cancelled`.
 */
export async function touchedFiles(
  { base, sha }: { readonly base: string | undefined; readonly sha: string },
  { token, run, github }: Repository,
): Promise<readonly string[]> {
  if (run.kind !== 'github' || token === undefined) return [];
  try {
    const { files: touched = [] } =
      base === undefined ? await readCommit(sha, token, github) : await compare(`${base}...${sha}`, token, github);
    return touched.length >= MOST_FILES ? [] : touched.map(({ filename }) => filename);
  } catch (error) {
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    return [];
  }
}

async function readCommit(ref: string, token: string, github: GitHub): Promise<z.infer<typeof oneCommit>> {
  const [owner = '', repo = ''] = github.run.repository.split('/');
  const octokit = await github.connect(token);
  return getJson(octokit, 'GET /repos/{owner}/{repo}/commits/{ref}', { owner, repo, ref }, oneCommit);
}
