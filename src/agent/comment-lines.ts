/** A line of a comment. A command in code is only shown, and not meant. */
export interface CommentLine {
  readonly text: string;
  /** Where it begins in the comment. */
  readonly at: number;
  /** Between fences, or indented like code. */
  readonly isCode: boolean;
}

/** The beginning or end of a block of code; a line with more backticks is code within a line. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
// Four spaces or a tab make code.
const INDENTED = /^(?: {4}| {0,3}\t)/;

/**
 * The characters of a line or, for an empty line, the place behind the line end (`\n`, `\r\n` or
 * `\r`) before it.
 */
const LINE = /[^\r\n]+|(?<=\n|\r(?!\n)|^)(?=[\r\n])/g;

/** The lines of a comment, empty ones included. */
export function linesOf(body: string): CommentLine[] {
  const lines: CommentLine[] = [];
  // The fence of the block that the line is in.
  let openFence: string | undefined;
  for (const line of body.matchAll(LINE)) {
    const text = line[0];
    const fence = FENCE.exec(text)?.[1];
    const isCode = openFence !== undefined || fence !== undefined || INDENTED.test(text);
    lines.push({ text, at: line.index, isCode });
    if (openFence === undefined) openFence = fence;
    // A block ends at a fence that is at least as long and has nothing behind it.
    else if (fence?.startsWith(openFence) && fence === text.trim()) openFence = undefined;
  }
  return lines;
}
