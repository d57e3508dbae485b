import type { Hint } from '../errors.ts';

/** A hint as a sentence and, below it, the flags of the command line to add. */
export function showCommandHint(hint: string | Hint): string {
  if (typeof hint === 'string') return hint;
  const { text, inputs = {} } = hint;
  return [text, ...Object.entries(inputs).map(([name, value]) => `  --${name} ${shellWord(value)}`)].join('\n');
}

/** A word of a POSIX shell. A value that is only words for a person, such as `the id of the job`, is quoted like any other. */
function shellWord(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
