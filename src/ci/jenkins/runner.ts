import type { CiRunner, Env, Host } from '../port.ts';
import { checkVariables } from '../system-run.ts';
import { createSystemRunner } from '../system-runner.ts';

/** A step of a Jenkins build: https://www.jenkins.io/doc/book/pipeline/jenkinsfile/#using-environment-variables */
export function createJenkinsRunner(process: Host): CiRunner {
  const { env } = process;
  // The folder of the build that containers share with the agent.
  const host = { ...process, temp: env.WORKSPACE_TMP || process.temp };
  return createSystemRunner({
    host,
    emptyInputs: [
      'a credential reaches a step only by withCredentials or by credentials() in environment',
      'the credential is in a folder that the job is not in',
    ],
    read() {
      checkVariables(host, 'Jenkins', ['JENKINS_URL', 'JOB_NAME', 'BUILD_NUMBER']);
      return {
        kind: 'jenkins',
        key: [`${env.JENKINS_URL}${env.JOB_NAME}/${env.BUILD_NUMBER}`, env.STAGE_NAME],
        // A stage that is retried has the same variables.
        attempt: undefined,
        url: env.BUILD_URL,
        branch: branchOf(env),
        remote: env.GIT_URL,
        sha: env.GIT_COMMIT,
      };
    },
  });
}

/** Of a multibranch pipeline, or of the Git plugin, which writes the remote's name before it. */
function branchOf(env: Env): string | undefined {
  if (env.TAG_NAME) return undefined;
  return env.BRANCH_NAME || env.GIT_BRANCH?.replace(/^origin\//, '');
}
