import type { CiRun, CiRunner, EmptyInputs, Env } from '../port.ts';
import { logCommands } from './commands.ts';
import type { GiteaKind } from './kind.ts';
import { withLoggedSummary } from './results.ts';

/**
 * A step of a workflow on Gitea or Forgejo. Their runner makes the environment that GitHub's makes, so what reads that,
 * `workflow`, is kept; here is what differs. `write` takes text for the log as it is.
 *
 * A cancelled step gets no signal there: it is killed. The state names what it started, and the next run goes on with that.
 */
export function createGiteaRunner(
  kind: GiteaKind,
  workflow: CiRunner,
  env: Env,
  write: (text: string) => void,
): CiRunner {
  const toolkit = logCommands(write);
  return {
    toolkit,
    openResults: () => withLoggedSummary(workflow.openResults(), toolkit),
    readRun: () => adapt(kind, workflow.readRun(), env),
    explainEmptyInputs: () => explain(workflow.explainEmptyInputs()),
    showHint: (hint) => workflow.showHint(hint),
  };
}

function adapt(kind: GiteaKind, run: CiRun, env: Env): CiRun {
  const serverUrl = run.github.serverUrl.replace(/\/+$/, '');
  // Gitea 1.26 has the id in the address, and leads to it from the number; Forgejo has the number.
  const page = kind === 'forgejo' ? env.GITHUB_RUN_NUMBER || run.github.runId : run.github.runId;
  return {
    ...run,
    kind,
    serverUrl,
    url: `${serverUrl}/${run.repository}/actions/runs/${page}`,
    // It says "false" for every ref, protected or not.
    refProtected: undefined,
    github: { ...run.github, serverUrl },
  };
}

const CAUSES = [
  'its name in the workflow is not spelled as in Settings > Actions > Secrets',
  'it belongs to another repository, organization or user than the one of this workflow',
  'the workflow is called by another one that does not pass it on (secrets: inherit)',
] as const;

function explain({ skip }: EmptyInputs): EmptyInputs {
  return { skip, causes: CAUSES };
}
