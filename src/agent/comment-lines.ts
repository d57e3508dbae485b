/** A line of a comment. */
export interface CommentLine {
  /** With its end. */
  readonly raw: string;
  readonly text: string;
  /** In a block of code, between fences or `<pre>`, or indented like one. */
  readonly isCode: boolean;
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const ELEMENT = /^ {0,3}<(pre|code|script|style|textarea)\b/i;
// Four spaces or a tab make code.
const INDENTED = /^(?: {4}| {0,3}\t)/;

export function linesOf(body: string): CommentLine[] {
  let isEnd: ((text: string) => boolean) | undefined;
  return (body.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []).map((raw) => {
    const text = raw.replace(/\r?\n$|\r$/, '');
    if (isEnd !== undefined) {
      if (isEnd(text)) isEnd = undefined;
      return { raw, text, isCode: true };
    }
    isEnd = endOfCode(text);
    return { raw, text, isCode: isEnd !== undefined || INDENTED.test(text) };
  });
}

/** How a block of code ends that begins with this line; undefined: none begins, or it ends on the same line. */
function endOfCode(text: string): ((text: string) => boolean) | undefined {
  const fence = FENCE.exec(text)?.[1];
  if (fence !== undefined) return (line) => isFence(line, fence);
  const element = ELEMENT.exec(text)?.[1];
  if (element === undefined) return undefined;
  const isEnd = (line: string) => line.toLowerCase().includes(`</${element.toLowerCase()}>`);
  return isEnd(text) ? undefined : isEnd;
}

function isFence(line: string, opening: string): boolean {
  const mark = line.trim();
  return mark.length >= opening.length && mark === opening.charAt(0).repeat(mark.length);
}
