import { CourierError } from '../errors.ts';
import { isOwn } from '../forges/own.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Context } from '../run/context.ts';
import { endLeftovers, placeOf, recordedIn, unfinished } from './leftovers.ts';
import { connectForge } from './mode.ts';
import { holdsMarker } from './status-record.ts';

const DAY_MS = 24 * 3_600_000;
/** Older ones are ended by the next command on their pull request. */
const SINCE_MS = 7 * DAY_MS;
const MOST_COMMENTS = 100;

/**
 * On a schedule, whatever the mode: ends status comments of killed runs among the repository's latest comments. Takes what the
 * step has: the admin key for the records, the project for the jobs, the token of the job for the comments. Never fails.
 */
export async function endLeftoversOnSchedule(inputs: Inputs, githubToken: string, context: Context): Promise<void> {
  const { run, log, clock } = context;
  const keys = keysOf(inputs);
  const hasComments = ['github', 'gitea', 'forgejo'].includes(run.kind);
  if (keys === undefined || !hasComments) return;
  try {
    const deps = await connectForge({ ...context, record: () => {} });
    const forge = await deps.forge.connect({ main: githubToken, ranks: undefined });
    const recent = await forge.recentComments(new Date(clock.now() - SINCE_MS), MOST_COMMENTS);
    const marked = recent.filter(({ body }) => holdsMarker(body));
    const found = marked.flatMap((comment) => {
      const place = placeOf({ ...keys, deps }, comment.pullNumber);
      return unfinished(recordedIn(place, comment), comment.pullNumber);
    });
    if (found.length === 0) return;
    const own = await forge.whoWeAre();
    const ours = found.filter(({ comment }) => isOwn(comment, own));
    await endLeftovers({ deps, forge, own, token: githubToken, ...keys }, ours);
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    log.debug(`Status comments that killed runs may have left were not looked for: ${error.message}`);
  }
}

function keysOf(inputs: Inputs): { readonly adminApiKey: string; readonly projectId: string } | undefined {
  if (!('adminApiKey' in inputs) || !('projectId' in inputs) || ('dryRun' in inputs && inputs.dryRun)) return undefined;
  const { adminApiKey, projectId } = inputs;
  return adminApiKey === undefined || projectId === undefined ? undefined : { adminApiKey, projectId };
}
