import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandLineStep } from '../../../src/ci/github/command-line.ts';
import { createRunner, readRun, whySecretless } from '../../../src/ci/github/runner.ts';
import { MANNERS, showHint } from '../../../src/ci/hints.ts';
import { makeRunContext } from '../../support/make-run.ts';

const ENV = {
  GITHUB_REPOSITORY: 'acme/docs',
  GITHUB_RUN_ID: '7',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_JOB: 'publish',
  GITHUB_WORKSPACE: '/workspace',
  RUNNER_TEMP: '/temp',
};

function runOf(eventName: string, payload: object = {}, variables: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'run-'));
  try {
    const path = join(folder, 'event.json');
    writeFileSync(path, JSON.stringify(payload));
    const event = { GITHUB_EVENT_NAME: eventName, GITHUB_EVENT_PATH: path };
    return readRun({ ...ENV, ...variables, ...event });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('a run of GitHub Actions', () => {
  test('A GitHub run contains the time of the merge or push that it follows, and otherwise no time', () => {
    const time = new Date('2026-03-01T12:00:00Z');
    const merged = {
      action: 'closed',
      pull_request: { merged: true, merged_at: '2026-03-01T12:00:00Z' },
    };
    expect(runOf('pull_request', merged).change).toEqual({ kind: 'merge', time });
    const pushed = {
      repository: { pushed_at: time.getTime() / 1000 },
      head_commit: { timestamp: '2020-01-01T00:00:00Z' },
    };
    expect(runOf('push', pushed).change).toEqual({ kind: 'push', time });
    const onGitea = { repository: {}, head_commit: { timestamp: '2026-03-01T13:00:00+01:00' } };
    expect(runOf('push', onGitea).change).toEqual({ kind: 'push', time });
    for (const payload of [{}, { head_commit: null }, { head_commit: { timestamp: 'soon' } }]) {
      expect(runOf('push', payload).change).toBeUndefined();
    }
    expect(runOf('schedule', pushed).change).toBeUndefined();
  });

  test('A GitHub run has an id and a job that a re-run keeps, an attempt that it does not, and a page', () => {
    expect(readRun(ENV)).toMatchObject({
      kind: 'github',
      github: { runId: '7', job: 'publish', runAttempt: 2 },
      url: 'https://github.com/acme/docs/actions/runs/7',
      refProtected: undefined,
    });
    expect(readRun({ ...ENV, GITHUB_REF_PROTECTED: 'true' }).refProtected).toBe(true);
    expect(readRun({ ...ENV, GITHUB_REF_PROTECTED: 'false' }).refProtected).toBe(false);
  });

  test.each([
    ['main', true, true],
    ['feature', false, undefined],
  ])(
    'On a workflow_run after a push to %s, the protection of the default branch says nothing about another branch',
    (head_branch, isDefaultBranch, refProtected) => {
      const payload = { repository: { default_branch: 'main' }, workflow_run: { head_branch } };
      const ref = { GITHUB_REF_NAME: 'main', GITHUB_REF_PROTECTED: 'true' };
      expect(runOf('workflow_run', payload, ref)).toMatchObject({ isDefaultBranch, refProtected });
    },
  );

  test.each([
    ['push', {}, 'push'],
    ['schedule', {}, 'schedule'],
    ['workflow_dispatch', {}, 'manual'],
    ['release', {}, 'release'],
    ['issue_comment', {}, 'comment'],
    ['pull_request', { action: 'closed', pull_request: { merged: true } }, 'merge'],
    ['pull_request', { action: 'closed', pull_request: { merged: false } }, 'change-request'],
    ['pull_request', { action: 'opened', pull_request: { merged: true } }, 'change-request'],
    ['pull_request_target', { action: 'closed', pull_request: { merged: true } }, 'change-request'],
    ['workflow_run', {}, 'unknown'],
    ['workflow_run', { workflow_run: { head_repository: { full_name: 'acme/docs' } } }, 'unknown'],
    ['__proto__', {}, 'unknown'],
  ])('A GitHub run on %s %j has the cause %s', (eventName, payload, cause) => {
    expect(runOf(eventName, payload).cause).toBe(cause);
  });

  test.each([
    ['the variable', { GITHUB_REPOSITORY_ID: '11' }, { repository: { id: 12 } }, 11],
    ['the event, on an older server', {}, { repository: { id: 12 } }, 12],
    ['the event, if the variable is empty', { GITHUB_REPOSITORY_ID: '' }, {}, undefined],
    ['neither', {}, { repository: { id: null } }, undefined],
  ])('The id of the repository is that of %s', (_, variables, payload, id) => {
    expect(runOf('push', payload, variables).github.repositoryId).toBe(id);
  });

  test.each([
    ['push', { before: 'b' }, 'b'],
    ['push', { before: 'b', forced: true }, undefined],
    ['push', { before: 7 }, undefined],
    ['pull_request', { pull_request: { base: { sha: 'b' } } }, 'b'],
    ['pull_request_target', { pull_request: { base: { sha: 'b' } } }, undefined],
    ['pull_request_target', { pull_request: { merged: true, base: { sha: 'b' } } }, 'b'],
    ['merge_group', { merge_group: { base_sha: 'b' } }, 'b'],
    ['schedule', { before: 'b' }, undefined],
  ])('A GitHub run on %s %j comes after the commit %s', (eventName, payload, commit) => {
    expect(runOf(eventName, payload).baseCommit).toBe(commit);
  });
});

describe('an empty secret or variable', () => {
  const fork = (repo: object | null) => ({ pull_request: { head: { repo } } });

  test.each([
    [
      'a fork',
      { eventName: 'pull_request' },
      fork({ full_name: 'stranger/docs' }),
      /comes from a fork.* on push/,
    ],
    ['a fork that was deleted', { eventName: 'pull_request' }, fork(null), /comes from a fork/],
    [
      'Dependabot',
      { actor: 'dependabot[bot]', eventName: 'pull_request' },
      {},
      /Dependabot secret/,
    ],
  ])('A missing secret or variable in a run of %s skips the run', (_, run, event, reason) => {
    expect(whySecretless(makeRunContext(run), event)).toMatch(reason);
  });

  test.each(['pull_request_review', 'pull_request_review_comment'])(
    'A command in a %s of a fork is told to use a comment in the conversation',
    (eventName) => {
      const run = makeRunContext({ eventName });
      expect(whySecretless(run, fork({ full_name: 'stranger/docs' }))).toMatch(
        /conversation comment/,
      );
    },
  );

  const explained = (context: Readonly<Record<string, string>>, event: object) => {
    const folder = mkdtempSync(join(tmpdir(), 'run-'));
    const path = join(folder, 'event.json');
    writeFileSync(path, JSON.stringify({ repository: { default_branch: 'main' }, ...event }));
    const env = { ...ENV, ...context, GITHUB_EVENT_PATH: path };
    const found = createRunner(env, commandLineStep({ env, write: () => {} })).explainEmptyInputs();
    rmSync(folder, { recursive: true });
    return found;
  };
  const dependabot = (event: string, ref = 'main') => ({
    GITHUB_ACTOR: 'dependabot[bot]',
    GITHUB_EVENT_NAME: event,
    GITHUB_REF_NAME: ref,
  });
  const pull = (full_name: string, more: object) => ({
    action: 'closed',
    pull_request: { head: { repo: { full_name } }, ...more },
  });

  test.each([
    ['a merge by Dependabot', dependabot('push'), {}, /Dependabot triggered this run/],
    ['a deployment of Dependabot', dependabot('deployment_status'), {}, /variables > Dependabot/],
    [
      'a tag of Dependabot',
      { ...dependabot('push', 'v1'), GITHUB_REF_TYPE: 'tag' },
      {},
      /Dependabot/,
    ],
    [
      'a merged pull request of a fork',
      { GITHUB_EVENT_NAME: 'pull_request' },
      pull('stranger/docs', { merged: true }),
      /comes from a fork, whose runs get no secrets; a run on push, once it is merged/,
    ],
  ])(
    'An empty key in %s is a failure that says why there are no secrets',
    (_, context, event, cause) => {
      const { skip, causes } = explained(context, event);
      expect(skip).toBeUndefined();
      expect(causes).toEqual([expect.stringMatching(cause)]);
    },
  );

  test.each(['schedule', 'workflow_dispatch', 'release', 'workflow_run', 'check_run'])(
    'An empty key in a run on %s is not the fault of Dependabot, which changed the workflow last',
    (event) => {
      const { skip, causes } = explained(dependabot(event), {});
      expect(skip).toBeUndefined();
      expect(causes.length).toBeGreaterThan(0);
      expect(causes.join()).not.toContain('Dependabot');
    },
  );

  test.each([
    [
      'an open pull request of Dependabot',
      dependabot('pull_request', '7/merge'),
      pull('acme/docs', {}),
    ],
    ['a branch of Dependabot', dependabot('push', 'dependabot/npm/x'), {}],
    [
      'a pull request of a fork that was closed',
      { GITHUB_EVENT_NAME: 'pull_request' },
      pull('stranger/docs', {}),
    ],
    [
      'a review of a merged pull request of a fork',
      { GITHUB_EVENT_NAME: 'pull_request_review' },
      pull('stranger/docs', { merged: true }),
    ],
  ])('An empty key in %s is expected, and skips the run', (_, context, event) => {
    expect(explained(context, event).skip).toMatch(
      /^The API key is empty: .* (get no secrets|gets no Actions secrets)/,
    );
  });

  test('The file of the event is read once, even if its payload is needed later', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'run-'));
    const path = join(folder, 'event.json');
    const payload = fork({ full_name: 'stranger/docs' });
    writeFileSync(path, JSON.stringify(payload));
    const env = { ...ENV, GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: path };
    const runner = createRunner(env, commandLineStep({ env, write: () => {} }));
    const run = runner.readRun();
    rmSync(folder, { recursive: true });
    expect(runner.explainEmptyInputs().skip).toMatch(/fork/);
    expect(await runner.readEvent?.()).toEqual(payload);
    expect(runner.readRun()).toBe(run);
  });

  test.each([
    ['a push', { eventName: 'push' }, {}],
    [
      'a branch of the same repository',
      { eventName: 'pull_request' },
      fork({ full_name: 'acme/docs' }),
    ],
    [
      'pull_request_target',
      { eventName: 'pull_request_target' },
      fork({ full_name: 'stranger/docs' }),
    ],
  ])(
    'A missing secret or variable in a run of %s is a mistake, and the hint lists where to look',
    (_, run, event) => {
      expect(whySecretless(makeRunContext(run), event)).toBeUndefined();
      const { causes } = createRunner(
        ENV,
        commandLineStep({ env: ENV, write: () => {} }),
      ).explainEmptyInputs();
      for (const word of ['spelled', 'environment: NAME', 'organization', 'secrets: inherit']) {
        expect(causes.join('\n')).toContain(word);
      }
    },
  );
});

test('A hint is a sentence with the lines to add to the workflow, quoted if YAML needs it', () => {
  const hint = {
    text: 'Add:',
    permissions: { checks: 'read' },
    inputs: { timeout: '1h', prompt: '@x: y' },
  } as const;
  expect(showHint(hint, MANNERS.workflow)).toBe(
    'Add:\npermissions:\n  checks: read\n  contents: read\nwith:\n  timeout: 1h\n  prompt: "@x: y"',
  );
  expect(showHint('Plain.', MANNERS.workflow)).toBe('Plain.');
});
