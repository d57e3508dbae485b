import { CourierError } from '../../errors.ts';
import type { Octokit } from '../../github/client.ts';
import type { Account } from './event.ts';
import type { Repository } from './permission.ts';

export interface PullRequest {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly body: string;
  readonly author: Account | undefined;
  readonly state: 'open' | 'closed';
  readonly merged: boolean;
  readonly locked: boolean;
  readonly labels: readonly string[];
  readonly base: { readonly ref: string };
  /** `repository` is undefined when the fork is gone. */
  readonly head: { readonly ref: string; readonly sha: string; readonly repository: string | undefined };
  readonly changedFiles: number;
}

export interface ChangedFile {
  readonly path: string;
  readonly previousPath: string | undefined;
  readonly status: string;
  readonly additions: number;
  readonly deletions: number;
  /** Absent for a binary file, and for a diff that GitHub finds too large. */
  readonly patch: string | undefined;
}

export interface Comment {
  readonly id: number;
  readonly author: Account | undefined;
  readonly body: string;
  readonly url: string;
  /** Epoch milliseconds; NaN where GitHub gave no readable time. */
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Of comments on the diff only. */
  readonly diff: { readonly path: string; readonly line: number | undefined; readonly hunk: string } | undefined;
}

export interface PullQuery {
  readonly octokit: Octokit;
  readonly repository: Repository;
  readonly number: number;
}

export async function getPullRequest({ octokit, repository, number }: PullQuery): Promise<PullRequest> {
  const { data } = await octokit.rest.pulls.get({ ...repository, pull_number: number });
  return {
    number: data.number,
    url: data.html_url,
    title: data.title,
    body: data.body ?? '',
    author: data.user ?? undefined,
    state: data.state === 'open' ? 'open' : 'closed',
    merged: data.merged,
    locked: data.locked,
    labels: data.labels.map(({ name }) => name),
    base: { ref: data.base.ref },
    head: { ref: data.head.ref, sha: data.head.sha, repository: data.head.repo?.full_name },
    changedFiles: data.changed_files,
  };
}

/** From the pull request's own list, which ends at 3,000 files; the list of a comparison ends at 300. */
export async function listFiles({ octokit, repository, number }: PullQuery): Promise<ChangedFile[]> {
  const files = await octokit.paginate(octokit.rest.pulls.listFiles, {
    ...repository,
    pull_number: number,
    per_page: 100,
  });
  return files.map((file) => ({
    path: file.filename,
    previousPath: file.previous_filename,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    patch: file.patch,
  }));
}

/** All comments below the pull request, oldest first. */
export async function listComments({ octokit, repository, number }: PullQuery): Promise<Comment[]> {
  const comments = await octokit.paginate(octokit.rest.issues.listComments, {
    ...repository,
    issue_number: number,
    per_page: 100,
  });
  return comments.map((one) => ({ ...commentOf(one), diff: undefined }));
}

/** All comments on lines of the diff. */
export async function listReviewComments({ octokit, repository, number }: PullQuery): Promise<Comment[]> {
  const comments = await octokit.paginate(octokit.rest.pulls.listReviewComments, {
    ...repository,
    pull_number: number,
    per_page: 100,
  });
  return comments.map((one) => ({
    ...commentOf(one),
    diff: { path: one.path, line: one.line ?? undefined, hunk: one.diff_hunk },
  }));
}

interface RawComment {
  readonly id: number;
  readonly html_url: string;
  readonly body?: string | undefined;
  readonly user: Account | null;
  readonly created_at: string;
  readonly updated_at: string;
}

function commentOf(raw: RawComment): Omit<Comment, 'diff'> {
  return {
    id: raw.id,
    author: raw.user ?? undefined,
    body: raw.body ?? '',
    url: raw.html_url,
    createdAtMs: Date.parse(raw.created_at),
    updatedAtMs: Date.parse(raw.updated_at),
  };
}

/**
 * When the first check suite of a commit was made: about the time of its push, which the commit's own dates (made up by who
 * commits) do not tell. Later suites prove nothing: each workflow run makes one, the run that asks among them. undefined: no suite, or the token lacks `checks: read`.
 */
export async function pushedAtMs(query: Omit<PullQuery, 'number'> & { sha: string }): Promise<number | undefined> {
  const { octokit, repository, sha } = query;
  try {
    const { data } = await octokit.rest.checks.listSuitesForRef({ ...repository, ref: sha, per_page: 100 });
    const times = data.check_suites.flatMap(({ created_at: at }) => (at === null ? [] : [Date.parse(at)]));
    const known = times.filter((time) => !Number.isNaN(time));
    return known.length === 0 ? undefined : Math.min(...known);
  } catch (error) {
    if (error instanceof CourierError && (error.httpStatus === 403 || error.httpStatus === 404)) return undefined;
    throw error;
  }
}
