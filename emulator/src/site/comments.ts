const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Markdown with the lines of HTML comments emptied, since readers never see them. Only a comment
 * that begins a line counts (CommonMark, HTML block 2: it ends with the line that has `-->`);
 * inside fenced code it is text.
 */
export function withoutComments(markdown: string): string {
  let fence: string | undefined;
  let isComment = false;
  const keepsLine = (line: string) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
      return true;
    }
    if (!isComment && mark !== undefined) fence = mark;
    const isInComment = isComment || /^ {0,3}<!--/.test(line);
    // The line with the end of the comment still belongs to it.
    isComment = isInComment && !line.includes('-->');
    return !isInComment;
  };
  return markdown
    .split('\n')
    .map((line) => (keepsLine(line) ? line : ''))
    .join('\n');
}
