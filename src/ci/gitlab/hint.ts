import type { Hint } from '../../errors.ts';

/** A hint as a sentence and, below it, the variables to add to the job. */
export function showGitLabHint(hint: string | Hint): string {
  if (typeof hint === 'string') return hint;
  const { text, inputs = {} } = hint;
  const lines = Object.entries(inputs).map(([name, value]) => `  ${variableOf(name)}: ${JSON.stringify(value)}`);
  return [text, ...(lines.length === 0 ? [] : ['variables:', ...lines])].join('\n');
}

function variableOf(input: string): string {
  return `DOCS_COURIER_${input.replaceAll('-', '_').toUpperCase()}`;
}
