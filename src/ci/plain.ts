import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Toolkit } from '../log.ts';
import { makeResultFolder } from '../temporary.ts';
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
 * colours and a line that is replaced. Nothing can be masked there; the log redacts every line
 * before it gets here.
 */
export function createPlainToolkit(host: Host): Toolkit {
  if (host.terminal === undefined) return createLines(host, (_colour, text) => text);
  return createTerminalToolkit(host, host.terminal);
}

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
  // The last line is replaced while something is under way.
  let isLive = false;
  const endLive = (text: string) => {
    if (isLive) terminal.writeRaw(text);
    isLive = false;
  };
  const write = (line: string) => {
    endLive(CLEAR_LINE);
    host.write(line);
  };
  const paint: Paint = (colour, text) => {
    if (!terminal.hasColours) return text;
    return `${COLOURS[colour]}${text}${RESET}`;
  };
  return {
    ...createLines({ ...host, write }, paint),
    progress(line, fraction) {
      // A line that is wrapped could not be cleared.
      terminal.writeRaw(`${CLEAR_LINE}${terminal.shorten(`${bar(fraction)}${line}`)}`);
      isLive = true;
    },
    table(head, rows) {
      const [first = '', ...lines] = terminal.table([head, ...rows]);
      write(paint('title', first));
      for (const line of lines) write(line);
    },
    // What it said last stays.
    endGroup: () => endLive('\n'),
  };
}

/**
 * A message that begins with the file and line that it is about, for systems whose annotations have
 * no place.
 */
export function withPosition(message: string, place: Parameters<Toolkit['error']>[1]): string {
  const parts = [place?.file, place?.file && place.startLine].filter(Boolean);
  if (parts.length === 0) return message;
  return `${parts.join(':')}: ${message}`;
}

function bar(fraction: number | undefined): string {
  if (fraction === undefined) return '';
  const full = Math.round(Math.min(1, Math.max(0, fraction)) * BAR_WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] `;
}

/**
 * Results of a system that has no place for outputs and summaries: the options of the command line
 * name files for them.
 */
export function createPlainResults(temp: string): Results {
  return {
    writeOutputs() {},
    async writeSummary() {},
    writeReport(json) {
      try {
        return writeFresh(temp, 'report.json', json);
      } catch {
        return undefined;
      }
    },
  };
}

/**
 * Writes a file into a new folder for it, which others on the machine cannot read, and gives its
 * path.
 */
export function writeFresh(temp: string, name: string, text: string): string {
  const path = join(makeResultFolder(temp, 'docs-courier-'), name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** A change at a time as a CI system writes it; undefined if it is not one. */
export function changeAt(kind: Change['kind'], time: unknown): Change | undefined {
  if (typeof time !== 'string' && typeof time !== 'number') return undefined;
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return undefined;
  return { kind, time: date };
}
