import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeAgent } from '../../support/agent-scenarios.ts';
import { RealAgentGitea, type RealAgentSite } from '../../support/agent-sites/gitea-real.ts';
import { ADMIN_KEY } from '../../support/make-inputs.ts';
import { type GiteaTask, stepOfTask } from '../../support/real-servers/gitea-runner.ts';
import { CHECKOUT } from '../../support/runner/environment.ts';
import { runStep, startStep } from '../../support/runner.ts';

let gitea: RealAgentGitea;
beforeAll(async () => {
  gitea = await RealAgentGitea.start();
});
afterAll(() => gitea[Symbol.asyncDispose]());

describeAgent('a real Gitea', () => gitea.addSite());

/** The workflow of the page for users: the event of the page about GitHub, and the job of the page about Gitea. */
function documentedWorkflow(): string {
  const page = readFileSync(join(CHECKOUT, 'docs/how-to/gitea-and-forgejo.md'), 'utf8');
  const job = /```yaml\n(jobs:\n[\s\S]*?)```/.exec(page)?.[1];
  if (job === undefined) throw new Error('the page shows no job');
  return `on:\n  issue_comment:\n    types: [created]\n${job}`;
}

async function startScene() {
  const site = await gitea.addSite(documentedWorkflow());
  for (const id of ['job-1', 'job-2'])
    site.platform.addAgentJob({ id, source: { repository: site.repositoryUrl, ref: null }, script: { prLink: null } });
  return site;
}

function inputsOf({ platform }: RealAgentSite, more: Record<string, string> = {}): Record<string, string> {
  return {
    mode: 'agent',
    'base-url': platform.url,
    'admin-api-key': ADMIN_KEY,
    'project-id': 'project-1',
    'secret-token': gitea.tokens.botReads,
    ...more,
  };
}

const stepOf = (task: GiteaTask, inputs: Record<string, string>) => stepOfTask(task, inputs);
const COMMAND = '/docs-agent --job job-1 also document the page';

const CHANGES = `on:
  push:
    branches: [main]
  pull_request_target:
    types: [closed, labeled, unlabeled]
jobs:
  instruct:
    runs-on: ubuntu-latest
    permissions:
      pull-requests: write
      contents: read
      actions: read
    steps:
      - run: echo
`;
const TEMPLATE_PATH = '.gitea/docs agent.md';

async function startChanges() {
  const site = await gitea.addSite(CHANGES);
  site.platform.addAgentJob({
    id: 'job-1',
    source: { repository: site.repositoryUrl, ref: null },
    script: { prLink: null },
  });
  await site.putFile(TEMPLATE_PATH, 'Document what {{pull_request.title}} changes: {{pull_request.files}}.\n');
  const inputs = { promptFile: TEMPLATE_PATH, agentJobId: 'job-1' };
  return { site, inputs, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
}

describe('agent mode without a comment on a real Gitea', () => {
  test.each(['merge', 'squash', 'rebase'] as const)(
    'A %s sends the template once, although it is both a push and a closed pull request',
    async (how) => {
      await using scene = await startChanges();
      const { site, inputs } = scene;
      const { closed, push } = await site.merge('writer', how);
      if (closed === undefined || push === undefined) throw new Error('an event is missing');
      const first = await site.run(push, { inputs: { ...inputs, onlyPaths: ['docs/**'] } });
      expect(first.error).toBeUndefined();
      expect(first.facts).toMatchObject({ status: 'completed', triggered: true });
      for (const event of [closed, push]) {
        const { facts } = await site.run(event, { inputs });
        expect(facts).toMatchObject({ status: 'skipped', triggered: false });
        expect(facts.reason).toContain('it is not sent again');
      }
      const [instruction = '', data = ''] = site.platform.messages[0]?.prompt.split('BEGIN DATA') ?? [];
      expect(instruction).toMatch(/^Document what \{\{pull_request\.title\}\} changes/);
      expect(data).toContain('"{{pull_request.title}}": "Add a page"');
      expect(data).toContain('"{{pull_request.files}}": "docs/page.md"');
      expect(site.platform.messages).toHaveLength(1);
      expect((await site.statusComments())[0]).toContain('The docs agent has finished');
    },
  );

  test("The merge of an outsider's pull request sends the template, and quotes nothing of theirs", async () => {
    await using scene = await startChanges();
    const { site, inputs } = scene;
    await site.addSecret('DOCS_KEY', 'key-0123456789');
    await site.openFork();
    const { closed } = await site.merge('writer', 'squash');
    if (closed === undefined) throw new Error('the event is missing');
    expect(closed.eventName).toBe('pull_request_target');
    expect(closed.task.secrets).toMatchObject({ DOCS_KEY: 'key-0123456789' });
    const { facts, error } = await site.run(closed, { inputs });
    expect(error).toBeUndefined();
    expect(facts).toMatchObject({ status: 'completed', triggered: true });
    expect(site.platform.messages[0]?.prompt).toContain('Document what {{pull_request.title}} changes');
    expect(site.platform.messages[0]?.prompt).not.toMatch(/EVIL|evil/);
  });

  test('Adding the label docs sends the template, and removing another label does not', async () => {
    await using scene = await startChanges();
    const { site, inputs } = scene;
    const [docs, bug] = [await site.addLabel('docs'), await site.addLabel('bug')];
    const other = await site.run(await site.changeLabel('writer', 'POST', bug), { inputs });
    expect(other.facts.reason).toContain('this event is about: bug');
    const added = await site.changeLabel('writer', 'POST', docs);
    const removed = await site.run(await site.changeLabel('writer', 'DELETE', bug), { inputs });
    expect(removed.facts).toMatchObject({ status: 'skipped', triggered: false });
    expect(site.platform.messages).toEqual([]);
    expect((await site.run(added, { inputs })).facts).toMatchObject({ status: 'completed', triggered: true });
    expect((await site.run(added, { inputs })).facts).toMatchObject({ status: 'skipped', triggered: false });
    expect(site.platform.messages).toHaveLength(1);
  });
});

describe('the action in a job that a comment on a real Gitea started', () => {
  test('A comment is sent to the agent, and its status comment ends', async () => {
    await using site = await startScene();
    await site.say('writer', COMMAND);
    const result = await runStep(stepOf(site.task, inputsOf(site)));
    expect(result.exitCode, result.log).toBe(0);
    expect(result.outputs).toMatchObject({ status: 'completed', triggered: 'true', 'agent-job-id': 'job-1' });
    expect(result.outputs['comment-url']).toContain(`${site.pullUrl(1)}#issuecomment-`);
    expect(site.platform.messages.map(({ prompt }) => prompt.split('\n')[0])).toEqual(['also document the page']);
    const comments = await site.statusComments();
    expect(comments).toHaveLength(1);
    expect(comments[0]).toContain('The docs agent has finished');
    expect(comments[0]).not.toContain('cannot report');
    await site.endJob('RESULT_SUCCESS');
  });

  test('A killed job leaves a comment that says so, and the next command ends it', async () => {
    await using site = await startScene();
    site.platform.behaviour.agentJobs = { advance: 'poll', polls: 1000 };
    await site.say('writer', COMMAND);
    const step = await startStep(stepOf(site.task, inputsOf(site)));
    const first = async () => (await site.statusComments())[0] ?? '';
    await expect.poll(first, { timeout: 60_000 }).toContain('is working');
    expect(await first()).toContain('it cannot report that here');
    // How Gitea cancels a job: no signal that a step could answer.
    step.kill('SIGKILL');
    await step.done;
    await site.endJob('RESULT_CANCELLED');
    expect(await first()).toContain('is working');
    site.platform.behaviour.agentJobs = { advance: 'poll', polls: 1 };
    await site.say('writer', '/docs-agent --job job-2 go on');
    const next = await runStep(stepOf(site.task, inputsOf(site)));
    expect(next.exitCode, next.log).toBe(0);
    expect(await first()).toContain('ended without a report');
    expect(await first()).toContain('`completed`');
    expect(await site.statusComments()).toHaveLength(2);
    expect(site.platform.messages).toHaveLength(2);
    await site.endJob('RESULT_SUCCESS');
  });

  test("Without an administrator's token the run fails and says how to make one; a re-run with it sends the command", async () => {
    await using site = await startScene();
    await site.say('writer', COMMAND);
    const { task } = site;
    const { 'secret-token': _, ...without } = inputsOf(site);
    const failed = await runStep(stepOf(task, without));
    expect(failed.outputs, failed.log).toMatchObject({ status: 'failed', 'error-code': 'forbidden' });
    expect(failed.log).toContain('secret-token is missing');
    expect(failed.log).toContain('read:repository and nothing else');
    const writer = await runStep(stepOf(task, inputsOf(site, { 'secret-token': gitea.tokens.reader })));
    expect(writer.outputs['error-code'], writer.log).toBe('forbidden');
    expect(writer.log).toContain('must be an administrator');
    expect(site.platform.messages).toEqual([]);
    await site.endJob('RESULT_FAILURE');
    const again = await site.rerun(task);
    expect(again.context).toMatchObject({ run_id: task.context.run_id, run_attempt: '2' });
    const result = await runStep(stepOf(again, inputsOf(site)));
    expect(result.outputs, result.log).toMatchObject({ status: 'completed', triggered: 'true' });
    expect(site.platform.messages).toHaveLength(1);
    await site.endJob('RESULT_SUCCESS');
    const third = await runStep(stepOf(await site.rerun(again), inputsOf(site)));
    expect(third.outputs, third.log).toMatchObject({ status: 'skipped', triggered: 'false' });
    expect(site.platform.messages).toHaveLength(1);
    await site.endJob('RESULT_SUCCESS');
  });

  test('Mode doctor checks the tokens', async () => {
    await using site = await startScene();
    await site.say('writer', 'A comment that starts a job.');
    const doctor = (token: string) =>
      runStep(stepOf(site.task, inputsOf(site, { mode: 'doctor', 'secret-token': token })));
    const good = await doctor(gitea.tokens.botReads);
    expect(good.log).toContain(`It can look up the permissions of people in ${site.repository}`);
    expect(good.exitCode, good.log).toBe(0);
    const bad = await doctor(gitea.tokens.writer);
    expect(bad.log).toContain('Who may command cannot be looked up');
    expect(bad.exitCode).toBe(1);
  });

  test("If github-token is the bot's token, the action comments as that bot and needs no other token", async () => {
    await using site = await startScene();
    await site.say('owner', COMMAND);
    const { 'secret-token': _, ...without } = inputsOf(site, { 'github-token': gitea.tokens.bot });
    const result = await runStep(stepOf(site.task, without));
    expect(result.outputs, result.log).toMatchObject({ status: 'completed', triggered: 'true' });
    expect(await site.commentAuthors()).toEqual(['ada', 'docs-bot']);
    const twice = await runStep(stepOf(site.task, without));
    expect(twice.outputs['status'], twice.log).toBe('skipped');
    expect(site.platform.messages).toHaveLength(1);
    await site.endJob('RESULT_SUCCESS');
  });
});
