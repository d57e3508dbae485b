import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GitHubEmulator, startGitHubEmulator } from '../../emulator/src/github/emulator.ts';
import { type Emulator, startEmulator } from '../../emulator/src/platform/emulator.ts';
import { commandLineStep } from '../../src/ci/github/command-line.ts';
import { createRunner, readActionInputs, variableOf } from '../../src/ci/github/runner.ts';
import { MODES } from '../../src/modes.ts';
import { main } from '../../src/run/main.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';
import { ADMIN_KEY, ASSISTANT_KEY, SECRET_TOKEN } from './make-inputs.ts';
import { recordingLog } from './recording-log.ts';

export const WORKFLOW_TOKEN = 'ghs_workflowTokenForTests0123456789abc';
const REPOSITORY = 'acme/docs';

/** The step of a team that tries Docs Courier for the first time. */
export interface Step {
  readonly inputs: Readonly<Record<string, string>>;
  readonly eventName?: string | undefined;
  readonly event?: object | undefined;
  /** More variables of the step. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface Ended {
  readonly exitCode: number;
  /**
   * The text of the error in the log, with the site of the documentation left out; `''` where there
   * is none.
   */
  readonly error: string;
  readonly info: string;
}

/**
 * The platform with the site acme, and GitHub with the pull request 7 of acme/docs, which maya may
 * write to.
 */
export class FirstHour implements AsyncDisposable {
  readonly platform: Emulator;
  readonly github: GitHubEmulator;
  readonly clock: FakeClock;
  #comments = 0;

  private constructor(platform: Emulator, github: GitHubEmulator, clock: FakeClock) {
    this.platform = platform;
    this.github = github;
    this.clock = clock;
  }

  static async start(
    permissions: Readonly<Record<string, 'read' | 'write'>> = { pull_requests: 'write' },
  ) {
    const clock = fakeClock({ now: Date.now() });
    const platform = await startEmulator({
      sites: {
        acme: { 'index.md': '# Docs\n\nHello.', 'install.md': '# Install\n\nOne command.' },
      },
      keys: { admin: ADMIN_KEY, assistant: ASSISTANT_KEY },
      projectId: 'project-1',
      clock: { now: () => Math.floor(clock.now()) },
    });
    const github = await startGitHubEmulator({
      tokens: {
        [SECRET_TOKEN]: { permissions: { secrets: 'write', actions_variables: 'write' } },
        [WORKFLOW_TOKEN]: { kind: 'workflow', permissions },
      },
      repositories: [{ fullName: REPOSITORY, private: true, collaborators: { maya: 'write' } }],
      clock,
    });
    github.addPullRequest({ repository: REPOSITORY, number: 7, title: 'Add a flag', user: 'maya' });
    const source = { repository: `https://github.com/${REPOSITORY}`, ref: 'docs' };
    platform.addAgentJob({ id: 'job-1', source });
    return new FirstHour(platform, github, clock);
  }

  get inputs() {
    return { 'base-url': this.platform.url, 'admin-api-key': ADMIN_KEY };
  }

  /** A comment on pull request 7, as the event of a run. */
  comment(body: string, login = 'maya'): Pick<Step, 'eventName' | 'event'> {
    this.#comments += 1;
    this.clock.advance(1000);
    const createdAt = this.clock.now();
    const { id } = this.github.addComment({
      repository: REPOSITORY,
      number: 7,
      user: login,
      body,
      createdAt,
    });
    const { id: userId, type } = this.github.user(login);
    const user = { login, id: userId, type };
    return {
      eventName: 'issue_comment',
      event: {
        action: 'created',
        issue: { number: 7, title: 'Add a flag', body: '', pull_request: {} },
        comment: {
          id,
          body,
          user,
          html_url: `https://github.com/${REPOSITORY}/pull/7#c${id}`,
          author_association: login === 'maya' ? 'MEMBER' : 'NONE',
          created_at: new Date(createdAt).toISOString(),
        },
        sender: user,
      },
    };
  }

  /** Runs the step in this process, through the runner's own environment and files. */
  async run({ inputs, eventName = 'push', event = {}, env: more = {} }: Step): Promise<Ended> {
    const root = await mkdtemp(join(tmpdir(), 'first-hour-'));
    try {
      const paths = {
        output: join(root, 'output'),
        summary: join(root, 'summary'),
        event: join(root, 'event.json'),
      };
      const [workspace, temp] = [join(root, 'workspace'), join(root, 'temp')];
      await Promise.all([mkdir(workspace), mkdir(temp)]);
      await Promise.all([writeFile(paths.output, ''), writeFile(paths.summary, '')]);
      await writeFile(paths.event, JSON.stringify(event));
      const env = {
        GITHUB_REPOSITORY: REPOSITORY,
        GITHUB_RUN_ID: '501',
        GITHUB_RUN_ATTEMPT: '1',
        GITHUB_JOB: 'publish',
        GITHUB_WORKFLOW: 'Docs',
        GITHUB_SHA: 'a'.repeat(40),
        GITHUB_ACTOR: 'maya',
        GITHUB_EVENT_NAME: eventName,
        GITHUB_EVENT_PATH: paths.event,
        GITHUB_SERVER_URL: 'https://github.com',
        GITHUB_API_URL: this.github.url,
        GITHUB_WORKSPACE: workspace,
        GITHUB_OUTPUT: paths.output,
        GITHUB_STEP_SUMMARY: paths.summary,
        RUNNER_TEMP: temp,
        ...more,
        ...Object.fromEntries(
          Object.entries(inputs).map(([name, value]) => [variableOf(name), value]),
        ),
      };
      const log = recordingLog();
      const { signal } = new AbortController();
      const [runner, source] = [
        createRunner(env, commandLineStep({ env, write: () => {} })),
        readActionInputs(env),
      ];
      const exitCode = await main({ modes: MODES, runner, source, log, clock: this.clock, signal });
      const errors = log.entries.filter(({ level }) => level === 'error');
      return {
        exitCode,
        error: errors
          .filter(({ place }) => place?.file === undefined)
          .map(({ message }) =>
            message.replaceAll(this.platform.url, 'PLATFORM').replaceAll('See docs/', 'See DOCS/'),
          )
          .join('\n'),
        info: log.text(),
      };
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  }

  async [Symbol.asyncDispose]() {
    await Promise.all([this.platform.close(), this.github.close()]);
  }
}
