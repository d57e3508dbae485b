import * as z from 'zod/mini';
import { CourierError } from '../../errors.ts';
import type { GitHub } from '../../github/connection.ts';

const ALLOWED: ReadonlySet<string> = new Set([
  'push',
  'schedule',
  'workflow_dispatch',
  'repository_dispatch',
  'release',
]);

const workflowRunEvent = z.object({ workflow_run: z.object({ head_repository: z.object({ full_name: z.string() }) }) });
const pullRequestEvent = z.object({
  action: z.literal('closed'),
  pull_request: z.object({ merged: z.literal(true), base: z.object({ repo: z.object({ full_name: z.string() }) }) }),
});

/**
 * Secrets are written only on events that people with write access cause. Comments, open pull requests and runs of forks
 * are in the hands of strangers: a link to what they changed must not reach the deployment. Throws `refused`.
 */
export async function checkSecretEvent(github: GitHub): Promise<void> {
  const { eventName, repository } = github.run;
  if (ALLOWED.has(eventName)) return;
  const same = (name: string) => name.toLowerCase() === repository.toLowerCase();
  if (eventName === 'workflow_run') {
    const event = workflowRunEvent.safeParse(await github.event());
    if (event.success && same(event.data.workflow_run.head_repository.full_name)) return;
  }
  if (eventName === 'pull_request') {
    const event = pullRequestEvent.safeParse(await github.event());
    if (event.success && same(event.data.pull_request.base.repo.full_name)) return;
  }
  throw new CourierError({
    code: 'refused',
    message: `The event ${eventName === '' ? '(none)' : eventName} may not write secrets: people without write access can cause it.`,
    hint: 'Secrets are written on push, schedule, workflow_dispatch, repository_dispatch, release, a workflow_run of this repository, and a merged pull request:\non:\n  push:\n    branches: [main]',
  });
}
