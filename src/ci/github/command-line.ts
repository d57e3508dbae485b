import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { Toolkit } from '../../ground/log.ts';
import type { CommandProperties, Host } from '../port.ts';
import type { WorkflowStep } from './results.ts';

/**
 * How the command line talks to the runner in a step of a workflow. `@actions/core` would write to
 * standard output, which is for `--json` alone, and read the environment of this process. So the
 * same lines are written here (a test compares the two) to standard error, which the runner reads
 * too.
 */
export function commandLineStep(host: Pick<Host, 'env' | 'write'>): WorkflowStep {
  // `createResults` has checked that the runner has set GITHUB_OUTPUT and GITHUB_STEP_SUMMARY.
  const { env } = host;
  return {
    toolkit: workflowCommands(host.write),
    setOutput(name, value) {
      // No value can contain a random delimiter, and so end its own entry and begin another.
      const delimiter = `ghadelimiter_${randomUUID()}`;
      appendFileSync(env.GITHUB_OUTPUT ?? '', `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
    },
    async writeSummary(markdown) {
      appendFileSync(env.GITHUB_STEP_SUMMARY ?? '', `${markdown}\n`);
    },
  };
}

// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
function workflowCommands(write: (line: string) => void): Toolkit {
  const command = (name: string, message: string, properties: CommandProperties = {}) => {
    const list = Object.entries(properties).flatMap(([key, value]) =>
      value ? `${key}=${escapeProperty(String(value))}` : [],
    );
    const head = list.length === 0 ? name : `${name} ${list.join(',')}`;
    write(`::${head}::${escapeData(message)}`);
  };
  const annotation =
    (level: string): Toolkit['notice'] =>
    (message, place) =>
      command(level, message, { title: place?.title, file: place?.file, line: place?.startLine });
  return {
    info: write,
    debug: (line) => command('debug', line),
    notice: annotation('notice'),
    warning: annotation('warning'),
    error: annotation('error'),
    startGroup: (title) => command('group', title),
    endGroup: () => command('endgroup', ''),
    setSecret: (secret) => command('add-mask', secret),
  };
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
