import * as z from 'zod/mini';
import { type GitHub, isFromFork } from '../../github/connection.ts';
import type { Log } from '../../log.ts';
import type { ForgeHost, Trigger } from '../port.ts';
import {
  commentFields,
  createAddressReader,
  createTriggerReader,
  instant,
  notOnPull,
  pullFields,
  toTrigger,
} from '../shared.ts';
import { account } from './replies.ts';

/** GitHub as the run's event and environment show it; a client is made when one is asked for. */
export function createGitHubHost(github: GitHub, log: Log): ForgeHost {
  const { repository, apiUrl, serverUrl, eventName } = github.run;
  return {
    name: 'GitHub',
    repository,
    commentsAddress: (pullNumber) => `${apiUrl}/repos/${repository}/issues/${pullNumber}/comments`,
    trigger: async ({ source }) => readTrigger(eventName, await github.event(), source),
    readAddress: (url) => readAddress(url, serverUrl),
    async connect({ main }, signal) {
      const [octokit, { GitHubForge }] = await Promise.all([github.connect(main, signal), import('./forge.ts')]);
      const isOfFork = isFromFork(github.run, await github.event());
      return new GitHubForge({ octokit, token: main, repository, isOfFork, log });
    },
  };
}

const MEMBERS: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

const comment = z.object({
  ...commentFields,
  user: account,
  author_association: z.string(),
  path: z.optional(z.string()),
  line: z.nullish(z.number()),
  diff_hunk: z.optional(z.string()),
});
const created = z.extend(comment, { created_at: instant });
const pullRequest = z.object(pullFields);

function factsOf({ author_association: association, path, line, diff_hunk: hunk }: z.infer<typeof comment>) {
  const spot = path === undefined || hunk === undefined ? undefined : { path, line: line ?? undefined, hunk };
  return { isMember: MEMBERS.has(association), spot };
}

const comments = {
  issue_comment: z.pipe(
    z.object({
      sender: account,
      comment: created,
      issue: z.extend(pullRequest, { pull_request: z.nullish(z.unknown()) }),
    }),
    z.transform(({ sender, comment: raw, issue: pull }): Trigger => {
      if (pull.pull_request === undefined || pull.pull_request === null) return notOnPull(pull.number);
      return toTrigger({ ...factsOf(raw), sender, place: 'conversation', comment: raw, at: raw.created_at, pull });
    }),
  ),
  pull_request_review_comment: z.pipe(
    z.object({ sender: account, comment: created, pull_request: pullRequest }),
    z.transform(({ sender, comment: raw, pull_request: pull }): Trigger => {
      return toTrigger({ ...factsOf(raw), sender, place: 'diff', comment: raw, at: raw.created_at, pull });
    }),
  ),
  pull_request_review: z.pipe(
    z.object({ sender: account, review: z.extend(comment, { submitted_at: instant }), pull_request: pullRequest }),
    z.transform(({ sender, review: raw, pull_request: pull }): Trigger => {
      return toTrigger({ ...factsOf(raw), sender, place: 'review', comment: raw, at: raw.submitted_at, pull });
    }),
  ),
};

export const readTrigger = createTriggerReader({
  forge: 'GitHub',
  account,
  comments,
  writerEvents: new Set(['push', 'schedule', 'workflow_dispatch', 'repository_dispatch']),
  hint: 'Docs Courier understands events of GitHub. Other forges send other payloads, even if their events have the same names.',
});

export const readAddress = createAddressReader({ owner: '[A-Za-z0-9][A-Za-z0-9_-]{0,99}', pulls: 'pull' });
