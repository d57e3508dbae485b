import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ExportInputs } from '../../src/inputs/inputs.ts';
import { publishPresentation } from '../../src/publish/summary.ts';
import { expectError } from '../support/failure.ts';
import { bundleInputs } from '../support/make-inputs.ts';
import { runStepInProcess } from '../support/step-in-process.ts';
import { TOKEN } from '../support/world/conversation.ts';
import { REPOSITORY } from '../support/world/names.ts';
import { type RunOptions, startWorld, type World } from '../support/world.ts';

const page = (title: string, text: string) =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${text}</p></main>`;

const PULL = 7;
const REQUEST = {
  number: PULL,
  isOpen: true,
  isMerged: false,
  isOwn: true,
  branch: 'words',
  commit: 'd'.repeat(40),
};

/** A repository whose site was built before, and again for pull request 7. */
class Proposal implements AsyncDisposable {
  readonly world: World;
  readonly build: string;
  readonly earlier: string;

  private constructor(world: World, earlier: string) {
    this.world = world;
    this.earlier = earlier;
    this.build = `${world.workspace}/build`;
  }

  static async start(isPublic = false): Promise<Proposal> {
    const world = await startWorld({
      platform: false,
      github: {
        tokens: { [TOKEN]: { kind: 'workflow', permissions: { pull_requests: 'write' } } },
        repositories: [{ fullName: REPOSITORY, private: !isPublic }],
      },
    });
    world.github.addPullRequest({ repository: REPOSITORY, number: PULL });
    world.write('build/index.html', page('Start', 'First words.'));
    world.write('build/old.html', page('Old', 'A page that goes.'));
    const { error } = await world.export({
      from: `${world.workspace}/build`,
      domain: undefined,
      adminApiKey: '',
      baseUrl: '',
      bundle: bundleInputs({ extractTo: `${world.workspace}/main` }),
    });
    expect(error).toBeUndefined();
    return new Proposal(world, `${world.workspace}/main.manifest.json`);
  }

  /** The list of pages of the site before the pull request, whose start page has this text too. */
  async listPages(text: string): Promise<string> {
    this.world.write('build/index.html', page('Start', `First words. ${text}`));
    const extractTo = `${this.world.workspace}/listed`;
    const bundle = bundleInputs({ extractTo });
    const { error } = await this.check({
      compareWith: { kind: 'none' },
      comment: undefined,
      add: ['manifest'],
      bundle,
    });
    expect(error).toBeUndefined();
    return `${extractTo}/docs-courier.manifest.json`;
  }

  propose(title: string): void {
    this.world.write('build/index.html', page(title, 'Other words.'));
    this.world.write('build/new.html', page('New', 'A page that comes.'));
  }

  check(inputs: Partial<ExportInputs> = {}, options: RunOptions = {}) {
    return this.world.export(
      {
        from: this.build,
        domain: undefined,
        adminApiKey: '',
        baseUrl: '',
        compareWith: { kind: 'file', path: this.earlier },
        comment: { token: TOKEN, titles: false },
        ...inputs,
      },
      {
        eventName: 'pull_request',
        ci: { cause: 'change-request', changeRequest: REQUEST },
        ...options,
      },
    );
  }

  get comments(): string[] {
    return this.world.github.comments.map(({ body }) => body);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]();
  }
}

describe('the site of a pull request, given by from', () => {
  test('One comment says what it changes, and each later run updates it', async () => {
    await using proposal = await Proposal.start();
    proposal.propose('Second start');
    const first = await proposal.check();
    expect(first.error).toBeUndefined();
    expect(first.facts.changes).toMatchObject({ added: 1, changed: 1, removed: 0 });
    expect(proposal.comments).toEqual([
      expect.stringMatching(
        /^<!-- docs-courier:\S+ -->\n\*\*Documentation `build`\*\*: 1 page added, 1 changed; compared on 20/,
      ),
    ]);
    proposal.world.write('build/more.html', page('More', 'One page more.'));
    expect((await proposal.check()).error).toBeUndefined();
    expect(proposal.comments).toEqual([expect.stringContaining('2 pages added, 1 changed')]);
  });

  test('A comment that quotes ours is left as it is', async () => {
    await using proposal = await Proposal.start();
    proposal.propose('Second start');
    await proposal.check();
    const [ours] = proposal.world.github.comments;
    const quote = `> ${ours?.body}`;
    if (ours !== undefined) Object.assign(ours, { body: quote });
    await proposal.check();
    expect(proposal.comments).toEqual([quote, expect.stringMatching(/^<!-- docs-courier:/)]);
  });

  test('Addresses that it loses fail the run with the check that was asked for', async () => {
    await using proposal = await Proposal.start();
    rmSync(`${proposal.build}/old.html`);
    const { error, facts } = await proposal.check({
      forbidLostAddresses: 'fail',
      bundle: bundleInputs({ extractTo: `${proposal.world.workspace}/site` }),
    });
    expect(error).toMatchObject({ code: 'checks-failed' });
    expect(facts.guard?.verdict).toBe('failed');
    expect(proposal.world.files().filter((path) => path.startsWith('workspace/site'))).toEqual([]);
    expect(proposal.comments).toEqual([expect.stringContaining('1 address was lost')]);
  });

  test('With verify: new it is red for the links that it broke alone, and the comment names them', async () => {
    await using proposal = await Proposal.start();
    const list = await proposal.listPages('<a href="/gone">gone</a>');
    const inputs = {
      compareWith: { kind: 'file', path: list },
      bundle: bundleInputs({ verify: 'new' }),
    } as const;
    const unchanged = await proposal.check(inputs);
    expect(unchanged.error).toBeUndefined();
    expect(unchanged.facts.bundle?.verification?.errors).toBe(1);
    proposal.propose('Start <a href="/typo">typo</a> <a href="/gone">gone</a>');
    const broken = await proposal.check(inputs);
    expectError(broken.error, {
      code: 'checks-failed',
      message: '1 link newly broken, such as /typo on /',
    });
    const [comment = '', ...others] = proposal.comments;
    expect(others).toEqual([]);
    expect(comment).toContain('⚠️ 1 link newly broken.');
    expect(comment).toContain('- `/typo` on `/`');
    proposal.propose('Start <a href="/gone">gone</a>');
    expect((await proposal.check(inputs)).error).toBeUndefined();
    expect(proposal.comments).toEqual([expect.not.stringContaining('broken')]);
  });

  test('In a public repository the comment has the number of broken links and no address', async () => {
    await using proposal = await Proposal.start(true);
    const list = await proposal.listPages('');
    proposal.propose('Start <a href="/typo">typo</a>');
    await proposal.check({ compareWith: { kind: 'file', path: list } });
    expect(proposal.comments).toEqual([expect.stringContaining('1 link newly broken')]);
    expect(proposal.comments.join()).not.toContain('/typo');
  });
});

const FORK = 'mallory/docs';
const OF_FORK = { ...REQUEST, isOwn: false };
/** A run that follows another one, which that event has caused, in this repository. */
const following = (event: string): RunOptions => ({
  ci: {},
  eventName: 'workflow_run',
  payload: {
    workflow_run: { event, head_branch: 'main', head_repository: { full_name: REPOSITORY } },
  },
});
describe('a site that a fork may have built', () => {
  test.each<[string, RunOptions]>([
    ['pull_request', { ci: { changeRequest: OF_FORK } }],
    ['pull_request_target', { ci: { changeRequest: OF_FORK } }],
    [
      'pull_request_review',
      { ci: {}, payload: { pull_request: { number: PULL, head: { repo: null } } } },
    ],
    [
      'workflow_run after a push to a fork',
      {
        ci: {},
        payload: { workflow_run: { event: 'push', head_repository: { full_name: FORK } } },
      },
    ],
    [
      'workflow_run of a fork that was deleted',
      { ci: {}, payload: { workflow_run: { event: 'pull_request', head_repository: null } } },
    ],
    ...[
      'issue_comment',
      'workflow_run',
      'pull_request_target',
      'pull_request_review',
      'merge_group',
      'registry_package',
    ].map((event): [string, RunOptions] => [`workflow_run after ${event}`, following(event)]),
    ...['issue_comment', 'pull_request_comment'].map((event): [string, RunOptions] => [
      event,
      { ci: { cause: 'comment' }, payload: { issue: { number: PULL } } },
    ]),
    ...[
      'check_suite',
      'check_run',
      'status',
      'deployment',
      'deployment_status',
      'discussion_comment',
      'issues',
    ].map((event): [string, RunOptions] => [event, { ci: {}, payload: {} }]),
  ])(
    'On %s it is unpacked and reported, without a comment, and the summary warns',
    async (name, options) => {
      const [eventName = ''] = name.split(' ');
      await using proposal = await Proposal.start();
      proposal.propose('Changed');
      const extractTo = `${proposal.world.workspace}/site`;
      const { error, facts, log } = await proposal.check(
        { bundle: bundleInputs({ extractTo }) },
        { eventName, ...options },
      );
      expect(error).toBeUndefined();
      expect(facts).toMatchObject({ fromFork: true, bundle: { sitePath: extractTo } });
      expect(log.text()).toContain('do not deploy this copy');
      expect(proposal.comments).toEqual([]);
      expect(proposal.world.github.requests).toEqual([]);
      const report = { version: 1, mode: 'export', startedAt: '', elapsedMs: 1, ...facts } as const;
      const summary = publishPresentation.summary({ status: 'completed', ...report }, 0);
      expect(summary).toContain('do not deploy this copy');
      expect(summary).not.toContain('**Next**');
    },
  );

  test('A step without a secret checks it, and is not skipped', async () => {
    await using proposal = await Proposal.start();
    const { world } = proposal;
    const repo = { full_name: FORK };
    const { exitCode, outputs } = await runStepInProcess(world, {
      inputs: { mode: 'export', from: 'build', 'extract-to': 'site', verify: 'strict' },
      eventName: 'pull_request',
      payload: { action: 'opened', number: PULL, pull_request: { number: PULL, head: { repo } } },
    });
    expect(exitCode).toBe(0);
    const written = readFileSync(outputs, 'utf8');
    expect(written).toContain(`${world.workspace}/site.manifest.json`);
    expect(written).toMatch(/\n[0-9a-f]{64}\n/);
    expect(readFileSync(join(world.root, 'summary'), 'utf8')).toContain('do not deploy this copy');
    expect(world.github.requests).toEqual([]);
  });

  test.each<[string, RunOptions]>([
    ['a pull request of the own repository', {}],
    [
      'a merged pull request',
      { ci: { cause: 'merge', changeRequest: { ...OF_FORK, isMerged: true } } },
    ],
    ...['', 'push', 'release', 'schedule', 'merge_group', 'repository_dispatch'].map(
      (event): [string, RunOptions] => [event, { ci: {}, eventName: event, payload: {} }],
    ),
    ...['push', 'pull_request', 'schedule', 'workflow_dispatch', 'release'].map(
      (event): [string, RunOptions] => [`a run that follows one on ${event}`, following(event)],
    ),
  ])('A run for %s has no such warning', async (_, options) => {
    await using proposal = await Proposal.start();
    const { facts, log } = await proposal.check({}, options);
    expect(facts.fromFork).toBeUndefined();
    expect(log.text()).not.toContain('do not deploy');
  });
});
