import type { Toolkit } from '../../log.ts';
import { createPlainToolkit } from '../plain-toolkit.ts';
import type { Cause, CiRunner, Host } from '../port.ts';
import { attemptOf, checkVariables } from '../system-run.ts';
import { createSystemRunner } from '../system-runner.ts';

const CAUSES: ReadonlyMap<string, Cause> = new Map([
  ['webhook', 'push'],
  ['schedule', 'schedule'],
  ['ui', 'manual'],
  ['api', 'manual'],
]);

/** A step of Buildkite: https://buildkite.com/docs/pipelines/configure/environment-variables */
export function createBuildkiteRunner(host: Host): CiRunner {
  const { env } = host;
  return createSystemRunner({
    host,
    toolkit: buildkiteToolkit(host),
    emptyInputs: [
      'the secret is not in the environment hook of the agent, or the cluster does not allow this pipeline to read it',
    ],
    read() {
      checkVariables(host, 'Buildkite', ['BUILDKITE_BUILD_ID', 'BUILDKITE_JOB_ID']);
      const { BUILDKITE_BRANCH: branch = '', BUILDKITE_PIPELINE_DEFAULT_BRANCH: usual = '' } = env;
      return {
        kind: 'buildkite',
        key: [
          env.BUILDKITE_BUILD_ID,
          env.BUILDKITE_STEP_KEY || env.BUILDKITE_STEP_ID || env.BUILDKITE_LABEL,
          env.BUILDKITE_PARALLEL_JOB,
        ],
        attempt: attemptOf(env.BUILDKITE_RETRY_COUNT, 0),
        jobId: env.BUILDKITE_JOB_ID,
        url: env.BUILDKITE_BUILD_URL && `${env.BUILDKITE_BUILD_URL}#${env.BUILDKITE_JOB_ID}`,
        cause: CAUSES.get(env.BUILDKITE_SOURCE ?? ''),
        eventName: env.BUILDKITE_SOURCE,
        // In the build of a tag it is the name of the tag.
        branch: env.BUILDKITE_TAG ? undefined : branch,
        isDefaultBranch: branch === '' || usual === '' || env.BUILDKITE_TAG ? undefined : branch === usual,
        remote: env.BUILDKITE_REPO,
        sha: env.BUILDKITE_COMMIT,
        actor: env.BUILDKITE_BUILD_CREATOR,
      };
    },
  });
}

/** Groups by lines of the log, as https://buildkite.com/docs/pipelines/configure/managing-log-output has them. */
function buildkiteToolkit(host: Host): Toolkit {
  const plain = createPlainToolkit(host);
  return {
    ...plain,
    startGroup: (title) => host.write(`--- ${title}`),
    error(message, place) {
      // Unfolds the group that the error is in.
      host.write('^^^ +++');
      plain.error(message, place);
    },
  };
}
