import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Toolkit } from '../ground/log.ts';
import { makeResultFolder } from '../ground/temporary.ts';
import type { Change, Host, Results, Terminal } from './port.ts';

const RESET = '\u001b[0m';
const COLOURS = {
  error: '\u001b[31m',
  warning: '\u001b[33m',
  notice: '\u001b[36m',
  title: '\u001b[1m',
} as const;

const CLEAR_LINE = '\r\u001b[2K';
const BAR_WIDTH = 20;

type Paint = (colour: keyof typeof COLOURS, text: string) => string;

/**
 * Plain lines, for a terminal and for a system that has no log commands. Only a terminal gets
 * colours and a progress line that is replaced. Neither can mask a secret: the log redacts every
 * line before it gets here.
 */
export function createPlainToolkit(host: Host): Toolkit {
  if (host.terminal === undefined) return createLines(host, (_colour, text) => text);
  return createTerminalToolkit(host, host.terminal);
}

/** Writes each message as lines, without its title; `paint` adds the colours. */
function createLines(host: Host, paint: Paint): Toolkit {
  const annotate =
    (level: 'notice' | 'warning' | 'error'): Toolkit['error'] =>
    (message, place) => {
      const [first = '', ...rest] = withPosition(message, place).split('\n');
      host.write(`${paint(level, `${level}:`)} ${first}`);
      for (const line of rest) host.write(line);
    };
  return {
    info: host.write,
    debug(line) {
      if (host.env.DOCS_COURIER_DEBUG === 'true') host.write(`debug: ${line}`);
    },
    notice: annotate('notice'),
    warning: annotate('warning'),
    error: annotate('error'),
    startGroup: (title) => host.write(paint('title', title)),
    endGroup() {},
    setSecret() {},
  };
}

function createTerminalToolkit(host: Host, terminal: Terminal): Toolkit {
  // True while the last line shows progress: the next text has to clear or end that line first.
  let showsProgress = false;
  const endProgress = (text: string) => {
    if (showsProgress) terminal.writeRaw(text);
    showsProgress = false;
  };
  const write = (line: string) => {
    endProgress(CLEAR_LINE);
    host.write(line);
  };
  const paint: Paint = (colour, text) => {
    if (!terminal.hasColours) return text;
    return `${COLOURS[colour]}${text}${RESET}`;
  };
  return {
    ...createLines({ ...host, write }, paint),
    progress(line, fraction) {
      // If the terminal wrapped the line, CLEAR_LINE would clear only a part of it.
      terminal.writeRaw(`${CLEAR_LINE}${terminal.shorten(`${bar(fraction)}${line}`)}`);
      showsProgress = true;
    },
    table(head, rows) {
      const [first = '', ...lines] = terminal.table([head, ...rows]);
      write(paint('title', first));
      for (const line of lines) write(line);
    },
    // The last progress of a group stays visible.
    endGroup: () => endProgress('\n'),
  };
}

/**
 * The message after its file and line, such as `q.yml:2: …`, for systems whose annotations cannot
 * point to a line. Without a file it stays as it is.
 */
export function withPosition(message: string, place: Parameters<Toolkit['error']>[1]): string {
  if (!place?.file) return message;
  const position = [place.file, place.startLine].filter(Boolean).join(':');
  return `${position}: ${message}`;
}

/** A progress bar for a fraction from 0 to 1; empty if the fraction is not known. */
function bar(fraction: number | undefined): string {
  if (fraction === undefined) return '';
  const full = Math.round(Math.min(1, Math.max(0, fraction)) * BAR_WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] `;
}

/**
 * Results of a system that takes no outputs and summaries: the flags of the command line name files
 * for them.
 */
export function createPlainResults(temp: string): Results {
  return {
    writeOutputs() {},
    async writeSummary() {},
    writeReport(json) {
      try {
        return writeInNewFolder(temp, 'report.json', json);
      } catch {
        // The run has done its work: a report that cannot be written must not make it fail.
        return undefined;
      }
    },
  };
}

/**
 * Writes a file into a new folder that other users of the machine cannot read, and gives the path
 * of the file.
 */
export function writeInNewFolder(temp: string, name: string, text: string): string {
  const path = join(makeResultFolder(temp, 'docs-courier-'), name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/**
 * A change with its time, which a CI system writes as text or in milliseconds; undefined if `time`
 * is not a time.
 */
export function changeAt(kind: Change['kind'], time: unknown): Change | undefined {
  if (typeof time !== 'string' && typeof time !== 'number') return undefined;
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return undefined;
  return { kind, time: date };
}
