import type { AnnotationPlace, Log } from '../../src/ground/log.ts';
import { createRedact } from '../../src/ground/text/redact.ts';

interface LogEntry {
  readonly level: 'info' | 'debug' | 'notice' | 'warning' | 'error' | 'block' | 'group';
  readonly message: string;
  /** Of annotations only. */
  readonly place: AnnotationPlace | undefined;
}

/** A log that keeps its messages in order, for tests in process. */
export interface RecordingLog extends Log {
  readonly entries: readonly LogEntry[];
  /** Secrets in the order in which they were registered. */
  readonly masks: readonly string[];
  /** All messages of one level, or of all, one per line; for searching words and leaks. */
  text(level?: LogEntry['level']): string;
  /** Every text that was logged before its mask was registered. */
  saidBeforeMask(): string[];
}

/** `whole`: another log that gets everything too, like the log of a job with all steps. */
export function recordingLog(whole?: RecordingLog): RecordingLog {
  const entries: (LogEntry & { masksBefore: number })[] = [];
  const masks: string[] = [];
  const say =
    (level: LogEntry['level']) =>
    (message: string, place?: AnnotationPlace): void => {
      entries.push({ level, message, place, masksBefore: masks.length });
      if (level === 'block' || level === 'group') return;
      whole?.[level](message, place);
    };
  const log: RecordingLog = {
    entries,
    masks,
    info: say('info'),
    debug: say('debug'),
    progress: (line) => say('info')(line),
    notice: say('notice'),
    warning: say('warning'),
    error: say('error'),
    table: (_head, rows, plain) => {
      for (const [index, cells] of rows.entries()) say('info')(plain(cells, index) ?? '');
    },
    block: (title, text) => {
      say('block')(`${title}\n${text}`);
      whole?.block(title, text);
    },
    group: (title, body) => {
      say('group')(title);
      return whole === undefined ? body() : whole.group(title, body);
    },
    mask: (secret) => {
      masks.push(secret);
      whole?.mask(secret);
    },
    redact: (text) => createRedact(masks)(text),
    text: (level) =>
      entries
        .filter((entry) => level === undefined || entry.level === level)
        .map((entry) => entry.message)
        .join('\n'),
    saidBeforeMask: () =>
      entries
        .filter((entry) =>
          masks.some((mask, index) => index >= entry.masksBefore && entry.message.includes(mask)),
        )
        .map((entry) => entry.message),
  };
  return log;
}
