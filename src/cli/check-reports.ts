import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Check } from '../ci/port.ts';
import { countOf } from '../ground/text/amounts.ts';
import { escapeMarkup } from '../ground/text/escape.ts';
import { parseJson } from '../ground/text/json.ts';
import { groupBy } from '../ground/text/names.ts';

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
  const message = `${countOf(pages, 'page')} checked`;
  const checks: Check[] = [{ group, name: 'pages', outcome: 'passed', message }];
  if (path === undefined) return checks;
  const { findings } = verifyReport.parse(parseJson(readFileSync(path, 'utf8')));
  for (const finding of findings) {
    const outcome = OUTCOMES[finding.level];
    // A note.
    if (outcome === undefined) continue;
    // Not every finding has a target.
    const name = `${finding.kind} ${finding.target}`.trimEnd();
    // A finding about the whole site names no page.
    const page = finding.page || undefined;
    const message = [page, finding.reason].filter(Boolean).join(': ');
    checks.push({ group, part: page, name, file: page, outcome, message });
  }
  return checks;
}

/**
 * Checks as a JUnit report. No standard exists; these elements are what GitLab, Jenkins, Azure and
 * others read: https://github.com/testmoapp/junitxml. GitLab keeps one of several cases with the
 * same class and name, so each case has its own.
 */
export function formatJunit(checks: readonly Check[]): string {
  const suites = [...groupBy(checks, (check) => check.group)].map(([name, ofGroup]) => {
    const taken = new Map<string, number>();
    const cases = ofGroup.map((check) => testCase(check, timesSeen(taken, check))).join('');
    return `  <testsuite name="${xmlText(name)}"${counts(ofGroup)}>\n${cases}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="docs-courier"${counts(checks)}>\n${suites.join('')}</testsuites>\n`;
}

function counts(checks: readonly Check[]): string {
  const of = (outcome: Check['outcome']) =>
    checks.filter((check) => check.outcome === outcome).length;
  return ` tests="${checks.length}" failures="${of('failed')}" errors="${of('error')}"`;
}

/** How often this class and name occurred in the group, now included. */
function timesSeen(taken: Map<string, number>, { part, name }: Check): number {
  const key = JSON.stringify([part, name]);
  const times = (taken.get(key) ?? 0) + 1;
  taken.set(key, times);
  return times;
}

/** A check as a test case; `times`: how often its name occurred. All but passed ones have a message. */
function testCase(check: Check, times: number): string {
  const className = [check.group, check.part].filter(Boolean).join(' ');
  const name = times === 1 ? check.name : `${check.name} (${times})`;
  let head = `    <testcase classname="${xmlText(className)}" name="${xmlText(name)}"`;
  if (check.file !== undefined) head += ` file="${xmlText(check.file)}"`;
  if (check.line !== undefined) head += ` line="${check.line}"`;
  if (check.message === undefined) return `${head}/>\n`;
  const message = xmlText(check.message);
  const output = `<system-out>${message}</system-out>`;
  // JUnit knows no warning: it is the output of a test that has passed.
  const elements = {
    passed: output,
    warning: output,
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
