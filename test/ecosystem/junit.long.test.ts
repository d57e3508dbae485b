import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTool, needTool } from '../../scripts/examples/tools.ts';
import { formatJunit } from '../../src/cli/check-reports.ts';

const installed = findTool('junit2html') !== undefined;
if (!installed)
  console.warn('junit2html is not installed, so nothing here runs: bash scripts/tools.sh');

const REPORT = formatJunit([
  { group: 'verification', name: 'pages', outcome: 'passed', message: '2 pages checked' },
  {
    group: 'verification',
    part: 'guide/a.html',
    name: 'broken-link /gone?a=1&b',
    file: 'guide/a.html',
    outcome: 'failed',
    message: 'guide/a.html: leads to no page\nof the site',
  },
  { group: 'search', name: 'install (language en)', outcome: 'warning', message: 'rank 4' },
]);

/** Prints class, name and kind of result of each case, as JSON. */
const LIST = `
import json, sys
from junitparser import JUnitXml
print(json.dumps([[case.classname, case.name, [type(one).__name__ for one in case.result]] for suite in JUnitXml.fromfile(sys.argv[1]) for case in suite]))
`;

describe.skipIf(!installed)('a JUnit report in other programs', () => {
  let folder = '';
  let path = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'docs-courier-junit-'));
    path = join(folder, 'report.xml');
    writeFileSync(path, REPORT);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('junitparser reads each case with its class, its name and its result', () => {
    const python = join(dirname(needTool('junit2html')), 'python');
    const cases: unknown = JSON.parse(
      execFileSync(python, ['-c', LIST, path], { encoding: 'utf8' }),
    );
    expect(cases).toEqual([
      ['verification', 'pages', []],
      ['verification guide/a.html', 'broken-link /gone?a=1&b', ['Failure']],
      ['search', 'install (language en)', []],
    ]);
  });

  test('junit2html shows each case, with the message of one that failed', () => {
    const page = join(folder, 'report.html');
    execFileSync(needTool('junit2html'), [path, page]);
    const text = readFileSync(page, 'utf8').replace(/<[^>]*>/g, ' ');
    for (const words of ['verification guide/a.html', 'leads to no page', 'install (language en)'])
      expect(text).toContain(words);
  });
});
