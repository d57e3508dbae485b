import type { Cause, CiRunner, Host } from '../port.ts';
import { attemptOf, branchOfRef, checkVariables } from '../system-run.ts';
import { createSystemRunner } from '../system-runner.ts';
import { azureToolkit } from './commands.ts';
import { createAzureResults } from './results.ts';

const CAUSES: ReadonlyMap<string, Cause> = new Map([
  ['Manual', 'manual'],
  ['IndividualCI', 'push'],
  ['BatchedCI', 'push'],
  ['Schedule', 'schedule'],
  ['PullRequest', 'change-request'],
  // Changes that are not in the repository yet.
  ['ValidateShelveset', 'change-request'],
  ['CheckInShelveset', 'change-request'],
]);

/** A step of Azure Pipelines: https://learn.microsoft.com/azure/devops/pipelines/build/variables */
export function createAzureRunner(process: Host): CiRunner {
  const { env } = process;
  const host = { ...process, temp: env.AGENT_TEMPDIRECTORY || process.temp };
  return createSystemRunner({
    host,
    toolkit: azureToolkit(host.write),
    results: createAzureResults(host),
    emptyInputs: [
      'a secret variable reaches a step only by its env: mapping',
      'the variable group is not linked to the pipeline, or the pipeline is not permitted to use it',
    ],
    read() {
      checkVariables(host, 'Azure Pipelines', ['BUILD_BUILDID', 'SYSTEM_COLLECTIONURI', 'SYSTEM_TEAMPROJECT']);
      const { SYSTEM_COLLECTIONURI: collection = '', SYSTEM_TEAMPROJECT: project = '', BUILD_BUILDID: id = '' } = env;
      const attempts = [env.SYSTEM_STAGEATTEMPT, env.SYSTEM_JOBATTEMPT].map((value) => attemptOf(value));
      return {
        kind: 'azure',
        key: [
          `${collection}${project}/${id}`,
          env.SYSTEM_STAGENAME,
          env.SYSTEM_PHASENAME,
          // Differs between the jobs of a matrix.
          env.SYSTEM_JOBIDENTIFIER || env.AGENT_JOBNAME,
        ],
        // Rerunning a stage starts its jobs at 1 again.
        attempt: Math.max(...attempts),
        jobId: attempts.join('.'),
        url: `${collection}${encodeURIComponent(project)}/_build/results?buildId=${encodeURIComponent(id)}`,
        cause: CAUSES.get(env.BUILD_REASON ?? ''),
        eventName: env.BUILD_REASON,
        // Not BUILD_SOURCEBRANCHNAME: it is the last part alone, `main` for the branch `someone/main`.
        branch: branchOfRef(env.BUILD_SOURCEBRANCH),
        remote: env.BUILD_REPOSITORY_URI,
        repository: env.BUILD_REPOSITORY_NAME,
        sha: env.BUILD_SOURCEVERSION,
        actor: env.BUILD_REQUESTEDFOR,
      };
    },
  });
}
