import { createHash } from 'node:crypto';
import type { Check } from '../ci/port.ts';

const SEVERITY: Readonly<Record<Check['outcome'], string | undefined>> = {
  passed: undefined,
  warning: 'minor',
  failed: 'major',
  error: 'critical',
};

/** What did not pass, as a code quality report: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format. */
export function formatCodeQuality(checks: readonly Check[]): string {
  const seen = new Map<string, number>();
  const issues = checks.flatMap(({ group, name, file = group, line = 1, outcome, message = name }) => {
    const severity = SEVERITY[outcome];
    if (severity === undefined) return [];
    // Without the line, so that an issue stays the same when lines above it change.
    const key = JSON.stringify([group, name, file]);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    const fingerprint = createHash('sha256').update(`${key}${count}`).digest('hex');
    const location = { path: file, lines: { begin: line } };
    return [{ description: message, check_name: group, fingerprint, severity, location }];
  });
  return `${JSON.stringify(issues, undefined, 2)}\n`;
}
