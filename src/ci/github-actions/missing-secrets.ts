import * as z from 'zod/mini';
import type { GitHub } from '../../github/connection.ts';

const forkEvent = z.object({
  pull_request: z.object({
    head: z.object({ repo: z.nullable(z.object({ full_name: z.string() })) }),
  }),
});

interface MissingSecrets {
  readonly github: GitHub;
  readonly mode: string;
  readonly isGiven: (name: 'admin-api-key' | 'assistant-api-key') => boolean;
}

/**
 * GitHub hands no secrets to runs on events of forks and of Dependabot. Such a run is told and skipped; a key that is
 * missing for any other reason is a wrong input. undefined: nothing to explain.
 */
export async function explainMissingSecrets({ github, mode, isGiven }: MissingSecrets): Promise<string | undefined> {
  if (isGiven(mode === 'search' ? 'assistant-api-key' : 'admin-api-key')) return undefined;
  const { run } = github;
  if (run.actor === 'dependabot[bot]') {
    return 'The run was triggered by Dependabot, which gets no Actions secrets; the API key is empty. Add it as a Dependabot secret to run here.';
  }
  if (!run.eventName.startsWith('pull_request') || run.eventName === 'pull_request_target') return undefined;
  const event = forkEvent.safeParse(await github.event());
  if (!event.success) return undefined;
  const head = event.data.pull_request.head.repo?.full_name;
  if (head === run.repository) return undefined;
  const way =
    run.eventName === 'pull_request_review' ? ' A command in a conversation comment of the pull request works.' : '';
  return `The pull request comes from a fork, whose runs get no secrets; the API key is empty.${way}`;
}
