import type { Toolkit } from '../../log.ts';
import { cut, inertLines } from '../../text/escape.ts';
import { withPosition } from '../plain.ts';
import type { CiRun, CiRunner, Env, GiteaKind, Results } from '../port.ts';

/**
 * A step of a workflow on Gitea or Forgejo. Their runner makes the environment that GitHub's makes,
 * so `workflow`, which reads that, is kept; here is what differs.
 *
 * A cancelled step gets no signal there: it is killed. The state names what it started, and the
 * next run continues that.
 */
export function createGiteaRunner(kind: GiteaKind, workflow: CiRunner, env: Env): CiRunner {
  const toolkit = giteaToolkit(workflow.toolkit);
  return {
    toolkit,
    openResults: () => withLoggedSummary(workflow.openResults(), toolkit),
    readRun: () => adapt(kind, workflow.readRun(), env),
    readEvent: workflow.readEvent,
    explainEmptyInputs() {
      const { skip, secretless } = workflow.explainEmptyInputs();
      if (secretless !== undefined) return { skip, causes: [secretless] };
      return { skip, causes: CAUSES };
    },
    showHint: (hint) => workflow.showHint(hint),
  };
}

function adapt(kind: GiteaKind, run: CiRun, env: Env): CiRun {
  const serverUrl = run.github.serverUrl.replace(/(?<!\/)\/+$/, '');
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

/**
 * Gitea's page of a job shows annotations as lines, without their parameters: title and place are
 * in the text.
 */
function giteaToolkit(toolkit: Toolkit): Toolkit {
  const annotation =
    (level: 'notice' | 'warning' | 'error'): Toolkit['notice'] =>
    (message, place) => {
      const title = place?.title === undefined ? '' : `${inertLines(place.title).join(' ')}: `;
      const [first = '', ...rest] = inertLines(withPosition(message, place));
      toolkit.info(`::${level}::${title}${first}`);
      for (const line of rest) toolkit.info(line);
    };
  return {
    ...toolkit,
    notice: annotation('notice'),
    warning: annotation('warning'),
    error: annotation('error'),
    setSecret(secret) {
      toolkit.setSecret(secret);
      // Some versions of the runner decode the value and some do not: a link is full of percent
      // signs.
      if (secret.includes('%') && !/[\r\n]/.test(secret)) toolkit.info(`::add-mask::${secret}`);
    },
  };
}

const MAX_LOGGED_BYTES = 64 * 1024;

/**
 * The summary goes into the log as well: Gitea before 1.27 and Forgejo show it nowhere, and a step
 * does not know its version.
 */
function withLoggedSummary(results: Results, toolkit: Toolkit): Results {
  return {
    ...results,
    async writeSummary(markdown) {
      toolkit.startGroup('Summary');
      for (const line of inertLines(cut(markdown, { bytes: MAX_LOGGED_BYTES }))) toolkit.info(line);
      toolkit.endGroup();
      await results.writeSummary(markdown);
    },
  };
}
