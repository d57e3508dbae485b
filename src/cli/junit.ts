import type { Check } from '../ci/port.ts';

/**
 * Checks as a JUnit report. There is no standard; these elements are what GitLab, Jenkins, Azure and others read:
 * https://github.com/testmoapp/junitxml.
 */
export function formatJunit(checks: readonly Check[]): string {
  const groups = [...new Set(checks.map(({ group }) => group))];
  const suites = groups.map((group) =>
    suite(
      group,
      checks.filter((check) => check.group === group),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="docs-courier"${counts(checks)}>\n${suites.join('')}</testsuites>\n`;
}

function suite(name: string, checks: readonly Check[]): string {
  return `  <testsuite name="${xml(name)}"${counts(checks)}>\n${checks.map(testCase).join('')}  </testsuite>\n`;
}

function counts(checks: readonly Check[]): string {
  const of = (outcome: Check['outcome']) => checks.filter((check) => check.outcome === outcome).length;
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

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** Text for an attribute or an element. What XML 1.0 cannot hold at all becomes a replacement character. */
function xml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character);
}
