import type { Cause, CiRunner, Host } from '../port.ts';
import { checkVariables } from '../system-run.ts';
import { createSystemRunner } from '../system-runner.ts';

const CAUSES: ReadonlyMap<string, Cause> = new Map([
  ['push', 'push'],
  ['cron', 'schedule'],
  ['manual', 'manual'],
  ['release', 'release'],
]);

/** A step of Woodpecker: https://woodpecker-ci.org/docs/usage/environment */
export function createWoodpeckerRunner(host: Host): CiRunner {
  const { env } = host;
  return createSystemRunner({
    host,
    emptyInputs: [
      'the secret is not allowed for this event, or not for this image',
      'the step does not name it (from_secret)',
    ],
    read() {
      checkVariables(host, 'Woodpecker', ['CI_REPO', 'CI_PIPELINE_NUMBER']);
      const { CI_COMMIT_BRANCH: branch = '', CI_REPO_DEFAULT_BRANCH: usual = '', CI_PIPELINE_EVENT: event = '' } = env;
      const isTag = event === 'tag' || event === 'release' || (env.CI_COMMIT_TAG ?? '') !== '';
      return {
        kind: 'woodpecker',
        key: [
          `${env.CI_SYSTEM_URL ?? ''}/${env.CI_REPO}/${env.CI_PIPELINE_NUMBER}`,
          env.CI_WORKFLOW_NAME,
          env.CI_STEP_NAME,
        ],
        // Running a pipeline again gives it a new number.
        attempt: 1,
        url: env.CI_PIPELINE_URL,
        cause: CAUSES.get(event),
        eventName: event,
        branch: isTag ? undefined : branch,
        isDefaultBranch: isTag || branch === '' || usual === '' ? undefined : branch === usual,
        remote: env.CI_REPO_CLONE_URL || env.CI_REPO_URL,
        repository: env.CI_REPO,
        sha: env.CI_COMMIT_SHA,
        actor: env.CI_PIPELINE_AUTHOR || env.CI_COMMIT_AUTHOR,
      };
    },
  });
}
