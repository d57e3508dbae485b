import { codeSpan, escapeMarkdown } from '../text/escape.ts';
import { table } from '../text/markdown.ts';
import type { Write } from './report.ts';

/** What a dry run would have written. */
export function plannedSection(planned: readonly Write[] | undefined): string | undefined {
  if (planned === undefined) return undefined;
  if (planned.length === 0) return 'Nothing would be written.';
  const rows = planned.map(({ action, target }) => [escapeMarkdown(action), codeSpan(target)]);
  return table(['What would happen', 'Where'], rows);
}
