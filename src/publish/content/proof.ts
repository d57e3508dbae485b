import * as z from 'zod/mini';
import { CourierError, hasCode } from '../../errors.ts';
import { getJson } from '../../github/client.ts';
import type { GitHub } from '../../github/connection.ts';
import type { Context } from '../../run/context.ts';
import { shortCommit } from './summary.ts';

/** What the commit that was published says about the commit of the run. */
export type Verdict =
  /** It is the commit of the run, or comes after it. */
  | { readonly kind: 'proved'; readonly commit: string }
  /** It comes before the commit of the run, or is on another line. */
  | { readonly kind: 'older'; readonly commit: string; readonly isAncestor: boolean }
  /** `why` is one sentence. */
  | { readonly kind: 'not-known'; readonly why: string };

interface Wanted {
  /** The commit of the run; undefined: the system names none. */
  readonly commit: string | undefined;
  /** Reads the repository; undefined: commits cannot be compared. */
  readonly token: string | undefined;
}

// https://docs.github.com/rest/commits/commits#compare-two-commits
const comparison = z.object({ status: z.string() });

/** What the commit that was published says. Never throws but `cancelled`: what cannot be compared is not known. */
export type Prove = (published: string | undefined) => Promise<Verdict>;

/** Compares commits with the commit of the run, each once. Only equality proves anything where there is no compare API. */
export function proveFor(wanted: Wanted, deps: Pick<Context, 'run' | 'github'>): Prove {
  const known = new Map<string, Verdict>();
  return async (published) => {
    const sha = published?.toLowerCase();
    if (sha === undefined) return notKnown('The platform names no commit.');
    if (wanted.commit === undefined) return notKnown('The CI system names no commit of this run.');
    if (sha === wanted.commit) return { kind: 'proved', commit: sha };
    const verdict = known.get(sha) ?? (await judge(sha, wanted.commit, { token: wanted.token, ...deps }));
    // What could not be read may be readable at the next look.
    if (verdict.kind !== 'not-known') known.set(sha, verdict);
    return verdict;
  };
}

async function judge(
  sha: string,
  wanted: string,
  { token, run, github }: Pick<Wanted, 'token'> & Pick<Context, 'run' | 'github'>,
): Promise<Verdict> {
  if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(sha)) return notKnown('The platform names something else than a commit.');
  const pair = `The platform published commit ${shortCommit(sha)}`;
  if (run.kind !== 'github' || token === undefined) {
    return notKnown(`${pair}, and this run cannot compare it with commit ${shortCommit(wanted)}.`);
  }
  try {
    const status = await compare(`${wanted}...${sha}`, token, github);
    if (status === 'ahead' || status === 'identical') return { kind: 'proved', commit: sha };
    return status === 'behind' || status === 'diverged'
      ? { kind: 'older', commit: sha, isAncestor: status === 'behind' }
      : notKnown(`${pair}, and GitHub does not say how it compares.`);
  } catch (error) {
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    const advice = hasCode(error, 'forbidden', 'not-found')
      ? ' The job needs the permission contents: read, and the commit must be in this repository.'
      : '';
    return notKnown(`${pair}, which could not be compared. ${error.message}${advice}`);
  }
}

async function compare(basehead: string, token: string, github: GitHub): Promise<string> {
  const [owner = '', repo = ''] = github.run.repository.split('/');
  const octokit = await github.connect(token);
  const route = 'GET /repos/{owner}/{repo}/compare/{basehead}';
  const { status } = await getJson(octokit, route, { owner, repo, basehead, per_page: 1 }, comparison);
  return status;
}

interface Membership {
  readonly sha: string;
  readonly branch: string;
  readonly token: string | undefined;
}

/** Whether a branch has a commit. Throws `forbidden` where the run may not read that. */
export async function isOnBranch({ sha, branch, token }: Membership, github: GitHub): Promise<boolean> {
  const what = `The deployment names commit ${shortCommit(sha)} instead of a branch`;
  const hint = {
    text: `To find out whether ${branch} has this commit, the run reads the repository with github-token. Give the job this permission:`,
    permissions: { contents: 'read' },
  } as const;
  if (token === undefined)
    throw new CourierError({ code: 'forbidden', message: `${what}, and github-token is empty.`, hint });
  try {
    return ['behind', 'identical'].includes(await compare(`${branch}...${sha}`, token, github));
  } catch (error) {
    if (!hasCode(error, 'forbidden', 'not-found')) throw error;
    throw error.with({
      code: 'forbidden',
      message: `${what}, which could not be compared with ${branch}: ${error.message}`,
      hint,
    });
  }
}

function notKnown(why: string): Verdict {
  return { kind: 'not-known', why };
}
