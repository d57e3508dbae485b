import { createPlainResults } from '../plain-results.ts';
import type { CiRunner, EmptyInputs, Env, Host } from '../port.ts';
import { showGitLabHint } from './hint.ts';
import { readGitLabRun } from './run.ts';
import { createGitLabToolkit } from './toolkit.ts';

const CAUSES = [
  'it is protected, and the pipeline is for a branch or tag that is not (Settings > CI/CD > Variables)',
  'its environment scope does not match the environment: of the job',
  'its name in the pipeline is not spelled as in Settings > CI/CD > Variables',
] as const;

/** A job of GitLab CI. Outputs go to the file of `--output-file`, which the job hands on as a dotenv report. */
export function createGitLabRunner(host: Host): CiRunner {
  return {
    toolkit: createGitLabToolkit(host),
    openResults: () => createPlainResults(host.temp),
    readRun: () => readGitLabRun(host),
    explainEmptyInputs: () => explainEmptyInputs(host.env),
    showHint: showGitLabHint,
  };
}

/** The pipeline of a fork's merge request runs in the fork, which has no variables of the project. */
function explainEmptyInputs(env: Env): EmptyInputs {
  const target = env.CI_MERGE_REQUEST_PROJECT_PATH;
  const isFork = target !== undefined && target !== '' && target !== env.CI_PROJECT_PATH;
  if (!isFork) return { causes: CAUSES };
  return {
    skip: `The pipeline runs in a fork of ${target}, which has none of its variables; the API key is empty.`,
    causes: CAUSES,
  };
}
