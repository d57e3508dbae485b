import type { CiRunner, Host } from '../port.ts';
import { attemptOf, checkVariables } from '../system-run.ts';
import { createSystemRunner } from '../system-runner.ts';

/** A step of Bitbucket Pipelines: https://support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets/ */
export function createBitbucketRunner(host: Host): CiRunner {
  const { env } = host;
  return createSystemRunner({
    host,
    emptyInputs: ['the variable belongs to a deployment environment, and the step does not name it (deployment:)'],
    read() {
      checkVariables(host, 'Bitbucket Pipelines', [
        'BITBUCKET_REPO_FULL_NAME',
        'BITBUCKET_BUILD_NUMBER',
        'BITBUCKET_STEP_UUID',
      ]);
      const { BITBUCKET_REPO_FULL_NAME: repository = '', BITBUCKET_BUILD_NUMBER: number = '' } = env;
      return {
        kind: 'bitbucket',
        key: [`${repository}/${number}`, env.BITBUCKET_STEP_UUID, env.BITBUCKET_PARALLEL_STEP],
        attempt: attemptOf(env.BITBUCKET_STEP_RUN_NUMBER),
        url: `https://bitbucket.org/${repository}/pipelines/results/${encodeURIComponent(number)}`,
        branch: env.BITBUCKET_TAG ? undefined : env.BITBUCKET_BRANCH,
        remote: `https://bitbucket.org/${repository}`,
        sha: env.BITBUCKET_COMMIT,
      };
    },
  });
}
