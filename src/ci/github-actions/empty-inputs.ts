import type { RunContext } from '../../github/connection.ts';
import { fieldOf } from '../../text/json.ts';
import type { EmptyInputs } from '../port.ts';

const CAUSES = [
  'its name in the workflow is not spelled as in Settings > Secrets and variables > Actions',
  'it belongs to an environment, and the job does not name that environment (environment: NAME)',
  'it belongs to the organization and is not shared with this repository',
  'the workflow is called by another one that does not pass it on (secrets: inherit)',
] as const;

/**
 * GitHub hands no secrets to runs on events of forks and of Dependabot: such a run is skipped. In any other run an empty
 * value is a mistake; the expression in the workflow is not known to the step, so all causes that fit are listed.
 */
export function explainEmptyInputs(run: RunContext, event: unknown): EmptyInputs {
  const skip = whySecretless(run, event);
  return { skip, causes: CAUSES };
}

function whySecretless(run: RunContext, payload: unknown): string | undefined {
  if (run.actor === 'dependabot[bot]') {
    return 'The run was triggered by Dependabot, which gets no Actions secrets; the API key is empty. Add it as a Dependabot secret to run here.';
  }
  if (!run.eventName.startsWith('pull_request') || run.eventName === 'pull_request_target') return undefined;
  // A fork that was deleted since has no repository.
  const head = fieldOf(payload, 'pull_request', 'head', 'repo');
  if (head === undefined || fieldOf(head, 'full_name') === run.repository) return undefined;
  const way =
    run.eventName === 'pull_request_review' ? ' A command in a conversation comment of the pull request works.' : '';
  return `The pull request comes from a fork, whose runs get no secrets; the API key is empty.${way}`;
}
