import type { Octokit } from '../../github/client.ts';
import type { Repository } from './permission.ts';

export const LABEL_PREFIX = 'agent-job:';

export interface PullAddress {
  /** `owner/name` in lower case, as GitHub takes both for the same. */
  readonly repository: string;
  readonly number: number;
}

const NAME = '[A-Za-z0-9][A-Za-z0-9_-]{0,99}/[A-Za-z0-9._-]{1,100}';

/** `owner/name` of a repository's address on this server, in lower case; undefined for any other address. */
export function readRepositoryUrl(url: string, serverUrl: string): string | undefined {
  const match = new RegExp(`^(https?://[^/?#@\\s]+)/(${NAME}?)(?:\\.git)?/?$`).exec(url);
  if (match?.[1]?.toLowerCase() !== serverUrl.toLowerCase()) return undefined;
  return match[2]?.replace(/\.git$/, '').toLowerCase();
}

/** The pull request that an address on this server names; undefined for anything else. */
export function readPullUrl(url: string, serverUrl: string): PullAddress | undefined {
  const match = new RegExp(`^(https?://[^/?#@\\s]+)/(${NAME})/pull/([1-9]\\d{0,9})/?$`).exec(url);
  if (match?.[1]?.toLowerCase() !== serverUrl.toLowerCase() || match[2] === undefined) return undefined;
  return { repository: match[2].toLowerCase(), number: Number(match[3]) };
}

/** The ids in labels that bind a job, as the pull request has them now. */
export function labelledJobs(labels: readonly string[]): string[] {
  return labels.flatMap((label) => (label.startsWith(LABEL_PREFIX) ? [label.slice(LABEL_PREFIX.length).trim()] : []));
}

export interface LabelQuery {
  readonly octokit: Octokit;
  readonly repository: Repository;
  readonly number: number;
  readonly label: string;
}

/** Login of who set a label last; undefined when GitHub does not know. Labels can be set by triage, so this decides. */
export async function whoLabelled({ octokit, repository, number, label }: LabelQuery): Promise<string | undefined> {
  const events = await octokit.paginate(octokit.rest.issues.listEvents, {
    ...repository,
    issue_number: number,
    per_page: 100,
  });
  const last = events.findLast((event) => event.event === 'labeled' && 'label' in event && event.label?.name === label);
  return last?.actor?.login;
}
