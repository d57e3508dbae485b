import { describe, expect, it } from 'vitest';
import type { IssueEntity } from '../../../src/emulator/github/emulator.ts';
import { ADMIN_KEY, SECRET_TOKEN } from '../../support/make-inputs.ts';
import { FirstHour, WORKFLOW_TOKEN } from '../first-hour/step.ts';

const REPOSITORY = 'acme/docs';
const HOUR_MS = 3_600_000;
const OTHER_KEY = 'svc_anotherAdminKey0123456789';

const start = () => FirstHour.start({ issues: 'write', pull_requests: 'write' });

function stepOf(hour: FirstHour, given: Readonly<Record<string, string>> = {}) {
  return {
    eventName: 'schedule',
    inputs: {
      mode: 'refresh',
      ...hour.inputs,
      'secret-name': 'DOCS_BUNDLE_URL',
      'secret-token': SECRET_TOKEN,
      'refresh-before': '24h',
      'github-token': WORKFLOW_TOKEN,
      'issue-on-failure': 'true',
      ...given,
    },
  };
}

/** A first export, so that there is a link to keep fresh. */
async function exportOnce(hour: FirstHour): Promise<void> {
  const { exitCode, info } = await hour.run({
    inputs: {
      ...stepOf(hour).inputs,
      mode: 'export',
      domain: 'acme.example.com',
      'refresh-before': '',
      'issue-on-failure': '',
    },
  });
  expect(exitCode, info).toBe(0);
}

const bad = { 'admin-api-key': OTHER_KEY };
const visible = ({ body }: IssueEntity) => body.slice(body.indexOf('\n') + 1);

describe('an issue about a step that fails', () => {
  it('is opened once with error, fix and time left, updated by each failure, and closed by the next success', async () => {
    await using hour = await start();
    await exportOnce(hour);
    hour.platform.inject({ match: { path: '/bundle' }, status: 403 });
    const first = await hour.run(
      stepOf(hour, { 'refresh-before': '999h', 'issue-labels': 'docs, ci', 'issue-assignees': 'maya' }),
    );
    expect(first.exitCode).toBe(1);
    const [issue, ...others] = hour.github.issues;
    expect(others).toEqual([]);
    expect(issue).toMatchObject({ state: 'open', labels: ['docs', 'ci'], assignees: [{ login: 'maya' }] });
    expect(issue?.title).toBe('Documentation: refresh of DOCS_BUNDLE_URL fails (forbidden)');
    const text = issue === undefined ? '' : visible(issue);
    expect(text).toContain('first seen in [this run](https://github.com/acme/docs/actions/runs/501/attempts/1)');
    expect(text).toMatch(/\*\*Time left\*\*: \d+ (d|h).* from this update\. The stored link works until 20/);
    expect(text).toContain('**What happened** (`forbidden`)');
    expect(text).toContain('**What to do**');
    expect(first.info).toContain(`Opened issue ${issue?.number} about this failure`);

    hour.clock.advance(HOUR_MS);
    hour.platform.inject({ match: { path: '/bundle' }, status: 403 });
    await hour.run(stepOf(hour, { 'refresh-before': '999h' }));
    expect(hour.github.issues).toHaveLength(1);
    expect(issue && visible(issue)).toContain('2 runs so far');

    const success = await hour.run(stepOf(hour, { 'refresh-before': '999h' }));
    expect(success.exitCode).toBe(0);
    expect(issue).toMatchObject({ state: 'closed', stateReason: 'completed' });
    expect(hour.github.comments.map(({ body }) => body).join()).toContain('It works again: [this run]');

    await hour.run(stepOf(hour, bad));
    expect(hour.github.issues.map(({ state }) => state)).toEqual(['closed', 'open']);
  });

  it('says so when the stored link has expired', async () => {
    await using hour = await start();
    await exportOnce(hour);
    hour.clock.advance(900 * HOUR_MS);
    hour.platform.inject({ match: { path: '/bundle' }, status: 403 });
    await hour.run(stepOf(hour));
    expect(hour.github.issues.map(visible).join()).toContain('**Time left**: none. The stored link expired on 20');
  });

  it('is opened also where the inputs are wrong, and closed after the key was replaced', async () => {
    await using hour = await start();
    await exportOnce(hour);
    const empty = await hour.run(stepOf(hour, { 'admin-api-key': '' }));
    expect(empty.error).toContain('admin-api-key is empty');
    await hour.run(stepOf(hour, { 'admin-api-key': '' }));
    expect(hour.github.issues.map(({ title }) => title)).toEqual([
      'Documentation: refresh of DOCS_BUNDLE_URL fails (config)',
    ]);
    await hour.run(stepOf(hour));
    expect(hour.github.issues.map(({ state }) => state)).toEqual(['closed']);
  });

  it('takes no issue of anybody else for ours, and does not go on with one that was signed with another key', async () => {
    await using hour = await start();
    await exportOnce(hour);
    await hour.run(stepOf(hour, bad));
    const [ours] = hour.github.issues;
    const copy = { repository: REPOSITORY, title: 'A copy', body: ours?.body ?? '' };
    hour.github.addIssue({ ...copy, user: 'mallory' });
    hour.github.addIssue({ ...copy, user: 'mirror[bot]' });
    await hour.run(stepOf(hour, bad));
    expect(hour.github.issues.map(visible).filter((text) => text.includes('2 runs so far'))).toHaveLength(1);
    expect(ours && visible(ours)).toContain('2 runs so far');
    await hour.run(stepOf(hour, { 'admin-api-key': `${OTHER_KEY}x` }));
    expect(hour.github.issues).toHaveLength(4);
    await hour.run(stepOf(hour));
    const open = hour.github.issues.filter(({ state }) => state === 'open');
    expect(open.map(({ user }) => user.login)).toEqual(['mallory']);
  });

  it('leaves the issues of other steps alone', async () => {
    await using hour = await start();
    await exportOnce(hour);
    await hour.run(stepOf(hour, { ...bad, 'secret-name': 'OTHER_URL' }));
    await hour.run(stepOf(hour));
    expect(hour.github.issues.map(({ state }) => state)).toEqual(['open']);
  });

  it.each([true, false])(
    'names the addresses that an export has lost only where few may read it: %s',
    async (isPrivate) => {
      await using hour = await start();
      hour.github.addRepository({ fullName: REPOSITORY, private: isPrivate });
      const rule = {
        mode: 'export',
        domain: 'acme.example.com',
        'refresh-before': '',
        'required-pages': '/secret-plan',
      };
      const { error } = await hour.run(stepOf(hour, rule));
      expect(error).toContain('- required-pages: /secret-plan');
      const [issue] = hour.github.issues;
      expect(issue?.body).toContain('1 of 1 in required-pages is missing');
      expect(issue?.body.includes('secret-plan')).toBe(isPrivate);
    },
  );

  it('shows in a public repository no list of a message', async () => {
    await using hour = await start();
    hour.github.addRepository({ fullName: REPOSITORY, private: false });
    await hour.run(stepOf(hour, { 'admin-api-key': '', 'refresh-before': 'soon' }));
    const [issue] = hour.github.issues;
    expect(issue?.body).toContain('2 inputs are wrong');
    expect(issue?.body).toContain('The log of the run has 2 more lines');
    expect(issue?.body).not.toContain('soon');
  });

  it.each([
    ['a token without the permission', { pull_requests: 'write' }, true, 'issues: write'],
    ['a repository without issues', { issues: 'write' }, false, 'issues are disabled in this repository'],
  ] as const)(
    'is a warning with %s, and the error of the run stays what it is',
    async (_name, rights, hasIssues, why) => {
      await using hour = await FirstHour.start(rights);
      hour.github.addRepository({ fullName: REPOSITORY, private: true, hasIssues });
      const { exitCode, error, info } = await hour.run(stepOf(hour, bad));
      expect(exitCode).toBe(1);
      expect(error).not.toContain('issue');
      expect(info).toContain('The issue about this failure could not be updated.');
      expect(info).toContain(why);
    },
  );

  it('is a warning when GitHub limits the rate', async () => {
    await using hour = await start();
    hour.github.inject({ match: { path: '/issues', times: 50 }, status: 429 });
    const { exitCode, info } = await hour.run(stepOf(hour, bad));
    expect(exitCode).toBe(1);
    expect(info).toContain('The issue about this failure could not be updated.');
  });

  it('is opened without assignees that GitHub refuses', async () => {
    await using hour = await start();
    const { info } = await hour.run(stepOf(hour, { ...bad, 'issue-assignees': 'nobody' }));
    expect(hour.github.issues).toHaveLength(1);
    expect(info).toContain('The issue is opened without issue-assignees, which GitHub refused.');
  });

  it.each([
    ['a dry run', { 'dry-run': 'true' }, 'schedule'],
    ['a pull request', {}, 'pull_request'],
    ['a step without the input', { 'issue-on-failure': 'false' }, 'schedule'],
  ])('is not opened by %s', async (_name, given, eventName) => {
    await using hour = await start();
    await hour.run({ ...stepOf(hour, { ...given, ...(eventName === 'schedule' ? {} : bad) }), eventName });
    expect(hour.github.issues).toEqual([]);
  });

  it('refuses labels without issue-on-failure, and a login with @', async () => {
    await using hour = await start();
    const labels = await hour.run(stepOf(hour, { 'issue-on-failure': 'false', 'issue-labels': 'docs' }));
    expect(labels.error).toContain('issue-labels is read only together with issue-on-failure: true');
    const login = await hour.run(stepOf(hour, { 'issue-assignees': '@maya' }));
    expect(login.error).toContain('issue-assignees: "@maya" is not allowed');
  });

  it('keeps the key out of the issue', async () => {
    await using hour = await start();
    await hour.run(stepOf(hour, bad));
    const sent = hour.github.requests.map(({ body }) => body).join();
    expect(hour.github.issues).toHaveLength(1);
    expect(sent).not.toContain(OTHER_KEY);
    expect(sent).not.toContain(ADMIN_KEY);
  });
});
