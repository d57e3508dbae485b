/** A line of a comment. */
export interface CommentLine {
  readonly text: string;
  /** Where it begins in the comment. */
  readonly at: number;
  /** Between fences, or indented like code. */
  readonly isCode: boolean;
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
// Four spaces or a tab make code.
const INDENTED = /^(?: {4}| {0,3}\t)/;

/** The lines of a comment, empty ones included. */
export function linesOf(body: string): CommentLine[] {
  const lines: CommentLine[] = [];
  let fence: string | undefined;
  for (const line of body.matchAll(/[^\r\n]+|(?<=\n|\r(?!\n)|^)(?=[\r\n])/g)) {
    const text = line[0];
    const mark = FENCE.exec(text)?.[1];
    const isCode = fence !== undefined || mark !== undefined || INDENTED.test(text);
    lines.push({ text, at: line.index, isCode });
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && mark === text.trim()) fence = undefined;
  }
  return lines;
}
