import type { CiRunner, Host } from '../port.ts';
import { checkVariables } from '../system-run.ts';
import { createSystemRunner } from '../system-runner.ts';

/** A step of CircleCI: https://circleci.com/docs/reference/variables/ */
export function createCircleRunner(host: Host): CiRunner {
  const { env } = host;
  return createSystemRunner({
    host,
    emptyInputs: [
      'the variable is in a context that the job does not name (context:)',
      'builds of forked pull requests get no secrets',
    ],
    read() {
      checkVariables(host, 'CircleCI', ['CIRCLE_WORKFLOW_ID', 'CIRCLE_JOB', 'CIRCLE_BUILD_URL']);
      return {
        kind: 'circleci',
        // A rerun has a new workflow in the same pipeline; older servers do not name the pipeline.
        key: [env.CIRCLE_PIPELINE_ID || env.CIRCLE_WORKFLOW_ID, env.CIRCLE_JOB, env.CIRCLE_NODE_INDEX],
        attempt: undefined,
        jobId: env.CIRCLE_WORKFLOW_JOB_ID || env.CIRCLE_BUILD_NUM,
        url: env.CIRCLE_BUILD_URL,
        branch: env.CIRCLE_TAG ? undefined : env.CIRCLE_BRANCH,
        remote: env.CIRCLE_REPOSITORY_URL,
        sha: env.CIRCLE_SHA1,
        actor: env.CIRCLE_USERNAME,
      };
    },
  });
}
