import { CourierError } from '../errors.ts';
import type { Cause, CiRun } from './port.ts';

const ALLOWED: ReadonlySet<Cause> = new Set(['push', 'schedule', 'manual', 'release', 'merge']);

/**
 * A link is written only in runs that people with write access cause, from a branch that is meant to be published. Comments,
 * open pull requests and runs of forks are in the hands of strangers: a link to what they changed must not reach the
 * deployment. Throws `refused`.
 */
export function checkMayWrite({ cause, isDefaultBranch, refProtected, eventName }: CiRun): void {
  const isBranchRun = cause === 'push' || cause === 'schedule';
  const isPublished = isDefaultBranch !== false || refProtected === true;
  if (ALLOWED.has(cause) && (!isBranchRun || isPublished)) return;
  const event = eventName === undefined || eventName === '' ? 'this event' : `the event ${eventName}`;
  throw new CourierError({
    code: 'refused',
    message: ALLOWED.has(cause)
      ? `The run on ${event} may not write the link: it is for a branch that is neither the default branch nor a protected one.`
      : `The run on ${event} may not write the link: people without write access can cause it.`,
    hint: 'Links are written on a push to the default or a protected branch, on a schedule, on a manual or repository dispatch, on a release, and on a merged pull request:\non:\n  push:\n    branches: [main]',
  });
}
