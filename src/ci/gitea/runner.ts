import type { Toolkit } from '../../ground/log.ts';
import { cut, inertLines } from '../../ground/text/escape.ts';
import { withoutSlash } from '../../ground/text/names.ts';
import { withPosition } from '../plain.ts';
import type { CiRun, CiRunner, Env, GiteaKind, Results } from '../port.ts';

/**
 * A step of a workflow on Gitea or Forgejo. Their runner sets the same variables as GitHub's, so
 * `workflow`, the adapter for GitHub, reads them; this function changes only what differs.
 *
 * A cancelled step gets no signal there: it is killed. The state names the job that the step
 * started, and the next run continues that job.
 */
export function createGiteaRunner(kind: GiteaKind, workflow: CiRunner, env: Env): CiRunner {
  const toolkit = giteaToolkit(workflow.toolkit);
  return {
    toolkit,
    openResults: () => withLoggedSummary(workflow.openResults(), toolkit),
    readRun: () => adapt(kind, workflow.readRun(), env),
    readEvent: workflow.readEvent,
    explainEmptyInputs() {
      const explained = workflow.explainEmptyInputs();
      // A run that gets no secrets has the same causes there. Else the usual ones differ.
      if (explained.secretless !== undefined) return explained;
      return { ...explained, causes: CAUSES };
    },
    showHint: (hint) => workflow.showHint(hint),
  };
}

/** A run as the adapter for GitHub reads it, with the addresses of Gitea or Forgejo. */
function adapt(kind: GiteaKind, run: CiRun, env: Env): CiRun {
  const serverUrl = withoutSlash(run.github.serverUrl);
  // The address of a run has its id on Gitea 1.26, and its number on Forgejo. Gitea also redirects
  // from the number to the id.
  const page = kind === 'forgejo' ? env.GITHUB_RUN_NUMBER || run.github.runId : run.github.runId;
  return {
    ...run,
    kind,
    serverUrl,
    url: `${serverUrl}/${run.repository}/actions/runs/${page}`,
    // GITHUB_REF_PROTECTED is "false" there for every ref, protected or not.
    refProtected: undefined,
    github: { ...run.github, serverUrl },
  };
}

/** Why an input can be empty there, each as half a sentence after "it is empty if". */
const CAUSES = [
  'its name in the workflow is not spelled as in Settings > Actions > Secrets',
  'it belongs to another repository, organization or user than the one of this workflow',
  'the workflow is called by another one that does not pass it on (secrets: inherit)',
] as const;

/**
 * Gitea's page of a job shows annotations as lines, without their parameters: so the title, the
 * file and the line are written into the text.
 */
function giteaToolkit(toolkit: Toolkit): Toolkit {
  const annotation =
    (level: 'notice' | 'warning' | 'error'): Toolkit['notice'] =>
    (message, place) => {
      // The toolkit escapes what it gets as an annotation, but writes these lines as they are: so
      // `inertLines` makes sure that no line is another command.
      const title = place?.title === undefined ? '' : `${inertLines(place.title).join(' ')}: `;
      const [first = '', ...rest] = inertLines(withPosition(message, place));
      // A command is one line: further lines of the message follow it as plain ones.
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
      // `setSecret` escapes percent signs, of which a link has many, and some versions of the
      // runner do not decode them: they would mask another text. So it is masked as it is too.
      const isOneLine = !/[\r\n]/.test(secret);
      if (isOneLine && secret.includes('%')) toolkit.info(`::add-mask::${secret}`);
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
