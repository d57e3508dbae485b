import { codeSpan, escapeMarkdown } from '../../text/escape.ts';
import { countOf, table } from '../../text/markdown.ts';
import type { Finding, Level, Verification } from '../facts.ts';

const SIGNS: Readonly<Record<Level, string>> = { error: '❌', warning: '⚠️', note: 'ℹ️' };

/** The verification as a section of the step summary: counts, and the first findings as a table. */
export function verifySection(verification: Verification): string {
  const { pages, files, references, errors, warnings, notes, first } = verification;
  const looked = `${countOf(pages, 'page')}, ${countOf(files, 'file')}, ${countOf(references, 'reference')}`;
  const found = errors + warnings + notes;
  if (found === 0)
    return `### Verification\n\n✅ ${looked}: no finding. Every link and asset resolves, and nothing loads from another host.`;
  const counts = `${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}, ${countOf(notes, 'note')}`;
  const rest =
    found > first.length
      ? `\n\nThese are the first ${first.length} of ${found}; the file at \`verify-report\` has all of them.`
      : '';
  return `### Verification\n\n${looked}: ${counts}.\n\n${findingTable(first)}${rest}`;
}

function findingTable(findings: readonly Finding[]): string {
  return table(
    ['', 'Page', 'Finding', 'Address'],
    findings.map(({ level, page, reason, target }) => [
      SIGNS[level],
      codeSpan(page, 120),
      escapeMarkdown(reason, 300),
      codeSpan(target, 160),
    ]),
  );
}
