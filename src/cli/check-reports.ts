import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Check } from '../ci/port.ts';
import { escapeMarkup } from '../text/escape.ts';
import { parseJson } from '../text/json.ts';
import { groupBy } from '../text/names.ts';

const verifyReport = z.object({
  findings: z.array(
    z.object({
      level: z.string(),
      kind: z.string(),
      page: z.string(),
      target: z.string(),
      reason: z.string(),
    }),
  ),
});

const OUTCOMES: Readonly<Record<string, Check['outcome']>> = {
  error: 'failed',
  warning: 'warning',
};

/**
 * What the verification of a site found. `path`: of the file with all findings. Notes need no fix
 * and are left out.
 */
export function readVerification(pages: number, path: string | undefined): readonly Check[] {
  const whole: Check = {
    group: 'verification',
    name: `${pages} pages were checked`,
    outcome: 'passed',
  };
  if (path === undefined) return [whole];
  const { findings } = verifyReport.parse(parseJson(readFileSync(path, 'utf8')));
  const found = findings.flatMap(({ level, kind, page, target, reason }): Check[] => {
    const outcome = OUTCOMES[level];
    if (outcome === undefined) return [];
    const name = target === '' ? kind : `${kind} ${target}`;
    return [
      {
        group: 'verification',
        name,
        file: page === '' ? undefined : page,
        outcome,
        message: `${page}: ${reason}`,
      },
    ];
  });
  return [whole, ...found];
}

/**
 * Checks as a JUnit report. No standard exists; these elements are what GitLab, Jenkins, Azure and
 * others read: https://github.com/testmoapp/junitxml.
 */
export function formatJunit(checks: readonly Check[]): string {
  const suites = [...groupBy(checks, ({ group }) => group)].map(
    ([name, own]) =>
      `  <testsuite name="${xml(name)}"${counts(own)}>\n${own.map(testCase).join('')}  </testsuite>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="docs-courier"${counts(checks)}>\n${suites.join('')}</testsuites>\n`;
}

function counts(checks: readonly Check[]): string {
  const of = (outcome: Check['outcome']) =>
    checks.filter((check) => check.outcome === outcome).length;
  return ` tests="${checks.length}" failures="${of('failed')}" errors="${of('error')}"`;
}

function testCase({ group, name, file, line, outcome, message = '' }: Check): string {
  const destination = `${file === undefined ? '' : ` file="${xml(file)}"`}${line === undefined ? '' : ` line="${line}"`}`;
  const head = `    <testcase classname="${xml(group)}" name="${xml(name)}"${destination}`;
  switch (outcome) {
    case 'passed':
      return `${head}/>\n`;
    case 'warning':
      return `${head}>\n      <system-out>${xml(message)}</system-out>\n    </testcase>\n`;
    case 'failed':
    case 'error': {
      const element = outcome === 'failed' ? 'failure' : 'error';
      return `${head}>\n      <${element} message="${xml(message)}">${xml(message)}</${element}>\n    </testcase>\n`;
    }
  }
}

/**
 * Text for an attribute or an element. What XML 1.0 cannot hold at all becomes a replacement
 * character.
 */
function xml(text: string): string {
  const whole = text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g, '\ufffd');
  return escapeMarkup(whole).replaceAll('\n', '&#10;');
}
