import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { Toolkit } from '../../log.ts';
import type { Host } from '../port.ts';
import type { WorkflowStep } from './runner.ts';

/**
 * The command line in a step of a workflow. `@actions/core` writes to standard output, which is for
 * `--json` alone, and to the files of this process; this writes the same lines (a test compares the
 * two) to standard error, which the runner reads too.
 */
export function commandLineStep({ env, write }: Pick<Host, 'env' | 'write'>): WorkflowStep {
  return {
    toolkit: workflowCommands(write),
    setOutput(name, value) {
      // A random delimiter keeps the value from adding a key.
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
  const command = (name: string, message: string, properties: Properties = {}) => {
    const given = Object.entries(properties).filter(
      ([, value]) => value !== undefined && value !== '',
    );
    const list = given.map(([key, value]) => `${key}=${escapeProperty(String(value))}`).join(',');
    write(`::${name}${list === '' ? '' : ` ${list}`}::${escapeData(message)}`);
  };
  const annotation =
    (level: string): Toolkit['notice'] =>
    (message, { title, file, startLine } = {}) =>
      command(level, message, { title, file, line: startLine });
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

type Properties = Readonly<Record<string, string | number | undefined>>;

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
