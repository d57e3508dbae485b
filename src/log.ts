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
}
