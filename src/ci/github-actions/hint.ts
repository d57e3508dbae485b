import type { Hint } from '../../errors.ts';

/** A hint as a sentence and, below it, the lines to add to the workflow. */
export function showHint(hint: string | Hint): string {
  if (typeof hint === 'string') return hint;
  const { text, inputs = {}, permissions = {}, steps } = hint;
  const lines = [...mapping('permissions', permissions), ...mapping('with', inputs)];
  return steps === undefined ? [text, ...lines].join('\n') : [`${text} ${steps.how}`, ...lines, steps.yaml].join('\n');
}

function mapping(key: string, values: Readonly<Record<string, string>>): string[] {
  const lines = Object.entries(values).map(([name, value]) => `  ${name}: ${scalar(value)}`);
  return lines.length === 0 ? [] : [`${key}:`, ...lines];
}

// Plain where YAML reads the text back as it is; a JSON string is a YAML string everywhere else.
function scalar(value: string): string {
  return /^[\w./][\w./ -]*$/.test(value) && !/ $/.test(value) ? value : JSON.stringify(value);
}
