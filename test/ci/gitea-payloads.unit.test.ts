import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createGiteaRunner } from '../../src/ci/gitea/runner.ts';
import { commandLineStep } from '../../src/ci/github/command-line.ts';
import { createRunner } from '../../src/ci/github/runner.ts';
import type { CiRun, EmptyInputs } from '../../src/ci/port.ts';
import { checkMayWrite } from '../../src/ci/rights.ts';
import { fieldOf } from '../../src/ground/text/json.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/gitea');

const string = z.string();
const recorded = z.object({
  actor: string,
  event: z.record(string, z.unknown()),
  event_name: string,
  job: string,
  ref_name: string,
  ref_type: string,
  repository: string,
  run_attempt: string,
  run_id: string,
  run_number: string,
  server_url: string,
  api_url: string,
});
type Recorded = z.infer<typeof recorded>;

/** The payloads that Gitea 1.26 passed to its runner, see scripts/gitea-payloads.ts. */
function read(name: string): Recorded {
  return recorded.parse(JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), 'utf8')));
}

function runOf(context: Recorded): { run: CiRun; empty: EmptyInputs } {
  const folder = mkdtempSync(join(tmpdir(), 'run-'));
  try {
    const path = join(folder, 'event.json');
    writeFileSync(path, JSON.stringify(context.event));
    const env = {
      GITEA_ACTIONS: 'true',
      GITHUB_ACTOR: context.actor,
      GITHUB_API_URL: context.api_url,
      GITHUB_EVENT_NAME: context.event_name,
      GITHUB_EVENT_PATH: path,
      GITHUB_JOB: context.job,
      GITHUB_REF_NAME: context.ref_name,
      GITHUB_REF_PROTECTED: 'false',
      GITHUB_REF_TYPE: context.ref_type,
      GITHUB_REPOSITORY: context.repository,
      GITHUB_RUN_ATTEMPT: context.run_attempt,
      GITHUB_RUN_ID: context.run_id,
      GITHUB_RUN_NUMBER: context.run_number,
      GITHUB_SERVER_URL: context.server_url,
      GITHUB_WORKFLOW: '',
      GITHUB_WORKSPACE: '/workspace',
      RUNNER_TEMP: '/tmp',
    };
    const runner = createGiteaRunner(
      'gitea',
      createRunner(env, commandLineStep({ env, write: () => {} })),
      env,
    );
    return { run: runner.readRun(), empty: runner.explainEmptyInputs() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const CAUSES = {
  push: 'push',
  'push-merge': 'push',
  schedule: 'schedule',
  workflow_dispatch: 'manual',
  'pull_request-opened': 'change-request',
  'pull_request-closed': 'merge',
  issue_comment: 'comment',
  'pull_request-fork': 'change-request',
} as const;
const MAY_WRITE: ReadonlySet<string> = new Set(['push', 'schedule', 'manual', 'merge']);

describe('payloads of a real Gitea', () => {
  test('All recorded payloads of a real Gitea are tested here', () => {
    const names = readdirSync(FIXTURES).map((file) => basename(file, '.json'));
    expect(names.sort()).toEqual(Object.keys(CAUSES).sort());
  });

  test.each(Object.entries(CAUSES))(
    'A Gitea payload of %s says what caused the run: %s',
    (name, cause) => {
      const { run, empty } = runOf(read(name));
      expect(run).toMatchObject({
        cause,
        serverUrl: 'https://gitea.example.com',
        refProtected: undefined,
      });
      expect(run.url).toMatch(/^https:\/\/gitea\.example\.com\/ada\/app-1\/actions\/runs\/\d+$/);
      // Only a run for the pull request of a fork gets no secrets. In other runs an empty key is a
      // mistake.
      if (name === 'pull_request-fork') expect(empty.skip).toContain('fork');
      else expect(empty.skip).toBeUndefined();
      if (MAY_WRITE.has(cause)) expect(() => checkMayWrite(run)).not.toThrow();
      else expect(() => checkMayWrite(run)).toThrow(expect.objectContaining({ code: 'refused' }));
    },
  );

  test('A Gitea payload of a merge or push contains its time, and others do not', () => {
    const changeOf = (name: string) => runOf(read(name)).run.change;
    const at = (name: string, ...path: string[]) =>
      new Date(String(fieldOf(read(name).event, ...path)));
    const [merged, pushed] = [
      at('pull_request-closed', 'pull_request', 'merged_at'),
      at('push-merge', 'head_commit', 'timestamp'),
    ];
    expect(merged.getTime()).toBeGreaterThan(Date.parse('2026-11-01T00:00:00Z'));
    expect(changeOf('pull_request-closed')).toEqual({ kind: 'merge', time: merged });
    expect(changeOf('push-merge')).toEqual({ kind: 'push', time: pushed });
    for (const name of ['schedule', 'workflow_dispatch', 'pull_request-opened'])
      expect(changeOf(name)).toBeUndefined();
  });

  test('A Gitea payload of a push shows the default branch, and another branch may not write', () => {
    const context = read('push');
    expect(runOf(context).run.isDefaultBranch).toBe(true);
    const { run } = runOf({ ...context, ref_name: 'change' });
    expect(run.isDefaultBranch).toBe(false);
    expect(() => checkMayWrite(run)).toThrow(expect.objectContaining({ code: 'refused' }));
  });
});
