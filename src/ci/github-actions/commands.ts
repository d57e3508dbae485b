import { EOL } from 'node:os';
import type { Toolkit } from '../../log.ts';

/**
 * The runner's workflow commands that a log needs, byte for byte as `@actions/core` writes them (a test compares the two):
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands. Our own, since that library
 * loads a second HTTP client, 0.85 MiB, at the start of every run, for a feature that no run uses.
 */
export function workflowCommands(write: (text: string) => void): Toolkit {
  const command = (name: string, message: string, properties: Properties = {}) => {
    const given = Object.entries(properties).filter(([, value]) => value !== undefined && value !== '');
    const list = given.map(([key, value]) => `${key}=${escapeProperty(String(value))}`).join(',');
    write(`::${name}${list === '' ? '' : ` ${list}`}::${escapeData(message)}${EOL}`);
  };
  const annotation =
    (level: string): Toolkit['notice'] =>
    (message, { title, file, startLine } = {}) =>
      command(level, message, { title, file, line: startLine });
  return {
    info: (line) => write(`${line}${EOL}`),
    debug: (line) => command('debug', line),
    notice: annotation('notice'),
    warning: annotation('warning'),
    error: annotation('error'),
    startGroup: (title) => command('group', title),
    endGroup: () => command('endgroup', ''),
    setSecret: (secret) => command('add-mask', secret),
    pauseCommands: (token) => ({ begin: `::stop-commands::${token}`, end: `::${token}::` }),
  };
}

type Properties = Readonly<Record<string, string | number | undefined>>;

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
