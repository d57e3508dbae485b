/** Runs of blanks that move what follows far to the right; shorter ones are in many texts. */
const LONG_RUN = /[^\S\n]{20,}|(?:[^\S\n\t]*\t){3,}[^\S\n\t]*/g;
const TAB = ' '.repeat(8);
/** Text after so many blanks in a line of code is beyond the edge of every screen. */
const MOST_BLANKS = 200;

/** A block of code without what its lines have after long runs of blanks, which no reader sees. */
export function withinScreen(code: string): string {
  return code.split('\n').map(lineWithinScreen).join('\n');
}

function lineWithinScreen(line: string): string {
  let blanks = 0;
  for (const { 0: run, index } of line.trimEnd().matchAll(LONG_RUN)) {
    blanks += run.replaceAll('\t', TAB).length;
    if (blanks >= MOST_BLANKS) return line.slice(0, index);
  }
  return line;
}
