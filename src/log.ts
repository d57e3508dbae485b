import { randomBytes } from 'node:crypto';
import { inertLines, plainLine, visibleLines } from './text/escape.ts';
import { createRedact, type Redact, SHORTEST_SECRET, secretForms } from './text/redact.ts';

/** Where an annotation points: a file of the workspace, and a line in it. */
export interface AnnotationPlace {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly title?: string | undefined;
}

/**
 * The one sink for everything that a person reads in the log. Text is made inert on the way: nothing in it can act as a
 * command to the runner. Warnings, notices and errors become annotations, ten a run at most; the rest of them are lines.
 */
export interface Log {
  info(message: string): void;
  debug(message: string): void;
  notice(message: string, place?: AnnotationPlace): void;
  warning(message: string, place?: AnnotationPlace): void;
  error(message: string, place?: AnnotationPlace): void;
  /** Text from outside as a block: every line behind `| `, with the runner's command processing off. */
  block(title: string, text: string): void;
  /** Lines logged inside stand in a foldable group. */
  group<T>(title: string, body: () => Promise<T>): Promise<T>;
  /** Registers a secret with the runner, in each form in which it could appear. Call it before the value's first use. */
  mask(secret: string): void;
  /** Replaces what was masked so far, in each of its forms; for texts that do not go through the log. */
  redact(text: string): string;
}

interface ToolkitPlace {
  title?: string;
  file?: string;
  startLine?: number;
}

/** The calls of `@actions/core` that a log needs. */
export interface Toolkit {
  /** Writes a line as it is: it must be inert already. */
  info(line: string): void;
  debug(line: string): void;
  notice(message: string, place?: ToolkitPlace): void;
  warning(message: string, place?: ToolkitPlace): void;
  error(message: string, place?: ToolkitPlace): void;
  startGroup(title: string): void;
  endGroup(): void;
  setSecret(secret: string): void;
}

/** The runner shows ten annotations of a kind per step; more would only hide these. */
export const MAX_ANNOTATIONS = 10;
export const MAX_INFO_LINES = 500;

type Level = 'notice' | 'warning' | 'error';

export function createLog(toolkit: Toolkit): Log {
  const secrets = new Set<string>();
  let redact: Redact = createRedact([]);
  let annotations = 0;
  let lines = 0;

  function print(text: string): void {
    for (const line of inertLines(redact(text))) {
      lines += 1;
      if (lines < MAX_INFO_LINES) toolkit.info(line);
      else if (lines === MAX_INFO_LINES) toolkit.info('Further lines are left out.');
    }
  }

  function annotate(level: Level, message: string, place: AnnotationPlace): void {
    annotations += 1;
    // Beyond the limits an error is still told, since it is why the run failed.
    if (annotations <= MAX_ANNOTATIONS) mark(level, message, place);
    else if (level === 'error') toolkit.info(inertLines(redact(`error: ${message}`)).join('\n'));
    else print(`${level}: ${message}`);
  }

  function mark(level: Level, message: string, { title, file, line }: AnnotationPlace): void {
    toolkit[level](inertLines(redact(message)).join('\n'), {
      ...(title !== undefined && { title: plainLine(redact(title), 200) }),
      ...(file !== undefined && { file: plainLine(redact(file), 400) }),
      ...(line !== undefined && { startLine: line }),
    });
  }

  return {
    info: print,
    debug: (message) => toolkit.debug(plainLine(redact(message), 1000)),
    notice: (message, place = {}) => annotate('notice', message, place),
    warning: (message, place = {}) => annotate('warning', message, place),
    error: (message, place = {}) => annotate('error', message, place),
    block(title, text) {
      print(title);
      const token = randomBytes(16).toString('hex');
      toolkit.info(`::stop-commands::${token}`);
      print(
        visibleLines(text)
          .map((line) => `| ${line}`)
          .join('\n'),
      );
      toolkit.info(`::${token}::`);
    },
    async group(title, body) {
      toolkit.startGroup(plainLine(redact(title), 200));
      try {
        return await body();
      } finally {
        toolkit.endGroup();
      }
    },
    mask(secret) {
      if (secret.length < SHORTEST_SECRET || secrets.has(secret)) return;
      secrets.add(secret);
      for (const form of secretForms(secret)) if (!/[\r\n]/.test(form)) toolkit.setSecret(form);
      redact = createRedact([...secrets]);
    },
    redact: (text) => redact(text),
  };
}
