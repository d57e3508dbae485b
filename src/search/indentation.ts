import type { YamlFinding } from './finding.ts';

/**
 * The line whose indentation fits none of the lines before it, if a syntax error at `line` comes from that: the parser reports
 * what it makes of it, such as a character that is missing, and sometimes at the line before. Lines are counted from 1.
 */
export function findWrongIndentation(text: string, line: number): YamlFinding | undefined {
  const lines = text.split('\n');
  for (const number of [line, line + 1]) {
    const levels = levelsBefore(lines, number - 1);
    const found = lines[number - 1];
    if (found === undefined || isEmpty(found) || levels.length === 0) continue;
    const indent = indentOf(found);
    const deepest = levels.at(-1) ?? 0;
    const isBetween = indent < deepest && !levels.includes(indent);
    // Deeper than a key that has its value already.
    const isTooDeep = indent > deepest && /[^:\s|>-]\s*$/.test(lines[number - 2] ?? '');
    if (isBetween || isTooDeep) {
      return {
        line: number,
        column: indent + 1,
        problem: `wrong indentation: ${spaces(indent)}, where the lines before have ${listOf(levels)}`,
      };
    }
  }
  return undefined;
}

/** Columns, from 0, at which something begins that a line may go on: of keys, of dashes, and of what follows a dash. */
function levelsBefore(lines: readonly string[], end: number): number[] {
  const levels: number[] = [];
  for (const line of lines.slice(0, end)) {
    if (isEmpty(line)) continue;
    const indent = indentOf(line);
    while ((levels.at(-1) ?? -1) >= indent) levels.pop();
    levels.push(indent);
    for (let dash = /^- +/.exec(line.slice(indent)), at = indent; dash !== null; dash = /^- +/.exec(line.slice(at))) {
      at += dash[0].length;
      levels.push(at);
    }
  }
  return levels;
}

function isEmpty(line: string): boolean {
  return /^\s*(#|$)/.test(line);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function spaces(count: number): string {
  return count === 1 ? '1 space' : `${count} spaces`;
}

function listOf(levels: readonly number[]): string {
  const [last = 0, ...others] = levels.toReversed();
  return others.length === 0 ? String(last) : `${others.toReversed().join(', ')} or ${last}`;
}
