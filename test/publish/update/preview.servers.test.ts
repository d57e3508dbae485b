import { describe, expect, it } from 'vitest';
import { formatDuration } from '../../../src/ground/text/amounts.ts';
import type { UpdateInputs } from '../../../src/inputs/inputs.ts';
import { expectError } from '../../support/failure.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { hintOf } from '../../support/make-run.ts';
import { PUSH, WORKFLOW_TOKEN } from '../../support/merge.ts';
import {
  BRANCH,
  HEAD,
  NEXT,
  onPullRequest,
  pushHead,
  startPreviews,
} from '../../support/pull-request-run.ts';
import type { World } from '../../support/world.ts';

const REQUEST = { method: 'POST', path: '/v1/project/preview/' };
const STATUS = { method: 'GET', path: '/v1/project/update-status/' };
const token = WORKFLOW_TOKEN;
const inputs: Partial<UpdateInputs> = { token, comment: { token, titles: false } };

const OF_FORK = onPullRequest(HEAD, {}, { repo: { full_name: 'mallory/docs' } });
const COMPLETED = { status: 'completed', publishedCommit: HEAD } as const;

function requested(world: World): unknown[] {
  return world.calls(REQUEST).map(({ body }) => JSON.parse(body));
}

function preview(world: World) {
  return world.update(inputs, onPullRequest());
}

/** The text of the one comment. */
function shown(world: World): string {
  const texts = world.statusComments();
  expect(texts).toHaveLength(1);
  return texts[0] ?? '';
}

describe('the preview of a pull request', () => {
  it('The branch of the pull request is previewed, and the address, the commit and the comment are there', async () => {
    await using world = await startPreviews();
    const { facts, log } = await preview(world);
    expect(facts).toMatchObject({ ...COMPLETED, branch: BRANCH });
    expect(requested(world)).toEqual([{ branch: BRANCH }]);
    const page = await fetch(facts.previewUrl ?? '');
    expect(await page.text()).toContain('Text of 4444444.');
    expect(log.text('info')).toContain('The preview has commit 4444444');
    expect(shown(world)).toBe(
      [
        `**Preview of the documentation**: \`${facts.previewUrl}\``,
        `Contains commit \`4444444\`, ready after ${formatDuration(facts.content?.elapsedMs ?? 0)}.`,
        '<details><summary>2 files changed</summary>\n\n- modified: `index.md`\n- modified: `install.md`\n\n</details>',
        '<sub>By [this run](https://github.com/acme/docs/actions/runs/501/attempts/1).</sub>',
      ].join('\n\n'),
    );
  });

  it('Each run of the pull request keeps the same comment, which is outdated while a newer preview runs', async () => {
    await using world = await startPreviews();
    await preview(world);
    await pushHead(world, NEXT);
    const stuck = await world.update({ ...inputs, timeoutMs: 3000 }, onPullRequest(NEXT));
    expect(stuck.error).toMatchObject({ code: 'timed-out' });
    expect(shown(world)).toContain(
      '⚠️ **Outdated**: commit `5555555` is newer; for its preview see [this run]',
    );
    expect(shown(world)).toContain('Contains commit `4444444`, ready after');
    const again = await world.update({ ...inputs, timeoutMs: 3000 }, onPullRequest(NEXT));
    expect(again.error).toMatchObject({ code: 'timed-out' });
    expect(shown(world).match(/Outdated/g)).toHaveLength(1);
    await world.update(inputs, onPullRequest(NEXT));
    expect(shown(world)).not.toContain('Outdated');
    expect(shown(world)).toContain('Contains commit `5555555`, ready after');
  });

  it('A run for a commit that is not the newest one any more leaves the comment as it is', async () => {
    await using world = await startPreviews();
    await pushHead(world, NEXT);
    await world.update(inputs, onPullRequest(NEXT));
    const before = shown(world);
    const { facts, log } = await world.update(inputs, onPullRequest(HEAD));
    expect(facts).toMatchObject({ status: 'completed', publishedCommit: NEXT });
    expect(shown(world)).toBe(before);
    expect(log.text('info')).toContain('the commit of this run is not the newest one');
  });

  it('Ten files are listed and the rest is counted, and in a public repository only the number is shown', async () => {
    await using world = await startPreviews();
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`a|${at}.md`, '# A']));
    await pushHead(world, HEAD, { ...files, '`x` @maya.md': '# X' });
    await preview(world);
    expect(shown(world).match(/^- (added|modified): /gm)).toHaveLength(10);
    expect(shown(world)).toContain('15 files changed');
    expect(shown(world)).toContain('- and 5 more');
    await using open = await startPreviews({ isPublic: true });
    await open.update(inputs, onPullRequest());
    expect(shown(open)).toContain('\n\n2 files changed.\n\n');
    expect(shown(open)).not.toContain('index.md');
    await open.update({ ...inputs, comment: { token, titles: true } }, onPullRequest());
    expect(shown(open)).toContain('`index.md`');
  });

  it('A comment that cannot be written is a warning, and the preview counts', async () => {
    await using world = await startPreviews({ permissions: { contents: 'read' } });
    const { facts, log } = await preview(world);
    expect(facts).toMatchObject(COMPLETED);
    expect(facts.previewUrl).toContain('/__previews/');
    expect(log.text('warning')).toContain('The comment about the preview could not be written.');
    expect(log.text('warning')).toContain('pull-requests: write');
  });

  it('A preview of an older commit is requested once more, and one that stays older is an error without an address', async () => {
    await using world = await startPreviews();
    world.platform.scriptNextUpdate({ commit: '1'.repeat(40) });
    const { facts } = await preview(world);
    expect(facts).toMatchObject(COMPLETED);
    expect(requested(world)).toHaveLength(2);
    world.platform.behaviour.updateScript = { commit: '1'.repeat(40) };
    const { error, recorded } = await preview(world);
    expect(error).toMatchObject({ code: 'conflict' });
    expect(recorded.previewUrl).toBeUndefined();
    expect(requested(world)).toHaveLength(4);
  });

  it('A success without a commit is completed, and nothing is claimed about the commit', async () => {
    await using world = await startPreviews({ platform: { updateScript: { silent: true } } });
    const { facts } = await preview(world);
    expect(facts.status).toBe('completed');
    expect(facts.publishedCommit).toBeUndefined();
    expect(shown(world)).toContain('Requested for commit `4444444`, ready after');
    expect(shown(world)).toContain('The platform does not show which commit it has.');
  });

  it('A dry run names the branch, the request and the comment, and sends neither', async () => {
    await using world = await startPreviews();
    const { facts } = await world.update({ ...inputs, dryRun: true }, onPullRequest());
    const { url } = world.platform;
    expect(facts.planned).toEqual([
      {
        action: 'make a preview of branch "docs/new"',
        target: `POST ${url}/v1/project/preview/project-1`,
      },
      { action: 'comment on the preview', target: 'pull request 7' },
    ]);
    expect(world.platform.requests).toEqual([]);
    expect(world.writes()).toEqual([]);
  });
});

describe('what is not previewed', () => {
  it.each([
    ['a pull request of a fork', OF_FORK, 'comes from a fork'],
    ['one whose fork was deleted', onPullRequest(HEAD, {}, { repo: null }), 'comes from a fork'],
    [
      'a pull request of a fork with pull_request_target',
      {
        ...OF_FORK,
        eventName: 'pull_request_target',
      },
      'comes from a fork',
    ],
    [
      'one that was closed without a merge',
      onPullRequest(HEAD, { state: 'closed' }),
      'closed without a merge',
    ],
  ])('The run for %s is skipped with a sentence, and nothing is sent', async (_, options, why) => {
    await using world = await startPreviews();
    const { facts } = await world.update(inputs, options);
    expect(facts).toMatchObject({ status: 'skipped', reason: expect.stringContaining(why) });
    expect(world.platform.requests).toEqual([]);
    expect(world.writes()).toEqual([]);
  });

  it.each([
    ["GitHub's queue", 'push', 'gh-readonly-queue/main/pr-7-4444444'],
    ["GitHub's queue, on merge_group", 'merge_group', 'gh-readonly-queue/main/pr-7-4444444'],
    ['the queue of Mergify', 'push', 'mergify/merge-queue/5c4a0b1d2e'],
    ['the queue of Trunk', 'push', 'trunk-merge/pr-7/8f1c'],
  ])(
    'A branch of %s is skipped with the reason, and nothing is sent',
    async (_, eventName, branch) => {
      await using world = await startPreviews();
      const env = { GITHUB_REF_NAME: branch, GITHUB_REF_TYPE: 'branch' };
      for (const named of [undefined, branch]) {
        const { facts } = await world.update(
          { ...inputs, branch: named },
          { ...PUSH, eventName, env },
        );
        expect(facts.status).toBe('skipped');
        expect(facts.reason).toBe(`A merge queue only tries ${branch}, which has no preview`);
      }
      expect([...world.platform.requests, ...world.github.requests]).toEqual([]);
    },
  );

  it("A pull request that a merge queue opens, and a merge request in GitLab's train, are skipped", async () => {
    await using world = await startPreviews();
    const queued = onPullRequest(HEAD, {}, { ref: 'mergify/merge-queue/5c4a0b1d2e' });
    expect((await world.update(inputs, queued)).facts.status).toBe('skipped');
    const changeRequest = { ...{ number: undefined, isOpen: true, isMerged: false, isOwn: true } };
    const train = { ...changeRequest, branch: BRANCH, commit: HEAD, isInTrain: true };
    const ci = { kind: 'gitlab', cause: 'change-request', changeRequest: train } as const;
    expect((await world.update({ token }, { ci })).facts.status).toBe('skipped');
    expect(world.platform.requests).toEqual([]);
  });

  it('A branch that was deleted meanwhile is skipped, whatever the platform says about it', async () => {
    await using world = await startPreviews();
    for (const status of [400, 404]) {
      world.platform.inject({ match: REQUEST, status, body: { error: 'no such branch' } });
      const options = onPullRequest(HEAD, {}, { ref: 'gone' });
      const { facts } = await world.update({ token }, options);
      expect(facts).toMatchObject({ status: 'skipped', reason: 'The branch is gone' });
    }
  });

  it.each([
    ['The branch is still there', onPullRequest(), {}],
    ['A person named the branch', { eventName: 'workflow_dispatch' }, { branch: 'gone' }],
    ['The token is missing', onPullRequest(HEAD, {}, { ref: 'gone' }), { token: undefined }],
  ])('A refused preview is an error: %s', async (_, options, more) => {
    await using world = await startPreviews();
    world.platform.inject({ match: REQUEST, status: 404, body: { error: 'no such branch' } });
    const { error } = await world.update({ token, ...more }, options);
    expectError(error, { code: 'not-found', message: 'no such branch', hint: 'project-id' });
  });

  it.each([
    'issue_comment',
    'pull_request_review',
    'pull_request_review_comment',
    'create',
    'merge_group',
  ])('The event %s is refused, also with a branch', async (eventName) => {
    await using world = await startPreviews();
    for (const branch of [undefined, BRANCH]) {
      const { error } = await world.update(
        { branch },
        { eventName, payload: { comment: { body: 'preview' } } },
      );
      expect(error).toMatchObject({ code: 'refused' });
    }
    expect(world.platform.requests).toEqual([]);
  });

  it.each(['deployment', 'deployment_status', 'check_run', 'check_suite', 'status'])(
    'The event %s is config, because publishing causes it',
    async (eventName) => {
      await using world = await startPreviews();
      const { error } = await world.update({ branch: BRANCH }, { eventName, payload: {} });
      expectError(error, { code: 'config', message: 'the workflow would start itself endlessly' });
      expect(world.platform.requests).toEqual([]);
    },
  );

  it('A merged pull request on pull_request_target is refused, because people without write access can cause the event', async () => {
    await using world = await startPreviews();
    const options = onPullRequest(HEAD, { state: 'closed', merged: true });
    const { error } = await world.update(inputs, { ...options, eventName: 'pull_request_target' });
    expectError(error, { code: 'refused', message: 'may not publish' });
  });
});

describe('other previews', () => {
  it('A pull request that a merge queue has merged is published', async () => {
    await using world = await startPreviews();
    const merged = { state: 'closed', merged: true, merge_commit_sha: HEAD };
    const event = onPullRequest(HEAD, merged, { ref: 'mergify/merge-queue/5c4a0b1d2e' });
    const payload = Object.assign({}, event.payload, { action: 'closed' });
    await world.update({ token }, { ...event, payload, run: { sha: HEAD } });
    expect(world.calls({ method: 'POST', path: '/v1/project/update/' }).length).toBeGreaterThan(0);
  });

  it('A branch whose name only resembles one of a merge queue is previewed', async () => {
    await using world = await startPreviews();
    for (const branch of ['feature/gh-readonly-queue', 'trunk-merges']) {
      const env = { GITHUB_REF_NAME: branch, GITHUB_REF_TYPE: 'branch', GITHUB_SHA: HEAD };
      await world.update(inputs, { ...PUSH, env, run: { sha: HEAD } });
    }
    expect(requested(world)).toEqual([
      { branch: 'feature/gh-readonly-queue' },
      { branch: 'trunk-merges' },
    ]);
  });

  it('A push to another branch than the default one is previewed', async () => {
    await using world = await startPreviews();
    const env = { GITHUB_REF_NAME: BRANCH, GITHUB_REF_TYPE: 'branch', GITHUB_SHA: HEAD };
    const { facts } = await world.update(inputs, { ...PUSH, env, run: { sha: HEAD } });
    expect(facts).toMatchObject({ ...COMPLETED, branch: BRANCH });
    expect(world.github.comments).toEqual([]);
  });

  it('A dispatch with a branch is previewed, and nothing is said about the commit of the run', async () => {
    await using world = await startPreviews();
    const { facts } = await world.update(
      { token, branch: BRANCH },
      { eventName: 'workflow_dispatch' },
    );
    expect(facts).toMatchObject(COMPLETED);
    expect(facts.content).toMatchObject({ commit: undefined, published: undefined });
  });

  it('In other CI systems a preview takes what writing a link takes', async () => {
    await using world = await startPreviews();
    const ci = { kind: 'jenkins', cause: 'unknown', branch: BRANCH } as const;
    const refused = await world.update({ branch: BRANCH }, { ci });
    expectError(refused.error, { code: 'config', message: '--allow-write-from' });
    const { facts } = await world.update(
      { branch: BRANCH },
      { ci: { ...ci, allowWriteFrom: [BRANCH] } },
    );
    expect(facts).toMatchObject({ status: 'completed' });
  });
});

describe('a platform that answers badly', () => {
  it.each([
    ['is missing', undefined, 'is not an https address'],
    ['is text', 'soon', 'is not an https address'],
    ['is http', 'http://preview.example.com/', 'is not https'],
    ['has another scheme', 'javascript:alert(1)', 'is not an https address'],
    ['has a password', 'https://a:b@preview.example.com/', 'contains a user name'],
    ['has quotes', "https://preview.example.com/'$(id)'", 'contains the character "\'"'],
    ['has a line end', 'https://preview.example.com/\n::error::x', 'contains the character U+000A'],
  ])(
    'A preview whose address %s is an error, and no address is put out',
    async (_, previewUrl, fault) => {
      await using world = await startPreviews();
      const fetched = { status: 200, body: { status: 'success', commit: { sha: HEAD } } };
      world.platform.inject({
        match: REQUEST,
        status: 200,
        body: { statusId: 'update-1', previewUrl },
      });
      world.platform.inject({ match: STATUS, ...fetched });
      const { error, recorded } = await preview(world);
      expectError(error, { code: 'protocol', message: fault });
      expect(recorded.previewUrl).toBeUndefined();
      expect(world.github.comments).toEqual([]);
    },
  );

  it('A preview that fails is an error with the words of the platform, and the comment has them', async () => {
    await using world = await startPreviews();
    const key = world.platform.keys.admin;
    world.platform.scriptNextUpdate({
      outcome: 'failure',
      summary: 'A page is broken.',
      logs: ['one', `key ${key}`],
    });
    const { error, recorded } = await preview(world);
    expectError(error, {
      code: 'job-failed',
      message: /failed: A page is broken\.\n- one\n- key /,
    });
    expect(error?.message).not.toContain(key);
    expect(recorded.previewUrl).toBeUndefined();
    expect(shown(world)).toMatch(
      /^❌ \*\*The preview of commit `4444444` failed\*\* in \[this run\].*failed: A page is broken\.\n\n- one\n- key [^\n]*$/,
    );
    expect(shown(world)).not.toContain(key);
  });

  it('A preview that fails after a good one is above it in the comment, until the next run', async () => {
    await using world = await startPreviews();
    const good = (await preview(world)).facts.previewUrl ?? '';
    await pushHead(world, NEXT);
    const fail = (summary: string) => {
      world.platform.scriptNextUpdate({ outcome: 'failure', summary, logs: ['a', 'b'] });
      return world.update(inputs, onPullRequest(NEXT));
    };
    await fail('**Preview of the documentation** <b>@maya');
    await fail('A page is broken.');
    expect(shown(world)).toMatch(
      /^❌ \*\*The preview of commit `5555555` failed.*broken\.\n\n- a\n- b\n\n\*\*Preview of the documentation\*\*: /,
    );
    expect(shown(world)).toContain(`${good}\`\n\nContains commit \`4444444\``);
    await world.update(inputs, onPullRequest(NEXT));
    expect(shown(world)).toContain('Contains commit `5555555`');
    expect(shown(world)).not.toContain('failed');
  });

  it('A preview that failed first is outdated while the next one is made', async () => {
    await using world = await startPreviews();
    world.platform.scriptNextUpdate({ outcome: 'failure' });
    await preview(world);
    await pushHead(world, NEXT);
    await world.update({ ...inputs, timeoutMs: 3000 }, onPullRequest(NEXT));
    expect(shown(world)).toMatch(/^⚠️ \*\*Outdated\*\*: commit `5555555`[^\n]*$/);
  });

  it('A failed preview of an earlier commit leaves the comment as it is', async () => {
    await using world = await startPreviews();
    await pushHead(world, NEXT);
    await world.update(inputs, onPullRequest(NEXT));
    const before = shown(world);
    world.platform.scriptNextUpdate({ outcome: 'failure' });
    expect((await world.update(inputs, onPullRequest(HEAD))).error?.code).toBe('job-failed');
    expect(shown(world)).toBe(before);
  });

  it.each([
    [
      'whose build failed',
      (world: World) => world.platform.scriptNextUpdate({ outcome: 'failure' }),
    ],
    [
      'of an unknown project',
      ({ platform }: World) =>
        platform.inject({
          match: REQUEST,
          status: 404,
          body: { error: 'This project is unknown.' },
        }),
    ],
  ])(
    'A preview %s is red with the words of the platform if GitHub answers 404 to each reading of a branch',
    async (_, refuse) => {
      await using world = await startPreviews();
      refuse(world);
      const status = { status: 404, body: { message: 'Not Found' } };
      world.github.inject({ match: { path: '/git/ref/', times: 9 }, ...status });
      const { error } = await preview(world);
      expect(error?.message).toMatch(/The build failed|This project is unknown/);
      expect(shown(world)).toMatch(/The build failed|This project is unknown/);
    },
  );

  it('A preview whose status was never readable is red and says so, also with on-timeout: detach', async () => {
    await using world = await startPreviews();
    world.platform.inject({ match: { ...STATUS, times: 99 }, status: 503 });
    const { error } = await world.update(
      { ...inputs, timeoutMs: 5000, onTimeout: 'detach' },
      onPullRequest(),
    );
    expect(error?.message).toMatch(/^The status of update .* was not readable within 5s/);
    expect(error?.message).toContain('503');
    expect(hintOf(error)).not.toContain('continues');
    expect(shown(world)).toContain('was not readable within 5s');
  });

  it('A preview whose status was readable once says that the platform continues with it', async () => {
    await using world = await startPreviews();
    world.platform.inject({ match: { ...STATUS, nth: 2, times: 99 }, status: 503 });
    const { error } = await world.update({ ...inputs, timeoutMs: 5000 }, onPullRequest());
    expectError(error, { code: 'timed-out', hint: 'The platform continues with it' });
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [405, 'not-found'],
  ] as const)(
    'If the platform answers %i, the run ends as %s with its words',
    async (status, code) => {
      await using world = await startPreviews();
      world.platform.inject({
        match: REQUEST,
        status,
        body: { error: 'The words of the platform.' },
      });
      const { error } = await preview(world);
      expectError(error, { code, message: 'The words of the platform.' });
      expect(requested(world)).toHaveLength(1);
    },
  );

  it('A cancelled run leaves the comment outdated and claims nothing', async () => {
    await using world = await startPreviews();
    await preview(world);
    await pushHead(world, NEXT);
    const controller = new AbortController();
    const clock = fakeClock({ now: world.clock.now() });
    const cancelling = {
      ...clock,
      sleep: (ms: number, signal: AbortSignal) => {
        controller.abort('SIGTERM');
        return clock.sleep(ms, signal);
      },
    };
    const run = await world.update(inputs, {
      ...onPullRequest(NEXT),
      signal: controller.signal,
      clock: cancelling,
    });
    expect(run.error).toMatchObject({ code: 'cancelled' });
    expect(run.recorded.previewUrl).toBeUndefined();
    expect(shown(world)).toContain('**Outdated**: commit `5555555` is newer');
    expect(shown(world)).toContain('Contains commit `4444444`');
  });
});
