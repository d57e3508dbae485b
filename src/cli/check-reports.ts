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
 * What the verification of a site found, as checks. `path`: the file with all findings; undefined:
 * nothing was found. Findings that are only notes are left out, since they need no fix.
 */
export function readVerification(pages: number, path: string | undefined): readonly Check[] {
  const group = 'verification';
  const checks: Check[] = [{ group, name: `${pages} pages were checked`, outcome: 'passed' }];
  if (path === undefined) return checks;
  const { findings } = verifyReport.parse(parseJson(readFileSync(path, 'utf8')));
  for (const finding of findings) {
    const outcome = OUTCOMES[finding.level];
    // A note.
    if (outcome === undefined) continue;
    // Not every finding has a target.
    const name = `${finding.kind} ${finding.target}`.trimEnd();
    // A finding about the whole site names no page.
    const file = finding.page || undefined;
    const message = [file, finding.reason].filter(Boolean).join(': ');
    checks.push({ group, name, file, outcome, message });
  }
  return checks;
}

/**
 * Checks as a JUnit report. No standard exists; these elements are what GitLab, Jenkins, Azure and
 * others read: https://github.com/testmoapp/junitxml.
 */
export function formatJunit(checks: readonly Check[]): string {
  const suites = [...groupBy(checks, (check) => check.group)].map(([name, ofGroup]) => {
    const cases = ofGroup.map(testCase).join('');
    return `  <testsuite name="${xmlText(name)}"${counts(ofGroup)}>\n${cases}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="docs-courier"${counts(checks)}>\n${suites.join('')}</testsuites>\n`;
}

function counts(checks: readonly Check[]): string {
  const of = (outcome: Check['outcome']) =>
    checks.filter((check) => check.outcome === outcome).length;
  return ` tests="${checks.length}" failures="${of('failed')}" errors="${of('error')}"`;
}

/** A check as a test case. All but a passed one have a message. */
function testCase(check: Check): string {
  let head = `    <testcase classname="${xmlText(check.group)}" name="${xmlText(check.name)}"`;
  if (check.file !== undefined) head += ` file="${xmlText(check.file)}"`;
  if (check.line !== undefined) head += ` line="${check.line}"`;
  if (check.outcome === 'passed') return `${head}/>\n`;
  const message = xmlText(check.message ?? '');
  // JUnit knows no warning: it is the output of a test that has passed.
  const elements = {
    warning: `<system-out>${message}</system-out>`,
    failed: `<failure message="${message}">${message}</failure>`,
    error: `<error message="${message}">${message}</error>`,
  };
  return `${head}>\n      ${elements[check.outcome]}\n    </testcase>\n`;
}

/**
 * Text for an attribute or an element. XML 1.0 allows few control characters, even escaped: all but
 * tabs and line ends become a replacement character.
 */
function xmlText(text: string): string {
  const allowed = text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g, '\ufffd');
  // A reader would make a space of a line end in an attribute.
  return escapeMarkup(allowed).replaceAll('\n', '&#10;');
}
