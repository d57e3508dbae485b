import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import { inertLines, visibleLines } from './text/escape.ts';
import { hideCredentials } from './text/hide-credentials.ts';
import { createRedact, excerpt, type Redact, secretForms } from './text/redact.ts';

/** Where an annotation points: a file of the workspace, and a line in it. */
export interface AnnotationPlace {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly title?: string | undefined;
}

/**
 * The one sink for everything that a person reads in the log. Text is redacted and made inert on
 * the way: nothing in it can act as a command to a CI system. Warnings, notices and errors become
 * annotations, ten of a kind; the rest of them are lines.
 */
export interface Log {
  info(message: string): void;
  debug(message: string): void;
  /**
   * How far a remote job has come: a line, or on a terminal one that replaces the last. `fraction`
   * is 0 to 1.
   */
  progress(message: string, fraction: number | undefined): void;
  /**
   * Rows under headings: on a terminal a table that fits it; elsewhere the text that `plain` makes
   * of each row.
   */
  table(head: readonly string[], rows: readonly (readonly string[])[], plain: RowText): void;
  notice(message: string, place?: AnnotationPlace): void;
  warning(message: string, place?: AnnotationPlace): void;
  error(message: string, place?: AnnotationPlace): void;
  /**
   * Text from outside as a block: every line begins with `| `, with the runner's command processing
   * off.
   */
  block(title: string, text: string): void;
  /** Lines that are logged inside are in a group that can be folded. */
  group<T>(title: string, body: () => Promise<T>): Promise<T>;
  /**
   * Registers a secret with the runner, in each form in which it could appear. A secret of less
   * than 8 characters is replaced only in the texts of this program. Call it before the secret is
   * used.
   */
  mask(secret: string): void;
  /**
   * Replaces the secrets that were masked so far, in any form, and what looks like a credential;
   * for texts that do not go through the log.
   */
  redact(text: string): string;
}

/** What every part of a run gets: the time, the log and the signal that ends it. */
export interface Work {
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the work as `cancelled`: it aborts on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

/** The text of a row in a log that is not a terminal; undefined: it is left out. */
type RowText = (cells: readonly string[], index: number) => string | undefined;

interface ToolkitPlace extends Omit<AnnotationPlace, 'line'> {
  readonly startLine?: number | undefined;
}

/**
 * What a log needs of its CI system: the calls of `@actions/core`, and what only some systems have.
 */
export interface Toolkit {
  /** Writes a line as it is: it must be inert already. */
  info(line: string): void;
  /** Absent if lines for debugging are not shown. */
  debug?(line: string): void;
  notice(message: string, place?: ToolkitPlace): void;
  warning(message: string, place?: ToolkitPlace): void;
  error(message: string, place?: ToolkitPlace): void;
  /** Replaces the last line that it showed. */
  progress?(line: string, fraction: number | undefined): void;
  /** Shows a table. Its cells are inert; one may have several lines. */
  table?(head: readonly string[], rows: readonly (readonly string[])[]): void;
  startGroup(title: string): void;
  endGroup(): void;
  setSecret(secret: string): void;
  /** The lines that switch commands off and on again, if the system has such. `token` is random. */
  pauseCommands?(token: string): { readonly begin: string; readonly end: string };
}

/**
 * The most annotations of each level, since the runner shows no more of a step. Each level is
 * counted separately, so that warnings leave room for the error.
 */
export const MAX_ANNOTATIONS = 10;
/** The most lines of `info`: a text from outside must not flood the log of a job. */
export const MAX_INFO_LINES = 500;

type Level = 'notice' | 'warning' | 'error';

export function createLog(toolkit: Toolkit): Log {
  return new CiLog(toolkit);
}

class CiLog implements Log {
  readonly #toolkit: Toolkit;
  readonly #shown = { notice: 0, warning: 0, error: 0, lines: 0 };
  readonly #secrets = new Set<string>();
  #redact: Redact = createRedact([]);
  readonly notice: Log['notice'] = (message, place) => this.#annotate('notice', message, place);
  readonly warning: Log['warning'] = (message, place) => this.#annotate('warning', message, place);
  readonly error: Log['error'] = (message, place) => this.#annotate('error', message, place);
  // A property like the three above: callers pass these on as functions, without the log.
  readonly redact: Redact = (text) => hideCredentials(this.#redact(text));

  constructor(toolkit: Toolkit) {
    this.#toolkit = toolkit;
  }

  progress(message: string, fraction: number | undefined): void {
    // Without the limit of `info`: a long export must not use up the lines that say how it ended.
    const line = this.#oneLine(message, 400);
    if (this.#toolkit.progress === undefined) this.#toolkit.info(line);
    else this.#toolkit.progress(line, fraction);
  }

  table(head: readonly string[], rows: readonly (readonly string[])[], plain: RowText): void {
    // Redacting rows beyond the limit would only take time.
    const firstRows = rows.slice(0, MAX_INFO_LINES);
    if (this.#toolkit.table === undefined) {
      // At its limit, `info` says itself that lines are left out.
      for (const text of firstRows.map(plain)) if (text !== undefined) this.info(text);
      return;
    }
    const inert = (cell: string) => this.#inert(cell).join('\n');
    this.#toolkit.table(
      head,
      firstRows.map((cells) => cells.map(inert)),
    );
    // `info` does not count the rows of a table.
    if (rows.length > firstRows.length) this.info('Further rows are left out.');
  }

  debug(message: string): void {
    this.#toolkit.debug?.(this.#oneLine(message, 1000));
  }

  block(title: string, text: string): void {
    this.info(title);
    // Redacted before `| ` is put between its lines: a secret may have several lines.
    const quoted = visibleLines(this.#redact(text)).map((line) => `| ${line}`);
    const pause = this.#toolkit.pauseCommands?.(randomBytes(16).toString('hex'));
    if (pause) this.#toolkit.info(pause.begin);
    // Without the limit of `info`: a dry run prints the whole prompt, and may keep no report.
    for (const line of this.#inert(quoted.join('\n'))) this.#toolkit.info(line);
    if (pause) this.#toolkit.info(pause.end);
  }

  async group<T>(title: string, body: () => Promise<T>): Promise<T> {
    this.#toolkit.startGroup(this.#oneLine(title, 200));
    try {
      return await body();
    } finally {
      this.#toolkit.endGroup();
    }
  }

  mask(secret: string): void {
    if (secret === '' || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    // None for a secret that is too short. A form with a line end is in no line of a log, and its
    // lines are forms too.
    for (const form of secretForms(secret)) if (!/[\r\n]/.test(form)) this.#toolkit.setSecret(form);
    this.#redact = createRedact([...this.#secrets]);
  }

  info(text: string): void {
    for (const line of this.#inert(text)) {
      this.#shown.lines += 1;
      if (this.#shown.lines > MAX_INFO_LINES) return;
      const isLast = this.#shown.lines === MAX_INFO_LINES;
      this.#toolkit.info(isLast ? 'Further lines are left out.' : line);
    }
  }

  #annotate(level: Level, message: string, place: AnnotationPlace = {}): void {
    this.#shown[level] += 1;
    if (this.#shown[level] <= MAX_ANNOTATIONS) {
      this.#toolkit[level](this.#inert(message).join('\n'), {
        title: place.title && this.#oneLine(place.title, 200),
        file: place.file && this.#oneLine(place.file, 400),
        startLine: place.line,
      });
      return;
    }
    // `info` has a limit too. An error beyond both is still shown: it may be why the run failed.
    if (level === 'error') this.#toolkit.info(this.#inert(`error: ${message}`).join('\n'));
    else this.info(`${level}: ${message}`);
  }

  /** The lines of a text, redacted, and none of them a command. */
  #inert(text: string): string[] {
    return inertLines(this.#redact(text));
  }

  #oneLine(text: string, max: number): string {
    // Redacted again: a secret may have come together where something in it was removed.
    return this.#inert(excerpt(text, { redact: this.#redact, max })).join(' ');
  }
}
