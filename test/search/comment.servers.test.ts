import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommentEntity } from '../../emulator/src/github/emulator.ts';
import type { SearchInputs } from '../../src/inputs/inputs.ts';
import { TOKEN } from '../support/world/conversation.ts';
import { REPOSITORY } from '../support/world/names.ts';
import { type RunOptions, startWorld, type World } from '../support/world.ts';

const SITE = {
  'index.md': '# Welcome\n\nWelcome here.',
  'install.md': '# Install\n\nInstall the courier.',
  'rotate.md': '# Rotate\n\nRotate the link.',
};
const EVENT = {
  eventName: 'pull_request',
  payload: { action: 'synchronize', number: 7, pull_request: { number: 7 } },
} as const;

type Queries = Readonly<Record<string, string>>;
const GOOD: Queries = { 'install the courier': '/install', rotate: '/rotate' };
const BAD: Queries = { 'install the courier': '/nowhere', rotate: '/rotate', welcome: '/gone' };

interface Given {
  readonly isPublic?: boolean;
  readonly rights?: Readonly<Record<string, 'read' | 'write'>>;
  readonly locked?: boolean;
}

/** A site with a baseline in which everything of `GOOD` passed, and pull request 7. */
class Checked implements AsyncDisposable {
  readonly world: World;

  private constructor(world: World) {
    this.world = world;
  }

  static async start({
    isPublic = false,
    rights = { pull_requests: 'write' },
    locked,
  }: Given = {}): Promise<Checked> {
    const world = await startWorld({
      platform: { sites: { acme: SITE } },
      github: {
        tokens: { [TOKEN]: { kind: 'workflow', permissions: rights } },
        repositories: [{ fullName: REPOSITORY, private: !isPublic }],
      },
    });
    world.github.addPullRequest({ repository: REPOSITORY, number: 7, locked });
    const checked = new Checked(world);
    await checked.keepBaseline(GOOD);
    return checked;
  }

  /** Makes what is found now the earlier run. */
  async keepBaseline(queries: Queries): Promise<void> {
    const { recorded } = await this.search(queries, {
      baselineFile: undefined,
      comment: undefined,
    });
    this.world.write(
      'baseline.json',
      JSON.stringify({ version: 1, mode: 'search', queries: recorded.queries }),
    );
  }

  search(queries: Queries, inputs: Partial<SearchInputs> = {}, options: RunOptions = EVENT) {
    const entries = Object.entries(queries).map(([query, path]) => ({
      query,
      expect: { paths: [path] },
    }));
    return this.world.search(
      {
        queriesFile: this.world.write('queries.json', JSON.stringify({ queries: entries })),
        baselineFile: join(this.world.workspace, 'baseline.json'),
        comment: { token: TOKEN, titles: false },
        ...inputs,
      },
      options,
    );
  }

  get comments(): readonly CommentEntity[] {
    return this.world.github.comments;
  }

  /** The text of the one comment. */
  get shown(): string {
    expect(this.comments).toHaveLength(1);
    const body = this.comments[0]?.body ?? '';
    return body.slice(body.indexOf('\n') + 1);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]();
  }
}

describe('the comment about a search check', () => {
  it('The comment shows what got worse and each new miss, with what was found instead, before the run fails', async () => {
    await using checked = await Checked.start();
    const { error } = await checked.search(BAD);
    expect(error).toMatchObject({
      code: 'checks-failed',
      message: '1 of 3 queries got worse since the earlier run.',
    });
    expect(checked.shown).toBe(
      [
        '**Search of `acme`**: 1 passed, 2 missed; 0 better, 1 worse, 1 new miss.',
        '❌ 1 of 3 queries got worse since the earlier run.',
        [
          '| Query | Before | Now | Found instead |',
          '| --- | --- | --- | --- |',
          '| install the courier | pass, rank 1 | miss | 1. `/install` |',
          '| welcome | new | miss | 1. `/` |',
        ].join('\n'),
        '<sub>By [this run](https://github.com/acme/docs/actions/runs/501/attempts/1).</sub>',
      ].join('\n\n'),
    );
    expect(checked.world.log.text()).toContain(
      'Commented on pull request 7: 1 passed, 2 missed; 0 better, 1 worse, 1 new miss. https://github.com/acme/docs',
    );
  });

  it('The same comment is updated, and says when the check passes again', async () => {
    await using checked = await Checked.start();
    await checked.search(GOOD);
    expect(checked.shown).toContain(
      '2 passed, 0 missed; 0 better, 0 worse, 0 new misses.\n\n✅ The check passes.\n',
    );
    await checked.search(BAD, {}, { ...EVENT, run: { runId: '502' } });
    expect(checked.shown).toContain('❌ 1 of 3 queries got worse');
    await checked.search({ ...GOOD, welcome: '/gone' }, {}, { ...EVENT, run: { runId: '503' } });
    expect(checked.shown).toContain(
      '⚠️ The check passes, but some queries are worse or new and missed.',
    );
    await checked.search(GOOD, {}, { ...EVENT, run: { runId: '504' } });
    expect(checked.shown).toContain('✅ Fixed: the check passes again.');
    expect(checked.shown).toMatch(/runs\/504\/attempts\/1\)\.<\/sub>$/);
  });

  it('The comment folds what got better, and shows ten rows of each', async () => {
    await using checked = await Checked.start();
    const many = (path: string) =>
      Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`rotate ${n}`, path]));
    await checked.keepBaseline(many('/nowhere'));
    await checked.search(many('/rotate'));
    expect(checked.shown).toContain(
      '<details><summary>Better (13)</summary>\n\n| Query | Before | Now |',
    );
    expect(checked.shown.match(/\| miss \| pass, rank 1 \|/g)).toHaveLength(10);
    expect(checked.shown).toContain('And 3 more: see the summary of the run.');
  });

  it('Without a baseline the comment shows what passed and what missed', async () => {
    await using checked = await Checked.start();
    const { error } = await checked.search(BAD, { baselineFile: undefined });
    expect(error).toMatchObject({ code: 'checks-failed' });
    expect(checked.shown).toContain(
      '**Search of `acme`**: 1 passed, 2 missed.\n\n❌ 2 of 3 queries missed.\n',
    );
    expect(checked.shown).toContain('| Query | Now | Found instead |');
    expect(checked.shown).toContain('| welcome | miss | 1. `/` |');
  });

  it('The comment shows that queries could not be run', async () => {
    await using checked = await Checked.start();
    checked.world.platform.inject({
      match: { path: '/search/', times: 1 },
      status: 400,
      body: { error: '<b>no</b>' },
    });
    await checked.search(GOOD);
    expect(checked.shown).toContain('1 passed, 0 missed, 1 could not be run;');
    expect(checked.shown).toContain('❌ 1 of 2 queries could not be run');
    expect(checked.shown).not.toContain('<b>');
  });

  it('In a public repository the comment leaves out what was found, unless pages are requested', async () => {
    await using checked = await Checked.start({ isPublic: true });
    await checked.search(BAD);
    expect(checked.shown).toContain('| welcome | new | miss |\n');
    expect(checked.shown).not.toContain('/install');
    await checked.search(BAD, { comment: { token: TOKEN, titles: true } });
    expect(checked.shown).toContain('| welcome | new | miss | 1. `/` |');
  });

  it('A step with other queries has a separate comment', async () => {
    await using checked = await Checked.start();
    await checked.search(GOOD);
    await checked.search({}, { queriesFile: undefined, query: 'rotate', baselineFile: undefined });
    expect(checked.comments).toHaveLength(2);
  });

  it.each([
    ['push', { ref: 'refs/heads/main' }],
    ['schedule', {}],
    ['issue_comment', { issue: { number: 7 } }],
  ])('A run by %s writes no comment, and says so in one line', async (eventName, payload) => {
    await using checked = await Checked.start();
    const { error, log } = await checked.search(GOOD, {}, { eventName, payload });
    expect(error).toBeUndefined();
    expect(checked.comments).toEqual([]);
    expect(log.text('info')).toContain(
      `No comment: a run by ${eventName} is not for a pull request.`,
    );
  });

  it('A dry run writes no comment and lists it', async () => {
    await using checked = await Checked.start();
    const { facts } = await checked.search(GOOD, { dryRun: true });
    expect(checked.world.writes()).toEqual([]);
    expect(facts.planned).toEqual([
      { action: 'comment on the search', target: 'pull request 7 of acme/docs' },
    ]);
  });

  it.each([
    ['may not comment', { rights: { pull_requests: 'read' } }, 'pull-requests: write'],
    ['finds the conversation locked', { locked: true }, 'locked'],
  ] as const)('If the run %s, it only warns, and the verdict stays', async (_name, given, why) => {
    await using checked = await Checked.start(given);
    const { error, log } = await checked.search(BAD);
    expect(error).toMatchObject({
      code: 'checks-failed',
      message: '1 of 3 queries got worse since the earlier run.',
    });
    expect(log.text('warning')).toContain('The comment about the search could not be written');
    expect(log.text('warning')).toContain(why);
  });

  it.each([
    ['another repository', { full_name: 'mallory/docs' }, true],
    ['a fork that is gone', null, true],
    ['a fork with the name of the repository', { full_name: 'mallory/app' }, true],
    ['a branch of the repository', { full_name: REPOSITORY }, false],
  ])(
    'The warning about a comment for %s advises a permission only if that helps',
    async (_, repo, isFork) => {
      await using checked = await Checked.start({ rights: { pull_requests: 'read' } });
      const pull = { number: 7, head: { repo } };
      const payload = { action: 'synchronize', number: 7, pull_request: pull };
      const { log } = await checked.search(BAD, {}, { eventName: 'pull_request', payload });
      expect(log.text('warning').includes('pull-requests: write')).toBe(!isFork);
      expect(log.text('warning').includes('a pull request from a fork only reads')).toBe(isFork);
    },
  );

  it('A comment of another account is never updated', async () => {
    await using checked = await Checked.start();
    await checked.search(GOOD);
    const { body = '' } = checked.comments[0] ?? {};
    checked.world.github.comments.length = 0;
    const add = (user: string, text: string) =>
      checked.world.github.addComment({ repository: REPOSITORY, number: 7, user, body: text });
    add('mallory', body);
    add('mirror[bot]', body.replace(/.{4} -->/, 'AAAA -->'));
    await checked.search(GOOD);
    expect(checked.comments).toHaveLength(3);
  });
});
