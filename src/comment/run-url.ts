import type { RunContext } from '../github/connection.ts';
import { link } from '../text/escape.ts';

/** The page of this attempt of the run. */
export function runUrl({ serverUrl, repository, runId, runAttempt }: RunContext): string {
  return `${serverUrl}/${repository}/actions/runs/${runId}/attempts/${runAttempt}`;
}

/** `this run`, as a link in Markdown. */
export function runLink(run: RunContext): string {
  return link('this run', runUrl(run));
}
