import { codeBlock, codeSpan, escapeMarkdown } from '../text/escape.ts';
import type { ReportError, Status } from './report.ts';

const HEADINGS: Readonly<Record<Status, string>> = {
  completed: '✅',
  failed: '❌',
  'timed-out': '⏱️',
  detached: '↗️',
  cancelled: '🛑',
  skipped: '⏭️',
  refused: '🚫',
};

/** `## ✅ Export of docs.example.com: completed`. `subject` is Markdown. */
export function heading(subject: string, status: Status): string {
  return `## ${HEADINGS[status]} ${subject}: ${status}`;
}

/** `## 🧪 Dry run: nothing was exported`, in place of a heading that would say that the work is done. */
export function dryRunHeading(done: string): string {
  return `## 🧪 Dry run: nothing was ${done}`;
}

/**
 * What went wrong and what to do. A hint is a sentence, and after a line end YAML to paste, which is shown as such.
 */
export function errorSection(error: ReportError | undefined): string {
  if (error === undefined) return '';
  const [first = '', ...rest] = error.message.split('\n');
  const parts = [`**What happened** (${codeSpan(error.code)}): ${escapeMarkdown(first, 1500)}`];
  if (rest.length > 0) parts.push(rest.map((line) => `- ${escapeMarkdown(line.replace(/^- /, ''), 500)}`).join('\n'));
  if (error.hint !== undefined) parts.push(hintSection(error.hint));
  if (error.help !== undefined) parts.push(`[About the error code ${codeSpan(error.code)}](${error.help})`);
  return parts.join('\n\n');
}

function hintSection(hint: string): string {
  const [advice = '', ...yaml] = hint.split('\n');
  const text = `**What to do**: ${escapeMarkdown(advice, 1500)}`;
  // Outside of workflows, an example is flags of a command.
  const language = yaml[0]?.startsWith('  --') === true ? 'sh' : 'yaml';
  return yaml.length === 0 ? text : `${text}\n\n${codeBlock(yaml.join('\n'), { language })}`;
}

/** Sections with a blank line between them; empty ones left out. */
export function sections(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}
