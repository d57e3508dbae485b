import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommentEntity } from '../../../emulator/src/github/emulator.ts';
import type { ExportInputs } from '../../../src/inputs/inputs.ts';
import injections from '../../fixtures/injections/texts.json' with { type: 'json' };
import { startLiveSite, staticHost } from '../../support/live-site.ts';
import { bundleInputs, makeDestination, SECRET_TOKEN } from '../../support/make-inputs.ts';
import { TOKEN } from '../../support/world/conversation.ts';
import { ALL_RIGHTS, REPOSITORY } from '../../support/world/names.ts';
import { type RunOptions, startWorld, type World } from '../../support/world.ts';

const MERGED = 'c'.repeat(40);
const comment = (titles = false) => ({ token: TOKEN, titles });

interface Given {
  readonly isPublic?: boolean;
  readonly rights?: Readonly<Record<string, 'read' | 'write'>>;
}

/** A site that is already exported, and pull request 7, which was merged as the commit `MERGED`. */
class Merged implements AsyncDisposable {
  readonly world: World;
  readonly files: Record<string, string>;

  private constructor(world: World, files: Record<string, string>) {
    this.world = world;
    this.files = files;
  }

  static async start({
    isPublic = false,
    rights = { pull_requests: 'write' },
  }: Given = {}): Promise<Merged> {
    const files: Record<string, string> = {
      'index.md': '# Docs\n\nHello.',
      'guide/start.md': '# Start\n\nFirst text.',
      'guide/old.md': '# Old page\n\nNobody reads this.',
    };
    const world = await startWorld({
      platform: { sites: { acme: files } },
      github: {
        tokens: {
          [SECRET_TOKEN]: { permissions: ALL_RIGHTS },
          [TOKEN]: { kind: 'workflow', permissions: rights },
        },
        repositories: [{ fullName: REPOSITORY, private: !isPublic }],
      },
    });
    world.github.addPullRequest({
      repository: REPOSITORY,
      number: 7,
      merged: true,
      mergeCommitSha: MERGED,
    });
    const merged = new Merged(world, files);
    await merged.export({ comment: undefined }, { run: { sha: 'b'.repeat(40) } });
    Object.assign(files, {
      'guide/new.md': '# New page\n\nNew text.',
      'guide/start.md': '# Start\n\nSecond text.',
    });
    delete files['guide/old.md'];
    return merged;
  }

  export(inputs: Partial<ExportInputs> = {}, options: RunOptions = {}) {
    const usual = {
      to: makeDestination(),
      compareWith: { kind: 'previous' },
      comment: comment(),
    } as const;
    return this.world.export(
      { ...usual, ...inputs },
      { ...options, run: { sha: MERGED, ...options.run } },
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

/** The files of a folder by their paths; none before it exists. */
function readPages(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.html'),
  );
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

describe('the comment on the pull request that was merged', () => {
  it('The comment on the merged pull request has the numbers, the lost addresses and the pages', async () => {
    await using merged = await Merged.start();
    const { facts, error } = await merged.export();
    expect(error).toBeUndefined();
    expect(facts.status).toBe('completed');
    expect(merged.shown).toMatch(
      /^\*\*Documentation `acme\.example\.com`\*\*: 1 page added, 1 changed, 1 removed; delivered on 20\d\d-\d\d-\d\d \d\d:\d\d UTC\.\n/,
    );
    expect(merged.shown).toContain('1 address was lost: the page is gone and has no redirect.');
    expect(merged.shown).toContain('<summary>Added (1)</summary>\n\n- New page `/guide/new`');
    expect(merged.shown).toContain('<summary>Removed (1)</summary>\n\n- Old page `/guide/old`');
    expect(merged.shown).toContain(
      '[this run](https://github.com/acme/docs/actions/runs/501/attempts/1)',
    );
    expect(merged.world.log.text()).toContain(
      'Commented on pull request 7: 1 page added, 1 changed, 1 removed.',
    );
  });

  it.each([
    ['live since', true],
    ['delivered on', false],
  ])(
    'The comment says "%s" if the published site is known to show the export: %s',
    async (words, isLive) => {
      await using merged = await Merged.start();
      const folder = join(merged.world.workspace, 'site');
      await using site = await startLiveSite(
        staticHost(() => (isLive ? readPages(folder) : { 'index.html': 'down' })),
      );
      const live = { url: site.url, timeoutMs: 0, onNotLive: 'warn', headers: {} } as const;
      const { error } = await merged.export({ live, bundle: bundleInputs({ extractTo: folder }) });
      expect(error).toBeUndefined();
      expect(merged.shown.split('\n')[0]).toContain(
        `1 page added, 1 changed, 1 removed; ${words} 20`,
      );
    },
  );

  it('The comment shows only numbers in a public repository, unless titles are requested', async () => {
    await using merged = await Merged.start({ isPublic: true });
    await merged.export();
    expect(merged.shown).toContain('1 page added, 1 changed, 1 removed');
    expect(merged.shown).not.toMatch(/New page|guide|<details>/);
    merged.files['guide/more.md'] = '# More\n\nMore text.';
    await merged.export({ comment: comment(true) });
    expect(merged.shown).toContain('- More `/guide/more`');
  });

  it('A re-run of the same commit updates the one comment, and it says what the pull request changed', async () => {
    await using merged = await Merged.start();
    await merged.export();
    await merged.export({}, { run: { runAttempt: 2 } });
    expect(merged.shown).toContain('1 page added, 1 changed, 1 removed');
    expect(merged.shown).toContain('/attempts/2');
    merged.files['guide/more.md'] = '# More\n\nMore text.';
    await merged.export({}, { run: { runId: '502' } });
    expect(merged.shown).toContain('1 page added; delivered on');
  });

  it('A later attempt that sees the site keeps what the pull request changed, and one without a comment says that nothing was compared', async () => {
    await using merged = await Merged.start();
    const folder = join(merged.world.workspace, 'site');
    let isUp = false;
    await using site = await startLiveSite(
      staticHost(() => (isUp ? readPages(folder) : { 'index.html': 'down' })),
    );
    const live = { url: site.url, timeoutMs: 0, onNotLive: 'warn', headers: {} } as const;
    const bundle = bundleInputs({ extractTo: folder, clean: true });
    await merged.export({ live, bundle });
    expect(merged.shown).toContain('1 removed; delivered on');
    isUp = true;
    await merged.export({ live, bundle }, { run: { runAttempt: 2 } });
    expect(merged.shown).toContain('1 page added, 1 changed, 1 removed; live since');
    merged.world.github.addPullRequest({
      repository: REPOSITORY,
      number: 8,
      merged: true,
      mergeCommitSha: '9'.repeat(40),
    });
    merged.files['guide/more.md'] = '# More\n\nMore text.';
    const run = { sha: '9'.repeat(40), runId: '502' };
    await merged.export({ comment: undefined }, { run });
    await merged.export({}, { run: { ...run, runAttempt: 2 } });
    expect(merged.comments.find((one) => one.number === 8)?.body).toContain(
      'exported, and not compared with an earlier export;',
    );
  });

  it('A refresh of the link updates the comment', async () => {
    await using merged = await Merged.start();
    await merged.export();
    const before = merged.shown;
    merged.world.clock.advance(1000);
    const options = { eventName: 'schedule', run: { sha: 'd'.repeat(40) } };
    const { error } = await merged.world.refresh(
      { refreshBeforeMs: 1e12, comment: comment() },
      options,
    );
    expect(error).toBeUndefined();
    expect(merged.shown).toContain('The link was renewed on');
    expect(merged.shown).toContain('it works until');
    expect(merged.shown.split('\n')[0]).toBe(before.split('\n')[0]);
    expect(merged.shown.match(/<sub>/g)).toHaveLength(1);
  });

  it('The log of a refresh says that there is no comment to update', async () => {
    await using merged = await Merged.start();
    await merged.world.refresh({ refreshBeforeMs: 1e12, comment: comment() });
    expect(merged.world.log.text('info')).toContain('No comment is about export job');
  });

  it('After a rollback the comment says that the export was rolled back, and that the earlier one is live again', async () => {
    await using merged = await Merged.start();
    await merged.export();
    const before = merged.shown;
    const later = '9'.repeat(40);
    merged.world.github.addPullRequest({
      repository: REPOSITORY,
      number: 8,
      merged: true,
      mergeCommitSha: later,
    });
    merged.files['guide/more.md'] = '# More\n\nMore text.';
    merged.world.clock.advance(1000);
    await merged.export({}, { run: { sha: later, runId: '502' } });
    const { error } = await merged.world.rollback(
      { comment: comment() },
      { eventName: 'workflow_dispatch', run: { sha: later } },
    );
    expect(error).toBeUndefined();
    const [live, rolledBack] = [7, 8].map(
      (number) => merged.comments.find((one) => one.number === number)?.body ?? '',
    );
    expect(rolledBack).toMatch(
      /<sub>\*\*Rolled back on 20.* by \[this run\]\(.*\): export job `.*` is live again\.<\/sub>$/,
    );
    expect(live).toMatch(
      /<sub>Live again since 20.*, by a rollback in \[this run\]\(.*\); its link works until 20.*<\/sub>$/,
    );
    expect(live).toContain(before.split('\n')[0]);
  });

  it("The comment's pull request is found in the event of its merge", async () => {
    await using merged = await Merged.start();
    const payload = { action: 'closed', pull_request: { number: 7, merged: true } };
    await merged.export({}, { eventName: 'pull_request', payload, run: { sha: 'e'.repeat(40) } });
    expect(merged.shown).toContain('1 page added');
  });

  it.each([
    [
      'a push of a commit without a pull request',
      'push',
      'f'.repeat(40),
      'commit fffffff belongs to no merged pull request',
    ],
    ['a schedule', 'schedule', MERGED, 'a run by schedule follows no merge'],
    ['a dispatch', 'workflow_dispatch', MERGED, 'a run by workflow_dispatch follows no merge'],
  ])('No comment is written after %s', async (_name, eventName, sha, why) => {
    await using merged = await Merged.start();
    await merged.export({}, { eventName, run: { sha } });
    expect(merged.comments).toEqual([]);
    expect(merged.world.log.text()).toContain(why);
  });

  it('A dry run writes no comment and lists it', async () => {
    await using merged = await Merged.start();
    const { facts } = await merged.export({ dryRun: true });
    expect(merged.comments).toEqual([]);
    expect(facts.planned?.map(({ action }) => action)).toContain('comment on what changed');
  });

  it('The comment shows hostile titles as text', async () => {
    await using merged = await Merged.start();
    const titles = [
      ...injections.texts.map(({ text }) => text),
      '@everyone #1 https://evil.example ![x](y)',
    ];
    titles.forEach((title, index) => {
      merged.files[`a/page-${index}.md`] =
        `---\ntitle: ${JSON.stringify(title)}\n---\n\n${JSON.stringify(title)}`;
    });
    await merged.export();
    const { shown } = merged;
    expect(shown).toContain(`${titles.length + 1} pages added`);
    const markup = shown.replace(/<\/?(details|summary|sub)>/g, '').replace(/`+[^`]*`+/g, '');
    expect(markup).not.toMatch(
      /<[a-z!/]|!\[|@(?!\u200b)\w|https:\/\/(?!github\.com\/acme\/docs\/actions)/i,
    );
  });
});
