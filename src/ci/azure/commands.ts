import type { Toolkit } from '../../log.ts';

/**
 * Logging commands of Azure Pipelines, escaped as Microsoft's own library for tasks does it:
 * https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
 */
export function vso(command: string, properties: Readonly<Record<string, string | number | undefined>>, text: string) {
  const given = Object.entries(properties).filter(([, value]) => value !== undefined && value !== '');
  const list = given.map(([name, value]) => `${name}=${escapeProperty(String(value))};`).join('');
  return `##vso[${command}${list === '' ? '' : ` ${list}`}]${escapeData(text)}`;
}

export function azureToolkit(write: (line: string) => void): Toolkit {
  const issue =
    (type: 'warning' | 'error'): Toolkit['error'] =>
    (message, { title, file, startLine } = {}) => {
      const text = title === undefined ? message : `${title}: ${message}`;
      write(vso('task.logissue', { type, sourcepath: file, linenumber: startLine }, text));
    };
  return {
    info: write,
    debug: (line) => write(vso('task.debug', {}, line)),
    // The system has no notices.
    notice(message, { file, startLine } = {}) {
      const place = file === undefined ? '' : `${file}${startLine === undefined ? '' : `:${startLine}`}: `;
      const [first = '', ...rest] = message.split('\n');
      for (const line of [`notice: ${place}${first}`, ...rest]) write(line);
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
