import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { findTool } from '../../scripts/examples/tools.ts';
import { readText } from './pages.ts';

const PAGE = 'docs/how-to/refresh-on-a-schedule.md';
const JQ = findTool('jq');
if (JQ === undefined)
  console.warn('jq is not installed: the steps of a failed refresh are not run.');

const steps = z.array(z.looseObject({ name: z.string(), run: z.string() }));
const [block = ''] = /^- name: Open the issue[\s\S]*?(?=^```$)/m.exec(readText(PAGE)) ?? [];
const [open, close] = steps.parse(parse(block));

/** Keeps one issue in files of the folder, and notes each call; any other call fails. */
const GH = `#!/bin/sh
echo "$*" >> calls
case "$1 $2" in
'label create') ;;
'issue list') if [ -f open.md ]; then echo 7; fi ;;
'issue create') while [ "$1" != --body-file ]; do shift; done; cp "$2" open.md; echo url ;;
'issue edit') [ "$3" = 7 ] && cp "$5" open.md ;;
'issue close') [ "$3" = 7 ] && mv open.md closed.md ;;
*) exit 64 ;;
esac
`;

const folder = mkdtempSync(join(tmpdir(), 'failed-refresh-'));
mkdirSync(join(folder, 'bin'));
writeFileSync(join(folder, 'bin/gh'), GH, { mode: 0o755 });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a step as a runner does. */
function run(step: { readonly run: string } | undefined, run: number, report?: object): void {
  const env = {
    PATH: [join(folder, 'bin'), process.env.PATH ?? ''].join(delimiter),
    RUN_URL: `https://github.com/acme/docs/actions/runs/${run}`,
    REPORT: report === undefined ? '' : JSON.stringify(report),
  };
  execFileSync('bash', ['--norc', '-e', '-c', step?.run ?? 'exit 65'], { cwd: folder, env });
}

const failed = (message: string, storedLinkExpiresAt?: string) => ({
  error: { code: 'network', message },
  storedLinkExpiresAt,
});
const issue = () => readFileSync(join(folder, 'open.md'), 'utf8');

describe.skipIf(JQ === undefined)('the issue about a refresh that fails', () => {
  test('There is one issue with the last failure, and a refresh that works closes it', () => {
    run(open, 1, failed('The platform did not reply.\n- a detail', '2026-12-01T00:00:00Z'));
    expect(issue()).toBe(
      [
        '    network: The platform did not reply.',
        '',
        'The stored link expires at: 2026-12-01T00:00:00Z',
        'The last run that failed: https://github.com/acme/docs/actions/runs/1',
        '',
      ].join('\n'),
    );
    run(open, 2, failed('It still does not.'));
    expect(issue()).toContain(
      '    network: It still does not.\n\nThe stored link expires at: not known',
    );
    expect(issue()).toContain('actions/runs/2');
    run(close, 3);
    expect(existsSync(join(folder, 'open.md'))).toBe(false);
    run(close, 4);
    const calls = readFileSync(join(folder, 'calls'), 'utf8').split('\n');
    const of = (command: string) => calls.filter((call) => call.startsWith(command)).length;
    expect(['issue create', 'issue edit', 'issue close'].map(of)).toEqual([1, 1, 1]);
  });

  test('A failure of an earlier step, which has no report, still opens the issue', () => {
    run(open, 5);
    expect(issue()).toBe('The last run that failed: https://github.com/acme/docs/actions/runs/5\n');
  });
});
