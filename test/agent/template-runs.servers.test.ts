import { describe, expect, test } from 'vitest';
import { expectError } from '../support/failure.ts';
import type { CommentEvent } from '../support/world/conversation.ts';
import { type AgentRunOptions, type AgentSite, startAgentSite } from './agent-site.ts';
import { expectMessages, firstPrompt } from './messages.ts';

const PATH = '.github/docs-agent.md';
const TEMPLATE =
  'Document what {{pull_request.title}} means for users.\r\nIt changes {{ pull_request.files }}.\n';

interface Scene {
  readonly site: AgentSite;
  /** A run with `prompt-file`. */
  run(event: CommentEvent, inputs?: AgentRunOptions['inputs']): ReturnType<AgentSite['run']>;
}

/** A run without a comment, with a template on the default branch. */
function scenario(what: string, body: (scene: Scene) => Promise<void>): void {
  test(what, async () => {
    await using site = await startAgentSite();
    site.putFile(PATH, TEMPLATE);
    const given = { promptFile: PATH, agentJobId: 'job-1' };
    await body({
      site,
      run: (event, inputs) => site.run(event, { inputs: { ...given, ...inputs } }),
    });
  });
}

describe('a merge', () => {
  scenario('A merge sends the template, with its variables as data', async ({ site, run }) => {
    const { facts, error } = await run(site.merge('writer').closed);
    expect(error).toBeUndefined();
    expect(facts).toMatchObject({ status: 'completed', triggered: true });
    const prompt = firstPrompt(site);
    const [instruction = '', data = ''] = prompt.split('BEGIN DATA');
    expect(instruction).toContain(
      'Document what {{pull_request.title}} means for users.\nIt changes {{pull_request.files}}.',
    );
    expect(instruction).toContain('stands for the value that the data has under it');
    expect(data).toMatch(/"\{\{pull_request\.title\}\}": "Add /);
    expect(data).toMatch(/"\{\{pull_request\.files\}\}": "/);
    expect(site.statusComments()[0]).toContain('The docs agent has finished');
  });

  scenario(
    'A merge is sent once, whichever events report it and however often',
    async ({ site, run }) => {
      const { closed, push } = site.merge('writer');
      await run(push);
      expectMessages(site, 1);
      for (const event of [closed, push, closed]) {
        const { facts } = await run(event);
        expect(facts).toMatchObject({ status: 'skipped', triggered: false });
        expect(facts.reason).toContain('it is not sent again');
      }
      expectMessages(site, 1);
      expect(site.statusComments()).toHaveLength(1);
    },
  );

  scenario('A merge needs the permission of the person who merged', async ({ site, run }) => {
    const { facts } = await run(site.merge('reader').closed);
    expect(facts).toMatchObject({ status: 'refused', triggered: false });
    expectMessages(site, 0);
  });

  scenario('A dry run lists what a merge would write', async ({ site, run }) => {
    const { facts } = await run(site.merge('writer').closed, { dryRun: true });
    expect(facts.planned?.map(({ action }) => action)).toEqual([
      'react to the pull request',
      'write the status comment',
      expect.stringMatching(/^send \d+ bytes to agent job job-1$/),
    ]);
  });

  scenario(
    'A merge of a pull request from an outsider quotes nothing of it',
    async ({ site, run }) => {
      site.openFork();
      const { closed } = site.merge('writer');
      const { error } = await run({
        ...closed,
        payload: { ...closed.payload, pull_request: { number: 7, merged: true } },
      });
      expect(error).toBeUndefined();
      const prompt = firstPrompt(site);
      expect(prompt).not.toMatch(/EVIL/);
    },
  );

  scenario('A merge with the label no-docs is skipped', async ({ site, run }) => {
    const { closed } = site.merge('writer');
    site.label('writer', 'no-docs');
    const { facts } = await run(closed);
    const skipped = { status: 'skipped', reason: 'The pull request has the label no-docs.' };
    expect(facts).toMatchObject(skipped);
    const opened = { ...closed, payload: { ...closed.payload, action: 'opened' } };
    expect((await run(opened)).facts).toMatchObject(skipped);
    expectMessages(site, 0);
  });

  scenario('A merge is not sent if it has no record', async ({ site, run }) => {
    const { closed, push } = site.merge('writer');
    for (const event of [closed, push]) {
      const { error } = await run(event, { statusComment: false });
      expectError(error, { code: 'config', message: 'status-comment is false' });
    }
    expectMessages(site, 0);
  });

  scenario("A merge of the agent's own pull request is skipped", async ({ site, run }) => {
    const source = { repository: site.repositoryUrl, ref: null };
    site.platform.addAgentJob({
      id: 'job-9',
      status: 'completed',
      prLink: site.pullUrl(7),
      source,
    });
    const { closed, push } = site.merge('writer');
    for (const event of [closed, push]) {
      const { facts } = await run(event, { agentJobId: 'job-9' });
      expect(facts).toMatchObject({
        status: 'skipped',
        reason: "The merged pull request is the agent's own.",
      });
    }
    expectMessages(site, 0);
  });

  scenario(
    'A merge in a long push causes a warning that contains the limit',
    async ({ site, run }) => {
      const { push } = site.merge('writer');
      const commits = Array.from({ length: 25 }, (_, index) => ({
        id: String(index + 10).repeat(20),
      }));
      const { facts, log } = await run({ ...push, payload: { ...push.payload, commits } });
      expect(facts.status).toBe('completed');
      expect(log.text('warning')).toContain('the newest 20 commits of this push only');
      expectMessages(site, 1);
    },
  );

  scenario('A pull request that was not merged is skipped', async ({ site, run }) => {
    const { facts } = await run(site.abandon('writer'));
    expect(facts).toMatchObject({
      status: 'skipped',
      reason: 'The pull request was closed without being merged.',
    });
    expectMessages(site, 0);
  });

  scenario('A push without a merged pull request is skipped', async ({ site, run }) => {
    const { push } = site.merge('writer');
    const payload = { ...push.payload, after: 'c'.repeat(40), commits: [] };
    const { facts } = await run({ ...push, payload });
    expect(facts).toMatchObject({
      status: 'skipped',
      reason: 'The push does not belong to a merged pull request.',
    });
    expectMessages(site, 0);
  });
});

describe('the label docs', () => {
  scenario(
    'The label sends the template once for each state of the pull request',
    async ({ site, run }) => {
      const event = site.labelled('writer', 'docs');
      expect((await run(event)).facts).toMatchObject({ status: 'completed', triggered: true });
      expect((await run(event)).facts).toMatchObject({ status: 'skipped', triggered: false });
      expectMessages(site, 1);
    },
  );

  scenario('The label needs permission; other labels do nothing', async ({ site, run }) => {
    expect((await run(site.labelled('writer', 'bug'))).facts).toMatchObject({
      status: 'skipped',
      reason: 'The label that instructs the agent is docs; this event is about: bug.',
    });
    expect((await run(site.labelled('reader', 'docs'))).facts.status).toBe('refused');
    expectMessages(site, 0);
  });
});

describe('text of outsiders after the event', () => {
  const inputs = { allowOutsideText: true };
  scenario(
    'A push after the label is not sent, and the labelled state is',
    async ({ site, run }) => {
      site.openFork();
      const event = site.labelled('writer', 'docs');
      expect((await run(event, inputs)).facts.status).toBe('completed');
      expect(firstPrompt(site)).toContain('EVIL-TITLE');
      const later = site.labelled('writer', 'docs');
      site.push();
      const { facts } = await run(later, inputs);
      expect(facts).toMatchObject({ status: 'refused', triggered: false });
      expect(facts.reason).toContain('pushed to after the event');
      expectMessages(site, 1);
    },
  );

  scenario(
    'A title or a comment that is written after the merge is not sent',
    async ({ site, run }) => {
      site.openFork();
      site.say('stranger', 'Said before.');
      const { closed } = site.merge('writer');
      site.retitle('LATER-TITLE');
      site.say('stranger', 'LATER-COMMENT');
      expect((await run(closed, inputs)).facts.status).toBe('completed');
      const prompt = firstPrompt(site);
      expect(prompt).toContain('EVIL-TITLE');
      expect(prompt).toContain('Said before.');
      expect(prompt).not.toMatch(/LATER-/);
    },
  );

  scenario(
    'The push of a merge does not show what was merged, so nothing of outsiders is sent',
    async (scene) => {
      const { site, run } = scene;
      site.openFork();
      const { push } = site.merge('writer');
      expect((await run(push, inputs)).facts.status).toBe('completed');
      expect(firstPrompt(site)).not.toContain('EVIL');
    },
  );

  scenario(
    'To take a label away sends nothing, not even what its own event asked for',
    async (scene) => {
      const { site, run } = scene;
      const added = site.labelled('writer', 'docs');
      const removed = site.unlabelled('writer', 'docs');
      for (const event of [removed, added]) {
        const { facts } = await run(event);
        expect(facts).toMatchObject({ status: 'skipped', triggered: false });
        expect(facts.reason).toContain('removed');
      }
      expectMessages(site, 0);
    },
  );
});

describe('a deleted status comment', () => {
  scenario(
    'A merge is not sent again after its status comment was deleted',
    async ({ site, run }) => {
      const { closed, push } = site.merge('writer');
      expect((await run(closed)).facts.triggered).toBe(true);
      for (const event of [push, closed]) {
        site.removeStatusComments();
        const { facts } = await run(event);
        expect(facts).toMatchObject({ status: 'skipped', triggered: false });
        expect(facts.reason).toContain('has our reaction');
      }
      expectMessages(site, 1);
    },
  );

  scenario(
    'A label is not sent again after its status comment was deleted, and a new head is',
    async (scene) => {
      const { site, run } = scene;
      const event = site.labelled('writer', 'docs');
      expect((await run(event)).facts.triggered).toBe(true);
      site.push();
      expect((await run(site.labelled('writer', 'docs'))).facts.triggered).toBe(true);
      site.removeStatusComments();
      expect((await run(site.labelled('writer', 'docs'))).facts).toMatchObject({
        status: 'skipped',
        triggered: false,
      });
      expectMessages(site, 2);
    },
  );
});

describe('a template', () => {
  scenario('With a template, comments are still commands', async ({ site, run }) => {
    const { facts } = await run(site.say('writer', '/docs-agent --job job-1 also the flag'));
    expect(facts).toMatchObject({ status: 'completed', triggered: true });
    expect(firstPrompt(site)).toMatch(/^also the flag/);
    expect((await run(site.say('writer', 'Looks good.'))).facts.status).toBe('skipped');
  });

  scenario(
    'The template is also sent on a schedule or dispatch if pull-request is given',
    async ({ run }) => {
      const event = { id: 0, eventName: 'workflow_dispatch', payload: {} };
      const { facts } = await run(event, { pullRequest: 7 });
      expect(facts).toMatchObject({ status: 'completed', triggered: true });
      expect((await run(event)).error).toMatchObject({ code: 'config' });
    },
  );

  scenario(
    'A template that is missing, has an unknown variable or is not text is an error, and nothing is sent',
    async (scene) => {
      const { site, run } = scene;
      const { closed } = site.merge('writer');
      const missing = await run(closed, { promptFile: 'docs/none.md' });
      expectError(missing.error, { code: 'config', message: 'is not on the default branch' });
      for (const [text, problem] of [
        ['Document {{pull_request.titel}}.', 'did you mean {{pull_request.title}}?'],
        ['Document {{secrets.KEY}}.', 'names {{secrets.KEY}}, which does not exist'],
        [' \n', 'is empty'],
        ['a\0b', 'is not UTF-8 text'],
        ['x'.repeat(65 * 1024), 'bytes; 65536 are allowed'],
      ] as const) {
        site.putFile(PATH, text);
        const { error } = await run(closed);
        expectError(error, { code: 'config', message: problem });
      }
      expectMessages(site, 0);
    },
  );
});
