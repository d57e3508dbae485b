/** A line of a comment. A command in code is only shown, and not meant. */
interface CommentLine {
  readonly text: string;
  readonly isCode: boolean;
}

/** The beginning or end of a block of code; a line with more backticks is code within a line. */
const FENCE = /^[ >]*(`{3,}(?=[^`]*$)|~{3,})/;

/** The lines of a comment as its page shows it. */
export function linesOf(text: string): CommentLine[] {
  // The fence of the block that the line is in.
  let openFence: string | undefined;
  return text.split('\n').map((line) => {
    const fence = FENCE.exec(line)?.[1];
    const isCode = openFence !== undefined || fence !== undefined;
    if (openFence === undefined) openFence = fence;
    // A block ends at a fence that is at least as long and has nothing behind it.
    else if (fence?.startsWith(openFence) && line.endsWith(fence)) openFence = undefined;
    return { text: line, isCode };
  });
}
