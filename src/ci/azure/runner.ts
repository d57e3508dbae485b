import type { Toolkit } from '../../ground/log.ts';
import { createPlainResults, withPosition, writeInNewFolder } from '../plain.ts';
import {
  type CommandProperties,
  type Host,
  KEPT_OUTPUTS,
  outputVariable,
  type Results,
} from '../port.ts';
import { attemptOf, branchOfRef, isSet, type System } from '../system.ts';

/** A step of Azure Pipelines: https://learn.microsoft.com/azure/devops/pipelines/build/variables */
export const AZURE: System = {
  kind: 'azure',
  title: 'Azure Pipelines',
  isHere: (env) => isSet(env.TF_BUILD),
  // Only the reason shows that a run is for changes that are not in the repository.
  needs: ['BUILD_BUILDID', 'BUILD_REASON', 'SYSTEM_COLLECTIONURI', 'SYSTEM_TEAMPROJECT'],
  temp: 'AGENT_TEMPDIRECTORY',
  toolkit: (host) => azureToolkit(host.write),
  results: createAzureResults,
  emptyInputs: [
    'a secret variable reaches a step only by its env: mapping',
    'the variable group is not linked to the pipeline, or the pipeline is not permitted to use it',
  ],
  causes: new Map([
    ['Manual', 'manual'],
    ['IndividualCI', 'push'],
    ['BatchedCI', 'push'],
    ['Schedule', 'schedule'],
    ['PullRequest', 'change-request'],
    // Shelvesets: changes that are not in the repository yet.
    ['ValidateShelveset', 'change-request'],
    ['CheckInShelveset', 'change-request'],
  ]),
  read(env) {
    const collection = env.SYSTEM_COLLECTIONURI ?? '';
    const project = env.SYSTEM_TEAMPROJECT ?? '';
    const id = env.BUILD_BUILDID ?? '';
    return {
      key: [
        `${collection}${project}/${id}`,
        env.SYSTEM_STAGENAME,
        env.SYSTEM_PHASENAME,
        // Differs between the jobs of a matrix.
        env.SYSTEM_JOBIDENTIFIER || env.AGENT_JOBNAME,
      ],
      // A job that is run again alone counts up only its own number. When its stage is run again,
      // that number starts at 1, and the stage counts up.
      attempt: Math.max(attemptOf(env.SYSTEM_STAGEATTEMPT), attemptOf(env.SYSTEM_JOBATTEMPT)),
      url: `${collection}${encodeURIComponent(project)}/_build/results?buildId=${encodeURIComponent(id)}`,
      event: env.BUILD_REASON,
      // Not BUILD_SOURCEBRANCHNAME: it is the last part alone, `main` for the branch
      // `someone/main`.
      branch: branchOfRef(env.BUILD_SOURCEBRANCH),
      remote: env.BUILD_REPOSITORY_URI,
      repository: env.BUILD_REPOSITORY_NAME,
      sha: env.BUILD_SOURCEVERSION,
      actor: env.BUILD_REQUESTEDFOR,
    };
  },
};

/**
 * Logging commands of Azure Pipelines, escaped as Microsoft's own library for tasks does it:
 * https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
 */
function vso(command: string, properties: CommandProperties, text: string) {
  // A property without a value is left out.
  const list = Object.entries(properties).map(([name, value]) =>
    value ? `${name}=${escapeProperty(String(value))};` : '',
  );
  return `##vso[${`${command} ${list.join('')}`.trimEnd()}]${escapeData(text)}`;
}

/** The log commands of Azure Pipelines, which `write` puts into the log. */
function azureToolkit(write: (line: string) => void): Toolkit {
  const issue =
    (type: 'warning' | 'error'): Toolkit['error'] =>
    (message, place) => {
      // The command has no property for a title.
      const text = place?.title === undefined ? message : `${place.title}: ${message}`;
      const properties = { type, sourcepath: place?.file, linenumber: place?.startLine };
      write(vso('task.logissue', properties, text));
    };
  return {
    info: write,
    debug: (line) => write(vso('task.debug', {}, line)),
    // Azure Pipelines has no command for notices: they are plain lines. No notice has a title.
    notice(message, place) {
      for (const line of `notice: ${withPosition(message, place)}`.split('\n')) write(line);
    },
    warning: issue('warning'),
    error: issue('error'),
    startGroup: (title) => write(`##[group]${title}`),
    endGroup: () => write('##[endgroup]'),
    setSecret: (secret) => write(vso('task.setsecret', {}, secret)),
  };
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%AZP25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(']', '%5D').replaceAll(';', '%3B');
}

/**
 * Windows limits the whole environment of a step to 32,767 characters, and each later step has
 * these variables in it.
 */
const MAX_VALUE_BYTES = 8 * 1024;

/**
 * Outputs as output variables, `DOCS_COURIER_OUT_JOB_ID`: later steps read them as
 * `$(STEP.DOCS_COURIER_OUT_JOB_ID)` where `STEP` is the `name` of the step; other jobs and stages
 * by `dependencies`. The summary is a tab of the run.
 */
function createAzureResults(host: Host): Results {
  const { temp, write } = host;
  return {
    ...createPlainResults(temp),
    writeOutputs(values) {
      for (const [name, value = ''] of Object.entries(values)) {
        if (KEPT_OUTPUTS.includes(name)) continue;
        if (Buffer.byteLength(value) > MAX_VALUE_BYTES) {
          write(
            `The output ${name} is too large for a variable of Azure Pipelines; --output-file has it.`,
          );
          continue;
        }
        const variable = outputVariable(name);
        write(vso('task.setvariable', { variable, isOutput: 'true' }, value));
      }
    },
    async writeSummary(markdown) {
      // The name of the file is the heading of the tab.
      const path = writeInNewFolder(temp, 'Docs Courier.md', `${markdown}\n`);
      // The agent reads the file only when it sees this command.
      write(vso('task.uploadsummary', {}, path));
    },
  };
}
