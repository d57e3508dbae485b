import type { Toolkit } from '../../log.ts';
import { cut, inertLines } from '../../text/escape.ts';
import type { CiKind, CiRun, CiRunner, EmptyInputs, Env, Results } from '../port.ts';

export type GiteaKind = Extract<CiKind, 'gitea' | 'forgejo'>;

/** Which of the two runs this job; undefined: neither. Both also set the variables of GitHub Actions. */
export function giteaKind({ GITEA_ACTIONS, FORGEJO_ACTIONS }: Env): GiteaKind | undefined {
  if (FORGEJO_ACTIONS === 'true') return 'forgejo';
  return GITEA_ACTIONS === 'true' ? 'gitea' : undefined;
}

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

/**
 * The commands that act_runner and Gitea's page of a job know. The page shows annotations as lines of the log with a label,
 * without their parameters and without decoding `%0A`: so each has only its text, and what follows the first line is plain.
 */
export function logCommands(write: (text: string) => void): Toolkit {
  const line = (text: string) => write(`${text}\n`);
  const annotation =
    (level: 'notice' | 'warning' | 'error'): Toolkit['notice'] =>
    (message, { title, file, startLine } = {}) => {
      const place = file === undefined ? '' : `${file}${startLine === undefined ? '' : `:${startLine}`}: `;
      const [first = '', ...rest] = inertLines(`${place}${message}`);
      line(`::${level}::${title === undefined ? '' : `${inertLines(title).join(' ')}: `}${first}`);
      for (const text of rest) line(text);
    };
  return {
    info: line,
    debug: (text) => line(`::debug::${text}`),
    notice: annotation('notice'),
    warning: annotation('warning'),
    error: annotation('error'),
    startGroup: (title) => line(`::group::${inertLines(title).join(' ')}`),
    endGroup: () => line('::endgroup::'),
    setSecret(secret) {
      const escaped = secret.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
      line(`::add-mask::${escaped}`);
      // Some versions of the runner decode the value and some do not: a link is full of percent signs.
      if (escaped !== secret && !/[\r\n]/.test(secret)) line(`::add-mask::${secret}`);
    },
    pauseCommands: (token) => ({ begin: `::stop-commands::${token}`, end: `::${token}::` }),
  };
}

const MAX_LOGGED_BYTES = 64 * 1024;

/**
 * The summary goes to its file, where the runner names one, and into the log as well: Gitea before 1.27 and Forgejo show it
 * nowhere, and a step cannot know on which version it runs.
 */
export function withLoggedSummary(results: Results, toolkit: Toolkit): Results {
  return {
    writeOutputs: (values) => results.writeOutputs(values),
    writeReport: (json) => results.writeReport(json),
    writeSummary(markdown) {
      toolkit.startGroup('Summary');
      for (const line of inertLines(cut(markdown, { bytes: MAX_LOGGED_BYTES }))) toolkit.info(line);
      toolkit.endGroup();
      results.writeSummary(markdown);
    },
  };
}
