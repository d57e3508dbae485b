import * as z from 'zod/mini';
import { readTime } from '../ground/text/instants.ts';
import type { PullSnapshot } from './pull-request.ts';
import { label, pullFields } from './replies.ts';

/**
 * `merged`: it was merged. `closed`: it was closed without that. `unlabelled`: a label was taken
 * away.
 */
export type PullChange =
  | { readonly kind: 'merged' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'unlabelled' }
  /** With the label that was added. */
  | { readonly kind: 'labelled'; readonly label: string }
  /**
   * Commits that were pushed to a branch, newest first; `isCut`: there were more. The event does
   * not say of which pull requests they are: ask GitHub.
   */
  | {
      readonly kind: 'pushed';
      readonly branch: string;
      readonly commits: readonly string[];
      readonly isCut: boolean;
    };

/** The pull request as it was at the event, so as the person who caused the event saw it. */
export interface SeenPull extends PullSnapshot {
  readonly headSha: string;
  /** The time of the event. */
  readonly atMs: number;
}

const onPull = z.object({
  action: z.string(),
  label: z.nullish(label),
  pull_request: z.object({ merged: z.nullish(z.boolean()) }),
});
const onPush = z.object({
  ref: z.string(),
  after: z.string(),
  commits: z.nullish(z.array(z.object({ id: z.string() }))),
});

const PULL_EVENTS: ReadonlySet<string> = new Set(['pull_request', 'pull_request_target']);
const COMMIT = /^[0-9a-f]{40,64}$/;
// For each commit, GitHub is asked for its pull requests.
const MOST_COMMITS = 20;

/** What an event changed in pull requests; undefined: nothing that a template can depend on. */
export function readChange(eventName: string, payload: unknown): PullChange | undefined {
  if (eventName === 'push') return readPush(payload);
  const event = PULL_EVENTS.has(eventName) ? onPull.safeParse(payload).data : undefined;
  switch (event?.action) {
    case 'closed':
      return { kind: event.pull_request.merged === true ? 'merged' : 'closed' };
    case 'unlabeled':
      return { kind: 'unlabelled' };
    case 'labeled':
      // Without its label, the event is about none that a template can depend on.
      if (!event.label) return undefined;
      return { kind: 'labelled', label: event.label.name };
    default:
      return undefined;
  }
}

/**
 * The commits of a push to a branch, by which GitHub can be asked what it merged. undefined: the
 * push is not to a branch.
 */
function readPush(payload: unknown): PullChange | undefined {
  const push = onPush.safeParse(payload).data;
  const branch = /^refs\/heads\/(.+)$/.exec(push?.ref ?? '')?.[1];
  if (push === undefined || branch === undefined) return undefined;
  const ids = [push.after];
  // The payload lists the newest last, and not all commits of a large push.
  for (const commit of push.commits?.toReversed() ?? []) ids.push(commit.id);
  // `after` is zeros if the branch was deleted, and is most often one of the commits too.
  const pushed = new Set(ids.filter((id) => COMMIT.test(id) && !/^0+$/.test(id)));
  const commits = [...pushed].slice(0, MOST_COMMITS);
  return { kind: 'pushed', branch, commits, isCut: pushed.size > MOST_COMMITS };
}

const eventWithPull = z.object({
  pull_request: z.object({
    ...pullFields,
    head: z.object({ sha: z.string() }),
    merged_at: z.nullish(z.string()),
    updated_at: z.nullish(z.string()),
  }),
});

/**
 * The pull request as it was at the event; undefined if any part of it is missing, since all parts
 * are compared with the pull request of now.
 */
export function readSeen(payload: unknown): SeenPull | undefined {
  const pull = eventWithPull.safeParse(payload).data?.pull_request;
  if (pull === undefined) return undefined;
  // The event is the merge, or else the last change. Without a time, every comment counts as one
  // that was written later.
  const atMs = readTime(pull.merged_at ?? pull.updated_at) ?? Number.NEGATIVE_INFINITY;
  const { number, title, body } = pull;
  return { number, title, body, headSha: pull.head.sha, atMs };
}
