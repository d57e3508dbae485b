import { CourierError } from '../../errors.ts';
import type { Deps } from '../../run/context.ts';
import { formatDuration, writeDuration } from '../../text/amounts.ts';
import { followJob } from '../progress.ts';
import type { ContentFinding } from './claim.ts';
import { type ContentFacts, shortCommit } from './summary.ts';

interface Wait {
  readonly deps: Deps<ContentFacts>;
  /** The slug of the App. */
  readonly app: string;
  readonly commit: string | undefined;
  /** Reads what the App reports about this commit now, and judges it. */
  readonly look: (commit: string) => Promise<ContentFinding>;
  /** For publishing and exporting together. */
  readonly timeoutMs: number;
}

// One look takes several requests, and the token of a run has 1,000 an hour.
const LOOK_EVERY_MS = 15_000;
// The App skips a commit without documentation, and says nothing of it.
const NOTHING_LIMIT_MS = 10 * 60_000;

/**
 * Waits for what the platform's GitHub App reports about the commit of the run, for as long as that is open or contradicted. Throws
 * `job-failed`, `timed-out`, `forbidden`.
 */
export async function waitUntilPublished(wait: Wait): Promise<ContentFinding> {
  const { deps, app, commit, look, timeoutMs } = wait;
  const { clock, log } = deps;
  if (commit === undefined) {
    throw new CourierError({
      code: 'config',
      message: 'publish: wait needs the commit of the run, and GITHUB_SHA names none. Nothing was sent.',
    });
  }
  const startMs = clock.monotonicMs();
  const result = await followJob<ContentFinding>({
    deps,
    title: `Publishing: waiting until ${app} has published commit ${shortCommit(commit)}`,
    async poll() {
      const found = await look(commit);
      if (found.kind === 'nothing' && found.state === 'failed') throw notPublished(wait, commit, found.why);
      const elapsedMs = clock.monotonicMs() - startMs;
      if (isSilent(found) && elapsedMs >= NOTHING_LIMIT_MS) throw nothingAppeared(wait, commit, elapsedMs, found);
      return { value: found, serverTime: undefined };
    },
    view: (found) => ({ status: log.redact(statusOf(found)), phase: isOpen(found) ? 'running' : 'done' }),
    timeoutMs,
    fresh: false,
    pollEveryMs: LOOK_EVERY_MS,
  });
  if (result.job !== undefined && !isOpen(result.job)) return result.job;
  if (result.job === undefined || isSilent(result.job)) throw nothingAppeared(wait, commit, timeoutMs, result.job);
  throw new CourierError({
    code: 'timed-out',
    message: `${app} did not publish commit ${shortCommit(commit)} within ${writeDuration(timeoutMs)}: ${statusOf(result.job)}. No export was started.`,
    hint: { text: 'Re-run the job later, or give it more time:', inputs: { timeout: writeDuration(2 * timeoutMs) } },
  });
}

function isOpen(found: ContentFinding): boolean {
  if (found.kind === 'nothing') return found.state === 'open' || found.state === 'silent';
  return found.kind === 'contradicted';
}

function isSilent(found: ContentFinding): boolean {
  return found.kind === 'nothing' ? found.state === 'silent' : found.kind === 'contradicted' && found.isSilent === true;
}

function statusOf(found: ContentFinding): string {
  return found.kind === 'reported' ? 'published' : found.why;
}

function notPublished({ app }: Wait, commit: string, why: string): CourierError {
  return new CourierError({
    code: 'job-failed',
    message: `${app} did not publish commit ${shortCommit(commit)}: ${why}. No export was started.`,
    hint: 'Open the checks and deployments of the commit, and correct the documentation. What was live is still live.',
  });
}

function nothingAppeared(
  { app }: Wait,
  commit: string,
  elapsedMs: number,
  found: ContentFinding | undefined,
): CourierError {
  const newest = found?.kind === 'contradicted' ? ` ${found.why.charAt(0).toUpperCase()}${found.why.slice(1)}.` : '';
  return new CourierError({
    code: 'timed-out',
    message: `${app} made no check run and no deployment for commit ${shortCommit(commit)} within ${formatDuration(elapsedMs)}.${newest} No export was started.`,
    hint: {
      text: "The App skips commits without documentation: limit the workflow to changes of the documentation with paths: filters. Check publisher, and that the App is installed on this repository. If the platform's API publishes on request, use that instead:",
      inputs: { publish: 'trigger', 'project-id': '' },
    },
  });
}
