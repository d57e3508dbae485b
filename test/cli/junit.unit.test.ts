import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/ci/port.ts';
import { formatJunit, readVerification } from '../../src/cli/check-reports.ts';
import { formatDotenv } from '../../src/cli/results.ts';

const checks: readonly Check[] = [
  { group: 'search', name: 'install', file: 'q.yml', line: 2, outcome: 'passed' },
  {
    group: 'search',
    name: 'a "b" <c> & \u0007\ud800',
    file: 'q.yml',
    line: 3,
    outcome: 'failed',
    message: 'x\n]]>',
  },
  { group: 'search', name: 'later', outcome: 'error', message: 'HTTP 500' },
  {
    group: 'verification',
    part: 'a.html',
    name: 'page-too-large',
    file: 'a.html',
    outcome: 'warning',
    message: 'too large',
  },
];

describe('a JUnit report', () => {
  test('A JUnit report counts and names every check, and contains text from outside as text', () => {
    expect(formatJunit(checks)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="docs-courier" tests="4" failures="1" errors="1">
  <testsuite name="search" tests="3" failures="1" errors="1">
    <testcase classname="search" name="install" file="q.yml" line="2"/>
    <testcase classname="search" name="a &quot;b&quot; &lt;c&gt; &amp; \ufffd\ufffd" file="q.yml" line="3">
      <failure message="x&#10;]]&gt;">x&#10;]]&gt;</failure>
    </testcase>
    <testcase classname="search" name="later">
      <error message="HTTP 500">HTTP 500</error>
    </testcase>
  </testsuite>
  <testsuite name="verification" tests="1" failures="0" errors="0">
    <testcase classname="verification a.html" name="page-too-large" file="a.html">
      <system-out>too large</system-out>
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  test('Each case of a report has a class and a name that no other case has', () => {
    const broken = { group: 'verification', name: 'broken-link /b', outcome: 'failed' } as const;
    const report = formatJunit([
      { ...broken, part: 'a.html' },
      { ...broken, part: 'c.html' },
      { ...broken, part: 'c.html' },
    ]);
    expect([...report.matchAll(/classname="[^"]*" name="[^"]*"/g)].map(String)).toEqual([
      'classname="verification a.html" name="broken-link /b"',
      'classname="verification c.html" name="broken-link /b"',
      'classname="verification c.html" name="broken-link /b (2)"',
    ]);
  });

  test('A finding about the whole site has a message without the name of a page', () => {
    const folder = mkdtempSync(join(tmpdir(), 'docs-courier-'));
    const path = join(folder, 'report.json');
    const whole = { level: 'error', kind: 'no-entry-page', page: '', target: '', reason: 'none' };
    const ofPage = { ...whole, kind: 'broken-link', page: 'a.html', target: '/b', reason: 'gone' };
    writeFileSync(path, JSON.stringify({ findings: [whole, ofPage] }));
    const shown = readVerification(2, path).map(({ name, message }) => [name, message]);
    rmSync(folder, { recursive: true });
    expect(shown).toEqual([
      ['pages', '2 pages checked'],
      ['no-entry-page', 'none'],
      ['broken-link /b', 'a.html: gone'],
    ]);
  });
});

describe('outputs as dotenv', () => {
  test('Dotenv outputs have separate keys, without values that need quotes and lines for empty ones', () => {
    const { text, leftOut } = formatDotenv({
      'job-id': 'exp_1',
      'bundle-path': '/a b/c',
      destinations: '[{"destination":"x"}]',
      evil: 'a\nDOCS_COURIER_OUT_STATUS=completed',
      shell: '$(id)',
      empty: '',
      none: undefined,
    });
    expect(text).toBe('DOCS_COURIER_OUT_JOB_ID=exp_1\n');
    expect(leftOut).toEqual(['bundle-path', 'destinations', 'evil', 'shell']);
  });
});
